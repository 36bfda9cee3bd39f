/** A feed's file by HTTP: signed, to the last byte, and never held whole (the rest of its life: test/api/export-feed.test.ts). */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createOutbound } from '#server/delivery/outbound.ts';
import { parseAllowList } from '#server/delivery/outbound-address.ts';
import { FileGone } from './export-file.sql.ts';
import { type FileToSend, sendFile, type Ways } from './send-file.ts';

const MIB = 1024 * 1024;
const part = Buffer.from(`${'é,'.repeat(87_380)}\r\n`);
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function systemThat(hears: RequestListener): Promise<string> {
  const server = createServer(hears).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/leads`;
}

function send(url: string, file: Pick<FileToSend, 'bytes' | 'read'>, fileTimeMs = 10_000) {
  const allow = parseAllowList('127.0.0.1');
  const outbound = createOutbound({ allow });
  closers.push(() => outbound.close());
  return sendFile(
    { outbound, allow, fileTimeMs, mailer: undefined as unknown as Ways['mailer'] },
    {
      ...{ feedId: 'F', feedName: 'Feed', runId: 'R', name: 'leads.csv', format: 'csv', rows: 3, destination: { kind: 'http', url } },
      ...{ secrets: {}, signing: 'key', taken: [], onTaken: async () => {}, wasCutOff: false, now: 1_790_000_000_500 },
      ...file,
    },
  );
}

it('arrives whole, signed over what is sent', async () => {
  const heard: { request: IncomingMessage; body: Buffer }[] = [];
  const url = await systemThat(async (request, response) => {
    heard.push({ request, body: Buffer.concat(await request.toArray()) });
    response.writeHead(204).end();
  });
  async function* read() {
    for (let n = 0; n < 3; n++) yield part;
  }
  expect(await send(url, { bytes: 3 * part.length, read })).toEqual({ failure: null });
  const [{ request, body }] = heard as [(typeof heard)[0]];
  expect(body.equals(Buffer.concat([part, part, part]))).toBe(true);
  expect(request.headers).toMatchObject({
    ...{ 'content-length': String(3 * part.length), 'content-type': 'text/csv; charset=utf-8', 'x-sluice-rows': '3' },
    'x-sluice-signature': `v1=${createHmac('sha256', 'key').update('1790000000.').update(body).digest('hex')}`,
  });
  expect(request.headers['transfer-encoding']).toBeUndefined();
});

it('reliability: a system that reads nothing keeps no file in our memory', async () => {
  const url = await systemThat(() => {});
  const read: number[] = [];
  const parts = Math.floor((48 * MIB) / part.length);
  async function* readOnce() {
    const at = read.push(0) - 1;
    for (let n = 0; n < parts; n++) {
      read[at]! += part.length;
      yield part;
    }
  }
  expect(await send(url, { bytes: parts * part.length, read: readOnce }, 800)).toMatchObject({ failure: 'There was no answer in time.' });
  expect(read).toEqual([parts * part.length, expect.any(Number)]);
  expect(read[1]).toBeLessThan(24 * MIB);
});

it('G8: a file that goes while it is sent is no failure of the other side, and is not taken there for whole', async () => {
  let isCutOff = false;
  const url = await systemThat((request) => {
    request.on('data', () => {});
    request.on('error', () => {
      isCutOff = true;
    });
  });
  let readings = 0;
  async function* read() {
    yield part;
    if (++readings === 2) throw new FileGone('The file was deleted meanwhile.');
    yield part;
  }
  await expect(send(url, { bytes: 2 * part.length, read })).rejects.toThrow(FileGone);
  await expect.poll(() => isCutOff).toBe(true);
});
