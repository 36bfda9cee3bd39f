import { expect, test } from 'vitest';
import { MASK, maskSecretUrl } from './mask-secrets.ts';
import type { BuildInput, WireRequest } from './wire.ts';

const request: WireRequest = { method: 'POST', url: 'https://buyer.test/', headers: {} };
const input: BuildInput = {
  lead: {},
  context: { now: 0, leadId: 'L1', secrets: { key: 'ab/cd+e==' } },
  call: { leg: 'post', timeoutMs: 1000 },
};

test.each([
  ['as we encode it', 'https://other.test/a?key=ab%2Fcd%2Be%3D%3D', `https://other.test/a?key=${MASK}`],
  ['in small letters', 'https://other.test/a?key=ab%2fcd%2be%3d%3d', `https://other.test/${MASK}`],
  ['encoded in part', 'https://other.test/a?key=ab/cd%2Be==', `https://other.test/${MASK}`],
  ['twice, in two spellings', 'https://other.test/?a=ab%2Fcd%2Be%3D%3D&b=ab%2fcd%2be%3d%3d', `https://other.test/${MASK}`],
  ['beside what cannot be decoded', 'https://other.test/?k=ab%2fcd%2be%3d%3d&z=%E0%A4', `https://other.test/${MASK}`],
  ['encoded twice', 'https://other.test/?k=ab%252Fcd%252Be%253D%253D', `https://other.test/${MASK}`],
  ['with a plus as it is', 'https://other.test/?k=ab%2fcd+e%3d%3d', `https://other.test/${MASK}`],
  ['nowhere', 'https://other.test/a?key=ab%2fcd', 'https://other.test/a?key=ab%2fcd'],
  ['nowhere, in what cannot be decoded', 'https://other.test/a?key=%E0%A4', 'https://other.test/a?key=%E0%A4'],
])('wire-quirks 44: a secret that a Location holds %s is found', (_how, url, masked) => {
  expect(maskSecretUrl(url, input, request)).toBe(masked);
});
