/**
 * Reads the catalogue of a migrated database and writes db/schema.sql (to read) and db/types.ts (for the query builder).
 * Run by `npm run db:describe`; a test fails when either is out of date.
 */
import type pg from 'pg';

const PARTITIONS = `select inhrelid from pg_inherits`;
const OUR_TABLES = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.oid not in (${PARTITIONS})`;

/** The whole schema as readable SQL, in a stable order. */
export async function describeSchema(client: pg.ClientBase): Promise<string> {
  const tables = await client.query(
    `select c.oid, c.relname as name, pg_get_partkeydef(c.oid) as partition_key, obj_description(c.oid) as comment from pg_class c where ${OUR_TABLES} order by c.relname`,
  );
  const parts = ['-- Written by `npm run db:describe` from the migrations; read it, do not edit it.\n'];
  for (const row of (await functions(client)).rows) parts.push(`${row.definition.trim()};\n`);
  for (const table of tables.rows) parts.push(await describeTable(client, table));
  return parts.join('\n');
}

interface TableRow {
  oid: number;
  name: string;
  partition_key: string | null;
  comment: string | null;
}

async function describeTable(client: pg.ClientBase, table: TableRow): Promise<string> {
  const columns = await client.query(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required, pg_get_expr(d.adbin, d.adrelid) as fallback, a.attgenerated = 's' as is_generated
       from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [table.oid],
  );
  const constraints = await client.query(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = $1 and contype <> 'n' order by contype desc, conname`,
    [table.oid],
  );
  const indexes = await client.query(
    `select pg_get_indexdef(i.indexrelid) as definition from pg_index i where i.indrelid = $1 and not exists (select from pg_constraint k where k.conindid = i.indexrelid) order by 1`,
    [table.oid],
  );
  const lines = [
    ...columns.rows.map((c) => `  ${c.name} ${c.type}${c.required ? ' not null' : ''}${c.fallback ? defaultOf(c) : ''}`),
    ...constraints.rows.map((k) => `  ${k.definition}`),
  ];
  const comment = table.comment ? `-- ${table.comment}\n` : '';
  const partition = table.partition_key ? ` partition by ${table.partition_key}` : '';
  const after = indexes.rows.map((i) => `${i.definition.replace(' ON ONLY ', ' ON ')};\n`).join('');
  return `${comment}create table ${table.name} (\n${lines.join(',\n')}\n)${partition};\n${after}`;
}

function defaultOf({ fallback, is_generated }: { fallback: string; is_generated: boolean }): string {
  return is_generated ? ` generated always as (${fallback}) stored` : ` default ${fallback}`;
}

function functions(client: pg.ClientBase) {
  return client.query(
    `select pg_get_functiondef(oid) as definition from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
  );
}

/** Types of every table for Kysely, one interface a table. */
export async function describeTypes(client: pg.ClientBase): Promise<string> {
  const columns = await client.query(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, a.attnotnull as required, a.atthasdef as has_default,
            a.attgenerated = 's' as is_generated
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where ${OUR_TABLES} and a.attnum > 0 and not a.attisdropped order by c.relname, a.attnum`,
  );
  const byTable = Map.groupBy(columns.rows, (row) => row.table as string);
  const out = [
    '/** Written by `npm run db:describe` from the migrated database; do not edit. */',
    "import type { ColumnType } from 'kysely';",
    '',
    'type Json = ColumnType<unknown, string, string>;',
    'type Numeric = ColumnType<string, string | number, string | number>;',
    'type Optional<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;',
    '',
  ];
  for (const [table, rows] of byTable) {
    const lines = rows.map((row) => `  ${row.name}: ${columnType(row)};`);
    out.push(`export interface ${pascal(table)} {`, ...lines, '}', '');
  }
  out.push('export interface Database {', ...[...byTable.keys()].map((table) => `  ${table}: ${pascal(table)};`), '}', '');
  return out.join('\n');
}

function columnType(row: { type: string; required: boolean; has_default: boolean; is_generated: boolean }): string {
  const plain = scalar(row.type.replace(/\[\]$/, ''));
  const type = row.type.endsWith('[]') ? `${plain}[]` : plain;
  const nullable = row.required ? type : nullableOf(type);
  if (row.is_generated) return `ColumnType<${nullable}, never, never>`;
  return row.has_default && row.required ? `Optional<${nullable}>` : nullable;
}

function nullableOf(type: string): string {
  if (type === 'Json') return 'ColumnType<unknown, string | null, string | null>';
  if (type === 'Numeric') return 'ColumnType<string | null, string | number | null, string | number | null>';
  return `${type} | null`;
}

function scalar(type: string): string {
  switch (type) {
    case 'uuid':
    case 'text':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'real':
    case 'double precision':
      return 'number';
    case 'numeric':
      return 'Numeric';
    case 'jsonb':
      return 'Json';
    case 'bytea':
      return 'Buffer';
    case 'date':
    case 'timestamp with time zone':
      return 'Date';
    default:
      throw new Error(`No TypeScript type is known for the column type ${type}.`);
  }
}

function pascal(name: string): string {
  return name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
