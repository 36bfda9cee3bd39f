/** account §7 of the histories of list management, feeds and webhooks: each is a file too, of all its lines, as its page tells them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileDay } from '#contract/csv.ts';
import { splitCsvLine } from '#contract/csv-read.ts';
import { exportContent, type FeedRunView } from '#contract/export.ts';
import type { JobView } from '#contract/job.ts';
import type { WebhookCallView } from '#contract/webhook.ts';
import { newId } from '#server/kit/ids.ts';
import { insertCalls, insertExports, insertImports, insertRuns } from '#test/harness/histories.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';

/** More than are read at once. */
const MANY = 205;
const ZONE = 'America/New_York';
let node: Awaited<ReturnType<typeof startTestWorld>>;
let office: Office;
let other: Office;

beforeAll(async () => {
  node = await startTestWorld();
  office = await openOffice(node, undefined);
  other = await openOffice(node, undefined);
});
afterAll(() => node.stop());

/** The name of the file, its heads and its lines; or the code of its refusal. */
async function fileOf(list: string, fields: Record<string, string>, by = office) {
  const form = new URLSearchParams({ isDownloadCSV: 'true', timeZone: ZONE, ...fields });
  const answer = await by.formAnswer(`/api/v1/download-file/${list}`, form);
  const text = await answer.text();
  if (answer.status !== 200) return { refused: [answer.status, JSON.parse(text).code] };
  const [heads, ...lines] = text
    .split('\r\n')
    .filter(Boolean)
    .map((line) => splitCsvLine(line.replace('\uFEFF', ''), ','));
  return { name: answer.headers.get('content-disposition'), heads: heads!, lines };
}
const named = (name: string) => `attachment; filename="${name}-${fileDay(Date.now(), ZONE)}.csv"`;
const wall = (at: string | null) =>
  at === null ? '' : new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'medium' }).format(new Date(at));
const cell = (value: unknown) => String(value ?? '');
const member = (pages: string[], verticalId = office.world.verticalId) => {
  const vertical = { verticalId, verticalChecked: true, pages: pages.map((value) => ({ value, pageChecked: true })) };
  const permissions = [{ regionId: office.world.regionId, regionChecked: true, verticals: [vertical] }] as never;
  return signIn(node, office.world, { role: 'member', permissions });
};
/** All pages of a list, one after the other. */
async function walked<Row extends { _id: string }>(path: string, key: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let before: string | null = ''; before !== null; ) {
    const { json }: { json: Record<string, unknown> } = await office.get(`${path}${before && `?before=${before}`}`);
    rows.push(...(json[key] as Row[]));
    before = json.older as string | null;
  }
  return rows;
}

describe('imports', () => {
  let lists: string[];

  beforeAll(async () => {
    lists = [await addList(office, 'Do not call'), await addList(office, '=Opted out')];
    await insertImports(node.db, office.world.organizationId, MANY, (at) => ({
      subject_id: lists[at % 2]!,
      name: at === 0 ? '=1+1.csv' : `file ${at}.csv`,
    }));
    await insertImports(node.db, office.world.organizationId, 2, () => ({ kind: 'bankImport' }));
    await insertImports(node.db, other.world.organizationId, 3, () => ({ subject_id: newId(), name: 'foreign.csv' }));
  });

  it('account §7: all of them are a file, the newest first, as the page tells them, and none of another organization', async () => {
    const file = await fileOf('jobs', { kind: 'suppressionImport' });
    expect(file.name).toBe(named('imports'));
    expect(file.heads).toEqual(['File', 'List', 'How', 'Status', 'Result', 'Wrong', 'By', `When (${ZONE})`, 'Job id']);
    const jobs = await jobsOf('kind=suppressionImport');
    expect(jobs).toHaveLength(MANY);
    const disarmed = (text: string) => text.replace(/^=/, "'=");
    expect(file.lines).toEqual(
      jobs.map((job) => [
        ...[disarmed(job.name), disarmed(job.subject!.name), 'Replace', 'Done', 'Added 1204, known already 7', '3'],
        ...[job.startedBy, wall(job.createdAt), job._id],
      ]),
    );
    expect(JSON.stringify(file)).not.toContain('foreign');
  });

  it('account §7: of one list, of banks and of BIN ranges likewise; another’s list finds nothing', async () => {
    const ofList = await fileOf('jobs', { kind: 'suppressionImport', subjectId: lists[1]! });
    expect(ofList.heads).not.toContain('List');
    expect(ofList.lines!.map((line) => line.at(-1))).toEqual((await jobsOf(`subjectId=${lists[1]}`)).map(({ _id }) => _id));
    const ofBanks = await fileOf('jobs', { kind: 'bankImport' });
    expect([ofBanks.name, ofBanks.lines!.length]).toEqual([named('bank-imports'), 2]);
    const ofBins = await fileOf('jobs', { kind: 'binImport' });
    expect([ofBins.name, ofBins.lines]).toEqual([named('BIN-imports'), []]);
    expect((await fileOf('jobs', { kind: 'suppressionImport', subjectId: lists[0]! }, other)).lines).toEqual([]);
  });

  it('account §7: are for who has their page, and of no other kind of job', async () => {
    const forbidden = { refused: [403, 'page_forbidden'] };
    const inbound = await member(['dataMgmt-Inbound']);
    expect((await fileOf('jobs', { kind: 'suppressionImport' }, inbound)).lines).toHaveLength(MANY);
    for (const kind of ['bankImport', 'binImport', 'export']) expect(await fileOf('jobs', { kind }, inbound)).toEqual(forbidden);
    expect(await fileOf('jobs', { kind: 'suppressionImport' }, await member(['dataMgmt-Configuration']))).toEqual(forbidden);
    expect(await fileOf('jobs', { kind: 'erasure' })).toEqual({ refused: [400, 'request_invalid'] });
    const form = new URLSearchParams({ kind: 'suppressionImport', isDownloadCSV: 'true' });
    const ask = (headers: Record<string, string>) =>
      fetch(`${node.url}/api/v1/download-file/jobs`, { method: 'POST', body: form, headers });
    expect((await ask({ 'x-requested-with': 'sluice' })).status).toBe(401);
    expect((await ask({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });
});

describe('exports', () => {
  it('account §7: those of a vertical are a file with what became of theirs, for who has the page there', async () => {
    const { organizationId, verticalId } = office.world;
    const made = await insertExports(node.db, organizationId, verticalId, MANY);
    await insertExports(node.db, other.world.organizationId, other.world.verticalId, 2);
    const [gone, erased, unmasked, whole] = made;
    const later = new Date(Date.now() + 86_400_000);
    const file = (id: string, more: object) => ({
      ...{ organization_id: organizationId, id, vertical_id: verticalId, name: 'leads', format: 'csv', unmasked: false },
      ...{ byte_count: 2048, whole_at: new Date(), kept_until: later, ...more },
    });
    await node.db
      .insertInto('export_file')
      .values([
        file(gone!, { kept_until: new Date(0) }),
        ...[file(erased!, { erased_at: new Date() }), file(unmasked!, { unmasked: true }), file(whole!, {})],
      ])
      .execute();
    const asked = { kind: 'export', subjectId: verticalId };
    const told = await fileOf('jobs', asked);
    expect([told.name, told.heads]).toEqual([named('exports'), ['Export', 'Status', 'Leads', 'File', 'By', `When (${ZONE})`, 'Job id']]);
    const jobs = await jobsOf(`kind=export&subjectId=${verticalId}`);
    expect(jobs).toHaveLength(MANY);
    const files = { [gone!]: 'Deleted after its days', [erased!]: 'Deleted: a person in it was erased' };
    expect(told.lines).toEqual(
      jobs.map((job) => [
        ...[job.name, 'Done', '42', files[job._id] ?? ([unmasked, whole].includes(job._id) ? '2.0 KB' : '')],
        ...[job.startedBy, wall(job.createdAt), job._id],
      ]),
    );
    const outbound = await fileOf('jobs', asked, await member(['dataMgmt-Outbound']));
    expect(outbound.lines!.find((line) => line.at(-1) === unmasked)![3]).toBe('Holds persons as they are; not for you');
    expect(await fileOf('jobs', asked, await member(['dataMgmt-Inbound']))).toEqual({ refused: [403, 'page_forbidden'] });
    const elsewhere = await buildVertical(office);
    expect((await fileOf('jobs', asked, await member(['dataMgmt-Outbound'], elsewhere))).lines).toEqual([]);
    expect((await fileOf('jobs', asked, other)).lines).toEqual([]);
  });
});

describe('runs of a feed', () => {
  it('account §7: all of them are a file, as the page tells them, for who has the page where the feed is', async () => {
    const feedId = await addFeed(office, 'Nightly: all');
    await insertRuns(node.db, office.world.organizationId, feedId, MANY);
    await insertRuns(node.db, office.world.organizationId, await addFeed(office, 'Another'), 2);
    const file = await fileOf('feed-runs', { feedId });
    expect([file.name, file.heads]).toEqual([
      named('runs-of-Nightly-all'),
      [
        ...[`Leads from (${ZONE})`, `Leads to (${ZONE})`, 'State', 'Leads', 'Bytes', 'Tries', 'Failure', `Sent (${ZONE})`, 'Took ms'],
        ...[`Next try (${ZONE})`, 'Remark', 'Run id'],
      ],
    ]);
    const runs = await walked<FeedRunView>(`/api/console/export-feeds/${feedId}/runs`, 'runs');
    expect(runs).toHaveLength(MANY);
    expect(file.lines).toEqual(
      runs.map((run) => [
        ...[wall(run.from), wall(run.to), ...(run.state === 'sent' ? ['Sent'] : ['Tried again']), cell(run.rows), cell(run.bytes)],
        ...[cell(run.tries), cell(run.failure).replace(/^=/, "'=")],
        ...(run.state === 'sent' ? [wall(run.lastAt), cell(run.elapsedMs), ''] : ['', '', wall(run.nextAt)]),
        ...[cell(run.remark), run._id],
      ]),
    );
    expect(new Set(file.lines!.map((line) => line[2]))).toEqual(new Set(['Sent', 'Tried again']));
    const unknown = { refused: [404, 'feed_unknown'] };
    expect((await fileOf('feed-runs', { feedId }, await member(['dataMgmt-Outbound']))).lines).toHaveLength(MANY);
    expect(await fileOf('feed-runs', { feedId }, await member(['dataMgmt-Inbound']))).toEqual(unknown);
    expect(await fileOf('feed-runs', { feedId }, await member(['dataMgmt-Outbound'], await buildVertical(office)))).toEqual(unknown);
    expect(await fileOf('feed-runs', { feedId }, other)).toEqual(unknown);
    expect(await fileOf('feed-runs', { feedId: 'x' })).toEqual({ refused: [400, 'request_invalid'] });
  });
});

describe('calls of a webhook', () => {
  it('account §7: all of them are a file, as the page tells them, for who has the page where the webhook is', async () => {
    const webhookId = await addWebhook(office, 'Our CRM');
    await insertCalls(node.db, office.world.organizationId, webhookId, MANY);
    await insertCalls(node.db, office.world.organizationId, await addWebhook(office, 'Another'), 2);
    const file = await fileOf('webhook-calls', { webhookId });
    expect([file.name, file.heads]).toEqual([
      named('calls-of-Our-CRM'),
      [...[`When (${ZONE})`, 'Event', 'Lead id', 'State', 'Tries', 'Failure', 'HTTP status', 'Took ms', `Next try (${ZONE})`], 'Call id'],
    ]);
    const calls = await walked<WebhookCallView>(`/api/console/webhooks/${webhookId}/calls`, 'calls');
    expect(calls).toHaveLength(MANY);
    expect(file.lines).toEqual(
      calls.map((call) => [
        ...[wall(call.madeAt), 'sold leads', call.leadId, call.state === 'told' ? 'Told' : 'Waits', cell(call.tries)],
        ...[
          cell(call.failure).replace(/^=/, "'="),
          cell(call.statusCode),
          call.elapsedMs === null ? '' : '12',
          wall(call.nextAt),
          call._id,
        ],
      ]),
    );
    expect(new Set(file.lines!.map((line) => line[3]))).toEqual(new Set(['Told', 'Waits']));
    const unknown = { refused: [404, 'webhook_unknown'] };
    expect((await fileOf('webhook-calls', { webhookId }, await member(['features-api']))).lines).toHaveLength(MANY);
    expect(await fileOf('webhook-calls', { webhookId }, await member(['overview']))).toEqual(unknown);
    expect(await fileOf('webhook-calls', { webhookId }, await member(['features-api'], await buildVertical(office)))).toEqual(unknown);
    expect(await fileOf('webhook-calls', { webhookId }, other)).toEqual(unknown);
  });
});

describe('moves of a BIN range', () => {
  it('account §7: are a file in words, without those for campaigns that somebody may not know', async () => {
    const { campaignId, publisherId } = office.world;
    const [range, wide] = [await addRange(office, '457173'), await addRange(office, '457100')];
    await addMove(office, { binRangeId: range, move: 3 });
    await addMove(office, { binRangeId: range, move: 1, campaignId, publisherId });
    await addMove(office, { binRangeId: range, move: 2, publisherId });
    await addMove(office, { binRangeId: range, move: 4, campaignId });
    await addMove(office, { binRangeId: wide, move: 1 });
    const foreign = await addRange(other, '457173');
    await addMove(other, { binRangeId: foreign, move: 1 });
    const { name: campaign } = await nameOf('campaign', campaignId);
    const asked = (of: string) => ({
      listing: JSON.stringify({ model: 'binMove', condition: { binRangeId: of }, sort: [{ field: 'combination' }] }),
      ...{ name: 'BIN-moves-of-457173', columns: 'combination,campaignName,publisherName,move' },
      heads: JSON.stringify({ combination: 'Combination', campaignName: 'Campaign', publisherName: 'Affiliate', move: 'Move' }),
    });
    const file = await fileOf('records', asked(range));
    expect([file.name, file.heads]).toEqual([named('BIN-moves-of-457173'), ['Combination', 'Campaign', 'Affiliate', 'Move', 'id']]);
    const all = [
      ['1 Specific campaign and specific affiliate', campaign, 'Publisher One', '1 BLOCK (Blocked)'],
      ['2 Specific campaign and all affiliates', campaign, 'All affiliates', '4 UNSORTED'],
      ['3 All campaigns and a specific affiliate', 'All campaigns', 'Publisher One', '2 USE 3D SECURE (Low)'],
      ['4 All campaigns and all affiliates', 'All campaigns', 'All affiliates', '3 ACCEPT (Medium)'],
    ];
    const told = ({ lines }: { lines?: string[][] }) => lines!.map((line) => line.slice(0, 4));
    expect(told(file)).toEqual(all);
    expect(told(await fileOf('records', asked(range), await member(['bin-mgmt'])))).toEqual(all);
    expect(told(await fileOf('records', asked(range), await member(['bin-mgmt'], await buildVertical(office))))).toEqual(all.slice(2));
    expect((await fileOf('records', asked(range), await member(['overview']))).refused![0]).toBe(403);
    expect(told(await fileOf('records', asked(range), other))).toEqual([]);
    expect(told(await fileOf('records', asked(foreign)))).toEqual([]);
  });
});

async function jobsOf(query: string): Promise<JobView[]> {
  const jobs: JobView[] = [];
  for (let total = 1; jobs.length < total; ) {
    const { json } = await office.get(`/api/v1/jobs?${query}&limit=100&skip=${jobs.length}`);
    total = json.total;
    jobs.push(...json.jobs);
  }
  return jobs;
}

async function add(by: Office, model: string, data: object): Promise<string> {
  const { statusCode, json } = await by.post('/api/v1/common/post-add-data', { model, ...data });
  expect([statusCode, json]).toMatchObject([200, { status: true }]);
  return json.data._id;
}
const addList = (by: Office, name: string) => add(by, 'suppressionList', { name, holds: 'email', form: 'plain' });
const addRange = (by: Office, first: string) => add(by, 'binRange', { first, last: first });
const addMove = (by: Office, data: object) => add(by, 'binMove', data);
const addWebhook = (by: Office, name: string) =>
  add(by, 'webhook', { verticalId: by.world.verticalId, name, url: 'http://127.0.0.1:9', events: ['lead.sold'] });
const addFeed = (by: Office, name: string) =>
  add(by, 'exportFeed', {
    ...{ verticalId: by.world.verticalId, name, schedule: { every: 'hour', minute: 0 } },
    ...{ content: exportContent.parse({ columns: ['leadId'] }), destination: { kind: 'http', url: 'http://127.0.0.1:9' } },
  });
const nameOf = async (model: string, _id: string) =>
  (await office.post('/api/v1/common/single-data', { model, condition: { _id } })).json.data;
const buildVertical = (by: Office) =>
  add(by, 'vertical', { regionId: by.world.regionId, name: `V ${newId()}`, slug: `v${newId().slice(-8)}`, primaryField: 'email' });
