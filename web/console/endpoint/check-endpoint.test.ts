import { expect, test } from 'vitest';
import { SAMPLE_ADDRESS } from '#contract/endpoint.sample-address.ts';
import { checkEndpoint, withSampleAddresses } from './check-endpoint.ts';

const LEGS = ['ping', 'post', 'lost'] as const;
const at = (url: string, more: object = {}) => JSON.stringify({ post: { url }, ...more });

test.each([
  ['{', true, 'This is not JSON yet.'],
  [at(''), true, 'Say where it is called, at “Address”.'],
  [at('mailto:'), false, 'Say where it is called, at “Address”.'],
  [at('https://b.test/', { ping: { url: '' } }), true, 'Say where bids are asked for, at “Address” of the ping.'],
  [at('https://b.test/', { lost: { url: '' } }), true, 'Say where the loss notice goes, at its “Address”.'],
  // A sample is no address; who is paused may still wait for one.
  [at(SAMPLE_ADDRESS), true, 'Say where it is called, at “Address”.'],
  [at(SAMPLE_ADDRESS), false, null],
  [at('https://b.test/'), true, null],
  [at('ftp://b.test/'), true, 'The address begins with https:// or http:// and a host.'],
  [at('https://me:secret@b.test/'), false, 'User and password belong under authentication.'],
  [at('https://b.test/', { ping: { url: 'b.test' } }), true, 'Of the ping: The address begins with https:// or http:// and a host.'],
  [at('https://{{field.host}}/'), true, 'The host cannot come from a placeholder.'],
])('console §3: of an endpoint %s, active: %s, it is said: %s', (text, isActive, said) =>
  expect(checkEndpoint(text, { legs: LEGS, isActive })).toBe(said),
);

test('console §3: an endpoint without an address can be previewed, and keeps every address that it has', () => {
  const ping = { url: 'https://b.test/ping' };
  expect(withSampleAddresses({ ping, post: { url: '', method: 'POST' } })).toEqual({ ping, post: { url: SAMPLE_ADDRESS, method: 'POST' } });
  expect(withSampleAddresses({ post: { url: 'mailto:' } })).toEqual({ post: { url: 'mailto:leads@buyer.example' } });
});
