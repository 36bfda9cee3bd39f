/** Money adds up beyond what one amount can say (9 digits and 4): on a lead sold several times, and over a day. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { openOffice } from '#test/harness/office.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ({ body: JSON.stringify({ result: 'accepted', price: '999999999.99' }) }));
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

it('a lead that two buyers pay the highest amount for is sold and told by every page that sums', async () => {
  const tier = (name: string) => ({ url: buyer.url, buyer: name, price: { kind: 'bid' } as const });
  const office = await openOffice(node, buyer, { maxSales: 2, groups: [{ mode: 'priority', tiers: [tier('Ann'), tier('Bob')] }] });
  const { json } = await office.lead('rich@example.com');
  expect([json.status, json.sales ?? 2]).toEqual(['accepted', 2]);
  await office.lead('richer@example.com');
  const place = 'region=us&vertical=payday&timeZone=UTC';
  const told = async (path: string) => {
    const answer = await office.get(path);
    expect([path, answer.statusCode]).toEqual([path, 200]);
    return answer.json;
  };
  expect((await told(`/api/console/leads/${json.leadId}`)).lead.revenue).toBe('1999999999.98');
  const overview = await told(`/api/console/overview?${place}`);
  expect(overview.today.revenue).toBe('3999999999.96');
  expect(overview.topBuyers.map((one: { revenue: string }) => one.revenue)).toEqual(['1999999999.98', '1999999999.98']);
  expect((await told(`/api/console/leads?${place}`)).rows[0].revenue).toBe('1999999999.98');
  for (const who of ['buyers', 'publishers']) await told(`/api/console/home/${who}?timeZone=UTC`);
  const flow = await told(`/api/console/campaigns/${office.world.campaignId}/flow?timeZone=UTC`);
  expect(flow.buyerTiers[0].revenue).toBe('1999999999.98');
});
