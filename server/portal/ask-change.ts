/** A portal's member asks for a change of a record of its own company: checked as if it were made, and kept until it is decided. */
import { isDeepStrictEqual } from 'node:util';
import { ASKABLE } from '#contract/change-request.ts';
import type { PauseDatesRule, TierPriceView } from '#contract/tier.ts';
import { nameOfChanger } from '#server/change-log/change-log.sql.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { keptWords } from '#server/lead/person-gone.sql.ts';
import { findRow } from '#server/record/record.sql.ts';
import { requireModel } from '#server/record/record-change.ts';
import { readData, viewRecord } from '#server/record/record-data.ts';
import { nameOf, type RecordModel, type Row, type Tx } from '#server/record/record-model.ts';
import { findSales, type SoldLead } from '#server/return/return.sql.ts';
import { judgeReturn, returnRepeated } from '#server/return/return-lead.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { insertRequest, type RequestRow } from './change-request.sql.ts';
import type { Visitor } from './portal-door.ts';
import { unknownLead } from './publisher-leads.ts';

export interface AskedChange {
  model: string;
  _id: string;
  data: Row;
  note: string;
}

export async function askChange(tx: Tx, visitor: Visitor, { model: name, _id, data, note }: AskedChange): Promise<RequestRow> {
  const { company, person, organization } = visitor;
  const fields = ASKABLE[company.kind][name];
  if (!fields) throw notAskable(Object.keys(ASKABLE[company.kind]));
  const model = requireModel(name);
  const row = isId(_id) ? await findOwn(tx, visitor, model, _id) : undefined;
  if (!row || row.status === 'archived') throw new HttpError(404, 'record_unknown', 'You have no such record.');
  const other = Object.keys(data).find((field) => !fields.includes(field));
  if (other !== undefined) throw notAskable(fields, other);
  const asked = readData(model, data, false);
  if (asked.price !== undefined) requireFixed(asked.price as TierPriceView, row);
  const keys = () => organization.keys;
  const before = pick(viewRecord(model, row, keys, Object.keys(asked)), Object.keys(asked));
  if (asked.pauseDates) asked.pauseDates = withNotes(asked.pauseDates as PauseDatesRule, before.pauseDates as PauseDatesRule | null);
  const after = Object.fromEntries(Object.entries(asked).map(([field, value]) => [field, asTold(model, field, value, row)]));
  const changed = Object.keys(after).filter((field) => !isDeepStrictEqual(after[field], before[field]));
  if (changed.length === 0) throw new HttpError(400, 'request_unchanged', 'This is as it is already, so there is nothing to ask for.');
  return insertRequest(tx, asker(person), {
    bound: person.bound,
    model: name,
    recordId: _id,
    recordName: nameOf(model, row),
    saleIndex: null,
    verticalId: name === 'buyerTier' || name === 'publisherTier' ? String(row.vertical_id) : null,
    before: pick(before, changed),
    after: pick(after, changed),
    note,
  });
}

export interface AskedReturn {
  leadId: string;
  saleIndex: number;
  reason: string;
  note: string;
  amount?: string | undefined;
}

/** A sale of the buyer's own; another's is as one that is not there. */
export async function requireOwnSale(tx: Db, { company, person }: Visitor, { leadId, saleIndex }: AskedReturn): Promise<SoldLead> {
  const [sold] = isId(leadId) ? await findSales(tx, person.organizationId, { leadId, saleIndex }, company._id) : [];
  if (!sold) throw unknownLead();
  return sold;
}

export async function askReturn(tx: Tx, visitor: Visitor, sold: SoldLead, asked: AskedReturn): Promise<RequestRow> {
  const { person, organization } = visitor;
  const { reason, amount } = asked;
  const note = await keptWords(tx, organization.keys, sold.leadId, asked.note);
  const judged = await judgeReturn(tx, person.organizationId, sold, { reason, note, amount, via: 'portal' }, Date.now());
  const done = await tx
    .selectFrom('lead_return')
    .select('lead_id')
    .where('organization_id', '=', person.organizationId)
    .where('lead_id', '=', sold.leadId)
    .where('sale_index', '=', sold.saleIndex)
    .executeTakeFirst();
  if (done) throw returnRepeated();
  return insertRequest(tx, asker(person), {
    bound: person.bound,
    model: 'leadReturn',
    recordId: sold.leadId,
    recordName: `Lead ${sold.leadId}`,
    saleIndex: sold.saleIndex,
    verticalId: sold.verticalId,
    before: {},
    after: { reason: judged.reason, ...(amount !== undefined && { amount }) },
    note,
  });
}

const asker = (person: SignedIn) => ({ organizationId: person.organizationId, userId: person.userId, name: nameOfChanger(person) });

/**
 * The record, where it is of the company. It is read as the organization reads it, since a portal's member reaches no vertical; only the
 * fields that may be asked for are told of it.
 */
async function findOwn(tx: Tx, { person, company }: Visitor, model: RecordModel, id: string): Promise<Row | undefined> {
  const row = await findRow(tx, model, { ...person, bound: null, role: 'owner' }, id);
  const owner = model.model === company.kind ? row?.id : row?.[company.kind === 'buyer' ? 'buyer_id' : 'publisher_id'];
  return owner === company._id ? row : undefined;
}

const pick = (all: Row, names: readonly string[]): Row => Object.fromEntries(names.map((name) => [name, all[name] ?? null]));

/** As the record would tell it once it was stored: "5" of money is "5.00" then. */
function asTold(model: RecordModel, name: string, value: unknown, row: Row): unknown {
  const field = model.fields[name]!;
  const context = { row, recordId: String(row.id), keys: () => undefined as never };
  const stored = field.store ? field.store(value as never, context) : value;
  return field.read ? field.read(stored as never, context) : stored;
}

function requireFixed(price: TierPriceView, row: Row): void {
  const current = row.price as { kind: string };
  if (price.kind === 'fixed' && current.kind === 'fixed') return;
  throw new HttpError(400, 'request_price_bid', 'Only a fixed price can be asked for here. A tier that bids says its price with each bid.');
}

/** What the organization noted beside a pause is not told in a portal, and is not lost by a request either. */
function withNotes(asked: PauseDatesRule, before: PauseDatesRule | null): PauseDatesRule {
  const days = asked.days.map((day) => {
    const same = before?.days.find((one) => one.from === day.from && one.to === day.to);
    return same?.note !== undefined && day.note === undefined ? { ...day, note: same.note } : day;
  });
  return { ...asked, days };
}

function notAskable(open: readonly string[], field?: string): HttpError {
  const what = field === undefined ? 'This' : `"${field}"`;
  return new HttpError(400, 'request_field_closed', `${what} cannot be asked for in a portal. You can ask for: ${open.join(', ')}.`);
}
