/** The logs in plain speech. */
import type { CallEnd, CallKind } from '#contract/log.ts';
import { statusWord, type Word } from '../lead/lead-words.ts';

export const callEndWord: Record<CallEnd, Word> = {
  ...statusWord,
  refused: { label: 'Refused', tone: 'bad', meaning: 'The call made no lead: something about it was not right.' },
  replayed: { label: 'Answered again', tone: 'violet', meaning: 'The same call came before, and got the same answer again.' },
  asked: { label: 'Asked after', tone: 'muted', meaning: 'The publisher asked what became of a lead.' },
};

export const callKindWord: Record<CallKind, string> = { full: 'full post', ping: 'ping', post: 'post after ping', status: 'status' };

/** Why a call was refused, by the code of our answer; each is a choice of the filter. */
export const refusalWord: Record<string, string> = {
  address_refused: 'Address not on the tier’s list',
  body_empty: 'Empty body',
  body_malformed: 'Body cannot be read',
  body_not_utf8: 'Body is not UTF-8',
  body_repeated_field: 'A field given twice',
  body_too_deep: 'Body nested too deeply',
  body_too_large: 'Body too large',
  body_too_many_fields: 'Too many fields',
  body_unsupported: 'Unknown format',
  campaign_unknown: 'Another campaign’s key',
  control_invalid: 'A control field is no single value',
  format_unknown: 'Unknown answer format',
  idempotency_key_invalid: 'Idempotency key too long',
  idempotency_mismatch: 'Another lead under the same key',
  key_expired: 'Key has expired',
  key_revoked: 'Key was revoked',
  lead_in_flight: 'Lead still under way',
  lead_unknown: 'Asked after an unknown lead',
  node_busy: 'Node too busy',
  organization_suspended: 'Organization suspended',
  ping_expired: 'Bid has expired',
  ping_missing: 'No ping named',
  ping_rate_limited: 'Too many pings a minute',
  ping_test_mismatch: 'Test of one, not of the other',
  ping_unknown: 'No such ping',
  store_unavailable: 'Our database was away',
  test_invalid: 'test is neither true nor false',
  timeout_invalid: 'timeoutMs is not a time',
};
