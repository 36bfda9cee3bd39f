import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EndpointConfig, endpointConfig } from '#contract/endpoint.ts';
import type { BuyerCall } from '#engine/effect.ts';
import { compileTier, type Delivery, deliver } from './deliver.ts';
import { createOutbound } from './outbound.ts';
import { parseAllowList } from './outbound-address.ts';

const seen: { url: string; headers: Record<string, unknown>; body: string }[] = [];
let server: Server;
let origin: string;
const outbound = createOutbound({ allow: parseAllowList('127.0.0.77'), lateGraceMs: 1000 });

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push({ url: request.url ?? '', headers: request.headers, body });
      const delay = request.url?.includes('slow') ? 150 : 0;
      setTimeout(
        () => answer(request.url ?? '', request.headers, body, (text) => response.setHeader('content-type', 'application/json').end(text)),
        delay,
      );
    });
  }).listen(0, '127.0.0.77');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.77:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await outbound.close();
  server.close();
});

function answer(url: string, headers: IncomingHttpHeaders, body: string, send: (text: string) => void): void {
  if (url.startsWith('/ping')) send('{"status":"bid","bid":"$12.50","ping_id":12345678901234567890,"ttl":60}');
  else if (url.startsWith('/echo')) {
    const redirect = `https://buyer.example/go?key=${encodeURIComponent(JSON.parse(body).password)}`;
    send(JSON.stringify({ status: 'accepted', redirect, echo: `${body} ${headers.authorization}` }));
  } else send(JSON.stringify({ status: 'accepted', price: 12.5, redirect: 'https://buyer.example/apply?a=1&amp;b=2', echo: body }));
}

function endpoint(path = '/post'): EndpointConfig {
  return endpointConfig.parse({
    ping: {
      url: `${origin}/ping`,
      method: 'POST',
      body: { format: 'json', mapping: [{ to: 'zip', from: { kind: 'field', field: 'zip' } }] },
      response: {
        outcomes: [{ outcome: 'accepted', when: [{ at: { path: 'status' }, is: 'equal', value: 'bid' }] }],
        price: { at: [{ path: 'bid' }] },
        captures: { pingId: { at: [{ path: 'ping_id' }] } },
        expiry: { at: [{ path: 'ttl' }], unit: 'seconds' },
      },
    },
    post: {
      url: `${origin}${path}/{{system.leadId}}?c={{state}}`,
      method: 'POST',
      auth: { kind: 'basic', username: 'acme', secret: 'password' },
      body: {
        format: 'json',
        mapping: [
          { to: 'Request.ping', from: { kind: 'capture', name: 'pingId' } },
          { to: 'Request.zip', from: { kind: 'field', field: 'zip' } },
          { to: 'Request.password', from: { kind: 'secret', name: 'password' } },
        ],
      },
      response: {
        outcomes: [{ outcome: 'accepted', when: [{ at: { path: 'status' }, is: 'equal', value: 'accepted' }] }],
        price: { at: [{ path: 'price' }] },
        redirect: { at: [{ path: 'redirect' }] },
      },
    },
  });
}

const lead = { zip: '01234', state: 'New York & more' };
const context = { now: 1_700_000_000_000, leadId: 'lead-1', secrets: { password: 'hunter2!' } };

test('a ping answers with bid, captures and expiry; the post carries the capture back', async () => {
  const tier = compileTier(endpoint(), 'buyer-1');
  const ping: BuyerCall = { buyerTierId: 't1', leg: 'ping', timeoutMs: 2000 };
  const bid = await deliver(outbound, tier, ping, lead, context);
  expect(bid.answer).toMatchObject({ outcome: 'accepted', price: 125_000, captures: { pingId: '12345678901234567890' }, sent: true });
  expect(bid.answer.expiresAt).toBeGreaterThanOrEqual(context.now + 60_000);
  const post = await deliver(outbound, tier, { ...ping, leg: 'post', captures: bid.answer.captures }, lead, context);
  expect(post.answer).toMatchObject({ outcome: 'accepted', price: 125_000, redirectUrl: 'https://buyer.example/apply?a=1&b=2' });
  const sent = seen.at(-1)!;
  expect(sent.url).toBe('/post/lead-1?c=New%20York%20%26%20more');
  expect(JSON.parse(sent.body)).toEqual({ Request: { ping: '12345678901234567890', zip: '01234', password: 'hunter2!' } });
  expect(sent.headers).toMatchObject({
    'x-deadline-ms': '2000',
    authorization: `Basic ${Buffer.from('acme:hunter2!').toString('base64')}`,
  });
});

test('E12: no secret reaches the record, not even when the buyer echoes it', async () => {
  const tier = compileTier(endpoint(), 'buyer-1');
  const { wire } = await deliver(outbound, tier, { buyerTierId: 't1', leg: 'post', timeoutMs: 2000 }, lead, context);
  const record = JSON.stringify(wire);
  expect(record).not.toContain('hunter2');
  expect(record).not.toContain(Buffer.from('acme:hunter2!').toString('base64'));
  expect(wire.response?.body).toContain('_masked_');
});

/** A buyer that answers with what it was sent, in every place that is read. */
const echoing = (leg: 'ping' | 'post', auth: object): EndpointConfig => {
  const echo = {
    url: `${origin}/echo`,
    method: 'POST',
    auth,
    body: { format: 'json', mapping: [{ to: 'password', from: { kind: 'secret', name: 'password' } }] },
    response: {
      outcomes: [{ outcome: 'accepted', when: [{ at: { path: 'status' }, is: 'equal', value: 'accepted' }] }],
      reasons: [{ part: 'body' }, { pattern: '"echo":"(.*)"' }],
      captures: { seen: { at: [{ path: 'echo' }] } },
      redirect: { at: [{ path: 'redirect' }] },
    },
  };
  return endpointConfig.parse(leg === 'ping' ? { ping: echo, post: echo } : { post: echo });
};

test.each([
  { kind: 'bearer', secret: 'password' },
  { kind: 'basic', username: 'acme', secret: 'password' },
])('no secret stands in what an answer tells people: reasons, captures, redirect', async (auth) => {
  const tier = compileTier(echoing('post', auth), 'buyer-1');
  const { answer, shown } = await deliver(outbound, tier, { buyerTierId: 't1', leg: 'post', timeoutMs: 2000 }, lead, context);
  expect(answer.reasons.join(' ')).toContain('_masked_');
  expect(answer.captures.seen).toContain('_masked_');
  const told = JSON.stringify([answer.reasons, answer.captures, shown]);
  for (const word of ['hunter2', Buffer.from('acme:hunter2!').toString('base64')]) expect(told).not.toContain(word);
  expect(shown.redirectUrl).toBe('https://buyer.example/go?key=_masked_');
  expect(answer.redirectUrl).toContain('key=hunter2');
});

test('E12: a secret at the cut of a long reason leaves no half behind', async () => {
  const tier = compileTier(echoing('post', { kind: 'none' }), 'buyer-1');
  const at = { ...context, secrets: { password: `hunter2!${'x'.repeat(400)}` } };
  const { answer } = await deliver(outbound, tier, { buyerTierId: 't1', leg: 'post', timeoutMs: 2000 }, lead, at);
  expect(answer.reasons.join(' ')).not.toContain('hunter2');
});

test('what a ping captures goes back to the buyer as it came, and is shown masked', async () => {
  const tier = compileTier(echoing('ping', { kind: 'none' }), 'buyer-1');
  const { answer, shown } = await deliver(outbound, tier, { buyerTierId: 't1', leg: 'ping', timeoutMs: 2000 }, lead, context);
  expect(answer.captures.seen).toContain('hunter2');
  expect(shown.captures.seen).not.toContain('hunter2');
});

test('wire-quirks 45: an answer after the time limit is a timeout now and a late answer then', async () => {
  const tier = compileTier(endpoint('/slow'), 'buyer-1');
  const late = Promise.withResolvers<Delivery>();
  const call: BuyerCall = { buyerTierId: 't1', leg: 'post', timeoutMs: 60 };
  const { answer } = await deliver(outbound, tier, call, lead, context, late.resolve);
  expect(answer).toMatchObject({ outcome: 'timeout', sent: true, reasons: ['no answer in time'] });
  expect((await late.promise).answer).toMatchObject({ outcome: 'accepted', price: 125_000 });
});

test('engine: the record says that there were two tries, and a leg that does not ask for a second has one', async () => {
  const call: BuyerCall = { buyerTierId: 't1', leg: 'post', timeoutMs: 1000 };
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    if (asked === 1) throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    return ['127.0.0.77'];
  };
  const retrying = (more: object) => {
    const { ping, post } = endpoint();
    return compileTier(endpointConfig.parse({ ping, post: { ...post, url: post.url.replace('127.0.0.77', 'buyer.test'), ...more } }), 'b');
  };
  const lookedUp = createOutbound({ allow: parseAllowList('127.0.0.77'), resolve });
  const { answer, wire } = await deliver(lookedUp, retrying({ retryUnsent: true }), call, lead, context);
  expect(answer).toMatchObject({ outcome: 'accepted', sent: true });
  expect(wire.firstTry).toEqual({ why: 'connect', detail: 'ENOTFOUND' });
  expect(answer.elapsedMs).toBeGreaterThan(90);
  asked = 0;
  const once = createOutbound({ allow: parseAllowList('127.0.0.77'), resolve });
  const off = await deliver(once, retrying({}), call, lead, context);
  expect(off.answer).toMatchObject({ outcome: 'error', sent: false, reasons: ['its host name is not known (DNS)'] });
  expect([off.wire.firstTry, asked]).toEqual([undefined, 1]);
  await Promise.all([lookedUp.close(), once.close()]);
});

test('an address that may not be called is an error of which nothing was sent', async () => {
  const config = endpoint();
  config.post.url = 'http://10.0.0.1/post';
  const { answer, wire } = await deliver(
    outbound,
    compileTier(config, 'b'),
    { buyerTierId: 't1', leg: 'post', timeoutMs: 500 },
    lead,
    context,
  );
  expect(answer).toMatchObject({ outcome: 'error', sent: false, reasons: ['its address may not be called: private address'] });
  expect(wire.failure).toEqual({ why: 'refused-address', detail: 'private address' });
});
