/** console §2, §6 (page 27, testing lab): one lead through the real engine; nothing is booked, reserved or counted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SAMPLE_LEADS_MOST } from '#contract/lab.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, dollars, LEAD, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const LAB = '/api/console/lab';
const PLACE = { region: 'us', vertical: 'payday' };
let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let owner: string;

const as = (cookie: string) => ({ ...OWN_PAGE, cookie });
const call = (path: string, body: unknown, cookie = owner) => node.post(LAB + path, body, as(cookie));
const get = async (path: string, cookie = owner) => {
  const response = await fetch(node.url + path, { headers: as(cookie) });
  return { statusCode: response.status, json: await response.json() };
};
const signIn = async ({ email, password }: { email: string; password: string }) =>
  (await node.post('/team-login', { email, password }, OWN_PAGE)).headers.get('set-cookie')!.split(';')[0]!;
const send = (more: Record<string, unknown> = {}, cookie = owner) =>
  call('/send', { publisherTierId: world.publisherTierId, fields: LEAD, buyers: 'simulated', ...more }, cookie);
const member = async (page: string) => {
  const pages = [{ value: page, pageChecked: true }];
  const verticals = [{ verticalId: world.verticalId, verticalChecked: true, pages }];
  const permissions = [{ regionId: world.regionId, regionChecked: true, verticals }];
  return signIn(await buildUser(node.db, world.organizationId, { role: 'member', permissions }));
};

/** Everything that a lead that counts would leave behind. */
async function traces() {
  const count = async (table: string) => {
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from ${sql.table(table)} where organization_id = ${world.organizationId}::uuid`.execute(node.db);
    return rows[0]!.n;
  };
  const { rows } = await sql<{
    used: number;
  }>`select coalesce(sum(used), 0)::int as used from counter where organization_id = ${world.organizationId}::uuid`.execute(node.db);
  return {
    used: rows[0]!.used,
    reservations: await count('reservation'),
    claims: await count('duplicate_claim'),
    turns: await count('group_turn'),
    entries: await count('ledger_entry'),
    leads: await count('lead'),
  };
}

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
});
beforeEach(async () => {
  const day = { period: 'day' as const, timeZone: 'America/New_York' };
  world = await buildWorld(node.db, {
    testValues: { field: 'email', sold: 'sold@example.com', rejected: 'no@example.com' },
    publisher: { duplicate: { fields: ['email'], match: 'any', windowDays: 30, counts: 'received' } },
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: buyer.url, name: 'first', price: { kind: 'fixed', price: dollars(20) }, caps: [{ measure: 'sold', limit: 1, ...day }] },
          { url: buyer.url, name: 'bids', delivery: 'pingPost', price: { kind: 'bid' } },
        ],
      },
    ],
  });
  await node.planBook.reload(world.organizationId);
  owner = await signIn(await buildUser(node.db, world.organizationId));
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

const tier = (at: number) => world.tiers[at]!.buyerTierId;

describe('a lead to simulated buyers', () => {
  it('console §2: is sold by the real engine, told step by step, and leaves nothing behind', async () => {
    const before = await traces();
    const { statusCode, json } = await send({
      answers: [
        { buyerTierId: tier(0), says: 'rejects' },
        { buyerTierId: tier(1), says: 'buys', price: '13.50' },
      ],
    });
    expect(statusCode).toBe(200);
    expect(json.isStored).toBe(false);
    expect(json.lead).toMatchObject({ status: 'sold', test: true, revenue: '13.50', payout: '10.80' });
    expect(json.lead.verdicts.map((one: { outcome: string }) => one.outcome)).toEqual(['rejected', 'sold']);
    expect(json.lead.attemptList.map((one: { leg: string; wire: { method: string } }) => [one.leg, one.wire.method])).toEqual([
      ['post', 'POST'],
      ['ping', 'POST'],
      ['post', 'POST'],
    ]);
    // The request is the real one, masked as on the page of a lead.
    expect(JSON.stringify(json.lead)).not.toContain(LEAD.email);
    expect(json.lead.attemptList[0].wire.requestBody).toContain('"state":"NY"');
    expect(await traces()).toEqual(before);
    expect(buyer.calls).toHaveLength(0);
  });

  it('every word of a simulated buyer comes to its verdict', async () => {
    const says = async (word: string) => {
      const answers = [0, 1].map((at) => ({ buyerTierId: tier(at), says: word }));
      const { json } = await send({ answers });
      return [json.lead.status, json.lead.verdicts.map((one: { outcome: string }) => one.outcome).join()];
    };
    expect(await says('buys')).toEqual(['sold', 'sold,notReached']);
    expect(await says('rejects')).toEqual(['unsold', 'rejected,rejected']);
    expect(await says('silent')).toEqual(['unsold', 'timeouts,timeouts']);
    expect(await says('error')).toEqual(['unsold', 'terrors,terrors']);
    // Nothing is on record of either.
    expect(await says('recorded')).toEqual(['unsold', 'terrors,terrors']);
    // What was set last stands there the next time.
    const { json } = await get(`${LAB}/campaigns/${world.campaignId}/tree`);
    expect(json.groups[0].buyerTiers.map((one: { says: string }) => one.says)).toEqual(['recorded', 'recorded']);
  });

  it('a recorded answer is read again by the rules as they are now', async () => {
    await node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${world.key}` });
    const answers = [{ buyerTierId: tier(0), says: 'recorded' }];
    const fields = { ...LEAD, email: 'other@example.com' };
    await node.db.updateTable('buyer_tier').set({ caps: '[]' }).where('id', '=', tier(0)).execute();
    await node.planBook.reload(world.organizationId);
    const { json } = await send({ answers, fields });
    expect(json.lead.verdicts[0]).toMatchObject({ outcome: 'sold' });
    expect(json.lead.attemptList.at(-1).wire.responseBody).toContain('accepted');
    expect(json.lead.attemptList.at(-1).wire.statusCode).toBe(200);
  });

  it('a recorded answer tells nothing of the person whose lead it was given to, whoever looks at it', async () => {
    buyer.answer(({ body }) => {
      const { first_name, email, phone } = JSON.parse(body);
      const redirect = `https://buyer.example/?${new URLSearchParams({ email, phone })}`;
      return { body: JSON.stringify({ result: 'accepted', message: `${first_name}, we wrote to ${email}`, redirect }) };
    });
    const person = { email: 'zebulon.pike@example.com', first_name: 'Zebulon', phone: '2125551987' };
    await node.post('/api/v1/leads', { ...LEAD, ...person }, { authorization: `Bearer ${world.key}` });
    buyer.answer(() => ACCEPT);
    await node.db.updateTable('buyer_tier').set({ caps: '[]' }).where('id', '=', tier(0)).execute();
    await node.planBook.reload(world.organizationId);
    const answers = [{ buyerTierId: tier(0), says: 'recorded' }];
    const { json, text } = await send({ answers, fields: { ...LEAD, email: 'other@example.com' } }, await member('testing-lab'));
    expect(json.lead.verdicts[0]).toMatchObject({ outcome: 'sold' });
    for (const secret of ['zebulon', '5551987']) expect(text.toLowerCase()).not.toContain(secret);
  });

  it('keeps what is said for the tiers of the tree, and for nobody else’s', async () => {
    const elsewhere = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
    await node.db.deleteFrom('group_member').where('buyer_tier_id', '=', tier(1)).execute();
    await node.planBook.reload(world.organizationId);
    const asked = [tier(0), tier(1), elsewhere.tiers[0]!.buyerTierId];
    expect((await send({ answers: asked.map((buyerTierId) => ({ buyerTierId, says: 'rejects' })) })).statusCode).toBe(200);
    const kept = await node.db.selectFrom('simulated_answer').select('buyer_tier_id').where('buyer_tier_id', 'in', asked).execute();
    expect(kept.map((row) => row.buyer_tier_id)).toEqual([tier(0)]);
  });

  it('a simulated buyer pays something, or is told to reject', async () => {
    for (const price of ['0', '0.0000'])
      expect((await send({ answers: [{ buyerTierId: tier(0), says: 'buys', price }] })).json.code).toBe('request_invalid');
  });

  it('caps and duplicates stand as they are, and are not used up', async () => {
    await node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${world.key}` });
    const duplicate = await send();
    expect(duplicate.json.lead).toMatchObject({ status: 'duplicate', reason: 'publisher-tier-lead-duplicate-failed' });
    const fields = { ...LEAD, email: 'new@example.com' };
    for (let time = 0; time < 2; time++) {
      const { json } = await send({ fields });
      expect(json.lead.verdicts).toMatchObject([{ outcome: 'filtered', filterReasonKey: 1 }, { outcome: 'sold' }]);
    }
  });

  it('the campaign’s test values decide as they do for a publisher', async () => {
    const { json } = await send({ fields: { ...LEAD, email: 'no@example.com' } });
    expect([json.lead.status, json.lead.why]).toEqual(['unsold', 'Test lead: rejected. Nothing was reserved, sent or counted.']);
  });

  it('a lead that is not valid says which fields are wrong', async () => {
    const { json } = await send({ fields: { ...LEAD, email: 'nobody', state: '' } });
    expect(json.lead.status).toBe('invalid');
    expect(json.lead.errors.map((one: { field: string }) => one.field).sort()).toEqual(['email', 'state']);
  });

  it('goes by the draft where that is chosen, and says so when there is none', async () => {
    const change = { tree: 'draft' };
    expect((await send({ change })).json.code).toBe('draft_missing');
    const path = `/api/console/campaigns/${world.campaignId}`;
    const { json: tree } = await get(`${path}/tree`);
    const groups = [
      { _id: null, name: 'Only bids', mode: 'priority', timeLimitMs: null, members: [{ buyerTierId: tier(1), weight: null }] },
    ];
    await node.post(`${path}/draft`, { groups, state: tree.state }, as(owner));
    const { json } = await send({ change });
    expect(json.lead.verdicts).toMatchObject([{ buyerTierId: tier(1), groupName: 'Only bids', outcome: 'sold' }]);
    expect((await send()).json.lead.verdicts).toHaveLength(2);
  });
});

describe('the buyers of a tree', () => {
  it('stand in its order, with what each is told to say; of an unknown campaign or draft nothing is told', async () => {
    const tree = (query = '', campaignId = world.campaignId) => get(`${LAB}/campaigns/${campaignId}/tree${query}`);
    await send({ answers: [{ buyerTierId: tier(1), says: 'buys', price: '7.5' }] });
    const { json } = await tree();
    expect(json.groups).toMatchObject([
      {
        mode: 'priority',
        buyerTiers: [
          { _id: tier(0), name: 'first', fixedPrice: '20.00', says: 'buys', price: null },
          { _id: tier(1), name: 'bids', fixedPrice: null, says: 'buys', price: '7.50' },
        ],
      },
    ]);
    // Nothing in their requests would say that a lead is a test.
    expect(json.groups[0].buyerTiers.map((one: { testFlags: unknown }) => one.testFlags)).toEqual([
      { ping: null, post: [] },
      { ping: [], post: [] },
    ]);
    expect((await tree('?tree=draft')).json.code).toBe('draft_missing');
    expect((await tree(`?tree=version&versionId=${world.campaignId}`)).json.code).toBe('tree_version_unknown');
    const other = await buildWorld(node.db);
    expect((await tree('', other.campaignId)).json.code).toBe('campaign_unknown');
  });
});

describe('a lead to real buyers', () => {
  it('reaches them, is kept as a test, and counts nowhere', async () => {
    await node.db.updateTable('tree_group').set({ mode: 'roundRobin' }).where('organization_id', '=', world.organizationId).execute();
    await node.planBook.reload(world.organizationId);
    const before = await traces();
    const calls = buyer.calls.length;
    const { json } = await send({ buyers: 'real' });
    expect(json).toMatchObject({ isStored: true, lead: { status: 'sold', test: true } });
    expect(buyer.calls.length).toBe(calls + 1);
    expect(await traces()).toEqual({ ...before, leads: before.leads + 1 });
    const stored = await get(`/api/console/leads/${json.lead._id}`);
    expect(stored.json.lead).toMatchObject({ status: 'sold', test: true, verdicts: json.lead.verdicts });
    // The cap of one sold lead a day still has its one.
    expect((await send({ buyers: 'real' })).json.lead.verdicts[0]).toMatchObject({ outcome: 'sold' });
  });

  it('leaves nothing to settle, whether it is held or the buyer says yes too late', async () => {
    await node.db.updateTable('buyer_tier').set({ time_limit_ms: 100, after_timeout: 'hold' }).where('id', '=', tier(0)).execute();
    await node.planBook.reload(world.organizationId);
    buyer.answer(() => ({ ...ACCEPT, delayMs: 300 }));
    const { json } = await send({ buyers: 'real' });
    expect(json.lead.status).toBe('held');
    await sleep(600);
    buyer.answer(() => ACCEPT);
    expect((await get('/api/console/settlements/open?region=us&vertical=payday')).json).toMatchObject({ total: 0 });
  });

  it('a past lead’s person is not offered to them again', async () => {
    const sent = await node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${world.key}` });
    const leadId = sent.json.leadId;
    expect((await send({ buyers: 'real', leadId, fields: {} })).json.code).toBe('lab_lead_personal');
    const past = await get(`${LAB}/past-leads/${leadId}`);
    expect(past.json.fields.state).toEqual({ value: 'NY', isMasked: false });
    expect(past.json.fields.email).toMatchObject({ isMasked: true });
    expect(JSON.stringify(past.json)).not.toContain(LEAD.email);
    // Its values are used all the same: it is a duplicate of itself.
    expect((await send({ leadId, fields: {} })).json.lead).toMatchObject({ status: 'duplicate', duplicateOfLeadId: leadId });
  });
});

describe('samples', () => {
  it('are kept sealed, changed by who saw the last version, and removed; the log has no value of them', async () => {
    const made = await call('/samples', { ...PLACE, name: 'New York', fields: LEAD });
    expect(made.statusCode).toBe(200);
    const row = await node.db.selectFrom('sample_lead').selectAll().where('id', '=', made.json._id).executeTakeFirstOrThrow();
    expect(row.fields.includes(Buffer.from('ada@'))).toBe(false);
    expect((await call('/samples', { ...PLACE, name: 'NEW YORK', fields: {} })).json.code).toBe('sample_name_taken');
    const edit = { name: 'Texas', fields: { ...LEAD, state: 'TX' }, version: 1 };
    expect((await call(`/samples/${made.json._id}`, edit)).statusCode).toBe(200);
    expect((await call(`/samples/${made.json._id}`, edit)).json.code).toBe('sample_changed');
    const { json } = await get(`${LAB}?region=us&vertical=payday`);
    expect(json.samples).toMatchObject([{ name: 'Texas', version: 2, fields: { state: 'TX' } }]);
    expect((await call(`/samples/${made.json._id}/remove`, { version: 2 })).statusCode).toBe(200);
    const { json: log } = await get('/api/v1/change-log?model=sampleLead');
    expect(log.changes.map((one: { action: string }) => one.action)).toEqual(['remove', 'edit', 'add']);
    expect(JSON.stringify(log)).not.toContain('ada@');
  });

  it('of a vertical are few and short enough to be told at once, and of two that take one name at once the second is told', async () => {
    const add = (name: string, fields: Record<string, string> = {}) => call('/samples', { ...PLACE, name, fields });
    const same = await Promise.all(Array.from({ length: 6 }, (_, at) => add(at % 2 ? 'Same' : 'SAME')));
    expect(same.map(({ json }) => json.code ?? 'saved').sort()).toEqual([...Array(5).fill('sample_name_taken'), 'saved']);
    const wide = Object.fromEntries(Array.from({ length: 26 }, (_, at) => [`f${at}`, 'x'.repeat(2000)]));
    expect((await add('Wide', wide)).json.code).toBe('request_invalid');
    const many = Array.from({ length: SAMPLE_LEADS_MOST + 5 }, (_, at) => `sample ${at}`);
    const codes: string[] = [];
    for (let at = 0; at < many.length; at += 10)
      codes.push(...(await Promise.all(many.slice(at, at + 10).map((name) => add(name)))).map(({ json }) => json.code ?? 'saved'));
    expect(codes.filter((code) => code === 'saved')).toHaveLength(SAMPLE_LEADS_MOST - 1);
    expect(new Set(codes)).toEqual(new Set(['saved', 'sample_too_many']));
  });
});

describe('who may', () => {
  it('console §6: the page’s own permission opens it, in its vertical only; another’s does not', async () => {
    const lab = await member('testing-lab');
    expect((await send({}, lab)).statusCode).toBe(200);
    expect((await get(`${LAB}?region=us&vertical=payday`, lab)).json).toMatchObject({ mayReadLeads: false, mayPublish: false });
    const sent = await node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${world.key}` });
    expect((await get(`${LAB}/past-leads/${sent.json.leadId}`, lab)).statusCode).toBe(404);
    const other = await member('overview');
    expect((await get(`${LAB}?region=us&vertical=payday`, other)).statusCode).toBe(403);
    expect((await send({}, other)).statusCode).toBe(404);
  });
});
