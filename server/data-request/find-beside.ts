/**
 * What is held of a consumer beside their leads: sample leads of the lab, and calls that made no lead. No index finds them: each call is opened, so
 * finding looks at the newest for a moment and says how far back it came, handing out looks on for longer, and erasing opens all of them.
 */

import { openJsonIfSound } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { idInstant } from '#server/kit/ids.ts';
import { SAMPLE } from '#server/lab/lab.sql.ts';
import type { KeptCall } from '#server/log/call.view.ts';
import { lookThrough } from '#server/log/look-through.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { type CallBeside, listKeptCalls, listSamplesBeside } from './beside.sql.ts';
import { type Known, whoseCall, whoseFields } from './know-person.ts';
import type { VerticalPlace } from './vertical-place.ts';

export interface FoundSample {
  id: string;
  name: string;
  verticalId: string;
  fields: Record<string, unknown>;
}

export interface FoundCall {
  id: string;
  publisherTierId: string;
  verticalId: string;
  code: string;
  call: KeptCall;
}

export interface FoundBeside {
  samples: FoundSample[];
  /** The newest first. */
  calls: FoundCall[];
  /** How far back calls were looked through, where that is not all of them. */
  searchedTo: Date | null;
}

export interface BesideSought {
  verticalIds: string[];
  /** Hashes of `hashesOfFound`. */
  known: string[];
}

/** `most` calls at most; after `lookForMs` no further look is begun, each of which takes a second at most. */
export async function findBeside(
  db: Db,
  organization: OrganizationPlan,
  { verticalIds, known: hashes }: BesideSought,
  { most, lookForMs }: { most: number; lookForMs: number },
): Promise<FoundBeside> {
  const known = { keys: organization.keys, hashes: new Set(hashes) };
  if (known.hashes.size === 0) return { samples: [], calls: [], searchedTo: null };
  const samples = await findSamples(db, organization, verticalIds, known);
  const began = performance.now();
  const calls: FoundCall[] = [];
  let older: string | null | undefined;
  do {
    const look = await lookThrough({
      query: { before: older ?? undefined, limit: most - calls.length },
      read: ({ before, limit }) => readCalls(db, organization.organizationId, before, limit),
      see: (row) => seeCall(organization, verticalIds, known, row),
      cursorOf: ({ id }) => id,
    });
    calls.push(...look.rows);
    older = look.older;
  } while (older !== null && calls.length < most && performance.now() - began < lookForMs);
  return { samples, calls, searchedTo: older === null ? null : new Date(idInstant(older)) };
}

async function readCalls(db: Db, organizationId: string, after: string | undefined, limit: number) {
  const rows = await listKeptCalls(db, organizationId, { order: 'desc', after, limit });
  return { rows, end: rows.length < limit ? null : rows.at(-1)!.id };
}

function seeCall(organization: OrganizationPlan, verticalIds: readonly string[], known: Known, row: CallBeside): FoundCall | undefined {
  if (row.lead_id !== null || !verticalIds.includes(row.vertical_id)) return undefined;
  const place = placeIn(organization, row.vertical_id);
  const call = openJsonIfSound<KeptCall>(organization.keys, 'api_call.wire', row.id, row.wire);
  if (!place || !call || whoseCall(known, place, call) !== 'theirs') return undefined;
  return { id: row.id, publisherTierId: row.publisher_tier_id, verticalId: row.vertical_id, code: row.code, call };
}

async function findSamples(db: Db, organization: OrganizationPlan, verticalIds: string[], known: Known): Promise<FoundSample[]> {
  const rows = await listSamplesBeside(db, organization.organizationId, verticalIds, {});
  return rows.flatMap(({ id, name, vertical_id: verticalId, fields: sealed }) => {
    const place = placeIn(organization, verticalId);
    const fields = openJsonIfSound<Record<string, unknown>>(organization.keys, SAMPLE, id, sealed);
    return place && fields && whoseFields(known, place, fields) === 'theirs' ? [{ id, name, verticalId, fields }] : [];
  });
}

/** As the plan has it, without asking the database. */
function placeIn(organization: OrganizationPlan, verticalId: string): VerticalPlace | undefined {
  const config = organization.plan.verticals.get(verticalId)?.config;
  return config && { config, searchable: organization.verticals.get(verticalId)?.searchable ?? [] };
}
