/** Every code a call of a publisher can be refused with before it makes a lead: told in the posting specification, and by the logs. */
export interface Refusal {
  /** HTTP status. */
  statusCode: number;
  /** In a list, to people of the organization. */
  label: string;
  /** To the publisher: what to do about it. */
  advice: string;
}

export const REFUSALS: Readonly<Record<string, Refusal>> = {
  body_empty: { statusCode: 400, label: 'Empty body', advice: 'Send the lead in the body.' },
  body_malformed: {
    statusCode: 400,
    label: 'Body cannot be read',
    advice: 'The body is no valid JSON or XML; the answer says where it breaks.',
  },
  body_not_utf8: { statusCode: 400, label: 'Body is not UTF-8', advice: 'Send the body as UTF-8.' },
  body_entities: { statusCode: 400, label: 'XML with entities', advice: 'Leave document types and entities out of XML.' },
  body_repeated_field: { statusCode: 400, label: 'A field given twice', advice: 'Give each field once.' },
  body_too_deep: { statusCode: 400, label: 'Body nested too deeply', advice: 'Send one object with one value per field.' },
  body_too_many_fields: { statusCode: 400, label: 'Too many fields', advice: 'Send at most 300 fields.' },
  campaign_unknown: { statusCode: 400, label: 'Another campaign’s key', advice: 'Leave campaignId out, or use the key of that campaign.' },
  control_invalid: {
    statusCode: 400,
    label: 'A control field is no single value',
    advice: 'key, test, timeoutMs and the like are single values.',
  },
  format_unknown: { statusCode: 400, label: 'Unknown answer format', advice: 'format is json or xml.' },
  idempotency_key_invalid: { statusCode: 400, label: 'Idempotency key too long', advice: 'Idempotency-Key has 1 to 255 characters.' },
  ping_missing: { statusCode: 400, label: 'No ping named', advice: 'Name the ping in pingId, or post to /api/v1/leads.' },
  request_broken_off: { statusCode: 400, label: 'Broken off', advice: 'The call broke off before all of it was there: send it again.' },
  request_invalid: { statusCode: 400, label: 'Request cannot be read', advice: 'The request is no HTTP call that can be read.' },
  test_invalid: { statusCode: 400, label: 'test is neither true nor false', advice: 'test is true or false.' },
  timeout_invalid: {
    statusCode: 400,
    label: 'timeoutMs is not a time',
    advice: 'timeoutMs is a whole number of milliseconds, from 1 to 300000.',
  },
  key_missing: { statusCode: 401, label: 'No key', advice: 'Send your posting key with every call.' },
  key_unknown: { statusCode: 401, label: 'Unknown key', advice: 'Check the key: it is copied whole, and for this address.' },
  key_revoked: { statusCode: 401, label: 'Key was revoked', advice: 'Ask for a new key.' },
  key_expired: { statusCode: 401, label: 'Key has expired', advice: 'Use the key that replaced it.' },
  address_refused: { statusCode: 403, label: 'Address not on the tier’s list', advice: 'Call from an address that was agreed on.' },
  tier_of_landers: { statusCode: 403, label: 'Tier of landers', advice: 'Ask for the key of a tier that takes posted leads.' },
  organization_suspended: { statusCode: 403, label: 'Organization suspended', advice: 'Nothing is taken at the moment.' },
  lead_unknown: { statusCode: 404, label: 'Asked after an unknown lead', advice: 'No lead with this id was posted with this key.' },
  ping_unknown: { statusCode: 404, label: 'No such ping', advice: 'Post to a ping that was given a bid, with the same key.' },
  lead_in_flight: {
    statusCode: 409,
    label: 'Lead still under way',
    advice: 'The same lead is still worked on: send it again in a moment for its answer.',
  },
  lead_unreadable: {
    statusCode: 409,
    label: 'Lead cannot be read',
    advice: 'What is kept of this lead was damaged. It is not sold twice; ask us.',
  },
  ping_expired: { statusCode: 410, label: 'Bid has expired', advice: 'Ping again, and post before expiresAt.' },
  body_too_large: { statusCode: 413, label: 'Body too large', advice: 'Send at most 256 KiB.' },
  body_unsupported: { statusCode: 415, label: 'Unknown format', advice: 'Send JSON, form fields or XML.' },
  idempotency_mismatch: {
    statusCode: 422,
    label: 'Another lead under the same key',
    advice: 'Use a new Idempotency-Key or ping for another lead.',
  },
  ping_test_mismatch: {
    statusCode: 422,
    label: 'Test of one, not of the other',
    advice: 'Post a test ping with test, a real one without.',
  },
  organization_busy: {
    statusCode: 429,
    label: 'Too many at once',
    advice: 'Wait retry_after seconds, then send the lead again: so many of this organization are under way already.',
  },
  organization_rate_limited: {
    statusCode: 429,
    label: 'Too many a second',
    advice: 'Wait retry_after seconds, then send the lead again, and send fewer a second.',
  },
  node_busy: { statusCode: 429, label: 'Node too busy', advice: 'Wait retry_after seconds, then send the lead again.' },
  ping_rate_limited: { statusCode: 429, label: 'Too many pings a minute', advice: 'Wait retry_after seconds.' },
  lead_error: { statusCode: 500, label: 'Failed on our side', advice: 'Send the lead again; it is not sold twice.' },
  answer_delayed: {
    statusCode: 503,
    label: 'Answer delayed',
    advice: 'Send the same lead again in a moment to get its answer; it is not sold twice.',
  },
  store_unavailable: { statusCode: 503, label: 'Our database was away', advice: 'Send the lead again in a moment; it is not sold twice.' },
};
