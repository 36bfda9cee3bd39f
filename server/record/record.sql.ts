/** Reading and writing a declared model. Names of tables and columns come from its declaration, never from a caller. */
import { type RawBuilder, sql } from 'kysely';
import type { SignedIn } from '#server/session/session.sql.ts';
import { inReach } from './reach.ts';
import { columnOf, holdsText } from './record-condition.ts';
import { kindOf, type RecordField, type RecordModel, type Row, type Tx, type UniqueName } from './record-model.ts';

export interface Listing {
  conditions?: RawBuilder<boolean>[];
  /** Looked for in the fields that the model says. */
  search?: string;
  sort?: { field: string; descending?: boolean | undefined }[];
  skip?: number;
  limit?: number;
  withArchived?: boolean;
  /** Only what these fields need is read; everything when absent. */
  fields?: readonly string[];
}

export const LIST_MOST = 1000;

/** The rows the person reaches, the oldest first unless sorted. */
export async function listRows(tx: Tx, model: RecordModel, person: SignedIn, listing: Listing = {}): Promise<Row[]> {
  const { rows } = await sql<Row>`select ${sql.join(selected(model, person, listing.fields))} from ${sql.table(model.table)} as t
    ${owners(model, listing.sort)} where ${where(model, person, listing)} order by ${order(model, listing.sort)}
    limit ${Math.min(listing.limit ?? LIST_MOST, LIST_MOST)} offset ${listing.skip ?? 0}`.execute(tx);
  return rows.filter((row) => model.mayReadRow?.(person, row) ?? true);
}

/** Of all rows that a listing finds, however many, in its order. */
export async function listIds(
  tx: Tx,
  model: RecordModel,
  person: SignedIn,
  listing: Omit<Listing, 'skip' | 'limit' | 'fields'>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select t.id from ${sql.table(model.table)} as t
    ${owners(model, listing.sort)} where ${where(model, person, listing)} order by ${order(model, listing.sort)}`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function countRows(tx: Tx, model: RecordModel, person: SignedIn, listing: Listing): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(model.table)} as t
    where ${where(model, person, listing)}`.execute(tx);
  return rows[0]!.count;
}

/** One row, archived or not; locked against other writers until the transaction ends. */
export async function lockRow(tx: Tx, model: RecordModel, person: SignedIn, id: string): Promise<Row | undefined> {
  await sql`select 1 from ${sql.table(model.table)} as t where ${where(model, person, byId(id))} for update of t`.execute(tx);
  return findRow(tx, model, person, id);
}

/** The children of one parent, so that their order stays until the transaction ends. */
export async function lockChildren(tx: Tx, model: RecordModel, person: SignedIn, parentId: string): Promise<void> {
  const parent = model.fields[model.parent!.field]!;
  const listing: Listing = { conditions: [sql<boolean>`${columnOf(parent)} = ${parentId}::uuid`], withArchived: true };
  await sql`select 1 from ${sql.table(model.table)} as t where ${where(model, person, listing)} order by t.id for update of t`.execute(tx);
}

/** One row, archived or not; nobody changes or removes it until the transaction ends, while others may hold it as well. */
export async function holdRow(tx: Tx, model: RecordModel, person: SignedIn, id: string): Promise<Row | undefined> {
  await sql`select 1 from ${sql.table(model.table)} as t where ${where(model, person, byId(id))} for share of t`.execute(tx);
  return findRow(tx, model, person, id);
}

export async function findRow(tx: Tx, model: RecordModel, person: SignedIn, id: string): Promise<Row | undefined> {
  return (await listRows(tx, model, person, byId(id)))[0];
}

export const isAnyOf = (ids: string[]): RawBuilder<boolean> => sql<boolean>`t.id = any(${ids}::uuid[])`;
const byId = (id: string): Listing => ({ conditions: [sql<boolean>`t.id = ${id}::uuid`], withArchived: true });

export async function insertRow(tx: Tx, model: RecordModel, values: Row): Promise<void> {
  const columns = Object.keys(values);
  await sql`insert into ${sql.table(model.table)} (${sql.join(columns.map((one) => sql.ref(one)))})
    values (${sql.join(columns.map((one) => values[one]))})`.execute(tx);
}

/** `values` by column, or `column.key` for a member of a JSON column. */
export async function updateRow(tx: Tx, model: RecordModel, person: SignedIn, id: string, values: Row): Promise<void> {
  const plain = Object.entries(values).filter(([name]) => !name.includes('.'));
  const members = Object.entries(values).filter(([name]) => name.includes('.'));
  const changes = plain.map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  for (const [column, parts] of Map.groupBy(members, ([name]) => name.split('.')[0]!)) {
    const merged = Object.fromEntries(parts.map(([name, value]) => [name.slice(column.length + 1), value]));
    changes.push(sql`${sql.ref(column)} = ${sql.ref(column)} || ${JSON.stringify(merged)}::jsonb`);
  }
  if (model.fields.version) changes.push(sql`version = version + 1`, sql`updated_at = now()`);
  await sql`update ${sql.table(model.table)} as t set ${sql.join(changes)} where ${where(model, person, byId(id))}`.execute(tx);
}

/** The children of one parent from `place` on move down by one. */
export async function makeRoom(tx: Tx, model: RecordModel, person: SignedIn, parentId: string, place: number): Promise<void> {
  const [position, parent] = [sql.ref(model.position!), columnOf(model.fields[model.parent!.field]!)];
  const conditions = [sql<boolean>`${parent} = ${parentId}::uuid`, sql<boolean>`t.${position} >= ${place}`];
  await sql`update ${sql.table(model.table)} as t set ${position} = ${position} + 1 where ${where(model, person, { conditions })}`.execute(
    tx,
  );
}

export async function deleteRow(tx: Tx, model: RecordModel, person: SignedIn, id: string): Promise<void> {
  await sql`delete from ${sql.table(model.table)} as t where ${where(model, person, byId(id))}`.execute(tx);
}

/** Whether another record has this value; looked up under a lock, so that of two who take one name at once one hears of it. */
export async function isTaken(
  tx: Tx,
  model: RecordModel,
  person: SignedIn,
  { field, within: group, key: tableKey }: UniqueName,
  value: string,
  own: string | null,
  within?: unknown,
): Promise<boolean> {
  const column = columnOf(model.fields[field]!);
  const key = `${person.organizationId} ${model.model} ${field}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
  const conditions = [
    tableKey ? sql<boolean>`${column} = ${value}` : sql<boolean>`lower(${column}::text) = lower(${value})`,
    ...(group ? [sql<boolean>`${columnOf(model.fields[group]!)} = ${within}`] : []),
    ...(own ? [sql<boolean>`t.id <> ${own}::uuid`] : []),
    ...(model.removal === 'archive' && !tableKey ? [sql<boolean>`t.status <> 'archived'`] : []),
    ...(model.organizationColumn ? [sql<boolean>`t.${sql.ref(model.organizationColumn)} = ${person.organizationId}::uuid`] : []),
  ];
  const { rows } = await sql`select 1 from ${sql.table(model.table)} as t where ${sql.join(conditions, sql` and `)} limit 1`.execute(tx);
  return rows.length > 0;
}

function selected(model: RecordModel, person: SignedIn, names?: readonly string[]): RawBuilder<unknown>[] {
  const byColumn = new Map<string, RecordField>();
  // Which rows are seen may hang on any of their columns.
  const fields = names && !model.mayReadRow ? names.flatMap((name) => withNeeds(model, name)) : Object.values(model.fields);
  for (const field of fields) byColumn.set(field.column, field);
  if (!byColumn.has('id')) byColumn.set('id', { column: 'id', kind: 'id' });
  return [...byColumn].map(([column, field]) => sql`${field.forPerson?.(person) ?? columnOf(field)} as ${sql.ref(column)}`);
}

const withNeeds = (model: RecordModel, name: string): RecordField[] => {
  const field = model.fields[name]!;
  return [field, ...(field.readsWith ?? []).map((other) => model.fields[other]!)];
};

function where(model: RecordModel, person: SignedIn, listing: Listing): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [
    ...(model.organizationColumn ? [sql`t.${sql.ref(model.organizationColumn)} = ${person.organizationId}::uuid`] : []),
    ...(model.own ? [sql`t.id = ${model.own(person)}::uuid`] : []),
    inReach(person, model),
    ...(model.removal === 'archive' && !listing.withArchived ? [sql`t.status <> 'archived'`] : []),
    ...(listing.conditions ?? []),
    ...(listing.search ? [found(model, person, listing.search)] : []),
  ];
  return sql.join(conditions, sql` and `);
}

/** A name as it is written on screen, 'Harbour, Night': each part is found in some field. */
function found(model: RecordModel, person: SignedIn, text: string): RawBuilder<unknown> {
  const parts = text.split(', ').filter((part) => part.trim() !== '');
  const fields = (model.search ?? []).map((name) => model.fields[name]!);
  if (fields.length === 0 || parts.length === 0) return sql`true`;
  return sql.join(
    parts.map((part) => {
      const places = fields.map((field) => holdsText(field, part, person.organizationId));
      return sql`(${sql.join(places, sql` or `)})`;
    }),
    sql` and `,
  );
}

/** Beside the rows, those whose names they are sorted by: joined once, where a look-up for each of 10,000 would take longer than all else. */
function owners(model: RecordModel, sort: Listing['sort'] = []): RawBuilder<unknown> {
  const joins = [...new Set(sort.map((one) => one.field))].flatMap((name) => {
    const from = model.fields[name]?.nameFrom;
    const owner = ownerOf(name);
    return from
      ? sql`left join ${sql.table(from.table)} as ${owner} on ${owner}.organization_id = t.organization_id and ${owner}.id = t.${sql.ref(from.by)}`
      : [];
  });
  return sql.join(joins, sql` `);
}
const ownerOf = (field: string) => sql.id(`owner_${field}`);

/** Texts as people sort them, without regard to case; the id decides between equals. */
function order(model: RecordModel, sort: Listing['sort'] = []): RawBuilder<unknown> {
  const begin = sort.length === 0 && model.position ? [sql`t.${sql.ref(model.position)}`] : [];
  const asked = sort.map(({ field: name, descending }) => {
    const field = model.fields[name]!;
    const value = field.nameFrom ? sql`${ownerOf(name)}.name` : columnOf(field);
    const column = kindOf(field) === 'text' ? sql`lower(${value}::text)` : value;
    return sql`${column} ${descending ? sql`desc nulls last` : sql`asc nulls first`}`;
  });
  return sql.join([...begin, ...asked, sql`t.id`]);
}
