import { expect, test } from 'vitest';
import { endpointConfig, type LegAuth } from '#contract/endpoint.ts';
import { compileTier, deliver } from './deliver.ts';
import type { Outbound, OutboundCall } from './outbound.ts';
import type { OutboundResult } from './outbound-exchange.ts';

type Say = (call: OutboundCall, nth: number) => { status?: number; body: string; afterMs?: number } | 'timeout';

/** A way out that answers by script, token calls and posts apart. */
function scripted(token: Say, post: Say = () => ({ body: '{"ok":1}' })) {
  const tokens: OutboundCall[] = [];
  const posts: OutboundCall[] = [];
  const timing = { waitMs: 0, readMs: 0 };
  const outbound: Outbound = {
    async call(call): Promise<OutboundResult> {
      const [list, say] = call.request.url.includes('token') ? ([tokens, token] as const) : ([posts, post] as const);
      list.push(call);
      const said = say(call, list.length);
      if (said === 'timeout') return { kind: 'failure', why: 'timeout', sent: true, timing };
      await new Promise((resolve) => setTimeout(resolve, said.afterMs ?? 0));
      return { kind: 'response', status: said.status ?? 200, headers: {}, body: Buffer.from(said.body), timing };
    },
    underWay: () => 0,
    close: async () => undefined,
  };
  return { outbound, tokens, posts };
}

function tierWith(auth: LegAuth, rows: object[] = []) {
  const response = { outcomes: [{ outcome: 'accepted', when: [{ at: { path: 'ok' }, is: 'true' }] }] };
  return compileTier(
    endpointConfig.parse({
      post: { url: 'https://buyer.test/post', method: 'POST', auth, body: { format: 'json', mapping: rows }, response },
    }),
    'b',
  );
}
const oauth2: LegAuth = { kind: 'oauth2', tokenUrl: 'https://buyer.test/token', clientId: 'me', secret: 'client', scope: 'leads' };
const ask = (outbound: Outbound, tier: ReturnType<typeof tierWith>, now = 0, timeoutMs = 500) =>
  deliver(outbound, tier, { buyerTierId: 't', leg: 'post', timeoutMs }, {}, { now, leadId: 'L', secrets: { client: 's3cret-word' } });

test('OAuth2 client credentials: fetched once, kept until shortly before it expires, renewed', async () => {
  const { outbound, tokens, posts } = scripted((_call, nth) => ({
    body: `{"access_token":"tok-${nth}-abcdef","expires_in":60}`,
    afterMs: 5,
  }));
  const tier = tierWith(oauth2);
  await Promise.all([ask(outbound, tier), ask(outbound, tier)]);
  await ask(outbound, tier, 49_000);
  expect(tokens).toHaveLength(1);
  expect(tokens[0]!.request).toMatchObject({
    body: 'grant_type=client_credentials&scope=leads',
    headers: { authorization: `Basic ${Buffer.from('me:s3cret-word').toString('base64')}` },
  });
  await ask(outbound, tier, 51_000);
  expect(posts.map((call) => call.request.headers.authorization)).toEqual([
    'Bearer tok-1-abcdef',
    'Bearer tok-1-abcdef',
    'Bearer tok-1-abcdef',
    'Bearer tok-2-abcdef',
  ]);
});

test('OAuth2 credentials may travel in the body', async () => {
  const { outbound, tokens } = scripted(() => ({ body: '{"access_token":"t"}' }));
  await ask(outbound, tierWith({ ...oauth2, credentials: 'body' }));
  expect(tokens[0]!.request.body).toBe('grant_type=client_credentials&scope=leads&client_id=me&client_secret=s3cret-word');
  expect(tokens[0]!.request.headers.authorization).toBeUndefined();
});

test('shape 13: a token call first, its token wherever the buyer wants it', async () => {
  const { outbound, posts } = scripted(() => ({ body: '<Login><Session>abc-123</Session></Login>' }));
  const call = {
    url: 'https://buyer.test/token',
    method: 'POST' as const,
    body: { format: 'xml' as const, root: 'Login', mapping: [{ to: 'User', from: { kind: 'constant' as const, value: 'me' } }] },
    token: [{ path: 'Login.Session' }],
  };
  await ask(outbound, tierWith({ kind: 'tokenCall', call }, [{ to: 'session', from: { kind: 'capture', name: 'access_token' } }]));
  await ask(outbound, tierWith({ kind: 'tokenCall', call, scheme: 'Token' }));
  await ask(outbound, tierWith({ kind: 'tokenCall', call, scheme: '' }));
  expect(posts.map(({ request }) => [request.body, request.headers.authorization])).toEqual([
    ['{"session":"abc-123"}', undefined],
    ['{}', 'Token abc-123'],
    ['{}', 'abc-123'],
  ]);
});

test('without a token nothing is sent, and the lead may go elsewhere', async () => {
  for (const [say, outcome, reason] of [
    [() => ({ status: 403, body: '{"error":"no"}' }), 'error', 'no token: status 403'],
    [() => 'timeout' as const, 'timeout', 'no token: timeout'],
  ] as const) {
    const { outbound, posts } = scripted(say);
    expect((await ask(outbound, tierWith(oauth2))).answer).toMatchObject({ outcome, sent: false, reasons: [reason] });
    expect(posts).toEqual([]);
  }
});

test('fetching counts against the time limit, also when somebody else began it', async () => {
  const { outbound, posts } = scripted(() => ({ body: '{"access_token":"t"}', afterMs: 60 }));
  const tier = tierWith(oauth2);
  const [patient, hurried] = await Promise.all([ask(outbound, tier), ask(outbound, tier, 0, 20)]);
  expect(hurried.answer).toMatchObject({ outcome: 'timeout', sent: false });
  expect(patient.answer.outcome).toBe('accepted');
  expect(posts[0]!.timeoutMs).toBeLessThanOrEqual(441);
});

test('a refused token is forgotten', async () => {
  const { outbound, tokens } = scripted(
    () => ({ body: '{"access_token":"t"}' }),
    (_call, nth) => ({ status: nth === 1 ? 401 : 200, body: '{"ok":1}' }),
  );
  const tier = tierWith(oauth2);
  for (let n = 0; n < 3; n++) await ask(outbound, tier);
  expect(tokens).toHaveLength(2);
});

test('E12: no token reaches the record, not even echoed', async () => {
  const { outbound } = scripted(
    () => ({ body: '{"access_token":"tok-abcdef"}' }),
    (call) => ({ body: JSON.stringify({ ok: 1, echo: call.request.headers.authorization }) }),
  );
  const record = JSON.stringify((await ask(outbound, tierWith(oauth2))).wire);
  expect(record).not.toContain('tok-abcdef');
  expect(record).not.toContain('s3cret');
});
