/**
 * The yardstick: a bare Node server that does the same HTTP calls, one after another, and one grouped insert, and nothing
 * else. No checks, caps, explanations, encryption, nor any promise about what happens when it dies.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { Pool } from 'undici';

const [, , databaseUrl, buyersUrl, count] = process.argv as [string, string, string, string, string];
const { origin, pathname } = new URL(buyersUrl);
const base = pathname === '/' ? '' : pathname;
const buyers = new Pool(origin, { connections: 512 });
const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
await client.query(
  'create table if not exists bare_lead (id bigint generated always as identity primary key, body text not null, price numeric(13, 4))',
);

let waiting: { body: string; price: string; done: () => void }[] = [];
let writing = false;

async function write(): Promise<void> {
  if (writing) return;
  writing = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    await client.query({
      name: 'insert',
      text: 'insert into bare_lead (body, price) select * from unnest($1::text[], $2::numeric[])',
      values: [batch.map((row) => row.body), batch.map((row) => row.price)],
    });
    for (const row of batch) row.done();
  }
  writing = false;
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  const lead = JSON.parse(body);
  let answer = { result: '', price: '', redirect: '' };
  for (let at = 1; at <= Number(count); at++) {
    const path = `${base}${at === Number(count) ? '/yes' : '/no'}`;
    const reply = await buyers.request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(lead),
    });
    answer = (await reply.body.json()) as typeof answer;
  }
  await new Promise<void>((done) => {
    waiting.push({ body, price: answer.price, done });
    void write();
  });
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ status: 'accepted', price: answer.price, redirectUrl: answer.redirect }));
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', 8192, () => process.send?.({ port: (server.address() as AddressInfo).port }));
