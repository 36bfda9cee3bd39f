/** Taking one change back: only while nothing later depends on it, else what does is said. */
import { HttpError } from '#server/kit/http-error.ts';
import { recordModels } from '#server/record/record.models.ts';
import { childModel } from '#server/record/record.registry.ts';
import { findRow } from '#server/record/record.sql.ts';
import {
  addRecord,
  type Change,
  editRecord,
  lockRecord,
  orderRecords,
  removeRecord,
  requireModel,
  unknown,
} from '#server/record/record-change.ts';
import { kindOf, type RecordModel, type Row } from '#server/record/record-model.ts';
import { findChange, findLastChange, listLaterChanges } from './change-log.sql.ts';
import { EVENTS } from './event-models.ts';

type Logged = NonNullable<Awaited<ReturnType<typeof findChange>>>;
type Values = Record<string, unknown>;

/** In the organization's tenant transaction. The taking back is a change of its own, and may itself be taken back. leftOut: a part of it, sealed, stayed as it is. */
export async function rollBack(change: Change, id: string): Promise<{ leftOut: boolean }> {
  const { tx, person } = change;
  const logged = await findChange(tx, person.organizationId, id);
  if (!logged) throw new HttpError(404, 'change_unknown', 'There is no such change in your organization.');
  const final = whyFinal(logged);
  if (final) throw new HttpError(409, 'change_final', final);
  const model = requireModel(logged.model);
  // Only from here on does nothing later come in between.
  await lockRecord(change, model, logged.record_id);
  const later = await listLaterChanges(tx, person.organizationId, logged);
  const undone = undoneBy(later);
  if (undone.has(id)) throw new HttpError(409, 'change_rolled_back', 'This change was taken back already.');
  // A change that was taken back, and what took it back, are as if they had never been.
  requireIndependent(
    logged,
    later.filter((one) => !undone.has(one.id) && (one.rolls_back === null || !undone.has(one.rolls_back))),
  );
  await takeBack({ ...change, rollsBack: id }, model, logged);
  const wanted = new Set(Object.keys({ ...(logged.before as Values), ...(logged.after as Values) })).size;
  return { leftOut: logged.action === 'edit' && Object.keys(writable(model, logged.before as Values)).length < wanted };
}

/** Why a change cannot be taken back by the log at all; null where it can, dependences aside. */
export function whyFinal({ model: name, action, before }: Pick<Logged, 'model' | 'action' | 'before'>): string | null {
  const event = EVENTS[name];
  if (event) return event.final;
  const model = recordModels.get(name);
  if (!model) return 'There is no such kind of record any more.';
  if (!model.mayAdd && !Object.values(model.fields).some(({ write }) => write))
    return `${model.label}: what became of it is on its own page.`;
  if (action === 'publish') return 'A published tree is taken back in flow control, under Earlier trees.';
  if (action === 'edit' && Object.keys(writable(model, before as Values)).length === 0)
    return 'What was there before is not kept, so it cannot be taken back. Write it anew.';
  return null;
}

/** The changes that are not in force, of these and those before them: taken back by one that was not itself taken back. Oldest first. */
export function undoneBy(changes: readonly { id: string; rolls_back: string | null }[]): Set<string> {
  const undone = new Set<string>();
  // From the newest back: whether one holds is known before what it took back is looked at.
  for (const { id, rolls_back } of changes.toReversed()) if (rolls_back && !undone.has(id)) undone.add(rolls_back);
  return undone;
}

/** A record that was deleted, and that nothing was done to since, comes back as it was; whoever may add one may do so. */
export async function restoreRemoved(change: Change, model: RecordModel, id: string): Promise<Row> {
  const last = await findLastChange(change.tx, change.person.organizationId, model.model, id);
  if (last?.action !== 'remove' || model.removal !== 'delete') throw unknown();
  await rollBack(change, last.id);
  return (await findRow(change.tx, model, change.person, id))!;
}

async function takeBack(change: Change, model: RecordModel, logged: Logged): Promise<void> {
  const before = logged.before as Values;
  switch (logged.action) {
    case 'add':
      await removeRecord(change, model, logged.record_id);
      return;
    case 'edit':
      await editRecord(change, model, logged.record_id, writable(model, before));
      return;
    case 'remove':
      if (model.removal === 'archive') await editRecord(change, model, logged.record_id, { status: before.status ?? 'active' });
      else await bringBack(change, model, before, logged.record_id);
      return;
    case 'restore':
      await removeRecord(change, model, logged.record_id);
      return;
    case 'order': {
      const [key, ids] = Object.entries(before)[0]!;
      await orderRecords(change, childModel(model, key), ids as string[]);
      return;
    }
  }
}

/** With its id, at its place. */
async function bringBack(change: Change, model: RecordModel, { position, ...before }: Values, id: string): Promise<void> {
  await addRecord(change, model, withoutNulls(before), id, typeof position === 'number' ? position : undefined);
}

/** Secrets are kept nowhere: a change of them cannot be taken back, only made anew. */
function writable(model: RecordModel, values: Values): Values {
  const known = Object.entries(values).filter(([name]) => model.fields[name]?.write && !model.fields[name]!.fixed);
  return Object.fromEntries(known.filter(([name]) => kindOf(model.fields[name]!) !== 'sealed'));
}

const withoutNulls = (values: Values): Values => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** A later change depends on an earlier one when it wrote the same field, or when either is about the whole record. */
function requireIndependent(logged: Logged, later: Logged[]): void {
  const isPart = (one: Logged) => one.action === 'edit' || one.action === 'order';
  const fields = new Set(Object.keys({ ...(logged.before as Values), ...(logged.after as Values) }));
  const depends = later.filter(
    (one) => !isPart(one) || (isPart(logged) && Object.keys(one.after as Values).some((name) => fields.has(name))),
  );
  if (depends.length === 0) return;
  const uses = depends
    .slice(0, 5)
    .map((one) => `${one.user_name} changed ${Object.keys(one.after as Values).join(', ') || 'it'} afterwards (${one.action}).`);
  throw new HttpError(409, 'change_depended_on', `Later changes build on this one. Take those back first: ${uses.join(' ')}`, { uses });
}
