/** What the database did and could not tell us: nothing is counted that was not sold, and nothing leaks. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/kit/ids.ts';
import { openLeadStore } from '#server/lead/lead.store.ts';
import { openWriter } from '#server/lead/writer.ts';
import { giveBackPlaces } from '#server/node/give-back-places.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#test/harness/database-proxy.ts';
import { startNode, type TestNode } from '#test/harness/node.ts';
import { buildWorld, LEAD, type World } from '#test/harness/world.ts';

let database: TestDatabase;
let proxy: DatabaseProxy;
let node: TestNode;
let buyer: ScriptedBuyer;
let client: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  proxy = await startDatabaseProxy(database.url);
  buyer = await startBuyer(() => ACCEPT);
  node = await startNode(proxy.url);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await node.close();
  await client.end();
  await proxy.close();
  await buyer.close();
  await database.drop();
});

const rows = async (sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows;
const auth = (world: World) => ({ authorization: `Bearer ${world.key}` });

async function openWorld(capped: boolean): Promise<World> {
  const caps = capped ? [{ measure: 'sold', period: 'overall', limit: 1, timeZone: 'UTC' } as const] : [];
  const world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url, caps }] }] });
  await node.planBook.reload(world.organizationId);
  return world;
}

it('G3: a lead that was written while its caller heard that it was not holds no place in a cap', async () => {
  const [world, other] = [await openWorld(true), await openWorld(false)];
  // So that every writer has its connection.
  await Promise.all(
    Array.from({ length: 10 }, (_, at) => node.post('/api/v1/leads', { ...LEAD, email: `${at}@example.com` }, auth(other))),
  );
  proxy.loseAnswers();
  const refused = node.post('/api/v1/leads', { ...LEAD, email: 'lost@example.com' }, auth(world));
  // The database has taken the lead and the place; nobody will ever hear of it.
  await expect.poll(() => rows('select used from counter where organization_id = $1', [world.organizationId])).toEqual([{ used: 1 }]);
  proxy.shut();
  expect((await refused).statusCode).toBe(503);
  proxy.open();
  await expect
    .poll(() => rows('select used from counter where organization_id = $1', [world.organizationId]), { timeout: 15_000 })
    .toEqual([{ used: 0 }]);
  await expect
    .poll(async () => (await node.post('/api/v1/leads', { ...LEAD, email: 'next@example.com' }, auth(world))).json.status, {
      timeout: 10_000,
    })
    .toBe('accepted');
  // Nobody works on it: it ends, nobody was handed it, and whoever sends it again hears so.
  const [lost] = await rows('select lead_id from idempotency where organization_id = $1 order by expires_at limit 1', [
    world.organizationId,
  ]);
  const results = () => rows('select status, reason, attempt_count from lead_result where lead_id = $1', [lost.lead_id]);
  await expect.poll(results, { timeout: 20_000 }).toEqual([{ status: 'error', reason: 'interrupted', attempt_count: 0 }]);
  const again = await node.post('/api/v1/leads', { ...LEAD, email: 'lost@example.com' }, auth(world));
  expect([again.statusCode, again.json.code, again.json.leadId]).toEqual([500, 'lead_interrupted', lost.lead_id]);
  expect(await rows('select 1 from reservation where lead_id = $1', [lost.lead_id])).toEqual([]);
  expect(buyer.calls.filter((call) => call.body.includes('lost@example.com'))).toEqual([]);
});

it('a lead whose first call is noted with it ends as well where its answer is lost, and nobody is asked to settle it', async () => {
  const world = await openWorld(false);
  proxy.loseAnswers();
  const refused = node.post('/api/v1/leads', { ...LEAD, email: 'noted@example.com' }, auth(world));
  await expect
    .poll(() => rows(`select purpose from reservation where organization_id = $1 and purpose = 'post'`, [world.organizationId]))
    .toHaveLength(1);
  proxy.shut();
  expect((await refused).statusCode).toBe(503);
  proxy.open();
  const ended = () => rows('select status, reason from lead_result where organization_id = $1', [world.organizationId]);
  await expect.poll(ended, { timeout: 20_000 }).toEqual([{ status: 'error', reason: 'interrupted' }]);
  expect(await rows('select 1 from reservation where organization_id = $1', [world.organizationId])).toEqual([]);
  expect(await rows('select 1 from attempt where organization_id = $1', [world.organizationId])).toEqual([]);
});

it('a note that arrives after the lead has ended leaves nothing behind and is refused, on either way', async () => {
  const world = await openWorld(false);
  const { leadId } = (await node.post('/api/v1/leads', { ...LEAD, email: 'ended@example.com' }, auth(world))).json;
  const store = openLeadStore({ connectionString: database.url, nodeId: newId() });
  const intent = { leadId, buyerTierId: world.tiers[0]!.buyerTierId };
  // Before its own connection is up a note goes with the batches; afterwards by itself.
  await expect(store.intend(world.organizationId, intent)).rejects.toMatchObject({ code: 'SL001' });
  await new Promise((resolve) => setTimeout(resolve, 300));
  // Others that travel with it are noted.
  const other = { ...intent, leadId: newId() };
  const both = await Promise.allSettled([intent, other].map((one) => store.intend(world.organizationId, one)));
  expect(both).toMatchObject([{ status: 'rejected', reason: { code: 'SL001' } }, { status: 'fulfilled' }]);
  await store.close();
  const kept = await rows('select lead_id from reservation where lead_id = any($1)', [[leadId, other.leadId]]);
  expect(kept).toEqual([{ lead_id: other.leadId }]);
  await client.query('delete from reservation where lead_id = $1', [other.leadId]);
});

it('notes of several organizations at one moment are each on the disk when they are said to be', async () => {
  const worlds = [await openWorld(false), await openWorld(false)];
  const store = openLeadStore({ connectionString: database.url, nodeId: newId() });
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (let round = 0; round < 3; round++) {
    const notes = worlds.flatMap((world) => [newId(), newId()].map((leadId) => ({ world, leadId })));
    await Promise.all(
      notes.map(({ world, leadId }) => store.intend(world.organizationId, { leadId, buyerTierId: world.tiers[0]!.buyerTierId })),
    );
    const kept = await rows('select lead_id from reservation where lead_id = any($1)', [notes.map(({ leadId }) => leadId)]);
    expect(kept.map((row) => row.lead_id).sort()).toEqual(notes.map(({ leadId }) => leadId).sort());
  }
  await store.close();
  await client.query('delete from reservation where organization_id = any($1)', [worlds.map((world) => world.organizationId)]);
});

it('a writer that cannot get in keeps no connection from its tries', async () => {
  const lone = await startDatabaseProxy(database.url);
  const writer = openWriter(lone.url);
  const select = () => ({ name: 'one', text: 'select 1', values: [] });
  await writer.write(select);
  lone.loseAnswers('toQueries');
  await expect(writer.write(select)).rejects.toThrow(/did not answer|cannot be reached/);
  lone.open();
  await writer.write(select);
  await expect.poll(() => lone.count(), { timeout: 5_000 }).toBe(1);
  await writer.close();
  await lone.close();
});

describe('engine Crash: a booking that was to be given back when its node died', () => {
  const HOLDERS = `(select subject_id as tier, 'booking' as what from reservation where organization_id = $1
    union all select scope_id, 'consumer' from duplicate_claim where organization_id = $1
    union all select scope_id, 'place' from counter where organization_id = $1 and used > 0) order by 1, 2`;
  const caps = [{ measure: 'sold', period: 'overall', limit: 1, timeZone: 'UTC' } as const];
  const duplicate = { fields: ['email'], match: 'all' as const, windowDays: 30, counts: 'sold' as const };
  const later = () => Date.now() + 21 * 60_000;

  /** A world of two buyers, in which no booking of the first can be deleted: its release never arrives. */
  async function openDeaf(first: ScriptedBuyer): Promise<World> {
    const world = await buildWorld(node.db, {
      groups: [
        {
          mode: 'priority',
          tiers: [first, buyer].map(({ url }, at) => ({ url, buyer: `Buyer ${at}`, name: `Tier ${at}`, caps, duplicate })),
        },
      ],
    });
    await node.planBook.reload(world.organizationId);
    await client.query(`create function deaf() returns trigger language plpgsql as $$ begin
      if old.subject_id = '${world.tiers[0]!.buyerTierId}' then return null; end if; return old; end $$;
      create trigger deaf before delete on reservation for each row execute function deaf()`);
    return world;
  }
  const hear = () => client.query('drop trigger deaf on reservation; drop function deaf()');

  it('is given back once its lead has ended and nobody can be at it any more: the place in the cap and the consumer; what was sold stays', async () => {
    const refuser = await startBuyer(() => ({ body: JSON.stringify({ result: 'rejected' }) }));
    const world = await openDeaf(refuser);
    const [refused, sold] = world.tiers.map(({ buyerTierId }) => buyerTierId) as [string, string];
    expect((await node.post('/api/v1/leads', { ...LEAD, email: 'leak@example.com' }, auth(world))).json.status).toBe('accepted');
    await hear();
    const held = async () =>
      (await rows(HOLDERS, [world.organizationId])).map(({ tier, what }) => `${tier === refused ? 'refused' : 'sold'} ${what}`);
    const leaked = ['refused booking', 'refused consumer', 'refused place', 'sold consumer', 'sold place'];
    await expect.poll(async () => (await held()).toSorted()).toEqual(leaked);

    // Its node may still be at it.
    await giveBackPlaces(node.pool);
    expect((await held()).toSorted()).toEqual(leaked);
    await Promise.all([giveBackPlaces(node.pool, later()), giveBackPlaces(node.pool, later())]);
    expect((await held()).toSorted()).toEqual(['sold consumer', 'sold place']);
    expect(await rows('select used from counter where organization_id = $1 and scope_id = $2', [world.organizationId, sold])).toEqual([
      { used: 1 },
    ]);
    await refuser.close();
  });

  it('stays taken while a buyer may hold the lead', async () => {
    const slow = await startBuyer(() => ({ body: JSON.stringify({ result: 'pending' }) }));
    const world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: slow.url, caps }] }] });
    await node.planBook.reload(world.organizationId);
    expect((await node.post('/api/v1/leads', { ...LEAD, email: 'held@example.com' }, auth(world))).json.code).toBe('lead_held');
    await giveBackPlaces(node.pool, later());
    expect(await rows('select used from counter where organization_id = $1', [world.organizationId])).toEqual([{ used: 1 }]);
    expect(await rows('select from reservation where organization_id = $1', [world.organizationId])).toHaveLength(1);
    await slow.close();
  });
});
