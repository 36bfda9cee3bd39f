/** What is sent becomes values of columns, and back: every value is checked by its declaration, and refused by its name. */
import { HttpError } from '#server/kit/http-error.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { holdRow, lockRow } from './record.sql.ts';
import { refused, requireField } from './record-condition.ts';
import { type FieldContext, kindOf, type RecordModel, type Row, type Tx } from './record-model.ts';

/** Checked values by field; an unknown field, one that is read only, and a wrong value are each refused. */
export function readData(model: RecordModel, sent: Row, adding: boolean): Row {
  const entries = Object.entries(sent).filter(([, value]) => value !== undefined);
  if (entries.length === 0 && !adding) throw new HttpError(400, 'record_data_missing', 'Say which fields to change.');
  const data = Object.fromEntries(entries.map(([name, value]) => [name, readValue(model, name, value, adding)]));
  const missing = adding ? Object.entries(model.fields).find(([name, field]) => field.required && data[name] === undefined) : undefined;
  if (missing) throw refused(missing[0], 'record_value_missing', 'is required');
  return data;
}

function readValue(model: RecordModel, name: string, value: unknown, adding: boolean): unknown {
  const field = requireField(model, name);
  if (!field.write || (field.fixed && !adding)) throw refused(name, 'record_field_fixed', 'This field cannot be changed here.');
  const read = field.write.safeParse(typeof value === 'string' ? value.trim() : value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = [name, ...(issue?.path ?? [])].join('.');
  throw refused(path, 'record_value_invalid', issue?.message ?? 'is not valid');
}

/** Records that an id of `data` names must be there for the person, and in use; they stay so until the change commits. */
export async function requireReferred(
  tx: Tx,
  person: SignedIn,
  model: RecordModel,
  data: Row,
  find: (name: string) => RecordModel,
): Promise<void> {
  for (const [name, value] of Object.entries(data)) {
    const other = model.fields[name]?.refers;
    if (!other || value === null) continue;
    const take = model.locksParent && name === model.parent?.field ? lockRow : holdRow;
    const row = await take(tx, find(other), person, String(value));
    if (!row || row.status === 'archived' || find(other).mayAddTo?.(person, row, model.page ?? 'setup') === false)
      throw new HttpError(404, 'record_unknown', `${name}: there is no such ${find(other).label.toLowerCase()} in your reach.`, {
        errors: [{ field: name, message: 'There is no such record in your reach.' }],
      });
  }
}

/** What the columns will hold; `column.key` for members of JSON columns. */
export function storeData(model: RecordModel, data: Row, context: FieldContext): Row {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const field = model.fields[name]!;
      const stored = field.store ? field.store(value as never, context) : value;
      const isJson = kindOf(field) === 'json' && !field.key && stored !== null;
      return [field.key ? `${field.column}.${field.key}` : field.column, isJson ? JSON.stringify(stored) : stored];
    }),
  );
}

/** All fields of the record, or those that are `wanted`. */
export function viewRecord(model: RecordModel, row: Row, keys: FieldContext['keys'], wanted?: readonly string[]): Row {
  const context = { row, recordId: String(row.id), keys };
  const fields = (wanted ?? Object.keys(model.fields)).map((name) => {
    const field = model.fields[name]!;
    const stored = row[field.column];
    return [name, field.read ? field.read(stored as never, context) : stored];
  });
  return { _id: row.id, ...Object.fromEntries(fields) };
}
