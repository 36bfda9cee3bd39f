/** A lead as it is first stored, and what makes two calls the same lead. */
import { normaliseLead } from '#engine/field.ts';
import { stateOfLead } from '#engine/lead-state.ts';
import { keyedHash, sealJson, shortHash } from '#server/kit/crypto.ts';
import { newId } from '#server/kit/ids.ts';
import type { IncomingLead } from './intake.ts';
import type { NewLead } from './lead.sql.ts';

const PAYLOAD_WINDOW_MS = 60_000;
const KEY_WINDOW_MS = 30 * 86_400_000;

export interface Prepared {
  normalised: ReturnType<typeof normaliseLead>;
  payloadHash: string;
  fingerprint: string;
}

/** Normalised fields and fingerprint: all that is known of a call before anything is stored. */
export function prepareLead(incoming: IncomingLead): Prepared {
  const { organization, seat } = incoming;
  const vertical = organization.plan.publisherTiers.get(seat.id)?.campaign.vertical.config;
  const normalised = vertical
    ? normaliseLead(vertical, incoming.fields, incoming.mode === 'ping')
    : { fields: {}, errors: [], unknown: Object.keys(incoming.fields) };
  const payloadHash = hashPayload(incoming, normalised.fields);
  const isOfAnybody = incoming.mode === 'ping' && !normalised.fields[vertical?.primaryField ?? ''];
  return { normalised, payloadHash, fingerprint: fingerprintOf(incoming, payloadHash, isOfAnybody) };
}

/**
 * What makes two calls one: the ping they post to (it sells once), the caller's own key, or else the same lead. A ping that does not name its consumer may be
 * anybody's: alike ones are two.
 */
function fingerprintOf(incoming: IncomingLead, payloadHash: string, isOfAnybody: boolean): string {
  if (incoming.ping) return pingFingerprint(incoming.ping.pingId);
  if (incoming.idempotencyKey) return shortHash(`k ${incoming.idempotencyKey}`);
  return isOfAnybody ? shortHash(`p ${newId()}`) : payloadHash;
}

export const pingFingerprint = (pingId: string): string => shortHash(`g ${pingId}`);

/** Equal for equal leads however they were written: over normalised values, in order of name. */
function hashPayload(incoming: IncomingLead, fields: Record<string, string>): string {
  const known = Object.keys(fields)
    .sort()
    .map((name) => [name, fields[name]]);
  const others = Object.keys(incoming.fields)
    .sort()
    .filter((name) => !(name in fields))
    .map((name) => [name, incoming.fields[name]]);
  return shortHash(JSON.stringify([incoming.mode, incoming.test, incoming.ping?.pingId ?? null, known, others]));
}

export function newLead(incoming: IncomingLead, prepared: Prepared, leadId: string, startedAt: number): NewLead {
  const { organization, seat } = incoming;
  const plan = organization.plan.publisherTiers.get(seat.id)?.campaign;
  const [campaign, vertical] = [plan?.config, plan?.vertical.config];
  const shell = campaign && organization.verticals.get(campaign.verticalId);
  const { fields, unknown } = prepared.normalised;
  const others = Object.fromEntries(unknown.map((name) => [name, incoming.fields[name]]));
  const invalid = Object.fromEntries(prepared.normalised.errors.map((error) => [error.field, incoming.fields[error.field] ?? null]));
  return {
    id: leadId,
    regionId: shell?.regionId ?? NOWHERE,
    verticalId: campaign?.verticalId ?? NOWHERE,
    campaignId: seat.campaignId,
    publisherId: seat.publisherId,
    publisherTierId: seat.id,
    subId: seat.subId,
    state: vertical ? stateOfLead(vertical, fields) : '',
    mode: incoming.mode,
    test: incoming.test,
    pingId: incoming.ping?.pingId ?? null,
    fields: sealJson(organization.keys, 'lead.fields', leadId, {
      ...{ fields, unknown: others, invalid, inbound: incoming.inbound },
      ...(incoming.erased && { erased: incoming.erased }),
    }),
    lookups: (shell?.searchable ?? []).flatMap((name) => (fields[name] ? [keyedHash(organization.keys, 'lookup', fields[name])] : [])),
    idempotency: {
      fingerprint: prepared.fingerprint,
      payloadHash: prepared.payloadHash,
      expiresAt: startedAt + (incoming.ping || incoming.idempotencyKey ? KEY_WINDOW_MS : PAYLOAD_WINDOW_MS),
    },
  };
}

/** A seat whose campaign cannot be used still leaves its leads on record. */
export const NOWHERE = '00000000-0000-0000-0000-000000000000';
