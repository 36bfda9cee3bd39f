/** engine "Caps", reliability I3: a cap holds for the whole of its window from the moment it is set, however often it is changed. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let cookie: string;
let count = 0;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer();
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});
beforeEach(async () => {
  buyer.answer(() => ACCEPT);
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }, { url: buyer.url }] }] });
  await node.planBook.reload(world.organizationId);
  const { email, password } = await buildUser(node.db, world.organizationId);
  const answer = await node.post('/team-login', { email, password }, { 'x-requested-with': 'sluice' });
  cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
});

const post = () =>
  node.post(
    '/api/v1/leads',
    { ...LEAD, email: `cap${++count}@example.com`, phone: `212555${1000 + count}` },
    { authorization: `Bearer ${world.key}` },
  );
/** How many of so many leads that come at once are sold. */
async function sold(leads: number): Promise<number> {
  const answers = await Promise.all(Array.from({ length: leads }, post));
  return answers.filter((answer) => answer.json.status === 'accepted').length;
}
async function edit(model: string, _id: string, data: object): Promise<void> {
  const answer = await node.post('/api/v1/common/post-edit-data', { model, _id, ...data }, { 'x-requested-with': 'sluice', cookie });
  expect(answer.statusCode, JSON.stringify(answer.json)).toBe(200);
}
const cap = (measure: string, limit: number | string, more: object = {}) => ({
  measure,
  period: 'day',
  limit,
  timeZone: 'America/New_York',
  ...more,
});

it('G7: what was sold before it counts, also when it is taken off, put back and moved to another zone', async () => {
  const tier = world.tiers[0]!.buyerTierId;
  await edit('buyerTier', world.tiers[1]!.buyerTierId, { status: 'paused' });
  expect(await sold(4)).toBe(4);
  await edit('buyerTier', tier, { caps: [cap('sold', 6)] });
  expect(await sold(5)).toBe(2);
  await edit('buyerTier', tier, { caps: [] });
  expect(await sold(3)).toBe(3);
  await edit('buyerTier', tier, { caps: [cap('sold', 10)] });
  expect(await sold(5)).toBe(1);
  // A month holds whatever day it is where the other zone's begins.
  await edit('buyerTier', tier, { caps: [cap('sold', 11, { period: 'month', timeZone: 'America/Los_Angeles' })] });
  expect(await sold(5)).toBe(1);
  await edit('buyerTier', tier, { caps: [cap('sold', 12, { period: 'overall' })] });
  expect(await sold(5)).toBe(1);
});

it('a buyer’s caps count what all its tiers sold; money and sent as well as sold', async () => {
  const own = world.tiers[0]!;
  await edit('buyerTier', world.tiers[1]!.buyerTierId, { status: 'paused' });
  expect(await sold(3)).toBe(3);
  await edit('buyer', own.buyerId, { caps: [cap('sold', 4)] });
  expect(await sold(3)).toBe(1);
  await edit('buyer', own.buyerId, { caps: [] });
  // Each is sold at 20.00.
  await edit('buyerTier', own.buyerTierId, { caps: [cap('money', '100.00')] });
  expect(await sold(3)).toBe(1);
  buyer.answer(() => REJECT);
  await edit('buyerTier', own.buyerTierId, { caps: [] });
  expect(await sold(2)).toBe(0);
  buyer.answer(() => ACCEPT);
  // Seven were sent so far: five that were sold, two that were not.
  await edit('buyerTier', own.buyerTierId, { caps: [cap('sent', 9)] });
  expect(await sold(5)).toBe(2);
});

it('a publisher tier’s caps count what was let in, sold and paid before', async () => {
  expect(await sold(3)).toBe(3);
  await edit('publisherTier', world.publisherTierId, { caps: [cap('sent', 5)] });
  expect(await sold(4)).toBe(2);
  await edit('publisherTier', world.publisherTierId, { caps: [cap('sold', 6)] });
  expect(await sold(4)).toBe(1);
  // 16.00 is paid for each.
  await edit('publisherTier', world.publisherTierId, { caps: [cap('money', '112.00')] });
  expect(await sold(4)).toBe(1);
});

it('a lead that is with the buyer while the cap is set counts', async () => {
  const tier = world.tiers[0]!.buyerTierId;
  await edit('buyerTier', world.tiers[1]!.buyerTierId, { status: 'paused' });
  const { promise: saved, resolve: save } = Promise.withResolvers<void>();
  buyer.answer(async () => {
    await saved;
    return ACCEPT;
  });
  const calls = buyer.calls.length;
  const underWay = [post(), post()];
  await expect.poll(() => buyer.calls.length - calls).toBe(2);
  await edit('buyerTier', tier, { caps: [cap('sold', 3)] });
  save();
  expect((await Promise.all(underWay)).map((answer) => answer.json.status)).toEqual(['accepted', 'accepted']);
  expect(await sold(4)).toBe(1);
});

it('test leads and refused ones do not count', async () => {
  buyer.answer(() => REJECT);
  expect(await sold(3)).toBe(0);
  buyer.answer(() => ACCEPT);
  await node.post('/api/v1/leads', { ...LEAD, test: true }, { authorization: `Bearer ${world.key}` });
  await edit('buyerTier', world.tiers[0]!.buyerTierId, { caps: [cap('sold', 2)] });
  await edit('buyerTier', world.tiers[1]!.buyerTierId, { status: 'paused' });
  expect(await sold(4)).toBe(2);
});
