/** Taking one change back: only while nothing later depends on it, else what does is said. */
import { HttpError } from '#server/kit/http-error.ts';
import { childModel } from '#server/record/record.registry.ts';
import { addRecord, type Change, editRecord, orderRecords, removeRecord, requireModel } from '#server/record/record-change.ts';
import { kindOf, type RecordModel } from '#server/record/record-model.ts';
import { findChange, listLaterChanges } from './change-log.sql.ts';

type Logged = NonNullable<Awaited<ReturnType<typeof findChange>>>;
type Values = Record<string, unknown>;

/** In the organization's tenant transaction. The taking back is a change of its own, and may itself be taken back. */
export async function rollBack(change: Change, id: string): Promise<void> {
  const { tx, person } = change;
  const logged = await findChange(tx, person.organizationId, id);
  if (!logged) throw new HttpError(404, 'change_unknown', 'There is no such change in your organization.');
  const later = await listLaterChanges(tx, person.organizationId, logged);
  const undone = new Set(later.map((one) => one.rolls_back));
  if (undone.has(id)) throw new HttpError(409, 'change_rolled_back', 'This change was taken back already.');
  requireIndependent(
    logged,
    later.filter((one) => !undone.has(one.id) && one.rolls_back === null),
  );
  await takeBack({ ...change, rollsBack: id }, requireModel(logged.model), logged);
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
      else await addRecord(change, model, withoutNulls(before), logged.record_id);
      return;
    case 'restore':
      await removeRecord(change, model, logged.record_id);
      return;
    case 'order': {
      const [key, ids] = Object.entries(before)[0]!;
      await orderRecords(change, childModel(model, key), ids as string[]);
      return;
    }
    default:
      throw new HttpError(409, 'change_final', 'A published tree is taken back on the page of its campaign.');
  }
}

/** Secrets are kept nowhere: a change of them cannot be taken back, only made anew. */
function writable(model: RecordModel, values: Values): Values {
  const known = Object.entries(values).filter(([name]) => model.fields[name]?.write && !model.fields[name]!.fixed);
  if (known.length === 0) throw new HttpError(409, 'change_final', 'What was done here cannot be taken back.');
  const open = known.filter(([name]) => kindOf(model.fields[name]!) !== 'sealed');
  if (open.length === 0)
    throw new HttpError(409, 'change_final', 'What was written here is kept sealed and cannot be taken back. Write it anew.');
  return Object.fromEntries(open);
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
