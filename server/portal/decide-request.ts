/** Somebody who sets up says yes to a request, by the same path as if they changed the record themselves, or no. */
import { isDeepStrictEqual } from 'node:util';
import { nameOfChanger } from '#server/change-log/change-log.sql.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { idInstant, isId } from '#server/kit/ids.ts';
import { findLeadPlace } from '#server/lead/lead-view.sql.ts';
import { keptWords } from '#server/lead/person-gone.sql.ts';
import { findRow } from '#server/record/record.sql.ts';
import { type Change, editRecord, forbidden, requireModel } from '#server/record/record-change.ts';
import { viewRecord } from '#server/record/record-data.ts';
import { nameOf, type Row } from '#server/record/record-model.ts';
import { logReturn } from '#server/return/log-return.ts';
import { findSales } from '#server/return/return.sql.ts';
import { returnLead } from '#server/return/return-lead.ts';
import { mayDecideLeads, maySetUp } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { closeRequest, lockRequest, type RequestRow, requireOpen } from './change-request.sql.ts';

/** How what is asked about stands, for who decides. */
export interface Standing {
  /** The asked fields as they are now. */
  current: Row;
  isStale: boolean;
  version: number | null;
  /** Why this person cannot say yes; '' where they can. */
  whyNot: string;
}

export function requireSetUp(person: SignedIn): void {
  if (maySetUp(person) === false) throw forbidden();
}

/** Undefined where the person does not reach what is asked about. */
export async function standingOf(change: Change, row: RequestRow): Promise<Standing | undefined> {
  const { tx, person, keys } = change;
  if (row.model === 'leadReturn') {
    const place = await findLeadPlace(tx, person.organizationId, row.record_id);
    if (!place) return undefined;
    const may = mayDecideLeads(person, place.regionId, place.verticalId);
    return {
      current: {},
      isStale: false,
      version: null,
      whyNot: may ? '' : 'It takes the pages of leads and the set-up of that vertical.',
    };
  }
  const model = requireModel(row.model);
  const record = await findRow(tx, model, person, row.record_id);
  if (!record) return undefined;
  const after = row.after as Row;
  const current = Object.fromEntries(Object.entries(viewRecord(model, record, keys, Object.keys(after))).filter(([name]) => name in after));
  const isShared = model.verticalsOf !== undefined && record.may_edit !== true;
  const whyNot =
    record.status === 'archived'
      ? `${nameOf(model, record)} is archived. Restore it first, or decline.`
      : isShared
        ? `${nameOf(model, record)} is shared with verticals that you may not set up.`
        : '';
  // Only what is asked about counts: whatever else was changed since is nobody's hindrance.
  const isStale = Object.entries(row.before as Row).some(([name, value]) => !isDeepStrictEqual(current[name] ?? null, value));
  return { current, isStale, version: Number(record.version), whyNot };
}

async function lockOwn(change: Change, id: string): Promise<{ row: RequestRow; standing: Standing }> {
  requireSetUp(change.person);
  const row = isId(id) ? await lockRequest(change.tx, change.person.organizationId, id) : undefined;
  const standing = row && (await standingOf(change, row));
  if (!row || !standing) throw new HttpError(404, 'request_unknown', 'There is no such request in your reach.');
  requireOpen(row);
  return { row, standing };
}

export async function approveRequest(
  change: Change,
  id: string,
  { version, isConfirmed, answer }: { version: number | null; isConfirmed: boolean; answer: string },
): Promise<RequestRow> {
  const { row, standing } = await lockOwn(change, id);
  if (standing.whyNot !== '') throw new HttpError(409, 'request_closed_to_you', standing.whyNot);
  if (standing.isStale && !isConfirmed)
    throw new HttpError(
      409,
      'request_stale',
      `${row.record_name} was changed after this was asked. Look at how it is now, then approve it all the same, or decline.`,
    );
  if (row.model === 'leadReturn') await giveBack(change, row);
  else await editRecord({ ...change, askedBy: row.asked_by_name }, requireModel(row.model), row.record_id, row.after as Row, version ?? 0);
  await closeRequest(change.tx, row, { status: 'approved', by: whoOf(change.person), answer: await keptAnswer(change, row, answer) });
  return row;
}

export async function declineRequest(change: Change, id: string, answer: string): Promise<RequestRow> {
  const { row } = await lockOwn(change, id);
  await closeRequest(change.tx, row, { status: 'declined', by: whoOf(change.person), answer: await keptAnswer(change, row, answer) });
  return row;
}

/** Of a return it is about a consumer, who may have been erased since it was asked for. */
const keptAnswer = ({ tx, keys }: Change, { model, record_id }: RequestRow, answer: string): Promise<string> | string =>
  model === 'leadReturn' ? keptWords(tx, keys(), record_id, answer) : answer;

const whoOf = (person: SignedIn) => ({ userId: person.userId, name: nameOfChanger(person) });

/** The days that a buyer has are counted to the moment it asked. */
async function giveBack({ tx, person, address }: Change, row: RequestRow): Promise<void> {
  const name = { leadId: row.record_id, saleIndex: row.sale_index! };
  const [sold] = await findSales(tx, person.organizationId, name, row.buyer_id!);
  if (!sold)
    throw new HttpError(409, 'return_lead_unsold', 'This lead is not sold to that buyer any more, so there is nothing to give back.');
  const { reason, amount } = row.after as { reason: string; amount?: string };
  const by = { userId: person.userId, userName: nameOfChanger(person) };
  const order = { reason, note: row.note, amount, via: 'portal' as const, by, askedAt: idInstant(row.id) };
  const done = await returnLead(tx, person.organizationId, sold, order, Date.now());
  await logReturn(tx, person, address, done, row.asked_by_name);
}
