/** Takes a consumer out of everything of an organization, a step at a time: leads first, then refused calls and sample leads that hold them. */
import { normaliseLead } from '#engine/field.ts';
import { keyedHash, type OrganizationKeys, openJson, Unreadable } from '#server/kit/crypto.ts';
import { idFloor } from '#server/kit/ids.ts';
import { SAMPLE } from '#server/lab/lab.sql.ts';
import { readPosted } from '#server/lead/mask-posting.ts';
import { isRefusal } from '#server/lead/posting.read.ts';
import type { KeptCall } from '#server/log/call.view.ts';
import type { Tx } from '#server/record/record-model.ts';
import { type ErasureMark, eraseCall, eraseLead } from './erase-lead.ts';
import { listToErase, type PersonSought, type SoughtSpan } from './find-person.sql.ts';
import { erasedFields, findPlace, remembered, type VerticalPlace } from './vertical-place.ts';

export interface PersonErased {
  organizationId: string;
  keys: OrganizationKeys;
  sought: PersonSought & SoughtSpan;
  mark: ErasureMark;
}

/** Where the next step goes on; {} at first. */
export type ErasePlace = { phase?: 'leads' | 'calls' | 'samples'; after?: string };

export interface EraseStep {
  /** Undefined when all is done. */
  place: ErasePlace | undefined;
  /** How many were looked at. */
  rows: number;
  tally: Record<string, number>;
}

const LEADS_OF_A_STEP = 20;
const CALLS_OF_A_STEP = 500;

export function erasePersonStep(tx: Tx, erased: PersonErased, { phase = 'leads', after }: ErasePlace): Promise<EraseStep> {
  switch (phase) {
    case 'leads':
      return eraseLeads(tx, erased, after);
    case 'calls':
      return eraseCalls(tx, erased, after);
    case 'samples':
      return eraseSamples(tx, erased);
  }
}

async function eraseLeads(tx: Tx, { organizationId, keys, sought, mark }: PersonErased, after: string | undefined): Promise<EraseStep> {
  const ids = await listToErase(tx, organizationId, sought, after, LEADS_OF_A_STEP);
  const tally: Record<string, number> = {};
  const fieldsOf = erasedFields(tx, organizationId);
  for (const id of ids) {
    const done = await eraseLead(tx, keys, id, fieldsOf, mark).catch(passByUnreadable);
    for (const [word, count] of Object.entries(done)) tally[word] = (tally[word] ?? 0) + count;
  }
  // The ping of a lead is older than it, and may lie behind: it was found with it.
  const place: ErasePlace = ids.length < LEADS_OF_A_STEP ? { phase: 'calls' } : { phase: 'leads', after: ids.at(-1)! };
  return { place, rows: ids.length, tally };
}

/** What nobody can open holds nobody; it must not keep the others. */
function passByUnreadable(error: unknown): { unreadable: number } {
  if (error instanceof Unreadable) return { unreadable: 1 };
  throw error;
}

/** Refused calls are found by no index: each of the organization is opened once. One whose body cannot be read holds what nobody can tell, and goes with its month. */
async function eraseCalls(tx: Tx, erased: PersonErased, after: string | undefined): Promise<EraseStep> {
  const { organizationId, keys } = erased;
  const { hashes, verticalIds, since, before } = erased.sought;
  const wanted = new Set(hashes);
  if (wanted.size === 0) return { place: { phase: 'samples' }, rows: 0, tally: {} };
  const rows = await tx
    .selectFrom('api_call as a')
    .innerJoin('publisher_tier as t', (join) =>
      join.onRef('t.organization_id', '=', 'a.organization_id').onRef('t.id', '=', 'a.publisher_tier_id'),
    )
    .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'))
    .select(['a.id', 'a.wire', 'a.lead_id', 'c.vertical_id'])
    .where('a.organization_id', '=', organizationId)
    .$if(after !== undefined, (select) => select.where('a.id', '>', after!))
    .$if(since !== undefined, (select) => select.where('a.id', '>=', idFloor(since!)))
    .$if(before !== undefined, (select) => select.where('a.id', '<', idFloor(before!)))
    .orderBy('a.id')
    .limit(CALLS_OF_A_STEP)
    .execute();
  const vertical = remembered((id) => findPlace(tx, organizationId, id));
  let refusedCalls = 0;
  for (const row of rows) {
    if (row.lead_id !== null || !verticalIds.includes(row.vertical_id)) continue;
    const posting = readPosted(openJson<KeptCall>(keys, 'api_call.wire', row.id, row.wire));
    const place = await vertical(row.vertical_id);
    if (!place || isRefusal(posting) || !holds(keys, place, posting.fields, wanted)) continue;
    await eraseCall(tx, keys, row.id);
    refusedCalls += 1;
  }
  const place: ErasePlace = rows.length < CALLS_OF_A_STEP ? { phase: 'samples' } : { phase: 'calls', after: rows.at(-1)!.id };
  return { place, rows: rows.length, tally: { refusedCalls } };
}

async function eraseSamples(tx: Tx, erased: PersonErased): Promise<EraseStep> {
  const { organizationId, keys } = erased;
  const { hashes, verticalIds, before } = erased.sought;
  const wanted = new Set(hashes);
  const rows = await tx
    .selectFrom('sample_lead')
    .select(['id', 'vertical_id', 'fields'])
    .where('organization_id', '=', organizationId)
    .where('vertical_id', 'in', verticalIds)
    .$if(before !== undefined, (select) => select.where('id', '<', idFloor(before!)))
    .execute();
  const vertical = remembered((id) => findPlace(tx, organizationId, id));
  let samples = 0;
  for (const row of wanted.size === 0 ? [] : rows) {
    const place = await vertical(row.vertical_id);
    if (!place || !holds(keys, place, openJson<Record<string, unknown>>(keys, SAMPLE, row.id, row.fields), wanted)) continue;
    await tx.deleteFrom('sample_lead').where('organization_id', '=', organizationId).where('id', '=', row.id).execute();
    samples += 1;
  }
  return { place: undefined, rows: rows.length, tally: { samples } };
}

/** Whether one of its searchable values is the person's, as intake would have read it. */
function holds(
  keys: OrganizationKeys,
  { config, searchable }: VerticalPlace,
  values: Record<string, unknown>,
  wanted: ReadonlySet<string>,
): boolean {
  const { fields } = normaliseLead(config, values, true);
  return searchable.some((name) => fields[name] !== undefined && wanted.has(keyedHash(keys, 'lookup', fields[name])));
}
