/**
 * Takes a consumer out of everything of an organization, a step at a time: leads first, then refused calls and sample leads that hold them. Of those, what
 * was damaged cannot be searched (`unsearched`), and what has no value that anybody is known by cannot be matched (`unmatched`): both stay as they are, and
 * the tally says how many.
 */
import { setImmediate } from 'node:timers/promises';
import { type OrganizationKeys, openJsonIfSound } from '#server/kit/crypto.ts';
import { deleteSample, SAMPLE } from '#server/lab/lab.sql.ts';
import type { KeptCall } from '#server/log/call.view.ts';
import type { Tx } from '#server/record/record-model.ts';
import { listKeptCalls, listSamplesBeside } from './beside.sql.ts';
import { type EraseTally, type ErasureMark, eraseCall, eraseLead } from './erase-lead.ts';
import { idsOf, listToErase, type PersonSought, type SoughtSpan } from './find-person.sql.ts';
import { whoseCall, whoseFields } from './know-person.ts';
import { erasedFields, findPlace, remembered } from './vertical-place.ts';

export interface PersonErased {
  organizationId: string;
  keys: OrganizationKeys;
  sought: PersonSought & SoughtSpan;
  /** Hashes by which the person is known in what is no lead (`hashesOfFound`). */
  known: string[];
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
/** A lead that comes in does not wait for bodies that hold more than a lead does. */
const YIELD_EVERY_MS = 5;

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
  const found = await listToErase(tx, organizationId, sought, after, LEADS_OF_A_STEP);
  const tally: Record<string, number> = {};
  const count = (done: Partial<EraseTally>) => {
    for (const [word, rows] of Object.entries(done)) tally[word] = (tally[word] ?? 0) + rows;
  };
  const fieldsOf = erasedFields(tx, organizationId);
  for (const { id, pingId } of found) {
    count(await eraseLead(tx, keys, id, fieldsOf, mark));
    if (pingId === null) continue;
    // It may have been found by itself, in a step before this one.
    const { erasedBefore: _, ...done } = await eraseLead(tx, keys, pingId, fieldsOf, mark);
    count(done);
  }
  const place: ErasePlace = found.length < LEADS_OF_A_STEP ? { phase: 'calls' } : { phase: 'leads', after: found.at(-1)!.id };
  return { place, rows: idsOf(found).length, tally };
}

/** Refused calls are found by no index: each of the organization is opened once. */
async function eraseCalls(tx: Tx, erased: PersonErased, after: string | undefined): Promise<EraseStep> {
  const { organizationId, keys } = erased;
  const { verticalIds } = erased.sought;
  const known = { keys, hashes: new Set(erased.known) };
  if (known.hashes.size === 0) return { place: { phase: 'samples' }, rows: 0, tally: {} };
  const rows = await listKeptCalls(tx, organizationId, { ...erased.sought, order: 'asc', after, limit: CALLS_OF_A_STEP });
  const vertical = remembered((id) => findPlace(tx, organizationId, id));
  const tally = { refusedCalls: 0, unsearched: 0, unmatched: 0 };
  let yielded = performance.now();
  for (const row of rows) {
    if (performance.now() - yielded > YIELD_EVERY_MS) {
      await setImmediate();
      yielded = performance.now();
    }
    if (row.lead_id !== null || !verticalIds.includes(row.vertical_id)) continue;
    const call = openJsonIfSound<KeptCall>(keys, 'api_call.wire', row.id, row.wire);
    const place = await vertical(row.vertical_id);
    const whose = call && place && whoseCall(known, place, call);
    if (!call) tally.unsearched += 1;
    if (whose === 'nobodys') tally.unmatched += 1;
    if (whose !== 'theirs') continue;
    await eraseCall(tx, keys, row.id);
    tally.refusedCalls += 1;
  }
  const place: ErasePlace = rows.length < CALLS_OF_A_STEP ? { phase: 'samples' } : { phase: 'calls', after: rows.at(-1)!.id };
  return { place, rows: rows.length, tally };
}

async function eraseSamples(tx: Tx, erased: PersonErased): Promise<EraseStep> {
  const { organizationId, keys, sought } = erased;
  const known = { keys, hashes: new Set(erased.known) };
  const rows = known.hashes.size === 0 ? [] : await listSamplesBeside(tx, organizationId, sought.verticalIds, sought);
  const vertical = remembered((id) => findPlace(tx, organizationId, id));
  const tally = { samples: 0, unsearched: 0, unmatched: 0 };
  for (const row of rows) {
    const fields = openJsonIfSound<Record<string, unknown>>(keys, SAMPLE, row.id, row.fields);
    const place = await vertical(row.vertical_id);
    const whose = fields && place && whoseFields(known, place, fields);
    if (!fields) tally.unsearched += 1;
    if (whose === 'nobodys') tally.unmatched += 1;
    if (whose !== 'theirs') continue;
    await deleteSample(tx, organizationId, row.id);
    tally.samples += 1;
  }
  return { place: undefined, rows: rows.length, tally };
}
