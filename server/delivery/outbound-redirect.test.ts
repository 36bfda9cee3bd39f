import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { certificate, privateKey } from './outbound.fixture.ts';
import { createOutbound, type Outbound, type OutboundCall, type OutboundOptions } from './outbound.ts';
import { type Judge, parseAllowList, whyRefused } from './outbound-address.ts';
import type { LateAnswer, OutboundResult } from './outbound-exchange.ts';
import type { Following } from './outbound-redirect.ts';
import type { WireRequest } from './wire.ts';

const HOST = '127.0.0.76';
/** Another origin, which may be called as well. */
const ELSEWHERE = '127.0.0.75';
/** Nobody may call this one. */
const INSIDE = '127.0.0.1';
/** Stands for a server of the public network, on its usual port. */
const PUBLIC = '127.0.0.74';
const withPublic: Judge = (to, allow) => whyRefused(to.address === PUBLIC ? { ...to, address: '8.8.8.8', port: 443 } : to, allow);
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Arrived {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}
type Answer = { status?: number; location?: string | string[]; body?: string; afterMs?: number };

/** A server that hears whole requests and answers each by its path. */
async function serve(answer: (path: string) => Answer, host = HOST, tls = false): Promise<{ origin: string; arrived: Arrived[] }> {
  const arrived: Arrived[] = [];
  const listener: RequestListener = async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const path = request.url ?? '';
    arrived.push({ method: request.method ?? '', path, headers: request.headers, body });
    const { status = 200, location, body: said = 'fine', afterMs = 0 } = answer(path);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    if (location !== undefined) response.setHeader('location', location);
    response.writeHead(status).end(said);
  };
  const server: Server = tls ? createTlsServer({ key: privateKey, cert: certificate }, listener) : createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, host, resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: tls ? `https://buyer.test:${port}` : `http://${host}:${port}`, arrived };
}

function newOutbound(options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({ allow: parseAllowList(`${HOST}, ${ELSEWHERE}`), ...options });
  closers.push(() => outbound.close());
  return outbound;
}

const SECRET = 'k3y-of-the-buyer';
const HEADERS = {
  ...{ authorization: `Bearer ${SECRET}`, cookie: 'session=1', 'x-partner': 'acme', 'x-sluice-signature': 'v1=ab' },
  ...{ 'content-type': 'application/x-www-form-urlencoded', accept: 'text/xml' },
};
const post = (url: string, body = 'zip=01234'): WireRequest => ({ method: 'POST', url, headers: { ...HEADERS }, body });
const followingOf = (request: WireRequest): Following => ({
  masked: () => ({ ...request, body: request.body?.replaceAll(SECRET, '***') ?? '' }),
  holdsSecret: (text) => text.includes(SECRET),
});

function call(outbound: Outbound, request: WireRequest, more: Partial<OutboundCall> = {}): Promise<OutboundResult> {
  return outbound.call({ request, timeoutMs: 2000, bulkhead: 'buyer', following: followingOf(request), ...more });
}
const follow = (request: WireRequest, more: Partial<OutboundCall> = {}) => call(newOutbound(), request, more);
const refusal = (detail: string) => ({ kind: 'failure', why: 'redirect', sent: true, detail });
const bodyOf = (result: OutboundResult) => (result.kind === 'response' ? result.body.toString() : result.why);

describe('wire-quirks 44: redirects that are followed', () => {
  test.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'zip=01234'],
    [308, 'POST', 'zip=01234'],
  ])('%i leads a post on as %s, with what belongs to it, to the same origin', async (status, method, body) => {
    const buyer = await serve((path) => (path === '/a' ? { status, location: `${buyer.origin}/b?x=1#part` } : { body: 'sold' }));
    const result = await follow(post(`${buyer.origin}/a`));
    expect(bodyOf(result)).toBe('sold');
    expect(result.hops).toEqual([{ status, method, url: `${buyer.origin}/b?x=1` }]);
    const [, second] = buyer.arrived;
    expect(second).toMatchObject({ method, path: '/b?x=1', body, headers: { authorization: HEADERS.authorization, cookie: 'session=1' } });
    expect(['content-type' in second!.headers, 'x-sluice-signature' in second!.headers]).toEqual([body !== '', body !== '']);
  });

  test.each([
    ['PUT', 301, 'PUT'],
    ['PATCH', 302, 'PATCH'],
    ['PUT', 303, 'GET'],
    ['GET', 302, 'GET'],
  ])('%s that is answered %i goes on as %s', async (method, status, then) => {
    const buyer = await serve((path) => (path === '/a' ? { status, location: `${buyer.origin}/b` } : {}));
    const request = { ...post(`${buyer.origin}/a`), method };
    if (method === 'GET') delete request.body;
    expect(await follow(request)).toMatchObject({ kind: 'response', hops: [{ status, method: then }] });
    expect(buyer.arrived[1]).toMatchObject({ method: then, body: then === 'GET' ? '' : 'zip=01234' });
  });

  test('another origin is sent neither credentials nor cookies nor headers of one’s own, and gets them no more when it leads back', async () => {
    const back = await serve(() => ({ status: 307, location: `${buyer.origin}/c` }), ELSEWHERE);
    const buyer = await serve((path) => (path === '/a' ? { status: 307, location: `${back.origin}/b` } : { body: 'sold' }));
    expect(bodyOf(await follow(post(`${buyer.origin}/a`)))).toBe('sold');
    for (const one of [back.arrived[0]!, buyer.arrived[1]!]) {
      expect(one).toMatchObject({
        method: 'POST',
        body: 'zip=01234',
        headers: { 'content-type': HEADERS['content-type'], accept: 'text/xml' },
      });
      for (const name of ['authorization', 'cookie', 'x-partner', 'x-sluice-signature']) expect(one.headers).not.toHaveProperty(name);
    }
  });

  test('an open header that holds a secret is none', async () => {
    const other = await serve(() => ({}), ELSEWHERE);
    const buyer = await serve(() => ({ status: 307, location: other.origin }));
    const request = post(buyer.origin);
    request.headers.accept = SECRET;
    const masked = () => ({ ...request, headers: { ...request.headers, accept: '***' } });
    await follow(request, { following: { masked, holdsSecret: () => false } });
    expect(other.arrived[0]!.headers).not.toHaveProperty('accept');
  });

  test('a body or an address that holds a secret goes to no other origin, and to the same one as it is', async () => {
    const other = await serve(() => ({}), ELSEWHERE);
    const buyer = await serve((path) =>
      path === '/away'
        ? { status: 308, location: other.origin }
        : path === '/told'
          ? { status: 302, location: `${other.origin}/?k=${SECRET}` }
          : path === '/a'
            ? { status: 307, location: `${buyer.origin}/b` }
            : {},
    );
    const withSecret = (path: string) => post(`${buyer.origin}${path}`, `key=${SECRET}`);
    expect(await follow(withSecret('/away'))).toMatchObject(refusal('another server, which would be sent a secret in the body'));
    expect(await follow(withSecret('/told'))).toMatchObject(refusal('another server, with a secret in the address'));
    expect(other.arrived).toEqual([]);
    expect(await follow(withSecret('/a'))).toMatchObject({ kind: 'response', status: 200 });
    expect(buyer.arrived.at(-1)).toMatchObject({ path: '/b', body: `key=${SECRET}` });
    // Without its body there is no secret left in it.
    const gone = await serve(() => ({ status: 303, location: other.origin }));
    expect(await follow(post(gone.origin, `key=${SECRET}`))).toMatchObject({ kind: 'response', status: 200 });
  });

  test('E3, 1.2 SSRF: to a private address, and to a port that is not called, nothing is sent', async () => {
    const inside = await serve(() => ({}), INSIDE);
    for (const [location, detail] of [
      [inside.origin, 'loopback address'],
      [inside.origin.replace(INSIDE, 'localhost'), 'loopback address'],
      [inside.origin.replace(INSIDE, '2130706433'), 'loopback address'],
      ['http://169.254.169.254/latest/meta-data', 'link-local address'],
      ['http://turned.test/', 'private address'],
      ['http://8.8.8.8:5432/', 'port 5432'],
    ] as const) {
      const buyer = await serve(() => ({ status: 307, location }));
      const outbound = newOutbound({ resolve: async (name) => [name === 'localhost' ? INSIDE : '10.0.0.7'] });
      const result = await call(outbound, post(buyer.origin));
      expect(result).toMatchObject({ kind: 'failure', why: 'refused-address', sent: true, detail, hops: [{ status: 307 }] });
    }
    expect(inside.arrived).toEqual([]);
  });

  test('E3: whom the operator lets calls through to is out of reach for a stranger who answers one, however often he sends it on', async () => {
    const listed = await serve((path) =>
      path === '/on'
        ? { status: 307, location: `${other.origin}/end` }
        : path === '/away'
          ? { status: 307, location: `${stranger.origin}/once` }
          : { body: 'inside' },
    );
    const other = await serve(() => ({ body: 'other' }), ELSEWHERE);
    const stranger = await serve(
      (path) =>
        path === '/end'
          ? { body: 'outside' }
          : {
              status: 307,
              location: path === '/twice' ? `${stranger.origin}/once` : path === '/out' ? `${stranger.origin}/end` : listed.origin,
            },
      PUBLIC,
    );
    const outbound = newOutbound({ judge: withPublic });
    // Its connection is open, and is not lent to whoever comes by a redirect.
    expect(bodyOf(await call(outbound, post(`${listed.origin}/a`)))).toBe('inside');
    for (const url of [`${stranger.origin}/once`, `${stranger.origin}/twice`, `${listed.origin}/away`])
      expect(await call(outbound, post(url))).toMatchObject({ why: 'refused-address', detail: 'loopback address' });
    expect(listed.arrived.map(({ path }) => path)).toEqual(['/a', '/away']);
    expect(bodyOf(await call(outbound, post(`${stranger.origin}/out`)))).toBe('outside');
    // One that is on the list itself may lead to others that are.
    expect(bodyOf(await call(outbound, post(`${listed.origin}/on`)))).toBe('other');
  });

  test('E3: whoever the list opens no more than a port for is a stranger all the same', async () => {
    const listed = await serve(() => ({ body: 'inside' }));
    const stranger = await serve(() => ({ status: 307, location: listed.origin }), PUBLIC);
    const { port } = new URL(stranger.origin);
    const judge: Judge = (to, allow, ports) => whyRefused(to.address === PUBLIC ? { ...to, address: '8.8.8.8' } : to, allow, ports);
    const outbound = newOutbound({ judge, allow: parseAllowList(`8.8.8.8:${port}, ${HOST}`) });
    expect(await call(outbound, post(stranger.origin))).toMatchObject({ why: 'refused-address', detail: 'loopback address', sent: true });
    expect(listed.arrived).toEqual([]);
  });

  test('E2: a name is looked up and judged anew at the hop', async () => {
    const buyer = await serve((path) => (path === '/a' ? { status: 307, location: 'http://other.test/' } : {}));
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return [name === 'buyer.test' ? HOST : INSIDE];
    };
    const result = await call(newOutbound({ resolve }), post(`${buyer.origin.replace(HOST, 'buyer.test')}/a`));
    expect(result).toMatchObject({ why: 'refused-address', detail: 'loopback address' });
    expect(asked).toEqual(['buyer.test', 'other.test']);
  });

  test('never from https to http', async () => {
    const plain = await serve(() => ({}));
    const secure = await serve(() => ({ status: 302, location: plain.origin }), HOST, true);
    const outbound = newOutbound({ resolve: async () => [HOST], ca: certificate });
    expect(await call(outbound, post(secure.origin))).toMatchObject(refusal('from https:// to http://'));
    expect(plain.arrived).toEqual([]);
    // The other way round is what such an answer is mostly for.
    const upward = await serve(() => ({ status: 308, location: `${lasting.origin}/b` }));
    const lasting = await serve(() => ({ body: 'sold' }), HOST, true);
    expect(bodyOf(await call(outbound, post(upward.origin)))).toBe('sold');
  });

  test.each(['/b', 'b', '?to=b', './c/../b'])('wire-quirks 44: %s is told from the address that was called', async (location) => {
    const buyer = await serve((path) => (path === '/start' ? { status: 307, location } : { body: 'sold' }));
    expect(bodyOf(await follow({ ...post(buyer.origin), url: `${buyer.origin}/start` }))).toBe('sold');
    expect(buyer.arrived.map(({ path }) => path)).toEqual(['/start', location.startsWith('?') ? `/start${location}` : '/b']);
  });

  test.each([
    ['missing', undefined, 'its Location is missing'],
    ['empty', '', 'its Location is missing'],
    ['relative to nothing', '///b', 'its Location is no https:// or http:// address'],
    ['relative by a backslash', '/\\127.0.0.75/', 'its Location is no https:// or http:// address'],
    ['relative around a tab', '/\t/127.0.0.75/', 'its Location is no https:// or http:// address'],
    ['invalid', 'http://[::1/', 'its Location is no https:// or http:// address'],
    ['of another kind', 'file:///etc/passwd', 'its Location is no https:// or http:// address'],
    ['two at once', [`http://${HOST}/a`, `http://${HOST}/b`], 'its Location is no https:// or http:// address'],
    ['a host behind a backslash', 'http:\\\\127.0.0.75/', 'its Location is no https:// or http:// address'],
    ['with a password', `http://me:pw@${HOST}/`, 'its Location names a user or a password'],
  ])('a Location that is %s is said to be', async (_what, location, detail) => {
    const buyer = await serve(() => ({ status: 302, ...(location !== undefined && { location }) }));
    expect(await follow(post(buyer.origin))).toMatchObject({ ...refusal(detail), status: 302 });
    expect(buyer.arrived).toHaveLength(1);
  });

  test('a circle ends where it closes', async () => {
    const buyer = await serve((path) => ({ status: 307, location: `${buyer.origin}${path === '/a' ? '/b' : '/a'}` }));
    expect(await follow(post(`${buyer.origin}/a`))).toMatchObject({ ...refusal('in a circle'), hops: [{ url: `${buyer.origin}/b` }] });
    expect(buyer.arrived).toHaveLength(2);
    // To ask where one has posted to is none.
    const asked = await serve(() => (asked.arrived.length === 1 ? { status: 303, location: `${asked.origin}/` } : { body: 'sold' }));
    expect(bodyOf(await follow(post(asked.origin)))).toBe('sold');
  });

  test('three hops are followed, a fourth is not', async () => {
    const buyer = await serve((path) =>
      path === '/4' ? { body: 'sold' } : { status: 307, location: `${buyer.origin}/${Number(path.slice(1)) + 1}` },
    );
    const three = await follow(post(`${buyer.origin}/1`));
    expect([bodyOf(three), three.hops?.length]).toEqual(['sold', 3]);
    expect(await follow(post(`${buyer.origin}/0`))).toMatchObject(refusal('more than 3 times'));
    expect(buyer.arrived.map(({ path }) => path)).toEqual(['/1', '/2', '/3', '/4', '/0', '/1', '/2', '/3']);
  });

  test('all hops share one time limit, and each is told what is left of it', async () => {
    const buyer = await serve((path) =>
      path === '/a' ? { status: 307, location: `${buyer.origin}/b`, afterMs: 120 } : { body: 'sold', afterMs: 400 },
    );
    const startedAt = performance.now();
    const result = await follow(post(`${buyer.origin}/a`), { timeoutMs: 300 });
    const ms = performance.now() - startedAt;
    expect(result).toMatchObject({ kind: 'failure', why: 'timeout', sent: true, hops: [{ status: 307 }] });
    expect(ms).toBeGreaterThan(280);
    expect(ms).toBeLessThan(420);
    expect(result.timing.waitMs + result.timing.readMs).toBeGreaterThan(280);
    const [first, second] = buyer.arrived.map(({ headers }) => Number(headers['x-deadline-ms']));
    expect(first).toBe(300);
    expect(second).toBeLessThan(190);
  });

  test('a late answer of a hop is heard, with all the time that it took', async () => {
    const buyer = await serve((path) =>
      path === '/a' ? { status: 307, location: `${buyer.origin}/b`, afterMs: 60 } : { body: 'late', afterMs: 150 },
    );
    const late = Promise.withResolvers<LateAnswer>();
    expect(await follow(post(`${buyer.origin}/a`), { timeoutMs: 120, onLateAnswer: late.resolve })).toMatchObject({ why: 'timeout' });
    const answer = await late.promise;
    expect([answer.body.toString(), answer.hops?.length]).toEqual(['late', 1]);
    expect(answer.elapsedMs).toBeGreaterThan(200);
  });

  test('a hop keeps the place of its call, and gives it back', async () => {
    const buyer = await serve((path) => (path === '/a' ? { status: 307, location: `${buyer.origin}/b` } : { body: 'sold', afterMs: 20 }));
    const outbound = newOutbound({ concurrencyPerBuyer: 2 });
    const request = post(`${buyer.origin}/a`);
    const both = await Promise.all([call(outbound, request), call(outbound, request)]);
    expect(both.map(bodyOf)).toEqual(['sold', 'sold']);
    expect(outbound.underWay('buyer')).toBe(0);
  });

  test('a server that is not there behind a redirect: the lead was sent all the same', async () => {
    const gone = await serve(() => ({}), ELSEWHERE);
    await closers.pop()!();
    const buyer = await serve(() => ({ status: 307, location: gone.origin }));
    expect(await follow(post(buyer.origin))).toMatchObject({ kind: 'failure', why: 'connect', sent: true, detail: 'ECONNREFUSED' });
  });

  test('is off unless the call says so: then such an answer is a failure, and without a Location one like another', async () => {
    const other = await serve(() => ({}), ELSEWHERE);
    const buyer = await serve((path) => ({ status: 302, ...(path === '/a' && { location: other.origin }) }));
    const plain = (path: string) => newOutbound().call({ request: post(`${buyer.origin}${path}`), timeoutMs: 500, bulkhead: 'buyer' });
    expect(await plain('/a')).toMatchObject({ kind: 'failure', why: 'redirect', sent: true, status: 302 });
    expect(await plain('/b')).toMatchObject({ kind: 'response', status: 302 });
    expect(other.arrived).toEqual([]);
  });
});
