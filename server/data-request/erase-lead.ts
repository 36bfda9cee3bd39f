/**
 * Takes a person out of a lead: what was sent, answered and said of them, wherever it stands. What is no person stays: times, outcomes, prices,
 * reasons in our own words, fields of classes P0 and P1; so figures are after it what they were before. Of what was damaged nobody can tell which words
 * are theirs: it goes whole.
 */
import { sql } from 'kysely';
import type { FieldConfig } from '#engine/plan.ts';
import { dropFilesOf, holdFiles } from '#server/export/export-file.sql.ts';
import { keyedHash, type OrganizationKeys, openJsonIfSound, sealJson } from '#server/kit/crypto.ts';
import { isId } from '#server/kit/ids.ts';
import type { Explained, StoredWire } from '#server/lead/intake.ts';
import { maskingOf } from '#server/lead/lead.view.ts';
import { DOTS, isMasked } from '#server/lead/mask.ts';
import { openIfSound, openStoredFields, type StoredFields } from '#server/lead/stored-fields.ts';
import { forgetInPayments } from '#server/payment/payment.sql.ts';
import type { Tx } from '#server/record/record-model.ts';
import { SEALED_AS as REDIRECT } from '#server/redirect/redirect.sql.ts';
import { markReport } from '#server/report/mark-report.sql.ts';
import { forgetReturnNotes } from '#server/return/return-notes.sql.ts';
import { explainLost } from './explain-lost.ts';

/** How many rows of each sort lost something; `unreadable`: sealed things among them that were damaged, and were emptied unread. */
export type EraseTally = Record<
  'leads' | 'calls' | 'checks' | 'lateAnswers' | 'notices' | 'links' | 'underWay' | 'erasedBefore' | 'files' | 'unreadable',
  number
>;

/** A lead of this age that has no result is not worked on any more. */
const UNDER_WAY_MS = 3_600_000;

/** When it happened, and by which job of somebody's, or by the vertical's rules of keeping. */
export type ErasureMark = { at: Date; jobId: string } | { at: Date; why: 'retention' };

/** `fieldsOf`: those of a vertical. */
export async function eraseLead(
  tx: Tx,
  keys: OrganizationKeys,
  leadId: string,
  fieldsOf: (verticalId: string) => Promise<FieldConfig[]>,
  mark: ErasureMark,
): Promise<Partial<EraseTally>> {
  const { organizationId } = keys;
  await holdFiles(tx, organizationId);
  const lead = await tx
    .selectFrom('lead')
    .select(['vertical_id', 'fields'])
    .select(sql<number>`extract(epoch from clock_timestamp() - uuid7_instant(id)) * 1000`.as('age_ms'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', leadId)
    .forUpdate()
    .executeTakeFirst();
  if (!lead) return {};
  // Held too, so that what a settlement adds to it meanwhile is not written over.
  const result = await tx
    .selectFrom('lead_result')
    .select(['explained', 'wires'])
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .forUpdate()
    .executeTakeFirst();
  const stored = openIfSound(keys, leadId, lead.fields);
  if (stored?.erased) return { erasedBefore: 1 };
  if (!result && Number(lead.age_ms) < UNDER_WAY_MS) return { underWay: 1 };
  const fields = await fieldsOf(lead.vertical_id);
  await markReport(tx, organizationId, [leadId]);
  const hide = stored ? hider(fields, stored) : hideAll;
  await tx
    .updateTable('lead')
    .set({ fields: sealJson(keys, 'lead.fields', leadId, withoutPerson(stored ?? NOTHING, fields, hide, mark)) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', leadId)
    .execute();
  const lost = result ? await emptyResult(tx, keys, leadId, result, hide) : 0;
  await forgetLookups(tx, keys, leadId, stored);
  await forgetReferences(tx, organizationId, leadId, hide);
  await forgetInPayments(tx, organizationId, leadId, hide);
  await forgetReturnNotes(tx, organizationId, leadId);
  const files = await dropFilesOf(tx, organizationId, leadId);
  const beside = await eraseBeside(tx, keys, leadId, hide);
  const unreadable = (stored ? 0 : 1) + lost + (beside.unreadable ?? 0);
  return { leads: 1, ...beside, unreadable, ...(files > 0 && { files }) };
}

/** How many parts of it were damaged. */
async function emptyResult(
  tx: Tx,
  keys: OrganizationKeys,
  leadId: string,
  result: { explained: Buffer; wires: Buffer | null },
  hide: Hide,
): Promise<number> {
  const explained = openJsonIfSound<Explained>(keys, 'lead_result.explained', leadId, result.explained);
  const wires = result.wires ? openJsonIfSound<StoredWire[]>(keys, 'lead_result.wires', leadId, result.wires) : [];
  const kept = explained ? hideExplained(explained, hide) : await explainLost(tx, keys.organizationId, leadId);
  const said = (wires ?? []).map((wire) => saidOnly(wire, hide));
  await tx
    .updateTable('lead_result')
    .set({
      explained: sealJson(keys, 'lead_result.explained', leadId, kept),
      wires: sealJson(keys, 'lead_result.wires', leadId, said),
    })
    .where('organization_id', '=', keys.organizationId)
    .where('lead_id', '=', leadId)
    .execute();
  return (explained ? 0 : 1) + (wires ? 0 : 1);
}

function hideExplained(explained: Explained, hide: Hide): Explained {
  const { variantTerms } = explained;
  return { ...hideIn(explained, hide), ...(variantTerms && { variantTerms }) };
}

async function forgetLookups(tx: Tx, keys: OrganizationKeys, leadId: string, stored: StoredFields | undefined): Promise<void> {
  // Of all fields: one that leads are no longer found by may have been one when this came.
  const hashes = Object.values(stored?.fields ?? {}).map((value) => keyedHash(keys, 'lookup', value));
  if (stored && hashes.length === 0) return;
  await tx
    .deleteFrom('lead_lookup')
    .where('organization_id', '=', keys.organizationId)
    .where('lead_id', '=', leadId)
    // Whose values nobody can tell is looked for through its month.
    .$if(stored !== undefined, (lookups) => lookups.where('value_hash', 'in', hashes))
    .execute();
}

type Hide = (text: string) => string;

/** A text that holds anything of the person goes as a whole: what is left of a masked value would still be theirs. */
function hider(fields: FieldConfig[], stored: StoredFields): Hide {
  const masking = maskingOf(fields, stored);
  return (text) => (masking.leaf(text) === text && masking.text(text) === text ? text : DOTS);
}

const hideAll: Hide = (text) => (text === '' ? '' : DOTS);

/** What is left of a lead whose fields were damaged. */
const NOTHING: StoredFields = {
  ...{ fields: {}, unknown: {}, invalid: {} },
  inbound: { method: 'POST', path: '', contentType: '', body: '', ip: '' },
};

function withoutPerson(stored: StoredFields, fields: FieldConfig[], hide: Hide, { at, ...by }: ErasureMark): StoredFields {
  const open = fields.flatMap((field) => {
    const value = stored.fields[field.fieldName];
    return value === undefined || isMasked(field) || hide(value) !== value ? [] : [[field.fieldName, value] as const];
  });
  const { method, path, contentType, keyPrefix } = stored.inbound;
  return {
    fields: Object.fromEntries(open),
    unknown: {},
    invalid: {},
    inbound: { method, path, contentType, body: '', ip: '', ...(keyPrefix !== undefined && { keyPrefix }) },
    erased: { at: at.toISOString(), ...by },
  };
}

const saidOnly = ({ reasons }: StoredWire, hide: Hide): StoredWire => ({ reasons: reasons.map(hide) });
const SILENT: StoredWire = { reasons: [] };

/** Words of ours by name, which read as they are whatever the person is called. */
const OWN = new Set(['code', 'status', 'price', 'currency', 'field', 'expiresAt', 'variantName', 'groupName', 'outcome']);
/** Addresses of the person at a buyer, and what buyers captured of an answer. */
const GONE = new Set(['redirectUrl', 'captures']);

/** Every text below it; numbers, flags and ids stay. */
function hideIn<Value>(value: Value, hide: Hide, name = ''): Value {
  if (typeof value === 'string') return (OWN.has(name) || isId(value) ? value : hide(value)) as Value;
  if (Array.isArray(value)) return value.map((one) => hideIn(one, hide, name)) as Value;
  // The value that a filter looked at.
  if (typeof value === 'number' && name === 'value') return (hide(String(value)) === String(value) ? value : DOTS) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).map(([key, one]) => [key, GONE.has(key) ? emptied(one) : hideIn(one, hide, key)]);
  return Object.fromEntries(kept.filter(([, one]) => one !== undefined)) as Value;
}

const emptied = (value: unknown): unknown => (typeof value === 'object' ? {} : undefined);

/** What was said on the wire beside the lead itself: by its publisher, to services, and by buyers too late. */
async function emptyBeside(
  tx: Tx,
  keys: OrganizationKeys,
  leadId: string,
  hide: Hide,
): Promise<Pick<EraseTally, 'calls' | 'checks' | 'lateAnswers' | 'notices' | 'unreadable'>> {
  const { organizationId } = keys;
  const calls = await tx
    .selectFrom('api_call')
    .select(['id', 'wire'])
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .execute();
  for (const { id } of calls) await eraseCall(tx, keys, id);
  let unreadable = 0;
  const checks = await tx
    .selectFrom('service_call')
    .select(['call_index', 'wire'])
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .execute();
  for (const { call_index, wire } of checks) {
    const row = `${leadId} ${call_index}`;
    const sound = openJsonIfSound<StoredWire>(keys, 'service_call.wire', row, wire);
    if (!sound) unreadable += 1;
    const kept = saidOnly(sound ?? SILENT, hide);
    await tx
      .updateTable('service_call')
      .set({ wire: sealJson(keys, 'service_call.wire', row, kept) })
      .where('organization_id', '=', organizationId)
      .where('lead_id', '=', leadId)
      .where('call_index', '=', call_index)
      .execute();
  }
  const lates = await tx
    .selectFrom('late_answer')
    .select(['attempt_index', 'wire'])
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .execute();
  for (const { attempt_index, wire } of lates) {
    const row = `${leadId} ${attempt_index}`;
    const sound = openJsonIfSound<StoredWire>(keys, 'late_answer.wire', row, wire);
    if (!sound) unreadable += 1;
    const kept = saidOnly(sound ?? SILENT, hide);
    await tx
      .updateTable('late_answer')
      .set({ wire: sealJson(keys, 'late_answer.wire', row, kept) })
      .where('organization_id', '=', organizationId)
      .where('lead_id', '=', leadId)
      .where('attempt_index', '=', attempt_index)
      .execute();
  }
  const notices = await tx
    .updateTable('loss_notice')
    .set({ wire: null })
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .where('wire', 'is not', null)
    .executeTakeFirst();
  return {
    ...{ calls: calls.length, checks: checks.length, lateAnswers: lates.length },
    ...{ notices: Number(notices.numUpdatedRows), unreadable },
  };
}

async function eraseBeside(tx: Tx, keys: OrganizationKeys, leadId: string, hide: Hide): Promise<Partial<EraseTally>> {
  const { organizationId } = keys;
  const emptied = await emptyBeside(tx, keys, leadId, hide);
  const sales = await tx
    .selectFrom('sale')
    .select(['sale_index', 'buyer_ref'])
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .where('buyer_ref', 'is not', null)
    .execute();
  // A buyer's own number of the lead stays, for returns and statements; one that is made of the person does not.
  for (const { sale_index, buyer_ref } of sales)
    if (hide(buyer_ref!) !== buyer_ref)
      await tx
        .updateTable('sale')
        .set({ buyer_ref: null })
        .where('organization_id', '=', organizationId)
        .where('lead_id', '=', leadId)
        .where('sale_index', '=', sale_index)
        .execute();
  const links = await tx
    .updateTable('redirect')
    .set({ url: sealJson(keys, REDIRECT, leadId, '') })
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .executeTakeFirst();
  return { ...emptied, links: Number(links.numUpdatedRows) };
}

/**
 * Takes what went over the wire out of a lead: its publisher's call, requests to buyers and services, and their answers. The lead and its person
 * stay, and with them outcomes, prices, times and our own words. False where there was nothing left to take.
 */
export async function emptyWires(tx: Tx, keys: OrganizationKeys, leadId: string): Promise<boolean> {
  const { organizationId } = keys;
  const lead = await tx
    .selectFrom('lead as l')
    .leftJoin('lead_result as r', (join) => join.onRef('r.organization_id', '=', 'l.organization_id').onRef('r.lead_id', '=', 'l.id'))
    .select(['l.fields', 'r.wires'])
    .where('l.organization_id', '=', organizationId)
    .where('l.id', '=', leadId)
    .forUpdate('l')
    .executeTakeFirst();
  if (!lead) return false;
  const stored = openStoredFields(keys, leadId, lead.fields);
  if (stored.erased) return false;
  await markReport(tx, organizationId, [leadId]);
  await tx
    .updateTable('lead')
    .set({ fields: sealJson(keys, 'lead.fields', leadId, { ...stored, inbound: { ...stored.inbound, body: '' } }) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', leadId)
    .execute();
  if (lead.wires) {
    const sound = openJsonIfSound<StoredWire[]>(keys, 'lead_result.wires', leadId, lead.wires) ?? [];
    const wires = sound.map((wire) => saidOnly(wire, asItIs));
    await tx
      .updateTable('lead_result')
      .set({ wires: sealJson(keys, 'lead_result.wires', leadId, wires) })
      .where('organization_id', '=', organizationId)
      .where('lead_id', '=', leadId)
      .execute();
  }
  await emptyBeside(tx, keys, leadId, asItIs);
  return true;
}

const asItIs: Hide = (text) => text;

/** A call that made no lead keeps when, by whose key and how it ended. */
export async function eraseCall(tx: Tx, keys: OrganizationKeys, id: string): Promise<void> {
  await tx
    .updateTable('api_call')
    .set({
      wire: sealJson(keys, 'api_call.wire', id, { contentType: '', body: '', ip: '', answer: '{"status":"invalid","code":"erased"}' }),
    })
    .where('organization_id', '=', keys.organizationId)
    .where('id', '=', id)
    .execute();
}

/** How buyers that hold the lead call it stays for their postbacks, but where that is made of the person. */
async function forgetReferences(tx: Tx, organizationId: string, leadId: string, hide: Hide): Promise<void> {
  const held = await tx
    .selectFrom('held_reference')
    .select(['buyer_tier_id', 'reference'])
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .execute();
  for (const { buyer_tier_id, reference } of held)
    if (hide(reference) !== reference)
      await tx
        .deleteFrom('held_reference')
        .where('organization_id', '=', organizationId)
        .where('buyer_tier_id', '=', buyer_tier_id)
        .where('reference', '=', reference)
        .where('lead_id', '=', leadId)
        .execute();
}
