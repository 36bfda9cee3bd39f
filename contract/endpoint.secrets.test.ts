import { describe, expect, test } from 'vitest';
import { newOrigins, sayNewOrigins, secretNamesOf } from './endpoint.secrets.ts';

const at = (url: string, auth?: object) => ({ url, ...(auth && { auth }) });

describe('origins of an endpoint', () => {
  const stored = { ping: at('https://ping.example/a'), post: at('https://buyer.example/leads') };
  test.each<[string, object, string[]]>([
    ['another path, and letters of the host in another size', { post: at('https://BUYER.example:443/v2/{{zip}}') }, []],
    ['the post where the ping was', { post: at('https://ping.example/x') }, []],
    ['another host', { post: at('https://evil.example/') }, ['https://evil.example']],
    ['another port', { post: at('https://buyer.example:8443/') }, ['https://buyer.example:8443']],
    ['no longer sealed on its way', { post: at('http://buyer.example/leads') }, ['http://buyer.example']],
    ['a host that only begins the same', { post: at('https://buyer.example.evil.example/') }, ['https://buyer.example.evil.example']],
    ['another ping', { ...stored, ping: at('https://evil.example/') }, ['https://evil.example']],
    [
      'another address for OAuth2 tokens',
      { post: at('https://buyer.example/', { kind: 'oauth2', tokenUrl: 'https://login.example/token' }) },
      ['https://login.example'],
    ],
    [
      'another token call',
      { post: at('https://buyer.example/', { kind: 'tokenCall', call: { url: 'https://login.example/' } }) },
      ['https://login.example'],
    ],
  ])('%s', (_, next, origins) => expect(newOrigins(stored, next)).toEqual(origins));

  test('while it is written, anything may be missing', () => {
    for (const draft of [{}, { post: null }, { post: 'x' }, { post: { auth: { kind: 'tokenCall' } } }, { post: at('https://') }])
      expect(newOrigins(stored, draft)).toEqual([]);
  });
});

test('secrets are found wherever a leg names them, the token call and the spec’s own keys among them', () => {
  const leg = {
    url: 'https://a.example/{{ secret.inUrl }}',
    auth: { kind: 'oauth2', secret: 'client' },
    body: {
      mapping: [
        { from: { kind: 'secret', name: 'row' } },
        { from: { kind: 'system', name: 'password' } },
        { from: { kind: 'template', text: '{{system.username}}' } },
      ],
    },
  };
  expect(secretNamesOf(leg).toSorted()).toEqual(['client', 'inUrl', 'password', 'row', 'username']);
  expect(secretNamesOf(undefined)).toEqual([]);
});

test('the words say where, which, and what to do', () => {
  expect(sayNewOrigins(['https://a.example'], ['token'])).toBe(
    'The stored secrets were not written for https://a.example. Write the secret token anew, or remove what is not needed there.',
  );
  expect(sayNewOrigins(['https://a.example', 'https://b.example'], ['k', 'token'])).toContain(
    'for https://a.example and https://b.example. Write the secrets k, token',
  );
});
