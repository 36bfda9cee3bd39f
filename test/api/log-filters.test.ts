/** console §2 server-logs: calls are narrowed by whose lead they were of and by the HTTP status that was answered, alone and together. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AttemptLogAnswer, CallLogAnswer } from '#contract/log.ts';
import { newId } from '#server/kit/ids.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';
import { insertKey, LEAD } from '#test/harness/world.ts';

const PLACE = 'region=us&vertical=payday';
const LOGS = '/api/console/logs';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let taker: ScriptedBuyer;
let broken: ScriptedBuyer;
let office: Office;
/** Of a second publisher, in a second campaign. */
const other = { campaignId: newId(), publisherId: newId(), publisherTierId: newId(), key: '' };
const own: string[] = [];
const others: string[] = [];

const attempts = async (query: string, by = office): Promise<AttemptLogAnswer> => (await by.get(`${LOGS}/attempts?${PLACE}${query}`)).json;
const calls = async (query: string, by = office): Promise<CallLogAnswer> => (await by.get(`${LOGS}/calls?${PLACE}${query}`)).json;
const file = async (log: string, asked: Record<string, string>) =>
  (
    await office.form(
      `/api/v1/download-file/${log}`,
      new URLSearchParams({ region: 'us', vertical: 'payday', isDownloadCSV: 'true', ...asked }),
    )
  )
    .trim()
    .split('\r\n')
    .slice(1);
const post = (key: string, email: string, phone: string) =>
  node.post('/api/v1/leads', { ...LEAD, email, phone }, { authorization: `Bearer ${key}` });

beforeAll(async () => {
  node = await startTestWorld();
  taker = await startBuyer(() => ACCEPT);
  broken = await startBuyer(() => ({ status: 503, body: 'down for the night' }));
  office = await openOffice(node, taker, {
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: broken.url, buyer: 'Broken' },
          { url: 'http://127.0.0.1:9', buyer: 'Absent' },
          { url: taker.url, buyer: 'Taker' },
        ],
      },
    ],
  });
  const { organizationId, campaignId, publisherId, publisherTierId, tiers } = office.world;
  await sql`insert into campaign (organization_id, id, vertical_id, name, margin)
    select organization_id, ${other.campaignId}::uuid, vertical_id, 'Second campaign', margin from campaign where id = ${campaignId}`.execute(
    node.db,
  );
  await sql`insert into publisher (organization_id, id, name, affiliate_id)
    select organization_id, ${other.publisherId}::uuid, 'Publisher Two', 'AFF2' from publisher where id = ${publisherId}`.execute(node.db);
  await sql`insert into publisher_tier (organization_id, id, publisher_id, campaign_id, name, price_model)
    select organization_id, ${other.publisherTierId}::uuid, ${other.publisherId}::uuid, ${other.campaignId}::uuid, 'Second seat', price_model
    from publisher_tier where id = ${publisherTierId}`.execute(node.db);
  const group = {
    organization_id: organizationId,
    id: newId(),
    campaign_id: other.campaignId,
    position: 0,
    name: 'Only',
    mode: 'priority',
  };
  await node.db.insertInto('tree_group').values(group).execute();
  await node.db
    .insertInto('group_member')
    .values({ organization_id: organizationId, group_id: group.id, buyer_tier_id: tiers[2]!.buyerTierId, position: 0 })
    .execute();
  other.key = await insertKey(node.db, organizationId, other.publisherTierId);
  await node.planBook.reload(organizationId);
  for (let at = 0; at < 2; at++) own.push((await post(office.world.key, `own${at}@example.com`, `212555020${at}`)).json.leadId);
  for (let at = 0; at < 3; at++) others.push((await post(other.key, `other${at}@example.com`, `212555030${at}`)).json.leadId);
  // Refused, once of each publisher, and asked after.
  await node.post('/api/v1/leads', '{"email"', { authorization: `Bearer ${other.key}`, 'content-type': 'application/json' });
  const revoked = await insertKey(node.db, organizationId, publisherTierId, { revoked_at: new Date(0) });
  await node.planBook.reload(organizationId);
  await post(revoked, 'refused@example.com', '2125550400');
  await fetch(`${node.url}/api/v1/leads/${own[0]}`, { headers: { authorization: `Bearer ${office.world.key}` } });
  await vi.waitFor(async () => expect((await calls('')).rows).toHaveLength(8), { timeout: 20_000, interval: 200 });
}, 60_000);
afterAll(async () => {
  await node.stop();
  await Promise.all([taker.close(), broken.close()]);
});

describe('console §2: calls to buyers are narrowed', () => {
  it.each([
    ['503', 'Broken', 2],
    ['5xx', 'Broken', 2],
    ['none', 'Absent', 2],
    ['200', 'Taker', 5],
    ['2xx', 'Taker', 5],
    ['500', '', 0],
    ['4xx', '', 0],
  ])('by HTTP status %s', async (http, buyer, count) => {
    const { rows, older } = await attempts(`&http=${http}`);
    expect([rows.length, older]).toEqual([count, null]);
    expect(rows.every((row) => row.buyerName === buyer)).toBe(true);
  });

  it('by campaign, publisher and publisher tier, each to the letter', async () => {
    const { campaignId, publisherId, publisherTierId } = office.world;
    for (const [name, first, second] of [
      ['campaignId', campaignId, other.campaignId],
      ['publisherId', publisherId, other.publisherId],
      ['publisherTierId', publisherTierId, other.publisherTierId],
    ] as const) {
      const [mine, theirs] = [await attempts(`&${name}=${first}`), await attempts(`&${name}=${second}`)];
      expect([...new Set(mine.rows.map(({ leadId }) => leadId))], name).toEqual(own.toReversed());
      expect(mine.rows).toHaveLength(6);
      expect(
        theirs.rows.map(({ leadId }) => leadId),
        name,
      ).toEqual(others.toReversed());
    }
  });

  it('by several at once', async () => {
    const { publisherTierId, campaignId, tiers } = office.world;
    const of = async (query: string) => (await attempts(query)).rows.length;
    expect(await of(`&publisherTierId=${publisherTierId}&http=5xx`)).toBe(2);
    expect(await of(`&publisherTierId=${other.publisherTierId}&http=5xx`)).toBe(0);
    expect(await of(`&publisherTierId=${publisherTierId}&campaignId=${other.campaignId}`)).toBe(0);
    expect(await of(`&buyerTierId=${tiers[2]!.buyerTierId}&publisherTierId=${other.publisherTierId}`)).toBe(3);
    expect(await of(`&buyerId=${tiers[2]!.buyerId}&campaignId=${campaignId}&outcome=sold`)).toBe(2);
    expect(await of(`&q=own1@example.com&publisherTierId=${publisherTierId}`)).toBe(3);
    expect(await of(`&q=own1@example.com&publisherTierId=${other.publisherTierId}`)).toBe(0);
    expect(await of(`&text=for the night&http=5xx&campaignId=${campaignId}`)).toBe(2);
    expect(await of(`&text=for the night&campaignId=${other.campaignId}`)).toBe(0);
    expect(await of(`&publisherTierId=${publisherTierId}&to=2020-01-01T00:00:00Z`)).toBe(0);
    expect(
      await of(`&publisherTierId=${publisherTierId}&from=2020-01-01T00:00:00Z&to=${new Date(Date.now() + 60_000).toISOString()}`),
    ).toBe(6);
  });

  it('pages of a publisher tier have each call once, in order', async () => {
    const seen: string[] = [];
    const narrowed = `&publisherTierId=${office.world.publisherTierId}`;
    let before: string | null = null;
    do {
      const page: AttemptLogAnswer = await attempts(`${narrowed}&limit=2${before ? `&before=${before}` : ''}`);
      seen.push(...page.rows.map((row) => row._id));
      before = page.older;
    } while (before);
    expect(seen).toEqual((await attempts(narrowed)).rows.map((row) => row._id));
    expect(seen).toHaveLength(6);
  });

  it('a file has what is narrowed to', async () => {
    const { publisherTierId } = office.world;
    expect(await file('attempt-log', { http: '5xx', publisherTierId })).toHaveLength(2);
    expect(await file('attempt-log', { campaignId: other.campaignId })).toHaveLength(3);
    const [line] = await file('attempt-log', { http: 'none', columns: 'buyer,http' });
    expect(line).toMatch(/^Absent,.*,post,,false,/);
  });

  it('of a publisher tier, looks at so many leads and no more, and goes on from there', async () => {
    const later = new Date(Date.now() + 3_600_000);
    const before = await node.db.selectFrom('lead').selectAll().where('id', '=', others[0]!).executeTakeFirstOrThrow();
    await sql`insert into lead (organization_id, id, region_id, vertical_id, campaign_id, publisher_id, publisher_tier_id, sub_id, mode, test, node_id, fields)
      select ${before.organization_id}::uuid, overlay(uuid7_floor(${later})::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, ${before.region_id}::uuid,
        ${before.vertical_id}::uuid, ${before.campaign_id}::uuid, ${before.publisher_id}::uuid, ${before.publisher_tier_id}::uuid, 'none of them was sent', 'full', false,
        ${before.node_id}::uuid, ''::bytea
      from generate_series(1, 5000) as n`.execute(node.db);
    try {
      const first = await attempts(`&publisherTierId=${other.publisherTierId}`);
      expect([first.rows.length, first.lookedTo]).toEqual([0, later.toISOString()]);
      const second = await attempts(`&publisherTierId=${other.publisherTierId}&before=${first.older}`);
      expect([second.rows.map(({ leadId }) => leadId), second.older]).toEqual([others.toReversed(), null]);
      expect(await file('attempt-log', { publisherTierId: other.publisherTierId })).toHaveLength(3);
    } finally {
      await node.db.deleteFrom('lead').where('sub_id', '=', 'none of them was sent').execute();
    }
  });
});

describe('console §2: calls of publishers are narrowed', () => {
  it('by campaign, publisher and publisher tier, those that made no lead too', async () => {
    const { campaignId, publisherId, publisherTierId } = office.world;
    for (const [name, first, second] of [
      ['campaignId', campaignId, other.campaignId],
      ['publisherId', publisherId, other.publisherId],
      ['publisherTierId', publisherTierId, other.publisherTierId],
    ] as const) {
      const ends = async (id: string) => (await calls(`&${name}=${id}`)).rows.map(({ end }) => end);
      expect(await ends(first), name).toEqual(['asked', 'refused', 'sold', 'sold']);
      expect(await ends(second), name).toEqual(['refused', 'sold', 'sold', 'sold']);
    }
  });

  it('by the HTTP status of a refusal, and no other call with it', async () => {
    const codes = async (query: string) => (await calls(query)).rows.map(({ code }) => code);
    expect(await codes('&http=401')).toEqual(['key_revoked']);
    expect(await codes('&http=4xx')).toEqual(['key_revoked', 'body_malformed']);
    expect(await codes('&http=5xx')).toEqual([]);
    // Asked after with 200: refused was nobody.
    expect(await codes('&http=2xx')).toEqual([]);
    expect(await codes(`&http=4xx&campaignId=${other.campaignId}`)).toEqual(['body_malformed']);
    expect(await codes('&http=4xx&end=refused&code=key_revoked')).toEqual(['key_revoked']);
    expect(await codes('&http=4xx&end=asked')).toEqual([]);
    expect(await codes('&http=4xx&end=sold')).toEqual([]);
    expect(await codes(`&text=key_revoked&http=4xx&publisherId=${other.publisherId}`)).toEqual([]);
    expect(await file('call-log', { http: '4xx' })).toHaveLength(2);
    expect(await file('call-log', { campaignId: other.campaignId, end: 'sold' })).toHaveLength(3);
  });
});

describe('account §5, §6: what narrows the logs', () => {
  it.each(['99', '1000', '5x', '5XX', '0xx', 'abc', '503,504', ''])(
    'no HTTP status %j is refused in words, on the page and for the file',
    async (http) => {
      for (const log of ['attempts', 'calls']) {
        const { statusCode, json } = await office.get(`${LOGS}/${log}?${PLACE}&http=${http}`);
        expect([statusCode, json.msg]).toEqual([400, expect.stringContaining('must be a status such as 404')]);
      }
    },
  );

  it('a call of ours always has an answer', async () => {
    expect((await office.get(`${LOGS}/calls?${PLACE}&http=none`)).statusCode).toBe(400);
  });

  it('ids of another organization, or of nothing, find nothing', async () => {
    const stranger = await openOffice(node, taker);
    await stranger.lead('stranger@example.com');
    const { campaignId, publisherId, publisherTierId, tiers } = stranger.world;
    const queries = [`campaignId=${campaignId}`, `publisherId=${publisherId}`, `publisherTierId=${publisherTierId}`];
    for (const query of [...queries, 'campaignId=x', "publisherId=' or true --", 'publisherTierId=x']) {
      expect((await attempts(`&${query}`)).rows, query).toEqual([]);
      expect((await calls(`&${query}`)).rows, query).toEqual([]);
    }
    expect((await attempts(`&buyerId=${tiers[0]!.buyerId}`)).rows).toEqual([]);
    expect((await attempts(`&campaignId=${office.world.campaignId}`, stranger)).rows).toEqual([]);
  });

  it('nobody without the page narrows anything', async () => {
    const { regionId, verticalId } = office.world;
    const pages = [{ value: 'leadFlow-Inbound', pageChecked: true }];
    const permissions = [{ regionId, regionChecked: true, verticals: [{ verticalId, verticalChecked: true, pages }] }];
    const member = await signIn(node, office.world, { role: 'member', permissions });
    for (const log of ['attempts', 'calls']) expect((await member.get(`${LOGS}/${log}?${PLACE}&http=4xx`)).statusCode).toBe(403);
  });

  it('a view keeps them', async () => {
    const view = { region: 'us', vertical: 'payday', name: 'Broken ones', shared: false };
    for (const page of ['attempt-log', 'call-log']) {
      const search = { http: '5xx', campaignId: other.campaignId, publisherId: other.publisherId, publisherTierId: other.publisherTierId };
      const { json } = await office.post('/api/console/views', { ...view, page, search });
      expect(json.view.search).toEqual(search);
    }
  });
});
