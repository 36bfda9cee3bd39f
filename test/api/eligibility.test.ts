/** console §2, §7: the eligibility checker, opened by its token alone (`POST {token}` with `key`). */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/kit/ids.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { insideOneMinute } from '#test/harness/minute.ts';
import { startNode, startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, dollars, LEAD, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const LINKS = '/api/console/lab/eligibility-links';
let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let owner: string;
let token: string;
let linkId: string;

const signIn = async ({ email, password }: { email: string; password: string }) =>
  (await node.post('/team-login', { email, password }, OWN_PAGE)).headers.get('set-cookie')!.split(';')[0]!;
const make = (more: Record<string, unknown> = {}) =>
  node.post(
    LINKS,
    { region: 'us', vertical: 'payday', name: 'Call centre', publisherTierIds: [world.publisherTierId], days: 7, ...more },
    { ...OWN_PAGE, cookie: owner },
  );
const check = (lead: Record<string, string>, key = world.publisherTierId, by = token) => node.post(`/${by}`, { key, lead });
const page = async (by: string) => (await fetch(`${node.url}/api/eligibility/${by}`)).status;
const words = (answer: { json: { buyerTiers: { name: string; isEligible: boolean; why: string | null }[] } }) =>
  answer.json.buyerTiers.map((one) => [one.name, one.isEligible, one.why]);

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  const day = { period: 'day' as const, timeZone: 'America/New_York' };
  world = await buildWorld(node.db, {
    groups: [
      {
        mode: 'priority',
        tiers: [
          {
            url: buyer.url,
            name: 'once a day',
            price: { kind: 'fixed', price: dollars(20) },
            caps: [{ measure: 'sold', limit: 1, ...day }],
          },
          { url: buyer.url, name: 'never twice', duplicate: { fields: ['email'], match: 'any', windowDays: 30, counts: 'received' } },
          { url: buyer.url, name: 'Texas only', filter: { field: 'state', is: 'equal', value: 'TX' } },
        ],
      },
    ],
    maxSales: 3,
  });
  await node.planBook.reload(world.organizationId);
  owner = await signIn(await buildUser(node.db, world.organizationId));
  const made = await make();
  token = made.json.token;
  linkId = made.json._id;
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

describe('POST {token}', () => {
  it('console §7: says of each buyer tier whether it could take the lead now, and why not, by the real counters', async () => {
    const free = await check(LEAD);
    expect(free.statusCode).toBe(200);
    expect(free.json).toMatchObject({ isTaken: true, why: null, errors: [] });
    expect(words(free)).toEqual([
      ['once a day', true, null],
      ['never twice', true, null],
      ['Texas only', false, 'Filter: State is not TX.'],
    ]);
    expect(buyer.calls).toHaveLength(0);
    await node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${world.key}` });
    const after = await check(LEAD);
    expect(after.json.buyerTiers).toMatchObject([
      { isEligible: false, filterReasonKey: 1 },
      { isEligible: false, filterReasonKey: 8, why: 'A lead of the same consumer came before.' },
      { isEligible: false, filterReasonKey: 7 },
    ]);
    expect((await check({ ...LEAD, email: 'new@example.com' })).json.buyerTiers[1].isEligible).toBe(true);
  });

  it('takes a part of a lead, and a posting key in place of the tier', async () => {
    expect((await check({ state: 'TX' })).json.buyerTiers[2]).toMatchObject({ name: 'Texas only', isEligible: true });
    expect((await check({ state: 'TX' }, world.key)).statusCode).toBe(200);
    const { json } = await check({ state: 'Nowhere' });
    expect([json.isTaken, json.errors[0].field]).toEqual([false, 'state']);
    expect((await check({}, 'nobody')).json.code).toBe('key_unknown');
    expect((await node.post(`/${token}`, {})).statusCode).toBe(400);
  });

  it('takes and keeps nothing: no counter, claim or lead comes of it', async () => {
    const { organizationId } = world;
    const count = async () =>
      Promise.all(
        (['counter', 'duplicate_claim', 'reservation', 'lead', 'api_call'] as const).map(async (table) => {
          const rows = await node.db.selectFrom(table).selectAll().where('organization_id', '=', organizationId).execute();
          return JSON.stringify(rows);
        }),
      );
    const before = await count();
    await check({ ...LEAD, email: 'unseen@example.com' });
    expect(await count()).toEqual(before);
  });
});

describe('the link', () => {
  it('is kept as a hash, opens its page, and nothing of another organization', async () => {
    const rows = await node.db.selectFrom('eligibility_token').selectAll().where('organization_id', '=', world.organizationId).execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    const opened = await (await fetch(`${node.url}/api/eligibility/${token}`)).json();
    expect(opened).toMatchObject({ verticalName: 'Payday', publisherTiers: [{ key: world.publisherTierId }] });
    // The first half says whose it is; with another's secret half it opens nothing.
    const other = await buildWorld(node.db);
    await node.planBook.reload(other.organizationId);
    const half = Buffer.from(token.slice(3), 'base64url').subarray(16);
    const theirs = `el_${Buffer.concat([Buffer.from(other.organizationId.replaceAll('-', ''), 'hex'), half]).toString('base64url')}`;
    expect(await page(theirs)).toBe(404);
    expect((await check(LEAD, world.publisherTierId, theirs)).json.code).toBe('eligibility_link_unknown');
    expect((await check(LEAD, other.publisherTierId)).json.code).toBe('key_unknown');
  });

  it('opens nothing once it has expired or was revoked, and both stand in the change log', async () => {
    const short = (await make({ name: 'Short' })).json;
    await node.db
      .updateTable('eligibility_token')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', short._id)
      .execute();
    expect(await page(short.token)).toBe(404);
    const gone = (await make({ name: 'Gone' })).json;
    expect(await page(gone.token)).toBe(200);
    expect((await node.post(`${LINKS}/${gone._id}/revoke`, {}, { ...OWN_PAGE, cookie: owner })).statusCode).toBe(200);
    expect(await page(gone.token)).toBe(404);
    expect((await check(LEAD, world.publisherTierId, gone.token)).statusCode).toBe(404);
    const log = await (await fetch(`${node.url}/api/v1/change-log?model=eligibilityLink`, { headers: { cookie: owner } })).json();
    expect(log.changes.map((one: { action: string; recordName: string }) => `${one.action} ${one.recordName}`)).toEqual([
      'remove Gone',
      'add Gone',
      'add Short',
      'add Call centre',
    ]);
  });

  it('is made only for publisher tiers of the vertical, by who may open the lab', async () => {
    const other = await buildWorld(node.db);
    expect((await make({ publisherTierIds: [other.publisherTierId] })).json.code).toBe('publisher_tier_unknown');
    const plain = await signIn(await buildUser(node.db, world.organizationId, { role: 'member' }));
    const refused = await node.post(`${LINKS}/${linkId}/revoke`, {}, { ...OWN_PAGE, cookie: plain });
    expect(refused.statusCode).toBe(404);
    expect(await page(token)).toBe(200);
  });

  it('is limited: so many checks a minute, then 429', async () => {
    await insideOneMinute();
    const busy = (await make({ name: 'Busy' })).json.token;
    expect(await page(busy)).toBe(200);
    const codes = await Promise.all(Array.from({ length: 61 }, async () => (await check({}, world.publisherTierId, busy)).statusCode));
    expect(codes.filter((code) => code === 200)).toHaveLength(60);
    expect(codes.filter((code) => code === 429)).toHaveLength(1);
    expect((await check({}, world.publisherTierId, token)).statusCode).toBe(200);
  });

  it('counts wrong tokens of a network before it looks any up: what never opened anything waits then, and only there', async () => {
    await insideOneMinute();
    const behind = await startNode(node.database.url, { trustedProxies: ['127.0.0.1'] });
    const from = async (ip: string, by: string) => {
      const answer = await fetch(`${behind.url}/api/eligibility/${by}`, { headers: { 'x-forwarded-for': ip } });
      return [answer.status, answer.headers.get('retry-after') === null] as const;
    };
    try {
      const unused = (await make({ name: 'Unused' })).json.token;
      // Right ones count nothing.
      for (let n = 0; n < 70; n++) expect(await from('203.0.113.5', token)).toEqual([200, true]);
      const wrong = `${token.slice(0, -4)}AAAA`;
      for (let n = 0; n < 60; n++) expect(await from('203.0.113.5', wrong)).toEqual([404, true]);
      expect(await from('203.0.113.5', wrong)).toEqual([429, false]);
      expect(await from('203.0.113.5', unused)).toEqual([429, false]);
      expect(await from('203.0.113.5', token)).toEqual([200, true]);
      expect(await from('203.0.113.6', unused)).toEqual([200, true]);
    } finally {
      await behind.close();
    }
  });

  it('is one of few that open something, all of which are listed, however many were revoked after them', async () => {
    const { organizationId, verticalId, publisherTierId } = world;
    const fill = (count: number, revokedAt: Date | null) => {
      const row = { organization_id: organizationId, vertical_id: verticalId, name: 'Filler', created_by: 'x', revoked_at: revokedAt };
      const rest = { publisher_tier_ids: [publisherTierId], expires_at: new Date(Date.now() + 60_000) };
      const rows = Array.from({ length: count }, () => ({ ...row, ...rest, id: newId(), token_hash: randomBytes(32) }));
      return node.db.insertInto('eligibility_token').values(rows).execute();
    };
    await fill(210, new Date());
    const listed = await (await fetch(`${node.url}${LINKS}?region=us&vertical=payday`, { headers: { ...OWN_PAGE, cookie: owner } })).json();
    expect(listed.tokens).toHaveLength(200);
    expect(listed.tokens.map((one: { _id: string }) => one._id)).toContain(linkId);
    await fill(100, null);
    expect((await make()).json.code).toBe('eligibility_links_too_many');
    await node.db.deleteFrom('eligibility_token').where('name', '=', 'Filler').execute();
    expect((await make()).statusCode).toBe(200);
  });

  it('console §2: whatever else is posted to a word at the root is posted to nothing', async () => {
    expect((await node.post('/nonsense', { key: 'x' })).json.code).toBe('route_unknown');
  });
});
