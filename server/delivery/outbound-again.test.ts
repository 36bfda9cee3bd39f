import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { certificate, privateKey } from './outbound.fixture.ts';
import { createOutbound, type Outbound, type OutboundCall, type OutboundOptions } from './outbound.ts';
import { parseAllowList } from './outbound-address.ts';
import type { LateAnswer, OutboundResult } from './outbound-exchange.ts';

const HOST = '127.0.0.74';
const closers: (() => unknown)[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  for (const socket of sockets) socket.destroy();
});

async function listen(server: Server, port = 0): Promise<number> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => void server.listen(port, HOST, resolve));
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A port that nobody listens at. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, HOST, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Arrived {
  body: string;
  deadlineMs: number;
}

/** A buyer that says yes, after `afterMs`, and remembers what came. */
function saysYes(arrived: Arrived[], afterMs = 0): Server {
  return createHttpServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    arrived.push({ body, deadlineMs: Number(request.headers['x-deadline-ms']) });
    setTimeout(() => response.end('sold'), afterMs);
  });
}

function newOutbound(options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({ allow: parseAllowList(HOST), ...options });
  closers.push(() => outbound.close());
  return outbound;
}

function call(outbound: Outbound, url: string, more: Partial<OutboundCall> = {}): Promise<OutboundResult> {
  const request = { method: 'POST', url, headers: {}, body: 'a=1' };
  return outbound.call({ request, timeoutMs: 2000, bulkhead: 'buyer', retriesUnsent: true, ...more });
}

/** A name that cannot be looked up the first `times`. */
function failing(times: number): { resolve: () => Promise<string[]>; asked: () => number } {
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    if (asked <= times) throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    return [HOST];
  };
  return { resolve, asked: () => asked };
}

describe('engine: a call of which nothing has left is tried once more, where its leg says so', () => {
  test('a port that opens a moment later: the lead arrives once, and the result says that there were two tries', async () => {
    const port = await closedPort();
    const arrived: Arrived[] = [];
    setTimeout(() => void listen(saysYes(arrived), port), 30);
    const result = await call(newOutbound(), `http://${HOST}:${port}/`);
    expect(result).toMatchObject({ kind: 'response', firstTry: { why: 'connect', detail: 'ECONNREFUSED' } });
    expect(result.kind === 'response' && result.body.toString()).toBe('sold');
    expect(arrived.map(({ body }) => body)).toEqual(['a=1']);
    // The pause is part of the time until the request was written, and the buyer is told what is left.
    expect(result.timing.connectMs).toBeGreaterThan(90);
    expect(arrived[0]!.deadlineMs).toBeLessThan(1910);
  });

  test('a name that cannot be looked up at once', async () => {
    const arrived: Arrived[] = [];
    const port = await listen(saysYes(arrived));
    const { resolve, asked } = failing(1);
    const result = await call(newOutbound({ resolve }), `http://buyer.test:${port}/`);
    expect(result).toMatchObject({ kind: 'response', firstTry: { why: 'connect', detail: 'ENOTFOUND' } });
    expect([asked(), arrived.length]).toEqual([2, 1]);
  });

  test('a connection that is cut off before it is secure', async () => {
    let connections = 0;
    let requests = 0;
    const secure = createTlsServer({ key: privateKey, cert: certificate }, (socket) => {
      socket.once('data', () => {
        requests += 1;
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nsold');
      });
    });
    const port = await listen(
      createServer((socket) => {
        connections += 1;
        if (connections === 1) socket.resetAndDestroy();
        else secure.emit('connection', socket);
      }),
    );
    const outbound = newOutbound({ resolve: async () => [HOST], ca: certificate });
    expect(await call(outbound, `https://buyer.test:${port}/`)).toMatchObject({ kind: 'response', firstTry: { why: 'connect' } });
    expect([connections, requests]).toEqual([2, 1]);
  });

  test('never a third time: what the second comes to counts', async () => {
    const { resolve, asked } = failing(9);
    const result = await call(newOutbound({ resolve }), 'http://buyer.test/');
    expect(result).toMatchObject({ kind: 'failure', why: 'connect', sent: false, firstTry: { why: 'connect' } });
    expect(asked()).toBe(2);
  });

  test.each([
    ['after its head', (socket: Socket) => socket.resetAndDestroy()],
    ['after a part of the answer', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-', () => socket.resetAndDestroy())],
    ['by an answer that is none', (socket: Socket) => socket.end('220 smtp ready\r\n')],
  ])('never after a byte has left: a connection that ends %s is not made again', async (_when, end) => {
    let connections = 0;
    const port = await listen(
      createServer((socket) => {
        connections += 1;
        socket.once('data', () => end(socket));
      }),
    );
    const result = await call(newOutbound(), `http://${HOST}:${port}/`);
    expect(result).toMatchObject({ kind: 'failure', why: 'reset', sent: true });
    expect(result.firstTry).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(connections).toBe(1);
  });

  test('never on a connection that was open: it may be closed while the request is written', async () => {
    const requests: string[] = [];
    const port = await listen(
      createServer((socket) => {
        socket.on('data', (chunk) => {
          requests.push(chunk.toString());
          if (requests.length === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nsold');
          else socket.resetAndDestroy();
        });
      }),
    );
    const outbound = newOutbound();
    expect(await call(outbound, `http://${HOST}:${port}/`)).toMatchObject({ kind: 'response' });
    expect(await call(outbound, `http://${HOST}:${port}/`)).toMatchObject({ kind: 'failure', why: 'reset', sent: true });
    expect(requests.filter((one) => one.startsWith('POST'))).toHaveLength(2);
  });

  test('nor where it is we who refuse, or the certificate is not the buyer’s', async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return ['10.0.0.7'];
    };
    expect(await call(newOutbound({ resolve }), 'http://buyer.test/')).toMatchObject({ why: 'refused-address', sent: false });
    expect(asked).toBe(1);
    let connections = 0;
    const server = createTlsServer({ key: privateKey, cert: certificate });
    server.on('tlsClientError', () => undefined).on('connection', () => (connections += 1));
    const port = await listen(server);
    expect(await call(newOutbound({ resolve: async () => [HOST] }), `https://buyer.test:${port}/`)).toMatchObject({
      why: 'tls',
      sent: false,
    });
    expect(connections).toBe(1);
  });

  test('both tries share one time limit, and one that is too short for a second has none', async () => {
    const hang = createServer(() => undefined);
    const port = await listen(hang);
    const once = failing(1);
    const startedAt = performance.now();
    const result = await call(newOutbound({ resolve: once.resolve }), `http://buyer.test:${port}/`, { timeoutMs: 300 });
    const ms = performance.now() - startedAt;
    expect(result).toMatchObject({ kind: 'failure', why: 'timeout', sent: true, firstTry: { why: 'connect' } });
    expect(ms).toBeGreaterThan(280);
    expect(ms).toBeLessThan(420);
    const short = failing(9);
    expect(await call(newOutbound({ resolve: short.resolve }), 'http://buyer.test/', { timeoutMs: 140 })).toMatchObject({ why: 'connect' });
    expect(short.asked()).toBe(1);
  });

  test('a late answer to the second try tells of the time of both', async () => {
    const port = await listen(saysYes([], 250));
    const { resolve } = failing(1);
    const late = Promise.withResolvers<LateAnswer>();
    const outbound = newOutbound({ resolve });
    expect(await call(outbound, `http://buyer.test:${port}/`, { timeoutMs: 250, onLateAnswer: late.resolve })).toMatchObject({
      why: 'timeout',
    });
    const answer = await late.promise;
    expect(answer.firstTry).toEqual({ why: 'connect', detail: 'ENOTFOUND' });
    expect(answer.elapsedMs).toBeGreaterThan(330);
  });

  test('it waits for no place: where others have taken all, the first try is what there was', async () => {
    const hang = await listen(createServer(() => undefined));
    const { resolve, asked } = failing(9);
    const outbound = newOutbound({ resolve, concurrencyPerBuyer: 1 });
    const trying = call(outbound, 'http://buyer.test/');
    await expect.poll(() => outbound.underWay('buyer'), { interval: 5 }).toBe(0);
    const other = call(outbound, `http://${HOST}:${hang}/`, { timeoutMs: 400 });
    expect(await trying).toMatchObject({ kind: 'failure', why: 'connect', sent: false });
    expect([asked(), (await other).kind]).toEqual([1, 'failure']);
  });

  test('is off unless the call says so', async () => {
    const { resolve, asked } = failing(9);
    const result = await call(newOutbound({ resolve }), 'http://buyer.test/', { retriesUnsent: false });
    expect(result).toMatchObject({ kind: 'failure', why: 'connect', sent: false });
    expect([asked(), result.firstTry]).toEqual([1, undefined]);
  });
});
