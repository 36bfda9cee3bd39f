import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { certificate, privateKey } from './outbound.fixture.ts';
import { createOutbound, type Outbound, type OutboundOptions, type Upload } from './outbound.ts';
import { parseAllowList } from './outbound-address.ts';
import { rememberNames } from './outbound-connect.ts';
import type { LateAnswer, OutboundResult } from './outbound-exchange.ts';

const HOST = '127.0.0.77';
const sockets = new Set<Socket>();
const closers: (() => Promise<unknown> | unknown)[] = [];
let trapped = 0;
let trapPort = 0;

beforeEach(async () => {
  trapped = 0;
  trapPort = await listen(
    createTcpServer((socket) => {
      trapped++;
      socket.destroy();
    }),
    '127.0.0.1',
  );
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  for (const socket of sockets) socket.destroy();
  expect(trapped).toBe(0);
});

async function listen(server: Server, host = HOST): Promise<number> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => void server.listen(0, host, resolve));
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

interface Script {
  url: string;
  connections: () => number;
  requests: () => number;
}

/** A buyer that hears one whole request and then does what the script says with the bare socket. */
async function buyer(script: (socket: Socket, request: string) => void): Promise<Script> {
  let connections = 0;
  let requests = 0;
  const server = createTcpServer((socket) => {
    connections++;
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const bodyAt = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (bodyAt < 0 || text.length < bodyAt + 4 + length) return;
      requests++;
      const whole = text;
      text = '';
      script(socket, whole);
    });
  });
  const port = await listen(server);
  return { url: `http://${HOST}:${port}/lead`, connections: () => connections, requests: () => requests };
}

function newOutbound(options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = createOutbound({ allow: parseAllowList(HOST), ...options });
  closers.push(() => outbound.close());
  return outbound;
}

function call(
  outbound: Outbound,
  url: string,
  timeoutMs = 1000,
  extra: { bulkhead?: string; onLateAnswer?: (late: LateAnswer) => void } = {},
): Promise<OutboundResult> {
  return outbound.call({ request: { method: 'POST', url, headers: {}, body: 'a=1' }, timeoutMs, bulkhead: 'buyer', ...extra });
}

async function timed(work: Promise<OutboundResult>): Promise<{ result: OutboundResult; ms: number }> {
  const startedAt = performance.now();
  return { result: await work, ms: performance.now() - startedAt };
}

const respond = (body: string | Buffer, headers = '') => `HTTP/1.1 200 OK\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
const ok = (socket: Socket, body = 'fine') => socket.write(respond(body) + body);

describe('an ordinary answer', () => {
  test('arrives with status, headers, body and timing; the connection is used again', async () => {
    const { url, connections } = await buyer((socket, request) => ok(socket, request.split('\r\n\r\n')[1]));
    const outbound = newOutbound();
    for (let n = 0; n < 5; n++) {
      const result = await call(outbound, url);
      expect(result).toMatchObject({ kind: 'response', status: 200, headers: { 'content-length': '3' } });
      expect(result.kind === 'response' && result.body.toString()).toBe('a=1');
    }
    // The next call may come before the pool has taken the connection back.
    expect(connections()).toBeLessThanOrEqual(2);
    expect(outbound.underWay('buyer')).toBe(0);
  });

  test('the buyer is told how long we wait, in whole milliseconds', async () => {
    let heard = '';
    const { url } = await buyer((socket, request) => {
      heard = request;
      ok(socket);
    });
    await call(newOutbound(), url, 812.7);
    expect(heard).toContain('x-deadline-ms: 812\r\n');
  });

  test('interim answers are passed over', async () => {
    const { url } = await buyer((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\n');
      ok(socket);
    });
    expect(await call(newOutbound(), url)).toMatchObject({ kind: 'response', status: 200 });
  });
});

describe('wire-quirks 45: one total deadline', () => {
  const drip = (socket: Socket, head: string) => {
    socket.write(head);
    const timer = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(timer));
  };
  const scripts: Record<string, (socket: Socket) => void> = {
    'silence before the headers': () => undefined,
    'half a header': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-'),
    'headers one byte at a time': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx-slow: '),
    'silence after the headers': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n'),
    'a body one byte at a time': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'),
    'no length and no end': (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nx'),
  };
  test.each(Object.entries(scripts))('E4: %s ends in time, and the socket is gone', async (_name, script) => {
    const closed = Promise.withResolvers<void>();
    const { url } = await buyer((socket) => {
      socket.on('close', () => closed.resolve());
      script(socket);
    });
    const { result, ms } = await timed(call(newOutbound(), url, 150));
    expect(result).toMatchObject({ kind: 'failure', why: 'timeout', sent: true });
    expect(ms).toBeGreaterThan(140);
    expect(ms).toBeLessThan(250);
    await closed.promise;
  });

  test('a name that resolves too slowly: nothing is sent, not even afterwards', async () => {
    const { url, requests, connections } = await buyer((socket) => ok(socket));
    const resolve = () => new Promise<string[]>((done) => setTimeout(() => done([HOST]), 200));
    const outbound = newOutbound({ resolve });
    const { result, ms } = await timed(call(outbound, url.replace(HOST, 'slow.test'), 80));
    expect(result).toMatchObject({ kind: 'failure', why: 'timeout', sent: false });
    expect(ms).toBeLessThan(180);
    await vi.waitFor(() => expect(connections()).toBe(1));
    expect(await call(outbound, url.replace(HOST, 'slow.test'), 500)).toMatchObject({ kind: 'response' });
    expect(requests()).toBe(1);
  });

  test('no time left is not a call', async () => {
    const { url, connections } = await buyer((socket) => ok(socket));
    expect(await call(newOutbound(), url, 0)).toMatchObject({ kind: 'failure', why: 'timeout', sent: false });
    expect(connections()).toBe(0);
  });
});

describe('late answers', () => {
  const slow = (ms: number) => buyer((socket) => void setTimeout(() => ok(socket, 'late'), ms));

  test('are heard within the grace period', async () => {
    const { url } = await slow(120);
    const late = Promise.withResolvers<LateAnswer>();
    const result = await call(newOutbound(), url, 40, { onLateAnswer: late.resolve });
    expect(result).toMatchObject({ kind: 'failure', why: 'timeout', sent: true });
    const answer = await late.promise;
    expect(answer.body.toString()).toBe('late');
    expect(answer.elapsedMs).toBeGreaterThan(110);
  });

  test('are not awaited beyond it', async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await buyer((socket) => {
      socket.on('close', () => closed.resolve());
      setTimeout(() => ok(socket, 'late'), 300);
    });
    const heard = vi.fn();
    await call(newOutbound({ lateGraceMs: 60 }), url, 40, { onLateAnswer: heard });
    await closed.promise;
    expect(heard).not.toHaveBeenCalled();
  });

  test('are awaited for a bounded number of calls, and hold no place in the bulkhead', async () => {
    let answered = 0;
    const { url } = await buyer(
      (socket) =>
        void setTimeout(() => {
          answered += 1;
          ok(socket, 'late');
        }, 150),
    );
    const heard = vi.fn();
    const outbound = newOutbound({ latePerBuyer: 2 });
    await Promise.all(Array.from({ length: 6 }, () => call(outbound, url, 40, { onLateAnswer: heard })));
    expect(outbound.underWay('buyer')).toBe(0);
    await expect.poll(() => [answered, heard.mock.calls.length], { timeout: 5_000 }).toEqual([6, 2]);
    // Nor is a third one heard after all have answered.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(heard).toHaveBeenCalledTimes(2);
  });
});

describe('broken connections', () => {
  test('E4: a reset before the answer may have reached the buyer', async () => {
    const { url } = await buyer((socket) => socket.resetAndDestroy());
    expect(await call(newOutbound(), url)).toMatchObject({ kind: 'failure', why: 'reset', sent: true });
  });
  test('E4: a reset in the middle of the body', async () => {
    const { url } = await buyer((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhalf', () => socket.resetAndDestroy()),
    );
    expect(await call(newOutbound(), url)).toMatchObject({ kind: 'failure', why: 'reset', sent: true });
  });
  test('something that is not HTTP', async () => {
    const { url } = await buyer((socket) => socket.write('220 smtp ready\r\n'));
    expect(await call(newOutbound(), url)).toMatchObject({ kind: 'failure', why: 'reset', sent: true });
  });
  test('nobody listens: nothing was sent', async () => {
    const port = await listen(createTcpServer());
    await closers.pop()?.();
    expect(await call(newOutbound(), `http://${HOST}:${port}/`)).toMatchObject({ kind: 'failure', why: 'connect', sent: false });
  });
  test('a name that does not exist: nothing was sent', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await call(newOutbound({ resolve }), 'http://nowhere.test/')).toMatchObject({ kind: 'failure', why: 'connect', sent: false });
  });
  test('a buyer that closes after each answer is simply connected to again', async () => {
    const { url, connections } = await buyer((socket) => socket.end(`${respond('fine', 'connection: close\r\n')}fine`));
    const outbound = newOutbound();
    for (let n = 0; n < 3; n++) expect(await call(outbound, url)).toMatchObject({ kind: 'response' });
    expect(connections()).toBe(3);
  });
});

describe('TLS', () => {
  const secureBuyer = () =>
    listen(
      createTlsServer({ key: privateKey, cert: certificate }, (socket) => void socket.once('data', () => ok(socket as unknown as Socket))),
    );

  test('E2: the certificate is checked against the name, not against the pinned address', async () => {
    const port = await secureBuyer();
    const outbound = newOutbound({ resolve: async () => [HOST], ca: certificate });
    expect(await call(outbound, `https://buyer.test:${port}/`)).toMatchObject({ kind: 'response' });
    expect(await call(outbound, `https://other.test:${port}/`)).toMatchObject({ kind: 'failure', why: 'tls', sent: false });
  });
  test('a certificate nobody vouches for: nothing was sent', async () => {
    const port = await secureBuyer();
    expect(await call(newOutbound({ resolve: async () => [HOST] }), `https://buyer.test:${port}/`)).toMatchObject({
      kind: 'failure',
      why: 'tls',
      sent: false,
    });
  });
});

describe('wire-quirks 46: sizes', () => {
  const bodyOf = (body: Buffer, headers = '') =>
    buyer((socket) => {
      socket.write(respond(body, headers));
      socket.write(body);
    });
  const text = (result: OutboundResult) => (result.kind === 'response' ? result.body.toString() : result.why);

  test('E5: 256 KiB are read, one byte more is not', async () => {
    const fits = await bodyOf(Buffer.alloc(256 * 1024, 'x'));
    expect(text(await call(newOutbound(), fits.url))).toHaveLength(256 * 1024);
    const over = await bodyOf(Buffer.alloc(256 * 1024 + 1, 'x'));
    expect(await call(newOutbound(), over.url)).toMatchObject({ kind: 'failure', why: 'too-large', sent: true });
  });
  test('E5: chunks without end are cut off at the cap', async () => {
    const { url } = await buyer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
      const more = () => void (socket.destroyed || socket.write(chunk, more));
      more();
    });
    const { result, ms } = await timed(call(newOutbound(), url, 2000));
    expect(result).toMatchObject({ kind: 'failure', why: 'too-large', sent: true });
    expect(ms).toBeLessThan(1000);
  });
  test('encoded bodies are decoded', async () => {
    const plain = Buffer.from('{"status":"accepted"}');
    const encodings: [string, Buffer][] = [
      ['gzip', gzipSync(plain)],
      ['x-gzip', gzipSync(plain)],
      ['deflate', deflateSync(plain)],
      ['deflate', deflateRawSync(plain)],
      ['br', brotliCompressSync(plain)],
    ];
    for (const [name, body] of encodings) {
      const { url } = await bodyOf(body, `content-encoding: ${name}\r\n`);
      expect(text(await call(newOutbound(), url))).toBe('{"status":"accepted"}');
    }
  });
  test('E5, 1.2 decompression: a bomb stops at the cap', async () => {
    for (const [name, bomb] of [
      ['gzip', gzipSync(Buffer.alloc(50 << 20))],
      ['br', brotliCompressSync(Buffer.alloc(50 << 20))],
    ] as const) {
      const { url } = await bodyOf(bomb, `content-encoding: ${name}\r\n`);
      const before = process.memoryUsage().rss;
      expect(await call(newOutbound(), url)).toMatchObject({ kind: 'failure', why: 'too-large', sent: true });
      expect(process.memoryUsage().rss - before).toBeLessThan(16 << 20);
    }
  });
  test('E5, 1.2 decompression: two layers, unknown layers and lies are not read', async () => {
    const body = gzipSync(gzipSync('hello'));
    for (const name of ['gzip, gzip', 'zstd', 'br']) {
      const { url } = await bodyOf(body, `content-encoding: ${name}\r\n`);
      expect(await call(newOutbound(), url)).toMatchObject({ kind: 'failure', why: 'reset', sent: true });
    }
  });
  test('E5: 64 KiB of headers are too many', async () => {
    const { url } = await buyer((socket) => socket.write(`HTTP/1.1 200 OK\r\nx-big: ${'x'.repeat(64 * 1024)}\r\n\r\n`));
    expect(await call(newOutbound(), url)).toMatchObject({ kind: 'failure', why: 'too-large', sent: true });
  });
});

describe('wire-quirks 44: redirects', () => {
  test.each([301, 302, 303, 307, 308])('E3, 1.2 SSRF: %i is not followed', async (status) => {
    const { url } = await buyer((socket) =>
      socket.write(`HTTP/1.1 ${status} Elsewhere\r\nlocation: http://127.0.0.1:${trapPort}/\r\ncontent-length: 0\r\n\r\n`),
    );
    expect(await call(newOutbound(), url)).toMatchObject({ kind: 'failure', why: 'redirect', sent: true });
  });
});

describe('wire-quirks 47: private addresses', () => {
  const refused = { kind: 'failure', why: 'refused-address', sent: false };
  const literal = (host: string) => `http://${host}:${trapPort}/`;

  test.each([
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '0.0.0.0',
    '[::]',
    'localhost',
    'localhost.',
    '2130706433',
    '0x7f.1',
    '127.1',
  ])('E1, 1.2 SSRF: nothing is sent to %s', async (host) => {
    expect(await call(newOutbound(), literal(host), 500)).toMatchObject({ kind: 'failure', sent: false });
  });
  test.each([
    'http://user@127.0.0.77/',
    'http://a.com\\@127.0.0.1/',
    'file:///etc/passwd',
    'http://127.0.0.77/a b',
    'http:///x',
    'ftp://127.0.0.77/',
    'http://127.0.0.77/\r\nx: y',
  ])('E1: an address of another form is not guessed at: %j', async (url) => {
    expect(await call(newOutbound(), url)).toMatchObject(refused);
  });
  test('E2: one private address among public ones refuses the name', async () => {
    for (const addresses of [
      ['8.8.8.8', '127.0.0.1'],
      ['127.0.0.1', '8.8.8.8'],
      ['::1'],
      ['2606:4700:4700::1111', '64:ff9b::7f00:1'],
      [],
    ]) {
      const outbound = newOutbound({ resolve: async () => addresses });
      expect(await call(outbound, `http://mixed.test:${trapPort}/`)).toMatchObject(refused);
    }
  });
  test('E2, 1.2 SSRF: a name that turns private between two calls is refused at the second connect', async () => {
    const { url } = await buyer((socket) => socket.end(`${respond('fine', 'connection: close\r\n')}fine`));
    const answers = [[HOST], ['127.0.0.1']];
    let asked = 0;
    const now = { ms: 0 };
    const resolve = rememberNames(
      async () => answers[asked++]!,
      () => now.ms,
    );
    expect(await resolve('flip.test')).toEqual([HOST]);
    now.ms = 400_000;
    const outbound = newOutbound({ resolve });
    expect(await call(outbound, url.replace(HOST, 'flip.test').replace(/:\d+/, `:${trapPort}`))).toMatchObject({
      ...refused,
      detail: 'loopback address',
    });
  });
  test('E2: the address that was looked at is the one that is called: between look and connect nobody is asked again', async () => {
    const { url, requests } = await buyer((socket) => ok(socket));
    const answers = [[HOST], ['127.0.0.1']];
    const resolve = vi.fn(async () => answers.shift()!);
    expect(await call(newOutbound({ resolve }), url.replace(HOST, 'flip.test'))).toMatchObject({ kind: 'response' });
    expect([resolve.mock.calls.length, requests()]).toEqual([1, 1]);
  });
  test('a port that is not for the web is refused even on a public address', async () => {
    const outbound = newOutbound({ resolve: async () => ['8.8.8.8'] });
    expect(await call(outbound, 'http://buyer.test:5432/')).toMatchObject({ ...refused, detail: 'port 5432' });
  });
});

describe('the bulkhead', () => {
  test('E11: a hanging buyer fails fast beyond its limit, and another is not touched', async () => {
    const hanging = await buyer(() => undefined);
    const healthy = await buyer((socket) => ok(socket));
    const outbound = newOutbound({ concurrencyPerBuyer: 4 });
    const stuck = Array.from({ length: 4 }, () => call(outbound, hanging.url, 200, { bulkhead: 'hanging' }));
    const { result, ms } = await timed(call(outbound, hanging.url, 200, { bulkhead: 'hanging' }));
    expect(result).toMatchObject({ kind: 'failure', why: 'too-busy', sent: false });
    expect(ms).toBeLessThan(20);
    expect(await call(outbound, healthy.url, 200, { bulkhead: 'healthy' })).toMatchObject({ kind: 'response' });
    for (const one of await Promise.all(stuck)) expect(one).toMatchObject({ why: 'timeout', sent: true });
    expect(outbound.underWay('hanging')).toBe(0);
  });
});

test('E11: calls to a host that cannot be reached keep their places until the connection is given up', async () => {
  let asked = 0;
  const resolve = () =>
    new Promise<string[]>((_done, reject) =>
      setTimeout(() => reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })), asked++ ? 10 : 150),
    );
  const outbound = newOutbound({ resolve, concurrencyPerBuyer: 3 });
  const first = await Promise.all(Array.from({ length: 5 }, () => call(outbound, 'http://dead.test/', 30)));
  expect(first.map((result) => result.kind === 'failure' && [result.why, result.sent])).toEqual([
    ...Array(3).fill(['timeout', false]),
    ...Array(2).fill(['too-busy', false]),
  ]);
  expect(outbound.underWay('buyer')).toBe(3);
  await vi.waitFor(() => expect(outbound.underWay('buyer')).toBe(0));
  expect(await call(outbound, 'http://dead.test/', 300)).toMatchObject({ why: 'connect', sent: false });
});

describe('remembered names', () => {
  test('are asked for once, serve while they are renewed, and are forgotten when they fail', async () => {
    const now = { ms: 0 };
    const ask = vi.fn(async () => ['8.8.8.8']);
    const resolve = rememberNames(ask, () => now.ms);
    await Promise.all([resolve('a'), resolve('a')]);
    expect(ask).toHaveBeenCalledTimes(1);
    now.ms = 20_000;
    ask.mockResolvedValue(['9.9.9.9']);
    expect(await resolve('a')).toEqual(['8.8.8.8']);
    await vi.waitFor(async () => expect(await resolve('a')).toEqual(['9.9.9.9']));
    now.ms = 1_000_000;
    ask.mockRejectedValueOnce(new Error('down'));
    await expect(resolve('a')).rejects.toThrow('down');
    expect(await resolve('a')).toEqual(['9.9.9.9']);
  });
});

describe('a body that is read as it is sent', () => {
  const MIB = 1024 * 1024;
  const part = Buffer.alloc(256 * 1024, 'a');
  /** Counts what was read of it. */
  function file(bytes: number) {
    const seen = { bytes: 0, isClosed: false };
    async function* read() {
      try {
        for (; seen.bytes < bytes; seen.bytes += part.length) yield part;
      } finally {
        seen.isClosed = true;
      }
    }
    return { seen, upload: { bytes, read } };
  }
  const send = (url: string, upload: Upload, timeoutMs = 5_000) =>
    newOutbound().call({ request: { method: 'POST', url, headers: {} }, upload, timeoutMs, bulkhead: 'feed' });

  /** Hears the head of a request, and is handed the socket, which it reads no further by itself. */
  async function reader(script: (socket: Socket, head: string) => void): Promise<string> {
    const server = createTcpServer((socket) => {
      socket.once('data', (chunk) => {
        socket.pause();
        script(socket, chunk.toString('latin1').split('\r\n\r\n')[0]!);
      });
    });
    return `http://${HOST}:${await listen(server)}/leads`;
  }

  test('arrives to the last byte, its length said before; an empty part and an empty file too', async () => {
    const { url } = await buyer((socket, request) => ok(socket, String(request.split('\r\n\r\n')[1]!.length)));
    const { upload } = file(MIB);
    const parts = (all: string[]) => ({
      bytes: Buffer.byteLength(all.join('')),
      async *read() {
        for (const one of all) yield Buffer.from(one);
      },
    });
    const answers = [
      await send(url, upload),
      await send(url, parts(['', 'one', '', 'two'])),
      await send(url, parts([''])),
      await send(url, parts([])),
    ];
    expect(answers.map((one) => one.kind === 'response' && one.body.toString())).toEqual([String(MIB), '6', '0', '0']);
  });

  test('is held back where the other side reads nothing: a large file costs no memory', async () => {
    const { seen, upload } = file(64 * MIB);
    const url = await reader(() => {});
    const result = await send(url, upload, 600);
    expect(result).toMatchObject({ kind: 'failure', why: 'timeout', sent: true });
    // What the sockets of both sides take, and no more.
    expect(seen.bytes).toBeLessThan(24 * MIB);
    await vi.waitFor(() => expect(seen.isClosed).toBe(true));
  });

  test('is broken off where the answer is there before its end, which counts', async () => {
    const { seen, upload } = file(64 * MIB);
    const url = await reader((socket) => {
      socket.write('HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\n\r\n');
    });
    expect(await send(url, upload)).toMatchObject({ kind: 'response', status: 413 });
    await vi.waitFor(() => expect(seen.isClosed).toBe(true));
    expect(seen.bytes).toBeLessThan(24 * MIB);
  });

  test('that cannot be read on is no whole file at the other side', async () => {
    let heard = 0;
    const ended: string[] = [];
    const url = await reader((socket) => {
      socket.on('data', (chunk) => {
        heard += chunk.length;
      });
      socket.on('close', () => ended.push('closed'));
      socket.resume();
    });
    const upload = {
      bytes: 2 * MIB,
      async *read() {
        yield part;
        throw new Error('gone');
      },
    };
    expect(await send(url, upload)).toMatchObject({ kind: 'failure', why: 'reset', sent: true });
    await vi.waitFor(() => expect(ended).toEqual(['closed']));
    expect(heard).toBeLessThan(MIB);
  });
});
