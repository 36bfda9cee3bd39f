/** Adding, editing, removing, restoring and ordering records: checked, counted, logged and announced in one transaction. */
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { fillModule, MESSAGES } from '#contract/message.ts';
import { type ChangeAction, insertChange } from '#server/change-log/change-log.sql.ts';
import type { AllowList } from '#server/delivery/outbound-address.ts';
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { newId } from '#server/kit/ids.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { recordModels } from './record.models.ts';
import { deleteRow, findRow, holdRow, insertRow, isTaken, listRows, lockChildren, lockRow, makeRoom, updateRow } from './record.sql.ts';
import { columnOf } from './record-condition.ts';
import { readData, requireReferred, storeData, viewRecord } from './record-data.ts';
import { hasVersion, kindOf, nameOf, type RecordModel, type Row, type Tx } from './record-model.ts';

/** Who changes, in which transaction, and what is needed to seal. */
export interface Change {
  tx: Tx;
  person: SignedIn;
  /** Where the call came from. */
  address: string;
  keys: () => OrganizationKeys;
  outboundAllow: AllowList;
  /** Who asked for it in a portal, where somebody else said yes: both are named in the change log. */
  askedBy?: string;
  /** The change that this one takes back. */
  rollsBack?: string;
  /** Set once the change says that leads are routed by something new; all nodes are told when it commits (record-call.ts). */
  routing: { isNew: boolean };
}

export function requireModel(name: string): RecordModel {
  const model = recordModels.get(name);
  if (!model)
    throw new HttpError(400, 'record_model_unknown', `There is no model "${name}". There are ${[...recordModels.keys()].join(', ')}.`);
  return model;
}

/** The record, and before it what it locks; held against everybody until the change commits. Undefined where the person reaches none. */
export async function lockRecord({ tx, person }: Change, model: RecordModel, id: string): Promise<Row | undefined> {
  if (model.locksParent) {
    const row = await findRow(tx, model, person, id);
    if (!row) return undefined;
    await lockRow(tx, requireModel(model.parent!.model), person, String(row[model.fields[model.parent!.field]!.column]));
  }
  return lockRow(tx, model, person, id);
}

/** The record as it will be, after its checks: these may set right what hangs on it. */
async function judge(
  { tx, person, keys, outboundAllow }: Change,
  model: RecordModel,
  changed: Row,
  row: Row,
  before: Row | null,
): Promise<Row> {
  if (model.namesFields) await holdRow(tx, requireModel('vertical'), person, String(row.vertical_id));
  if (!model.check) return row;
  await model.check(tx, person, changed, row, before, { keys, outboundAllow });
  return (await findRow(tx, model, person, String(row.id))) ?? row;
}

/** `place`: among its siblings, for one that comes back; the ones from there on move down. A new one stands last. */
export async function addRecord(change: Change, model: RecordModel, sent: Row, id = newId(), place?: number): Promise<Row> {
  const { tx, person } = change;
  if (!model.mayAdd?.(person)) throw forbidden();
  const data = readData(model, sent, true);
  await requireReferred(tx, person, model, data, requireModel);
  await requireFree(change, model, data, null);
  const stored = storeData(model, data, { row: {}, recordId: id, keys: change.keys });
  const begun = (await model.begin?.(tx, person, data)) ?? {};
  const tenant = model.organizationColumn === 'organization_id' ? { organization_id: person.organizationId } : {};
  const position = model.position ? { [model.position]: place ?? (await nextPosition(change, model, data)) } : {};
  if (place !== undefined) await makeRoom(tx, model, person, String(data[model.parent!.field]), place);
  await guarded(model, () => insertRow(tx, model, { ...tenant, id, ...begun, ...position, ...stored }));
  // A record in a vertical that the person may not set up is not found again, and nothing of it stays.
  const row = await findRow(tx, model, person, id);
  if (!row) throw forbidden();
  requireOwn(model, row);
  const judged = await judge(change, model, data, row, null);
  await logged(change, model, 'add', judged, {}, told(model, judged, change));
  return judged;
}

/** Throws 409 with the record as it is when `version` is given and no longer current. */
export async function editRecord(change: Change, model: RecordModel, id: string, sent: Row, version?: number): Promise<Row> {
  const { tx, person } = change;
  if (!model.mayWrite(person)) throw forbidden();
  const data = readData(model, sent, false);
  const before = await lockRecord(change, model, id);
  if (!before) throw unknown();
  requireOwn(model, before);
  requireCurrent(change, model, before, version);
  if (before.status === 'archived') return restoreRecord(change, model, before, data);
  await requireReferred(tx, person, model, data, requireModel);
  await requireFree(change, model, data, before);
  const stored = storeData(model, data, { row: before, recordId: id, keys: change.keys });
  await guarded(model, () => updateRow(tx, model, person, id, stored));
  const stands = await findRow(tx, model, person, id);
  if (!stands) throw forbidden();
  for (const [name, field] of Object.entries(model.fields))
    field.checkEdit?.(data[name] as never, before, { row: stands, recordId: id, keys: change.keys });
  const row = await judge(change, model, data, stands, before);
  const [was, is] = differences(told(model, before, change), told(model, row, change));
  for (const name of Object.keys(data)) if (kindOf(model.fields[name]!) === 'sealed') is[name] ??= 'changed';
  await logged(change, model, 'edit', row, was, is);
  return row;
}

/** Archives or deletes, as the model says; refuses while something still needs the record. */
export async function removeRecord(change: Change, model: RecordModel, id: string): Promise<Row> {
  const { tx, person } = change;
  if (!model.removal || !model.mayAdd?.(person)) throw forbidden();
  const row = await lockRecord(change, model, id);
  if (!row || row.status === 'archived') throw unknown();
  requireOwn(model, row);
  const uses = (await model.uses?.(tx, person.organizationId, row)) ?? [];
  if (uses.length > 0)
    throw new HttpError(409, 'record_in_use', `${nameOf(model, row)} is still in use: ${uses.slice(0, 5).join(' ')}`, { uses });
  const was = { ...told(model, row, change), ...(model.position && { position: row[model.position] }) };
  if (model.removal === 'delete') await guarded(model, () => deleteRow(tx, model, person, id));
  else await updateRow(tx, model, person, id, { status: 'archived' });
  await logged(change, model, 'remove', row, was, {});
  return (await findRow(tx, model, person, id)) ?? row;
}

/** An archived record takes one change: a status, with which it comes back. */
async function restoreRecord(change: Change, model: RecordModel, row: Row, data: Row): Promise<Row> {
  const { tx, person } = change;
  if (!model.mayAdd?.(person)) throw forbidden();
  if (Object.keys(data).join() !== 'status')
    throw new HttpError(409, 'record_archived', `${nameOf(model, row)} is archived. Restore it first: give it a status.`);
  await requireFree(change, model, uniqueOf(model, row), row);
  await requireLiving(change, model, row);
  await updateRow(tx, model, person, String(row.id), { status: data.status });
  const stands = (await findRow(tx, model, person, String(row.id)))!;
  // Time went by without it: all of it is judged as if it were written now.
  const restored = await judge(change, model, told(model, stands, change), stands, row);
  await logged(change, model, 'restore', restored, { status: 'archived' }, { status: data.status });
  return restored;
}

/** What a record refers to may have been archived after it: that comes back first. */
async function requireLiving({ tx, person }: Change, model: RecordModel, row: Row): Promise<void> {
  for (const { refers, column } of Object.values(model.fields)) {
    if (!refers || row[column] === null) continue;
    const other = requireModel(refers);
    const found = await holdRow(tx, other, person, String(row[column]));
    if (found && found.status !== 'archived') continue;
    const what = found ? `${other.label} ${nameOf(other, found)} is archived` : `Its ${other.label.toLowerCase()} is gone`;
    throw new HttpError(409, 'record_parent_archived', `${what}. ${found ? 'Restore that first.' : 'It cannot come back.'}`);
  }
}

/** The children of one parent in a new order: all of them, each once. */
export async function orderRecords(change: Change, model: RecordModel, ids: string[], seen?: string[]): Promise<void> {
  const { tx, person } = change;
  if (!model.position || !model.parent || !model.mayWrite(person)) throw forbidden();
  const parentField = model.fields[model.parent.field]!;
  const first = await findRow(tx, model, person, ids[0]!);
  if (!first) throw unknown();
  const parentId = String(first[parentField.column]);
  await lockChildren(tx, model, person, parentId);
  const rows = await listRows(tx, model, person, { conditions: [sql<boolean>`${columnOf(parentField)} = ${parentId}::uuid`] });
  const known = rows.map((row) => String(row.id));
  if (known.length !== ids.length || new Set(ids).size !== ids.length || !ids.every((id) => known.includes(id)))
    throw new HttpError(409, 'record_order_stale', 'The order must name every record once. Something was added or removed meanwhile.');
  if (seen && !isDeepStrictEqual(known, seen))
    throw new HttpError(409, 'record_order_stale', 'Somebody has brought them into another order meanwhile. Look at it, then move again.');
  if (isDeepStrictEqual(known, ids)) return;
  for (const [position, id] of ids.entries()) await updateRow(tx, model, person, id, { [model.position]: position });
  const parent = requireModel(model.parent.model);
  const owner = await findRow(tx, parent, person, parentId);
  const key = model.parent.entityKey;
  await logged(change, parent, 'order', owner ?? { id: parentId }, { [key]: known }, { [key]: ids }, model);
}

async function nextPosition(change: Change, model: RecordModel, data: Row): Promise<number> {
  const parentField = model.fields[model.parent!.field]!;
  const parentId = String(data[model.parent!.field]);
  const rows = await listRows(change.tx, model, change.person, {
    conditions: [sql<boolean>`${columnOf(parentField)} = ${parentId}::uuid`],
  });
  return rows.reduce((most, row) => Math.max(most, Number(row[model.position!]) + 1), 0);
}

/** What several verticals share is changed by who may set up all of them. */
export function requireOwn(model: RecordModel, row: Row): void {
  if (model.verticalsOf && row.may_edit !== true)
    throw new HttpError(403, 'record_shared', fillModule(MESSAGES.recordShared, `${model.label} ${nameOf(model, row)}`));
}

function requireCurrent(change: Change, model: RecordModel, row: Row, version: number | undefined): void {
  if (version === undefined || !hasVersion(model) || row.version === version) return;
  throw new HttpError(409, 'record_changed', 'Somebody has changed this meanwhile. Look at what is new, then save again.', {
    current: viewRecord(model, row, change.keys),
  });
}

/** The names that must still be free when an archived record comes back. */
const uniqueOf = (model: RecordModel, row: Row): Row =>
  Object.fromEntries((model.uniqueNames ?? []).map(({ field }) => [field, row[model.fields[field]!.column]]));

async function requireFree(change: Change, model: RecordModel, data: Row, before: Row | null): Promise<void> {
  const fieldValue = (name: string) => data[name] ?? before?.[model.fields[name]!.column];
  const own = before ? String(before.id) : null;
  for (const rule of model.uniqueNames ?? []) {
    // What a key of the table holds, the table itself refuses.
    if (rule.key || (data[rule.field] === undefined && (!rule.within || data[rule.within] === undefined))) continue;
    const value = String(fieldValue(rule.field) ?? '');
    if (value !== '' && (await isTaken(change.tx, model, change.person, rule, value, own, rule.within && fieldValue(rule.within))))
      throw taken(rule.field, value);
  }
}

function taken(field: string, value: string): HttpError {
  const message = `"${value}" is taken already. Choose another.`;
  return new HttpError(409, 'record_name_taken', message, { errors: [{ field, message }] });
}

/** What the database itself refuses, in words. */
async function guarded<T>(model: RecordModel, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    const unique = code === '23505' && constraint ? model.unique?.[constraint] : undefined;
    if (unique) throw new HttpError(409, unique.code, unique.message, { errors: [{ field: unique.field, message: unique.message }] });
    if (code === '23505') throw new HttpError(409, 'record_name_taken', 'There is one like this already.');
    if (code === '23503')
      throw new HttpError(409, 'record_in_use', `${model.label} is still in use elsewhere, or what it belongs to is gone.`);
    if (code === '23514' || code === '22003' || code === '22001')
      throw new HttpError(400, 'record_value_invalid', `${model.label}: a value is out of bounds (${constraint ?? 'too large'}).`);
    throw error;
  }
}

/** What is told of a record, without what changes by itself. */
function told(model: RecordModel, row: Row, change: Change): Row {
  const { _id, version, updatedAt, ...rest } = viewRecord(model, row, change.keys);
  const written = Object.entries(rest).filter(([name]) => model.fields[name]?.write && !model.fields[name]!.unlogged);
  return Object.fromEntries(written);
}

function differences(before: Row, after: Row): [Row, Row] {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const only = (row: Row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
  return [only(before), only(after)];
}

async function logged(
  change: Change,
  model: RecordModel,
  action: ChangeAction,
  row: Row,
  before: Row,
  after: Row,
  routed = model,
): Promise<void> {
  const { tx, person } = change;
  if (routed.routes) change.routing.isNew = true;
  if (!routed.logged) return;
  await insertChange(tx, person, {
    address: change.address,
    model: model.model,
    recordId: String(row.id),
    recordName: nameOf(model, row),
    action,
    before,
    after,
    rollsBack: change.rollsBack ?? null,
    ...(change.askedBy !== undefined && { askedBy: change.askedBy }),
  });
}

export function forbidden(): HttpError {
  return new HttpError(403, 'record_forbidden', 'Your role does not allow this here. Ask the owner of your organization.');
}

export function unknown(): HttpError {
  return new HttpError(404, 'record_unknown', 'There is no such record in your organization.');
}
