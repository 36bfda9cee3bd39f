/** Thousands of leads like one that was posted, put straight into their tables: enough that no page looks at all of them. */
import { sql } from 'kysely';
import type { Db } from '#server/kit/database.ts';

interface Like {
  organizationId: string;
  leadId: string;
  /** When the first came; the others follow by the millisecond. */
  from: number;
  count: number;
  /** What they are not like it in, by column. */
  lead?: Record<string, unknown>;
  result?: Record<string, unknown>;
}

/** Their fields are sealed for the lead they are like, so nothing that shows one can open it. */
export async function copyLead(db: Db, { organizationId, leadId, from, count, lead = {}, result = {} }: Like): Promise<void> {
  const id = sql`overlay(uuid7_floor(${new Date(from)}::timestamptz + n * interval '1 millisecond')::text placing lpad(to_hex(n), 12, '0') from 25)::uuid`;
  const copy = (table: string, key: string, of: string, more: Record<string, unknown>) =>
    sql`insert into ${sql.table(table)} select (jsonb_populate_record(x, jsonb_build_object(${key}::text, ${id}) || ${JSON.stringify(more)}::jsonb)).*
      from generate_series(1, ${count}::int) as n join ${sql.table(table)} x on x.organization_id = ${organizationId}::uuid and ${sql.ref(`x.${of}`)} = ${leadId}::uuid`.execute(
      db,
    );
  await copy('lead', 'id', 'id', lead);
  await copy('lead_result', 'lead_id', 'lead_id', result);
  await copy('sale', 'lead_id', 'lead_id', {});
  await sql`analyze lead, lead_result, sale`.execute(db);
}
