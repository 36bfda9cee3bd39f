/**
 * The conditions of the generic data calls: equality, in, ranges and text search on declared fields, nothing else. Names of columns
 * come from the declaration, values go to the database as parameters.
 */
import { type RawBuilder, sql } from 'kysely';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { type FieldKind, isSearchable, kindOf, type RecordField, type RecordModel } from './record-model.ts';

const OPERATORS = ['in', 'not', 'gte', 'gt', 'lte', 'lt', 'text'] as const;
type Operator = (typeof OPERATORS)[number];
const COMPARE = { gte: sql`>=`, gt: sql`>`, lte: sql`<=`, lt: sql`<` } as const;
const IN_MOST = 1000;

export function refused(field: string, code: string, message: string): HttpError {
  return new HttpError(400, code, `${field}: ${message}`, { errors: [{ field, message }] });
}

export function requireField(model: RecordModel, name: string): RecordField {
  const field = Object.hasOwn(model.fields, name) ? model.fields[name] : undefined;
  if (!field) throw refused(name, 'record_field_unknown', `There is no such field of ${model.model}.`);
  return field;
}

export function requireSortable(model: RecordModel, name: string): void {
  if (!isSearchable(requireField(model, name))) throw refused(name, 'record_field_unsearchable', 'Records cannot be sorted by this field.');
}

const ID: RecordField = { column: 'id', kind: 'id' };

/** Each member narrows further: {status: 'active', name: {text: 'acme'}, buyerId: {in: [...]}}. */
export function readCondition(model: RecordModel, condition: Record<string, unknown>): RawBuilder<boolean>[] {
  return Object.entries(condition).flatMap(([name, wanted]) => {
    const field = name === '_id' ? ID : requireField(model, name);
    if (!isSearchable(field)) throw refused(name, 'record_field_unsearchable', 'Records cannot be looked for by this field.');
    if (typeof wanted !== 'object' || wanted === null) return [isEqual(name, field, wanted)];
    const operators = Array.isArray(wanted) ? [] : Object.entries(wanted);
    // What narrows nothing would find everything.
    if (operators.length === 0)
      throw refused(
        name,
        'record_value_invalid',
        `must be a value or an operator with one, such as {"in": [...]}; there are ${OPERATORS.join(', ')}`,
      );
    return operators.map(([operator, value]) => compare(name, field, operator, value));
  });
}

function compare(name: string, field: RecordField, operator: string, value: unknown): RawBuilder<boolean> {
  if (!OPERATORS.includes(operator as Operator))
    throw refused(name, 'record_operator_unknown', `There is no operator "${operator}". There are ${OPERATORS.join(', ')}.`);
  const column = columnOf(field);
  switch (operator as Operator) {
    case 'in':
      return isOneOf(name, field, value);
    case 'not':
      return sql<boolean>`not coalesce(${Array.isArray(value) ? isOneOf(name, field, value) : isEqual(name, field, value)}, false)`;
    case 'text':
      return matchesText(column, textOf(name, value));
    default: {
      const given = operand(name, kindOf(field), value);
      if (given === undefined) throw refused(name, 'record_value_invalid', 'is not a value of this field');
      return sql<boolean>`${column} ${COMPARE[operator as keyof typeof COMPARE]} ${given}`;
    }
  }
}

function isOneOf(name: string, field: RecordField, list: unknown): RawBuilder<boolean> {
  if (!Array.isArray(list) || list.length > IN_MOST) throw refused(name, 'record_value_invalid', `must be a list of at most ${IN_MOST}`);
  const values = list.map((one) => operand(name, kindOf(field), one)).filter((one) => one !== undefined);
  return values.length === 0 ? sql<boolean>`false` : sql<boolean>`${columnOf(field)} in (${sql.join(values)})`;
}

function isEqual(name: string, field: RecordField, value: unknown): RawBuilder<boolean> {
  const column = columnOf(field);
  if (value === null) return sql<boolean>`${column} is null`;
  const given = operand(name, kindOf(field), value);
  // An id that cannot be one names nothing.
  return given === undefined ? sql<boolean>`false` : sql<boolean>`${column} = ${given}`;
}

const [FIRST, LAST] = [Date.parse('0001-01-02T00:00:00Z'), Date.parse('9999-12-31T00:00:00Z')];
/** An instant that the database takes in every time zone; false for NaN. */
const isKept = (instant: number): boolean => instant >= FIRST && instant <= LAST;

/** Undefined for an id that cannot be one. */
function operand(name: string, kind: FieldKind, value: unknown): unknown {
  const wrong = (what: string) => refused(name, 'record_value_invalid', `must be ${what}`);
  switch (kind) {
    case 'id':
      if (typeof value !== 'string') throw wrong('an id');
      return isId(value) ? sql`${value}::uuid` : undefined;
    case 'number':
    case 'amount':
      if (!/^-?\d{1,15}(\.\d{1,6})?$/.test(String(value)) || typeof value === 'object') throw wrong('a number');
      return sql`${String(value)}::numeric`;
    case 'boolean':
      if (typeof value !== 'boolean') throw wrong('true or false');
      return sql`${value}::boolean`;
    case 'time':
      if (typeof value !== 'string' || !isKept(Date.parse(value))) throw wrong('an instant between the years 1 and 9999');
      return new Date(value);
    default:
      return sql`${textOf(name, value)}::text`;
  }
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || value.length > 500) throw refused(name, 'record_value_invalid', 'must be a text of at most 500');
  return value;
}

export function matchesText(column: RawBuilder<unknown>, text: string): RawBuilder<boolean> {
  return sql<boolean>`${column}::text ilike ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`;
}

export function columnOf({ expression, nameFrom, column }: RecordField): RawBuilder<unknown> {
  if (nameFrom)
    return sql`(select o.name from ${sql.table(nameFrom.table)} o where o.organization_id = t.organization_id and o.id = t.${sql.ref(nameFrom.by)})`;
  return expression ?? sql`t.${sql.ref(column)}`;
}

/** Whether the field holds the text; a name from elsewhere is looked for there once, not for every row. */
export function holdsText(field: RecordField, text: string, organizationId: string): RawBuilder<boolean> {
  if (!field.nameFrom) return matchesText(columnOf(field), text);
  const { table, by } = field.nameFrom;
  return sql<boolean>`t.${sql.ref(by)} in (select o.id from ${sql.table(table)} o
    where o.organization_id = ${organizationId}::uuid and ${matchesText(sql`o.name`, text)})`;
}
