import { sql } from 'kysely';
import type { Installation } from '#server/installation.ts';
import { openJson } from '#server/kit/crypto.ts';

/** Every row of the organization in every table, its sealed texts opened: what somebody with all keys can read. */
export async function everythingOf(node: Pick<Installation, 'db' | 'planBook'>, organizationId: string): Promise<string> {
  const { keys } = node.planBook.find(organizationId)!;
  const tables = await sql<{ name: string }>`select distinct table_name as name from information_schema.columns
    where column_name = 'organization_id' and table_schema = 'public' and table_name !~ '_\\d{4}_\\d{2}$'`.execute(node.db);
  const texts: string[] = [];
  const opened = (column: string, row: string, sealed: unknown) => {
    if (Buffer.isBuffer(sealed)) texts.push(JSON.stringify(openJson(keys, column, row, sealed)));
  };
  for (const { name } of tables.rows) {
    const { rows } = await sql<
      Record<string, unknown>
    >`select * from ${sql.table(name)} where organization_id = ${organizationId}::uuid`.execute(node.db);
    for (const row of rows) {
      texts.push(JSON.stringify(row, (_, value) => (value?.type === 'Buffer' ? '' : value)));
      if (name === 'lead') opened('lead.fields', String(row.id), row.fields);
      if (name === 'lead_result') {
        opened('lead_result.explained', String(row.lead_id), row.explained);
        opened('lead_result.wires', String(row.lead_id), row.wires);
      }
      if (name === 'service_call') opened('service_call.wire', `${row.lead_id} ${row.call_index}`, row.wire);
      if (name === 'late_answer') opened('late_answer.wire', `${row.lead_id} ${row.attempt_index}`, row.wire);
      if (name === 'api_call') opened('api_call.wire', String(row.id), row.wire);
      if (name === 'redirect') opened('redirect.url', String(row.lead_id), row.url);
      if (name === 'sample_lead') opened('sample_lead.fields', String(row.id), row.fields);
    }
  }
  return texts.join('\n');
}
