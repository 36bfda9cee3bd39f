/** Which values of a record-to-be are taken: asked while somebody types, before anything is saved. */
import { isId } from '#server/kit/ids.ts';
import { findRow, isTaken } from './record.sql.ts';
import { type Change, requireModel, unknown } from './record-change.ts';
import { refused } from './record-condition.ts';
import type { RecordModel, Row, Tx } from './record-model.ts';

/** `asked`: values by field, what they must be unique within, and as `_id` the record that may keep them. */
export async function listTaken({ tx, person }: Change, model: RecordModel, asked: Row): Promise<{ field: string; message: string }[]> {
  const rules = model.uniqueNames ?? [];
  if (rules.length === 0) throw refused('model', 'record_name_free', `Names of ${model.model} may be used more than once.`);
  const wanted = rules.filter(({ field }) => asked[field] !== undefined);
  if (wanted.length === 0) throw refused(rules[0]!.field, 'record_value_missing', 'is required');
  const own = isId(asked._id) ? asked._id : null;
  const taken: { field: string; message: string }[] = [];
  for (const rule of wanted) {
    const value = asked[rule.field];
    if (typeof value !== 'string' || value.trim() === '') throw refused(rule.field, 'record_value_missing', 'is required');
    const within = rule.within ? asked[rule.within] : undefined;
    if (rule.within && !isId(within)) throw refused(rule.within, 'record_value_missing', 'is required');
    if (rule.within) await requirePlace(tx, person, model, model.fields[rule.within]!.refers!, String(within));
    if (!(await isTaken(tx, model, person, rule, value.trim(), own, within))) continue;
    const message = (rule.key && model.unique?.[rule.key]?.message) || `"${value.trim()}" is taken already. Choose another.`;
    taken.push({ field: rule.field, message });
  }
  return taken;
}

/** What is taken within a record is told to who may add to it. */
async function requirePlace(tx: Tx, person: Change['person'], { page = 'setup' }: RecordModel, within: string, id: string): Promise<void> {
  const place = requireModel(within);
  const row = await findRow(tx, place, person, id);
  if (!row || place.mayAddTo?.(person, row, page) === false) throw unknown();
}
