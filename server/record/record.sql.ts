/** Reading and writing a declared model. Names of tables and columns come from its declaration, never from a caller. */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '#db/types.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import type { RecordModel } from './record-model.ts';

type Row = Record<string, unknown>;
type Tx = Transaction<Database>;

const MOST = 1000;

/** The rows the person reaches, oldest first; with `id`, that one. */
export async function listRows(tx: Tx, model: RecordModel, person: SignedIn, id?: string): Promise<Row[]> {
  const columns = [...new Set(['id', ...Object.values(model.fields).map((field) => field.column)])];
  const { rows } = await sql<Row>`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(model.table)}
    where ${reached(model, person, id)} order by id limit ${MOST}`.execute(tx);
  return rows.filter((row) => model.mayReadRow?.(person, row) ?? true);
}

export async function updateRow(tx: Tx, model: RecordModel, person: SignedIn, id: string, data: Row): Promise<boolean> {
  const changes = new Map<string, RawBuilder<unknown>>();
  for (const [name, value] of Object.entries(data)) {
    const { column, key } = model.fields[name]!;
    if (!key) changes.set(column, sql`${sql.ref(column)} = ${value}`);
    else changes.set(`${column}.${key}`, sql`${JSON.stringify({ [key]: value })}::jsonb`);
  }
  const plain = [...changes].filter(([name]) => !name.includes('.')).map(([, change]) => change);
  const merged = Map.groupBy(
    [...changes].filter(([name]) => name.includes('.')),
    ([name]) => name.split('.')[0]!,
  );
  const merges = [...merged].map(
    ([column, parts]) =>
      sql`${sql.ref(column)} = ${sql.ref(column)} || ${sql.join(
        parts.map(([, part]) => part),
        sql` || `,
      )}`,
  );
  const { numAffectedRows } = await sql`update ${sql.table(model.table)} set ${sql.join([...plain, ...merges])}
    where ${reached(model, person, id)}`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

function reached(model: RecordModel, person: SignedIn, id: string | undefined): RawBuilder<unknown> {
  const conditions = [
    ...(model.organizationColumn ? [sql`${sql.ref(model.organizationColumn)} = ${person.organizationId}::uuid`] : []),
    ...(model.own ? [sql`id = ${model.own(person)}::uuid`] : []),
    ...(id === undefined ? [] : [sql`id = ${id}::uuid`]),
  ];
  return sql.join(conditions, sql` and `);
}
