import { expect, test } from 'vitest';
import { sayFailure } from './say-failure.ts';

test.each([
  ['connect', 'ECONNREFUSED', 'connection refused'],
  ['connect', 'ENOTFOUND', 'its host name is not known (DNS)'],
  ['connect', 'EPIPE', 'no connection: EPIPE'],
  ['tls', 'CERT_HAS_EXPIRED', 'no secure connection (TLS): CERT_HAS_EXPIRED'],
  ['refused-address', 'private address', 'its address may not be called: private address'],
  ['reset', 'ECONNRESET', 'connection cut off before an answer came'],
  ['timeout', undefined, 'no answer in time'],
] as const)('console §4: a call that failed by %s (%s) is told as “%s”', (why, detail, said) =>
  expect(sayFailure({ why, detail })).toBe(said),
);
