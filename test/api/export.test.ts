/** Exports of leads (console §3 key 15; design: data-mgmt/outbound): what is asked for and no more, in a file that is kept for a while. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { splitCsvLine } from '#contract/csv-read.ts';
import { openRowWriter } from '#server/export/export-columns.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { waitForJobOf } from '#test/harness/jobs.ts';
import { insideOneMinute, useUp } from '#test/harness/minute.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let office: Office;
let bought = ACCEPT;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => bought);
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});
beforeEach(async () => {
  bought = ACCEPT;
  office = await openOffice(node, buyer);
});

const COLUMNS = ['leadId', 'receivedAt', 'status', 'publisher', 'subId', 'buyer', 'price', 'payout', 'field:email', 'field:state'];
const asked = (content: object = {}, more: object = {}) => ({
  ...{
    region: 'us',
    vertical: 'payday',
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 60_000).toISOString(),
  },
  content: { columns: COLUMNS, ...content },
  ...more,
});
const start = (content: object = {}, more: object = {}, by = office) => by.post('/api/console/exports', asked(content, more));
async function begin(content: object = {}, more: object = {}, by = office): Promise<string> {
  const { statusCode, json } = await start(content, more, by);
  expect([statusCode, json]).toMatchObject([200, { status: true }]);
  return json.jobId;
}
const download = (jobId: string, by = office) =>
  by.formAnswer('/api/v1/download-file/export', new URLSearchParams({ jobId, isDownloadCSV: 'true' }));
async function exported(content: object = {}, more: object = {}, by = office): Promise<string> {
  const jobId = await begin(content, more, by);
  const job = await waitForJobOf(by, jobId);
  expect(job).toMatchObject({ status: 'done', failure: null });
  const answer = await download(jobId, by);
  expect(answer.status).toBe(200);
  return answer.text();
}
const lines = (text: string) =>
  text
    .replace(/^\uFEFF/, '')
    .split('\r\n')
    .filter(Boolean)
    .map((line) => splitCsvLine(line, ','));
const member = (pages: string[], verticalId = office.world.verticalId) => {
  const { regionId } = office.world;
  const vertical = { verticalId, verticalChecked: true, pages: pages.map((value) => ({ value, pageChecked: true })) };
  return signIn(node, office.world, { role: 'member', permissions: [{ regionId, regionChecked: true, verticals: [vertical] }] as never });
};
const changes = async () => (await office.get('/api/v1/change-log?model=leadExport')).json;

describe('console §3 data-mgmt/outbound: an export', () => {
  it('is a file of the leads of the span, in the chosen columns, RFC 4180, masked, named by its day', async () => {
    const { leadId } = (await office.lead('ada@example.com')).json;
    bought = REJECT;
    await office.lead('bob@example.com', { state: 'CA' });
    const jobId = await begin();
    const job = await waitForJobOf(office, jobId);
    expect(job).toMatchObject({
      kind: 'export',
      status: 'done',
      rowsDone: 2,
      tally: { exported: 2 },
      file: { gone: null, unmasked: false, mayDownload: true },
    });
    expect(job.bytesDone).toBe(job.bytes);
    const answer = await download(jobId);
    const day = new Intl.DateTimeFormat('en-US', { day: '2-digit', month: 'short', year: 'numeric', timeZone: 'UTC' }).formatToParts(
      Date.now(),
    );
    const part = (type: string) => day.find((one) => one.type === type)!.value;
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="leads-us-payday-${part('day')}${part('month')}${part('year')}.csv"`,
    );
    const text = Buffer.from(await answer.arrayBuffer()).toString('utf8');
    expect(text.startsWith('\uFEFF')).toBe(true);
    const [head, first, second, ...rest] = lines(text);
    expect(head).toEqual(['Lead id', 'Received (UTC)', 'Result', 'Publisher', 'Sub id', 'Buyer', 'Price', 'Payout', 'Email', 'State']);
    expect(first).toEqual([
      leadId,
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      'sold',
      'Publisher One',
      'sub1',
      'Ann',
      '20.00',
      '16.00',
      'a•••@example.com',
      'NY',
    ]);
    expect(second!.slice(2)).toEqual(['unsold', 'Publisher One', 'sub1', '', '0.00', '0.00', 'b•••@example.com', 'CA']);
    expect(rest).toEqual([]);
  });

  it('takes only sold or unsold ones, of one publisher, tier, campaign or buyer; never tests and mere questions for a price', async () => {
    await office.lead('ada@example.com');
    await office.lead('test@example.com', { test: true });
    await node.post('/api/v1/ping', { state: 'NY', zip: '01234', monthly_income: '4000' }, { authorization: `Bearer ${office.world.key}` });
    bought = REJECT;
    await office.lead('bob@example.com');
    const { publisherId, publisherTierId, campaignId, tiers } = office.world;
    const count = async (content: object) => lines(await exported(content)).length - 1;
    expect(await count({ outcome: 'all' })).toBe(2);
    expect(await count({ outcome: 'sold' })).toBe(1);
    expect(await count({ outcome: 'unsold' })).toBe(1);
    expect(await count({ publisherId, publisherTierId, campaignId })).toBe(2);
    expect(await count({ buyerId: tiers[0]!.buyerId, buyerTierId: tiers[0]!.buyerTierId })).toBe(1);
    const ann = await openOffice(node, buyer);
    const foreign = await start({ publisherId: ann.world.publisherId });
    expect([foreign.statusCode, foreign.json.error?.code ?? foreign.json.code]).toMatchObject([404, 'export_filter_unknown']);
  });

  it('comes as JSON lines, in a zone', async () => {
    await office.lead('ada@example.com');
    const [line, end] = (await exported({ format: 'jsonl', timeZone: 'America/New_York' })).split('\n');
    expect(JSON.parse(line!)).toMatchObject({ status: 'sold', price: '20.00', email: 'a•••@example.com', state: 'NY' });
    expect(end).toBe('');
  });

  it('holds no formula that a spreadsheet would run', () => {
    const content = { columns: ['subId', 'publisher'], format: 'csv', timeZone: 'UTC', unmasked: false } as never;
    const row = { subId: '=1+1', publisher: '@x "quoted"' } as never;
    expect(openRowWriter(content, [], undefined as never).write(row)).toBe(`'=1+1,"'@x ""quoted"""\r\n`);
  });

  it('shows persons as they are to who may see them so, with a reason, and the change log says who took how many', async () => {
    await office.lead('ada@example.com');
    const silent = await start({ unmasked: true });
    expect(silent.statusCode).toBe(400);
    const text = await exported({ unmasked: true }, { reason: 'Audit of the regulator' });
    expect(text).toContain('ada@example.com');
    const log = JSON.stringify(await changes());
    expect(log).toContain('Audit of the regulator');
    expect(log).toContain('"leads":1');
    expect(log).toContain('"downloaded":true');
    const other = await member(['dataMgmt-Outbound']);
    expect((await start({ unmasked: true }, { reason: 'Curious' }, other)).statusCode).toBe(403);
    const jobId = await begin({ unmasked: true }, { reason: 'Again' });
    await waitForJobOf(office, jobId);
    const seen = (await other.get(`/api/v1/jobs/${jobId}`)).json.job;
    expect(seen.file).toMatchObject({ unmasked: true, mayDownload: false });
    expect((await download(jobId, other)).status).toBe(404);
  });

  it('is for who has page 15 in the vertical: nobody else starts, sees, cancels or downloads it, whatever page or organization they have', async () => {
    await office.lead('ada@example.com');
    const inside = await member(['dataMgmt-Outbound']);
    const jobId = await begin({}, {}, inside);
    await waitForJobOf(inside, jobId);
    expect((await download(jobId, inside)).status).toBe(200);
    const otherVertical = crypto.randomUUID();
    await node.pool.query(
      `insert into vertical (organization_id, id, region_id, slug, uid, name, primary_field) values ($1, $2, $3, 'auto', 'auto-us', 'Auto', 'email')`,
      [...[office.world.organizationId, otherVertical, office.world.regionId]],
    );
    await node.planBook.reload(office.world.organizationId);
    const elsewhere = await member(['dataMgmt-Outbound'], otherVertical);
    const stranger = await openOffice(node, buyer);
    const without = await member(['leadFlow-Inbound', 'dataMgmt-Inbound']);
    for (const by of [elsewhere, stranger, without]) {
      expect((await by.get(`/api/v1/jobs/${jobId}`)).statusCode).toBe(404);
      expect((await by.post(`/api/v1/jobs/${jobId}/cancel`, {})).statusCode).toBe(404);
      expect((await download(jobId, by)).status).toBe(404);
      const listed = await by.get('/api/v1/jobs?kind=export');
      expect([403, 200]).toContain(listed.statusCode);
      expect(JSON.stringify(listed.json)).not.toContain(jobId);
    }
    expect((await start({}, {}, without)).statusCode).toBe(403);
    expect((await start({}, {}, elsewhere)).statusCode).toBeGreaterThanOrEqual(403);
    expect((await node.post('/api/console/exports', asked(), { 'x-requested-with': 'sluice' })).statusCode).toBe(401);
    expect(lines(await exported({}, { vertical: 'auto', content: { columns: ['leadId'] } })).length).toBe(1);
    expect((await inside.get('/api/v1/jobs?kind=export')).json.jobs.map((one: { _id: string }) => one._id)).toContain(jobId);
  });

  it('ends where whoever started it loses the page midway: nothing of its file is left, and what was made before is theirs no more', async () => {
    await office.lead('ada@example.com');
    const inside = await member(['dataMgmt-Outbound']);
    const [done, midway] = [await begin({}, {}, inside), await begin({}, {}, inside)];
    for (const id of [done, midway]) await waitForJobOf(inside, id);
    await node.pool.query(`update team_member set permissions = '[]' where organization_id = $1 and role = 'member'`, [
      office.world.organizationId,
    ]);
    // As it stood after its first step.
    await node.pool.query(`update job set status = 'waiting', ended_at = null where id = $1`, [midway]);
    await node.pool.query('update export_file set whole_at = null where id = $1', [midway]);
    expect(await waitForJobOf(office, midway)).toMatchObject({
      status: 'failed',
      failure: expect.stringMatching(/may not export here any more/),
    });
    expect((await node.pool.query('select from export_part where file_id = $1', [midway])).rowCount).toBe(0);
    expect((await download(done, inside)).status).toBe(404);
    expect((await download(done)).status).toBe(200);
    expect((await download(midway)).status).toBe(410);
  });

  it('takes whole spans over many steps, can be cancelled, and keeps nothing then', async () => {
    const { organizationId } = office.world;
    await office.lead('many@example.com');
    const { rows } = await node.pool.query('select id, fields from lead where organization_id = $1', [organizationId]);
    // Copies by id only: their sealed fields are bound to another row, so no field of the vertical is asked for.
    await node.pool.query(
      `insert into lead select l.organization_id, uuid7_at(uuid7_instant(l.id) - n * interval '10 milliseconds'), l.region_id, l.vertical_id, l.campaign_id, l.publisher_id, l.publisher_tier_id,
         l.sub_id, l.mode, l.test, l.ping_id, l.node_id, l.fields, l.state from lead l, generate_series(1, 2500) n where l.id = $1`,
      [rows[0].id],
    );
    const text = await exported({ columns: ['leadId'] });
    const ids = lines(text)
      .slice(1)
      .map(([id]) => id!);
    expect(ids.length).toBe(2501);
    expect(new Set(ids).size).toBe(2501);
    expect(ids).toEqual(ids.toSorted());
    const jobId = await begin({ columns: ['leadId'] });
    const cancelled = await office.post(`/api/v1/jobs/${jobId}/cancel`, {});
    const job = await waitForJobOf(office, jobId);
    if (cancelled.statusCode === 200) {
      expect(job.status).toBe('cancelled');
      expect((await node.pool.query('select from export_part where file_id = $1', [jobId])).rowCount).toBe(0);
      expect((await download(jobId)).status).toBe(410);
    } else expect(job.status).toBe('done');
  });

  it('three at a time of an organization', async () => {
    for (let n = 0; n < 3; n++)
      await node.pool.query(
        `insert into job (organization_id, id, kind, name, settings, person_id, status, lease_until) values ($1, $2, 'export', 'x', '{}', $2, 'running', now() + interval '1 hour')`,
        [office.world.organizationId, crypto.randomUUID()],
      );
    expect((await start()).statusCode).toBe(409);
    await node.pool.query('delete from job where organization_id = $1', [office.world.organizationId]);
    expect((await start()).statusCode).toBe(200);
  });

  it('console §3: so many of an organization within the hour, and then it says how long to wait', async () => {
    await insideOneMinute();
    await useUp(node.db, `exports of ${office.world.organizationId}`, 60, 3_600_000);
    const { statusCode, json } = await start();
    expect([statusCode, json.code]).toEqual([429, 'export_rate_limited']);
    expect(json.msg).toMatch(/^Many exports were begun within the hour\. Wait \d+ (minutes|seconds)\.$/);
  });

  it('refuses what cannot be meant, and says what to do', async () => {
    const refused = async (content: object, more: object = {}) => {
      const { statusCode, json } = await start(content, more);
      expect(statusCode, JSON.stringify(json)).toBe(400);
      expect(json.msg ?? json.error?.message ?? '').not.toBe('');
    };
    await refused({ columns: [] });
    await refused({ columns: ['leadId', 'leadId'] });
    await refused({ columns: ['nothing'] });
    await refused({ columns: ['field:no_such_field'] });
    await refused({ columns: ["field:x'; drop table lead"] });
    await refused({ format: 'xlsx' });
    await refused({ outcome: 'unsold', buyerId: office.world.tiers[0]!.buyerId });
    await refused({ publisherId: 'not an id' });
    await refused({ timeZone: 'Mars/Olympus' });
    await refused({}, { from: new Date().toISOString(), to: new Date(Date.now() - 1000).toISOString() });
    await refused({}, { to: new Date(Date.now() + 10 * 86_400_000).toISOString() });
    await refused({}, { from: '1990-01-01T00:00:00Z' });
    await refused({}, { from: 'yesterday' });
    await refused({}, { unknown: true });
    expect((await start({}, { region: 'nowhere' })).statusCode).toBe(404);
    expect((await download('not an id')).status).toBe(404);
    expect((await download(crypto.randomUUID())).status).toBe(404);
  });

  it('its file is sealed at rest, and is gone after its days', async () => {
    await office.lead('sealed.person@example.com');
    const jobId = await begin({ unmasked: true }, { reason: 'Why not' });
    await waitForJobOf(office, jobId);
    const { rows } = await node.pool.query('select body, kept_until from export_part where file_id = $1', [jobId]);
    expect(Buffer.concat(rows.map((row) => row.body)).includes('sealed.person')).toBe(false);
    const days = (rows[0].kept_until.getTime() - Date.now()) / 86_400_000;
    expect([days > 6.9, days <= 7]).toEqual([true, true]);
    await node.pool.query(`update export_file set kept_until = now() - interval '1 second' where id = $1`, [jobId]);
    expect((await download(jobId)).status).toBe(410);
    expect((await office.get(`/api/v1/jobs/${jobId}`)).json.job.file.gone).toBe('expired');
  });

  it('a person that is erased takes with it every kept file in which it stands, and no other', async () => {
    await office.lead('goes@example.com');
    await office.lead('stays@example.com');
    const both = await begin();
    const unmasked = await begin({ unmasked: true }, { reason: 'For the books' });
    const none = await begin({}, { to: new Date(Date.now() - 600_000).toISOString() });
    for (const id of [both, unmasked, none]) await waitForJobOf(office, id);
    const erased = await office.post('/api/console/data-requests/erase', {
      q: 'goes@example.com',
      reason: 'Asked for it',
      confirm: 'ERASE',
    });
    const job = await waitForJobOf(office, erased.json.jobId);
    expect(job).toMatchObject({ status: 'done', tally: { leads: 1, files: 2 } });
    for (const id of [both, unmasked]) {
      expect((await download(id)).status).toBe(410);
      expect((await office.get(`/api/v1/jobs/${id}`)).json.job.file.gone).toBe('erased');
      expect((await node.pool.query('select from export_part where file_id = $1', [id])).rowCount).toBe(0);
    }
    expect((await download(none)).status).toBe(200);
    const after = await exported();
    expect(after).not.toContain('g•••');
    expect(after).toContain('s•••@example.com');
  });
});
