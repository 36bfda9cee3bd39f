/** Feeds of leads (console §3 key 15; design: data-mgmt/outbound): every lead once, to HTTP, SFTP or mail, whatever fails on the way. */
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { splitCsvLine } from '#contract/csv-read.ts';
import type { FeedRunView } from '#contract/export.ts';
import { keepPartitions } from '#db/migrate.ts';
import { createOutbound } from '#server/delivery/outbound.ts';
import { parseAllowList } from '#server/delivery/outbound-address.ts';
import { buildRun } from '#server/export/build-run.ts';
import { claimRun, leaveRun, planRuns } from '#server/export/feed-run.sql.ts';
import { FEED_WAITS_MS, openFeedRunner } from '#server/export/feed-runner.ts';
import type { Ways } from '#server/export/send-file.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { waitForJobOf } from '#test/harness/jobs.ts';
import { insideOneMinute, useUp } from '#test/harness/minute.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';
import { type SftpServer, startSftp } from '#test/harness/sftp.ts';

const HOUR = 3_600_000;
const PENDING = { body: JSON.stringify({ result: 'pending', id: 'P-1', price: '20.00' }) };
let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let system: ScriptedBuyer;
let sftp: SftpServer;
let smtp: SMTPServer;
let office: Office;
let bought = ACCEPT;
let refusesMail: string | undefined;
let serial = 0;
const mails: { to: string[]; mail: ParsedMail }[] = [];

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(address === refusesMail ? Object.assign(new Error('mailbox full'), { responseCode: 552 }) : null),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        mails.push({ to: session.envelope.rcptTo.map((one) => one.address), mail: await simpleParser(Buffer.concat(chunks)) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.server.address() as { port: number };
  node = await startTestWorld({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'Sluice <no-reply@sluice.example>' });
  buyer = await startBuyer(() => bought);
  system = await startBuyer();
  sftp = await startSftp();
});
afterAll(async () => {
  await node.stop();
  await Promise.all([buyer.close(), system.close(), sftp.close(), new Promise<void>((resolve) => smtp.close(() => resolve()))]);
});
beforeEach(async () => {
  bought = ACCEPT;
  refusesMail = undefined;
  mails.length = 0;
  // What an earlier test left to be sent is none of this one's.
  await node.pool.query(`update export_feed set status = 'archived'`);
  office = await openOffice(node, buyer);
  system.calls.length = 0;
  system.answer(() => ({ status: 204 }));
  Object.assign(sftp, { onRename: () => {}, readOnly: false });
  sftp.files.clear();
  sftp.acts.length = 0;
  sftp.tries.length = 0;
});

const CONTENT = { columns: ['leadId', 'status', 'price', 'field:email'] };
const sftpTo = (more: object = {}) => ({ kind: 'sftp', host: '127.0.0.1', port: sftp.port, user: 'feed', folder: 'in', ...more });
const tryAdd = (data: object = {}, by = office) =>
  by.post('/api/v1/common/post-add-data', {
    ...{ model: 'exportFeed', verticalId: office.world.verticalId, name: `Feed ${++serial}`, schedule: { every: 'hour', minute: 0 } },
    ...{ content: CONTENT, destination: { kind: 'http', url: `${system.url}/leads` } },
    ...data,
  });
async function add(data: object = {}, by = office): Promise<string> {
  const { statusCode, json } = await tryAdd(data, by);
  expect([statusCode, json]).toMatchObject([200, { status: true }]);
  return json.data._id;
}
const addSftp = async (more: object = {}) => {
  const id = await add({ destination: sftpTo({ hostKey: sftp.fingerprint, ...more }), secrets: { password: 'open sesame' } });
  return id;
};
const lead = async (more: object = {}): Promise<string> => (await office.lead(`feed${++serial}@example.com`, { ...more })).json.leadId;
const runsOf = async (id: string): Promise<FeedRunView[]> => (await office.get(`/api/console/export-feeds/${id}/runs`)).json.runs;
const read = async (id: string) =>
  (await office.post('/api/v1/common/single-data', { model: 'exportFeed', condition: { _id: id } })).json.data;
const idsIn = (text: string) =>
  text
    .replace(/^\uFEFF/, '')
    .split('\r\n')
    .filter(Boolean)
    .slice(1)
    .map((line) => splitCsvLine(line, ',')[0]!);
const test = (id: string) => office.post(`/api/console/export-feeds/${id}/test`, {});

/** Another node's runner at another time, until it has nothing left to do. */
async function runAt(
  now: number,
  until: () => Promise<boolean>,
  more: Partial<Ways> & { leaseMs?: number } = {},
  runners = 1,
): Promise<void> {
  const allow = parseAllowList('127.0.0.1');
  const outbound = createOutbound({ allow });
  const errors: unknown[] = [];
  const all = Array.from({ length: runners }, () =>
    openFeedRunner({
      ...{
        db: node.db,
        outbound,
        mailer: node.mailer,
        allow,
        clock: () => now,
        everyMs: 20,
        onError: (error: unknown) => errors.push(error),
      },
      keysOf: async (organizationId) => node.planBook.find(organizationId)!.keys,
      ...more,
    }),
  );
  try {
    await expect.poll(until, { timeout: 15_000, interval: 30 }).toBe(true);
  } finally {
    await Promise.all(all.map((one) => one.close()));
    await outbound.close();
  }
  expect(errors).toEqual([]);
}
/** Some minutes after the next hour, so that no second hour turns within the waits of a test. */
const soon = () => Math.ceil(Date.now() / HOUR) * HOUR + 10 * 60_000;
const ended =
  (id: string, count = 1) =>
  async () => {
    const runs = await runsOf(id);
    return runs.length === count && runs.every((run) => run.state !== 'due');
  };
const tried = (id: string, tries: number) => async () => (await runsOf(id))[0]?.tries === tries;

describe('console §3 data-mgmt/outbound: a feed by HTTP', () => {
  it('posts its file, signed, masked, with the leads that came since the last run, each once', async () => {
    const id = await add();
    const first = [await lead(), await lead()];
    const now = soon();
    await runAt(now, ended(id));
    expect(system.calls.length).toBe(1);
    const [call] = system.calls;
    expect(idsIn(call!.body)).toEqual(first.toSorted());
    expect(call!.body).toMatch(/,sold,20\.00,f•••@example\.com\r\n/);
    expect(call!.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'x-sluice-rows': '2' });
    expect(call!.headers['content-disposition']).toMatch(/^attachment; filename="Feed-\d+-\d\d[A-Z][a-z]{2}\d{4}-\d{4}-[0-9a-f]{6}\.csv"$/);
    const { secret } = (await office.get(`/api/console/export-feeds/${id}/secret`)).json;
    const timestamp = String(call!.headers['x-sluice-timestamp']);
    expect(call!.headers['x-sluice-signature']).toBe(
      `v1=${createHmac('sha256', secret).update(`${timestamp}.${call!.body}`).digest('hex')}`,
    );
    const [run] = await runsOf(id);
    expect(run).toMatchObject({ state: 'sent', rows: 2, tries: 1, failure: null, _id: call!.headers['x-sluice-delivery'] });
    expect(run!.bytes).toBe(Buffer.byteLength(call!.body));
    // The same moment again, and the next: nothing more, and an empty file is not sent.
    await runAt(now + HOUR, ended(id, 2));
    expect(system.calls.length).toBe(1);
    expect((await runsOf(id))[0]).toMatchObject({ state: 'empty', rows: 0, from: run!.to });
  });

  it('console §3: a renewed secret signs from then on, also a run that waits, and the change log tells who made it', async () => {
    const id = await add();
    await lead();
    const before = (await office.get(`/api/console/export-feeds/${id}/secret`)).json.secret;
    system.answer(() => ({ status: 401 }));
    const now = soon();
    await runAt(now, tried(id, 1));
    const { json, statusCode } = await office.post(`/api/console/export-feeds/${id}/renew-secret`, {});
    expect([statusCode, json.msg]).toEqual([200, 'Calls are signed with the new secret from now on.']);
    expect(json.secret).toMatch(/^fsec_[0-9a-f]{64}$/);
    expect(json.secret).not.toBe(before);
    expect((await office.get(`/api/console/export-feeds/${id}/secret`)).json.secret).toBe(json.secret);
    system.answer(() => ({ status: 204 }));
    await runAt(now + FEED_WAITS_MS[0]!, ended(id));
    const signed = system.calls.map(({ headers, body }) => [
      headers['x-sluice-signature'],
      ...[before, json.secret].map(
        (key) => `v1=${createHmac('sha256', key).update(`${headers['x-sluice-timestamp']}.${body}`).digest('hex')}`,
      ),
    ]);
    expect(signed.map(([has, old, renewed]) => [has === old, has === renewed])).toEqual([
      [true, false],
      [false, true],
    ]);
    const { changes } = (await office.get('/api/v1/change-log?model=exportFeed')).json;
    expect(changes[0]).toMatchObject({ recordId: id, before: { secret: 'as it was' }, after: { secret: 'another one' } });
    expect(JSON.stringify(changes)).not.toContain(json.secret);
  });

  it('sends a file without leads where that is chosen', async () => {
    const id = await add({ sendEmpty: true });
    await runAt(soon(), ended(id));
    expect(idsIn(system.calls[0]!.body)).toEqual([]);
    expect((await runsOf(id))[0]).toMatchObject({ state: 'sent', rows: 0 });
  });

  it('holds over a lead that has not ended, and sends it once it has; those settled or given back later again where that is chosen', async () => {
    const sold = await add({ content: { ...CONTENT, outcome: 'sold' } });
    const all = await add({ sendChanges: true });
    bought = PENDING;
    const held = await lead();
    bought = ACCEPT;
    const kept = await lead();
    const now = soon();
    await runAt(now, async () => (await ended(sold)()) && (await ended(all)()));
    for (const { body } of system.calls) expect(idsIn(body).join()).not.toContain(held);
    const settled = await office.post('/api/console/settlements', {
      leads: [{ leadId: held, buyerTierId: office.world.tiers[0]!.buyerTierId, outcome: 'bought', price: '20.00' }],
    });
    expect(settled.statusCode).toBe(200);
    const returned = await office.post(`/api/console/leads/${kept}/return`, { saleIndex: 0, reason: 'Wrong number', note: '' });
    expect(returned.statusCode, returned.text).toBe(200);
    // What became of it lies in the time that the next run covers.
    const border = Date.parse((await runsOf(all))[0]!.to);
    await node.pool.query(`update lead_return set returned_at = $2 where lead_id = $1`, [kept, new Date(border + 60_000)]);
    system.calls.length = 0;
    await runAt(now + HOUR, async () => (await ended(sold, 2)()) && (await ended(all, 2)()));
    const bodies = system.calls.map(({ body }) =>
      body
        .replace(/^\uFEFF/, '')
        .split('\r\n')
        .filter(Boolean),
    );
    const plain = bodies.find(([head]) => !head!.startsWith('Change'))!;
    const changing = bodies.find(([head]) => head!.startsWith('Change'))!;
    expect(plain.slice(1).map((line) => line.split(',')[0])).toEqual([held]);
    expect(changing.slice(1).map((line) => line.split(',').slice(0, 2))).toEqual([
      ['new', held],
      ['changed', kept],
    ]);
    system.calls.length = 0;
    await runAt(now + 2 * HOUR, async () => (await ended(sold, 3)()) && (await ended(all, 3)()));
    expect(system.calls).toEqual([]);
  });

  it('covers every lead once over a change of the clocks and over runs that were missed', async () => {
    const id = await add({ schedule: { every: 'day', at: '02:30', timeZone: 'America/New_York' }, content: { columns: ['leadId'] } });
    const one = await lead();
    // Leads of every quarter of an hour around 11 March 2035, whose 02:30 there is not; to come, so that the node’s own runner leaves them alone.
    const from = Date.parse('2035-03-10T00:00:00Z');
    await keepPartitions(node.pool, new Date(from));
    await node.pool.query(`update export_feed set covered_to = $2, began_at = $2 where id = $1`, [id, new Date(from)]);
    const { rows: copies } = await node.pool.query(
      `with made as (insert into lead select l.organization_id, uuid7_at($2::timestamptz + n * interval '15 minutes'), l.region_id, l.vertical_id, l.campaign_id, l.publisher_id,
          l.publisher_tier_id, l.sub_id, l.mode, l.test, l.ping_id, l.node_id, l.fields, l.state from lead l, generate_series(0, 287) n where l.id = $1 returning organization_id, id),
        ended as (insert into lead_result select m.organization_id, m.id, r.vertical_id, r.campaign_id, r.publisher_tier_id, r.test, r.status, r.reason, r.revenue, r.payout, r.margin,
          r.sale_count, r.attempt_count, r.duplicate_of, r.elapsed_ms, r.buyers_ms, r.store_ms, r.finished_at, r.verdicts, r.explained, r.wires from made m, lead_result r where r.lead_id = $1)
        select id from made`,
      [one, new Date(from)],
    );
    for (const day of ['2035-03-10', '2035-03-11', '2035-03-12']) {
      const before = (await runsOf(id)).length;
      await runAt(Date.parse(`${day}T12:00:00Z`), ended(id, before + 1));
    }
    const spans = (await runsOf(id)).toReversed().map(({ from: first, to }) => [first, to]);
    expect(spans).toEqual([
      ['2035-03-10T00:00:00.000Z', '2035-03-10T07:30:00.000Z'],
      ['2035-03-10T07:30:00.000Z', '2035-03-11T07:00:00.000Z'],
      ['2035-03-11T07:00:00.000Z', '2035-03-12T06:30:00.000Z'],
    ]);
    // Nobody was there for two weeks: one run makes up for it.
    await runAt(Date.parse('2035-03-27T12:00:00Z'), ended(id, 4));
    const told = system.calls.flatMap(({ body }) => idsIn(body));
    expect(told.length).toBe(copies.length);
    expect(new Set(told)).toEqual(new Set(copies.map((row: { id: string }) => row.id)));
  }, 60_000);

  it('is tried again after waits that grow, then fails and is among what is wrong; "Run again" sends the same leads', async () => {
    const id = await add();
    const ids = [await lead()];
    system.answer(() => ({ status: 500 }));
    let now = soon();
    await runAt(now, tried(id, 1));
    expect((await runsOf(id))[0]).toMatchObject({
      state: 'due',
      failure: 'It answered with HTTP 500.',
      nextAt: new Date(now + FEED_WAITS_MS[0]!).toISOString(),
    });
    expect((await read(id)).failingSince).not.toBeNull();
    const wrong = async () =>
      (await office.get('/api/console/overview?region=us&vertical=payday')).json.warnings.filter(
        (one: { kind: string }) => one.kind === 'feedFailing',
      );
    expect(await wrong()).toMatchObject([{ subjectId: id, text: expect.stringContaining('HTTP 500') }]);
    await runAt(now + FEED_WAITS_MS[0]! - 1, async () => true);
    expect(system.calls.length).toBe(1);
    for (const [at, wait] of FEED_WAITS_MS.entries()) {
      now += wait;
      await node.pool.query(`update export_feed set covered_to = $2 where id = $1`, [id, new Date(now + 100 * HOUR)]);
      await runAt(now, tried(id, at + 2));
    }
    expect((await runsOf(id))[0]).toMatchObject({ state: 'failed', tries: 6, nextAt: null });
    system.answer(() => ({ status: 200 }));
    const { _id: runId } = (await runsOf(id))[0]!;
    const later = await lead();
    expect((await office.post(`/api/console/export-feeds/${id}/runs/${runId}/again`, {})).statusCode).toBe(200);
    await runAt(now + 1, ended(id));
    expect(idsIn(system.calls.at(-1)!.body)).toEqual(ids);
    expect(system.calls.at(-1)!.body).not.toContain(later);
    expect(new Set(system.calls.map(({ headers }) => headers['x-sluice-delivery']))).toEqual(new Set([runId]));
    expect((await read(id)).failingSince).toBeNull();
    expect(await wrong()).toEqual([]);
  }, 60_000);

  it('says that it may have come twice where nobody can know, with the same name for both', async () => {
    const id = await add();
    await lead();
    system.answer(() => ({ hang: true }));
    const now = soon();
    await runAt(now, tried(id, 1), { fileTimeMs: 300 });
    expect((await runsOf(id))[0]).toMatchObject({ failure: 'There was no answer in time.' });
    system.answer(() => ({ status: 200 }));
    await runAt(now + FEED_WAITS_MS[0]!, ended(id));
    expect((await runsOf(id))[0]).toMatchObject({ state: 'sent', remark: expect.stringContaining('may have come twice') });
    expect(system.calls[1]!.body).toBe(system.calls[0]!.body);
  });

  it('follows no redirect, and calls no address inside', async () => {
    const id = await add();
    await lead();
    system.answer(() => ({ status: 302, headers: { location: 'http://169.254.169.254/latest' } }));
    await runAt(soon(), tried(id, 1));
    expect((await runsOf(id))[0]!.failure).toBe('It led elsewhere, and a redirect is not followed.');
    // One that was saved before it was judged.
    const inside = await add();
    await node.pool.query('update export_feed set destination = $2 where id = $1', [inside, { kind: 'http', url: 'http://10.0.0.1/x' }]);
    expect((await test(inside)).json).toMatchObject({ taken: false, said: expect.stringContaining('may not be called') });
  });

  it.each([...['http://10.0.0.1/', 'http://169.254.169.254/latest', 'http://[fd00::1]/', 'http://example.com:25/']])(
    'console §3: is not saved where it would go to %s, added or edited',
    async (url) => {
      const refused = {
        code: 'feed_address_refused',
        errors: [{ field: 'destination.url', message: expect.stringMatching(/^Nothing is sent there: /) }],
      };
      const destination = { kind: 'http', url };
      expect((await tryAdd({ destination })).json).toMatchObject(refused);
      const id = await add();
      expect((await office.change('exportFeed', id, { destination })).json).toMatchObject(refused);
      expect((await read(id)).destination.url).toBe(`${system.url}/leads`);
    },
  );

  it('by two nodes at once goes out once', async () => {
    const ids = [await add(), await add(), await add(), await add()];
    await lead();
    await runAt(soon(), async () => (await Promise.all(ids.map((id) => ended(id)()))).every(Boolean), {}, 3);
    expect(system.calls.length).toBe(4);
    expect(new Set(system.calls.map(({ headers }) => headers['x-sluice-delivery'])).size).toBe(4);
    for (const id of ids) expect((await runsOf(id)).length).toBe(1);
  });

  it('of an organization whose servers are slow keeps no feed of another waiting', async () => {
    const slow = await Promise.all(Array.from({ length: 8 }, () => addSftp()));
    await lead();
    const other = await openOffice(node, buyer);
    const quick = await add({ verticalId: other.world.verticalId, sendEmpty: true }, other);
    let letGo = () => {};
    let atOnce: number | undefined;
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    sftp.onRename = () => gate;
    const renames = () => sftp.acts.filter((act) => act.startsWith('rename')).length;
    const now = soon();
    await runAt(now, async () => {
      const { runs } = (await other.get(`/api/console/export-feeds/${quick}/runs`)).json;
      if (renames() < 2 || runs[0]?.state !== 'sent') return false;
      atOnce ??= renames();
      letGo();
      return (await Promise.all(slow.map((id) => ended(id)()))).every(Boolean);
    });
    expect([atOnce, system.calls.length]).toEqual([2, 1]);
  });

  it('that is edited while its file is half made has the new columns throughout, and the change log says that persons left', async () => {
    const id = await add();
    const sold = (await office.lead('half.made@example.com')).json.leadId;
    const now = soon();
    await planRuns(node.db, now);
    const claimed = (await claimRun(node.db, now, 60_000))!;
    let steps = 0;
    const { keys } = node.planBook.find(office.world.organizationId)!;
    expect(await buildRun(node.db, keys, claimed, 60_000, () => steps++ === 2)).toBe(false);
    expect((await node.pool.query('select place from export_run where feed_id = $1', [id])).rows[0].place.phase).toBe('window');
    await leaveRun(node.db, claimed);
    const columns = ['leadId', 'field:email'];
    expect((await office.change('exportFeed', id, { content: { ...CONTENT, columns, unmasked: true } })).statusCode).toBe(200);
    await runAt(now, ended(id));
    const rows = system.calls[0]!.body.replace(/^\uFEFF/, '')
      .trimEnd()
      .split('\r\n');
    expect(rows.map((row) => row.split(',').length)).toEqual([2, 2]);
    expect(rows[1]).toBe(`${sold},half.made@example.com`);
    const log = JSON.stringify((await office.get('/api/v1/change-log?model=leadExport')).json);
    expect(log).toContain('"leads":1');
  });

  it('waits while it is paused, and goes on where it was; now, where somebody says so', async () => {
    const id = await add();
    const first = await lead();
    await office.change('exportFeed', id, { status: 'paused' });
    const now = soon();
    await runAt(now, async () => true);
    expect(await runsOf(id)).toEqual([]);
    expect((await office.post(`/api/console/export-feeds/${id}/run`, {})).statusCode).toBe(409);
    await office.change('exportFeed', id, { status: 'active' });
    await runAt(now + 5 * HOUR, ended(id));
    expect(idsIn(system.calls[0]!.body)).toEqual([first]);
    const other = await add();
    await node.pool.query(`update export_feed set covered_to = now() - interval '1 hour' where id = $1`, [other]);
    expect((await office.post(`/api/console/export-feeds/${other}/run`, {})).json).toMatchObject({ status: true });
    await expect.poll(ended(other), { timeout: 10_000 }).toBe(true);
    await node.pool.query('update export_feed set covered_to = now() where id = $1', [other]);
    expect((await office.post(`/api/console/export-feeds/${other}/run`, {})).json.code).toBe('feed_ran');
  });

  it('console §3: tests and runs are so many for a person and an organization, and then say how long to wait', async () => {
    await insideOneMinute();
    const id = await add();
    const mail = await add({ destination: { kind: 'mail', to: ['one@example.com'] } });
    const { organizationId } = office.world;
    const { rows } = await node.pool.query('select user_id as id from team_member where organization_id = $1', [organizationId]);
    await useUp(node.db, `feed test mails of ${organizationId}`, 20, HOUR);
    expect((await test(mail)).json.code).toBe('feed_test_rate_limited');
    expect(mails).toEqual([]);
    await useUp(node.db, `feed tests of ${rows[0].id}`, 10, 60_000, 2);
    expect((await test(id)).json.taken).toBe(true);
    const refused = await test(id);
    expect([refused.statusCode, refused.json.code]).toEqual([429, 'feed_test_rate_limited']);
    expect(refused.json.msg).toMatch(/^Many tests were made\. Wait \d+ seconds\.$/);
    expect(system.calls.length).toBe(1);
    await node.pool.query(`update export_feed set covered_to = now() - interval '1 hour' where id = $1`, [id]);
    await useUp(node.db, `feed runs of ${organizationId}`, 60, HOUR, 1);
    const run = () => office.post(`/api/console/export-feeds/${id}/run`, {});
    expect((await run()).statusCode).toBe(200);
    await expect.poll(ended(id), { timeout: 10_000 }).toBe(true);
    const runId = (await runsOf(id))[0]!._id;
    await node.pool.query(`update export_feed set covered_to = now() - interval '1 hour' where id = $1`, [id]);
    const late = [await run(), await office.post(`/api/console/export-feeds/${id}/runs/${runId}/again`, {})];
    expect(late.map(({ json }) => json.code)).toEqual(['feed_run_rate_limited', 'feed_run_rate_limited']);
    expect(late[0]!.json.msg).toMatch(/^Many runs were asked for within the hour\. Wait \d+ (minutes|seconds)\.$/);
  });

  it('a person that is erased while its file waits is not in what is sent', async () => {
    const id = await add({ content: { ...CONTENT, unmasked: true } });
    const gone = (await office.lead('erased.one@example.com')).json.leadId;
    system.answer(() => ({ status: 503 }));
    const now = soon();
    await runAt(now, tried(id, 1));
    expect(system.calls[0]!.body).toContain('erased.one@example.com');
    const erased = await office.post('/api/console/data-requests/erase', {
      q: 'erased.one@example.com',
      reason: 'Asked for it',
      confirm: 'ERASE',
    });
    expect(await waitForJobOf(office, erased.json.jobId)).toMatchObject({ tally: { files: 1 } });
    system.answer(() => ({ status: 200 }));
    await runAt(now + FEED_WAITS_MS[0]!, ended(id));
    expect(idsIn(system.calls[1]!.body)).toEqual([gone]);
    expect(system.calls[1]!.body).not.toContain('erased.one');
    const log = JSON.stringify((await office.get('/api/v1/change-log?model=leadExport')).json);
    expect(log).toContain('"leads":1');
  });
});

describe('console §3 data-mgmt/outbound: a feed by SFTP', () => {
  it('pins the key of the server at its first test, and puts a file there under its name only when it is whole', async () => {
    const id = await add({ destination: sftpTo(), secrets: { password: 'open sesame' } });
    const wanted = await lead();
    const now = soon();
    await runAt(now, ended(id));
    expect((await runsOf(id))[0]).toMatchObject({ state: 'failed', failure: expect.stringContaining('Test the destination') });
    expect(sftp.tries).toEqual([]);
    expect((await test(id)).json).toMatchObject({ taken: true, hostKey: sftp.fingerprint, pinned: true });
    expect((await read(id)).destination.hostKey).toBe(sftp.fingerprint);
    expect(sftp.files.size).toBe(0);
    sftp.acts.length = 0;
    await office.post(`/api/console/export-feeds/${id}/runs/${(await runsOf(id))[0]!._id}/again`, {});
    await runAt(now + 1, ended(id));
    expect((await runsOf(id))[0]).toMatchObject({ state: 'sent', failure: null });
    const [name] = [...sftp.files.keys()];
    expect(name).toMatch(/^in\/Feed-\d+-\d\d\w{3}\d{4}-\d{4}-\w{6}\.csv$/);
    expect(sftp.acts).toEqual([`open in/.${name!.slice(3)}.part`, `rename in/.${name!.slice(3)}.part ${name}`]);
    expect(idsIn(sftp.files.get(name!)!.toString())).toEqual([wanted]);
  });

  it('lets in by a private key, and sends nothing to a server with another key', async () => {
    const pair = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
      publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    const keyed = await startSftp({ publicKey: pair.privateKey, password: 'never' });
    const id = await add({
      destination: sftpTo({ port: keyed.port, hostKey: keyed.fingerprint }),
      secrets: { privateKey: pair.privateKey },
    });
    expect((await test(id)).json).toMatchObject({ taken: true, pinned: false });
    const other = await add({ destination: sftpTo({ hostKey: keyed.fingerprint }), secrets: { password: 'open sesame' } });
    await lead();
    expect((await test(other)).json).toMatchObject({
      taken: false,
      hostKey: sftp.fingerprint,
      said: expect.stringContaining('another key'),
    });
    await runAt(soon(), async () => (await ended(other)()) && (await ended(id)()));
    expect((await runsOf(other))[0]).toMatchObject({ state: 'failed', failure: expect.stringContaining('another key') });
    expect([sftp.tries, sftp.files.size]).toEqual([[], 0]);
    expect((await runsOf(id))[0]!.state).toBe('sent');
    await keyed.close();
  });

  it('a node that is lost after the rename has sent it: the next one sees that, and sends nothing', async () => {
    const id = await addSftp();
    await lead();
    const now = soon();
    let renamed = 0;
    sftp.onRename = (from, to) => {
      renamed += 1;
      sftp.files.set(to, sftp.files.get(from)!);
      sftp.files.delete(from);
      throw new Error('the answer never comes');
    };
    await runAt(now, tried(id, 1));
    expect((await runsOf(id))[0]).toMatchObject({ state: 'due', failure: 'The connection broke off.' });
    sftp.acts.length = 0;
    await runAt(now + FEED_WAITS_MS[0]!, ended(id));
    expect((await runsOf(id))[0]).toMatchObject({ state: 'sent', remark: expect.stringContaining('there already') });
    expect([renamed, sftp.acts, sftp.files.size]).toEqual([1, [], 1]);
  });

  it('gives up a server that is too slow in all, though it never stands still', async () => {
    const id = await addSftp();
    await lead();
    sftp.onRename = () => new Promise<void>(() => {});
    await runAt(soon(), tried(id, 1), { fileTimeMs: 700 });
    expect((await runsOf(id))[0]).toMatchObject({ state: 'due', failure: expect.stringContaining('too slow') });
  });

  it('says plainly what is wrong: the password, the folder, the right to write, the address, the port, no server', async () => {
    const said = async (more: object, secrets: object = { password: 'open sesame' }) => {
      const id = await add({ destination: sftpTo({ hostKey: null, ...more }), secrets });
      const { json } = await test(id);
      expect(json.taken, JSON.stringify(json)).toBe(false);
      return json.said;
    };
    expect(await said({}, { password: 'wrong' })).toMatch(/does not let this user in/);
    expect(await said({ folder: 'nowhere' })).toMatch(/no such folder/);
    for (const [host, port, why] of [
      ...([
        ['169.254.169.254', 22, 'it is not on'],
        ['10.1.2.3', 22, 'it is not on'],
        ['::1', 22, 'it is not on'],
      ] as const),
      ...([
        ['::ffff:10.0.0.1', 22, 'it is not on'],
        ['8.8.8.8', 25, 'only ports 22, 2022 and 2222 are called, not 25'],
      ] as const),
    ]) {
      const { statusCode, json } = await tryAdd({ destination: sftpTo({ host, port }), secrets: { password: 'open sesame' } });
      expect([statusCode, json.code, json.msg]).toEqual([400, 'feed_address_refused', expect.stringContaining(why)]);
    }
    expect(await said({ port: system.port })).toMatch(/does not speak SFTP|not answer in time/);
    expect(await said({ port: 9 })).toMatch(/refuses connections/);
    sftp.readOnly = true;
    expect(await said({})).toMatch(/does not let this user write/);
  }, 60_000);

  it('connects to no name of which one address lies inside, whatever the others are', async () => {
    const id = await addSftp({ host: 'files.example', port: 22 });
    await lead();
    await runAt(soon(), tried(id, 1), { resolve: async () => ['8.8.8.8', '10.0.0.1'] });
    expect((await runsOf(id))[0]!.failure).toBe('The server may not be called: private address.');
    expect(sftp.tries).toEqual([]);
  });

  it('keeps its password to itself, and to the server it was given for', async () => {
    const id = await addSftp();
    const row = await read(id);
    expect(row.secrets).toEqual(['password']);
    expect(JSON.stringify(row)).not.toContain('sesame');
    expect(JSON.stringify((await office.get('/api/v1/change-log?model=exportFeed')).json)).not.toContain('sesame');
    const stored = await node.pool.query('select secrets from export_feed where id = $1', [id]);
    expect(stored.rows[0].secrets.includes('sesame')).toBe(false);
    const moved = await office.change('exportFeed', id, { destination: sftpTo({ host: 'evil.example', port: 22 }) });
    expect([moved.statusCode, moved.json.code]).toEqual([400, 'feed_secrets_needed']);
    const given = await office.change('exportFeed', id, {
      destination: sftpTo({ host: 'other.example', port: 22, hostKey: sftp.fingerprint }),
      secrets: { password: 'new' },
    });
    expect(given.statusCode).toBe(200);
    // The pin of the server before is not this one's.
    expect((await read(id)).destination.hostKey).toBeNull();
  });
});

describe('console §3 data-mgmt/outbound: a feed by mail', () => {
  it('comes as an attachment to every address once, also when one of them refuses at first', async () => {
    const id = await add({ destination: { kind: 'mail', to: ['one@example.com', 'Two@example.com'] } });
    const wanted = await lead();
    refusesMail = 'two@example.com';
    const now = soon();
    await runAt(now, tried(id, 1));
    expect((await runsOf(id))[0]).toMatchObject({ state: 'due', failure: expect.stringContaining('mailbox full') });
    refusesMail = undefined;
    await runAt(now + FEED_WAITS_MS[0]!, ended(id));
    expect(mails.map(({ to }) => to.join())).toEqual(['one@example.com', 'two@example.com']);
    for (const { mail } of mails) {
      expect(mail.attachments.map(({ filename, contentType }) => [filename!.slice(-4), contentType])).toEqual([['.csv', 'text/csv']]);
      expect(idsIn(mail.attachments[0]!.content.toString('utf8'))).toEqual([wanted]);
      expect(mail.text).not.toContain('@example.com');
    }
    expect((await test(id)).json).toMatchObject({ taken: true });
  });

  it('is not sent where it is too large, which is said at once', async () => {
    const id = await add({ destination: { kind: 'mail', to: ['one@example.com'] } });
    await lead();
    system.answer(() => ({ status: 200 }));
    refusesMail = 'one@example.com';
    const now = soon();
    await runAt(now, tried(id, 1));
    await node.pool.query('update export_file set byte_count = 12000000 where id = $1', [(await runsOf(id))[0]!._id]);
    await runAt(now + FEED_WAITS_MS[0]!, ended(id));
    expect((await runsOf(id))[0]).toMatchObject({ state: 'failed', failure: expect.stringMatching(/11\.4 MB; a mail takes 10\.0 MB/) });
  });
});

describe('console §3 data-mgmt/outbound: the record of a feed', () => {
  it('refuses what cannot be meant', async () => {
    const refused = async (data: object) => {
      const { statusCode, json } = await tryAdd(data);
      expect(statusCode, JSON.stringify(json)).toBe(400);
    };
    await refused({ name: '' });
    await refused({ schedule: { every: 'day', at: '25:00', timeZone: 'UTC' } });
    await refused({ schedule: { every: 'day', at: '06:00', timeZone: 'Mars' } });
    await refused({ schedule: { every: 'week', weekday: 7, at: '06:00', timeZone: 'UTC' } });
    await refused({ schedule: { every: 'minute' } });
    await refused({ content: { columns: [] } });
    await refused({ content: { columns: ['field:nothing_of_the_kind'] } });
    await refused({ destination: { kind: 'ftp', host: 'x' } });
    await refused({ destination: { kind: 'http', url: 'ftp://x.example' } });
    await refused({ destination: { kind: 'http', url: 'https://user:pass@x.example' } });
    await refused({ destination: sftpTo({ host: 'sftp://x.example' }), secrets: { password: 'x' } });
    await refused({ destination: sftpTo({ port: 0 }), secrets: { password: 'x' } });
    await refused({ destination: sftpTo({ user: 'a\nb' }), secrets: { password: 'x' } });
    await refused({ destination: sftpTo({ hostKey: 'MD5:aa:bb' }), secrets: { password: 'x' } });
    await refused({ destination: sftpTo() });
    await refused({ destination: sftpTo(), secrets: { privateKey: 'not a key' } });
    await refused({
      destination: sftpTo(),
      secrets: { privateKey: '-----BEGIN RSA PRIVATE KEY-----\nnonsense\n-----END RSA PRIVATE KEY-----' },
    });
    await refused({ destination: sftpTo(), secrets: { token: 'x' } });
    await refused({ destination: { kind: 'mail', to: [] } });
    await refused({ destination: { kind: 'mail', to: ['nobody'] } });
    await refused({ destination: { kind: 'mail', to: ['a@example.com\r\nbcc: b@example.com'] } });
    await refused({ coveredTo: '2020-01-01T00:00:00Z' });
    const id = await add({ name: 'Taken' });
    expect((await tryAdd({ name: 'taken' })).statusCode).toBe(409);
    expect((await office.post('/api/v1/common/post-delete-data', { model: 'exportFeed', _id: id })).statusCode).toBe(200);
    expect((await test(id)).statusCode).toBe(404);
  });

  it('is for who has page 15 in its vertical; one with persons as they are is set up by who may see them, and paused by all', async () => {
    const id = await add({ content: { ...CONTENT, unmasked: true } });
    const { regionId, verticalId } = office.world;
    const member = (pages: string[]) => {
      const vertical = { verticalId, verticalChecked: true, pages: pages.map((value) => ({ value, pageChecked: true })) };
      return signIn(node, office.world, {
        role: 'member',
        permissions: [{ regionId, regionChecked: true, verticals: [vertical] }] as never,
      });
    };
    const inside = await member(['dataMgmt-Outbound']);
    expect((await tryAdd({ content: { ...CONTENT, unmasked: true } }, inside)).statusCode).toBe(403);
    expect((await inside.change('exportFeed', id, { destination: { kind: 'http', url: 'https://evil.example' } })).statusCode).toBe(403);
    expect((await inside.change('exportFeed', id, { content: CONTENT })).statusCode).toBe(403);
    expect((await inside.change('exportFeed', id, { status: 'paused' })).statusCode).toBe(200);
    // Who knows its secret can send in its name.
    const secret = `/api/console/export-feeds/${id}/secret`;
    const renewal = `/api/console/export-feeds/${id}/renew-secret`;
    for (const { statusCode, json } of [await inside.get(secret), await inside.post(renewal, {})])
      expect([statusCode, json.code]).toEqual([403, 'feed_unmask_forbidden']);
    expect((await office.get(secret)).statusCode).toBe(200);
    const own = await add({}, inside);
    expect((await inside.get(`/api/console/export-feeds/${own}/secret`)).statusCode).toBe(200);
    expect((await inside.change('exportFeed', own, { content: { ...CONTENT, unmasked: true } })).statusCode).toBe(403);
    const stranger = await openOffice(node, buyer);
    const without = await member(['dataMgmt-Inbound', 'setup']);
    for (const by of [stranger, without]) {
      for (const path of [`${own}/runs`, `${own}/secret`])
        expect([403, 404]).toContain((await by.get(`/api/console/export-feeds/${path}`)).statusCode);
      for (const path of [`${own}/test`, `${own}/run`, `${own}/renew-secret`])
        expect([403, 404]).toContain((await by.post(`/api/console/export-feeds/${path}`, {})).statusCode);
      expect([403, 404]).toContain((await by.change('exportFeed', own, { status: 'paused' })).statusCode);
    }
  });
});
