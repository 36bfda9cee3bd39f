/** engine §4: a tier whose buyer fails or is slow gets a share of its leads, over all nodes, until it is well again. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LeadView } from '#contract/lead.ts';
import type { ThrottleConfig } from '#engine/plan.ts';
import { isDrawn } from '#engine/throttle.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { type Office, openOffice } from '#test/harness/office.ts';
import { LEAD } from '#test/harness/world.ts';

const THROTTLE: ThrottleConfig = { sharePercent: 40, failurePercent: 50, minimumCalls: 6, lookBackMinutes: 5 };
let node: Awaited<ReturnType<typeof startTestWorld>>;
let other: TestNode;
let ann: ScriptedBuyer;
let bob: ScriptedBuyer;
let office: Office;
let tierId: string;

beforeAll(async () => {
  node = await startTestWorld();
  other = await startNode(node.database.url);
  [ann, bob] = [await startBuyer(), await startBuyer()];
});
afterAll(async () => {
  await other.close();
  await node.stop();
  await Promise.all([ann.close(), bob.close()]);
});

async function open(throttle: ThrottleConfig): Promise<void> {
  ann.answer(() => ({ status: 503 }));
  bob.answer(() => ACCEPT);
  office = await openOffice(node, ann, {
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: ann.url, buyer: 'Ann', throttle },
          { url: bob.url, buyer: 'Bob' },
        ],
      },
    ],
  });
  await other.planBook.reload(office.world.organizationId);
  tierId = office.world.tiers[0]!.buyerTierId;
}
beforeEach(() => open(THROTTLE));

let sent = 0;
async function send(count: number, to: TestNode[] = [node, other]): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const lead = { ...LEAD, email: `throttle${sent++}@example.com` };
    const { json } = await to[at % to.length]!.post('/api/v1/leads', lead, { authorization: `Bearer ${office.world.key}` });
    ids.push(json.leadId);
  }
  return ids;
}
const throttled = () => [node, other].map((one) => one.breakers.throttlesOf(office.world.organizationId).find(tierId) !== undefined);
const bothKnow = (is: boolean) => expect.poll(throttled, { timeout: 5_000, interval: 20 }).toEqual([is, is]);
const asked = async (leadIds: string[]) =>
  new Set(
    (
      await node.pool.query('select lead_id from attempt where buyer_tier_id = $1 and lead_id = any($2::uuid[])', [tierId, leadIds])
    ).rows.map((row) => row.lead_id as string),
  );
const row = async () => (await node.pool.query('select * from throttled_tier where buyer_tier_id = $1', [tierId])).rows[0];
const view = async (leadId: string): Promise<LeadView> => (await office.get(`/api/console/leads/${leadId}`)).json.lead;

describe('engine §4: health-based throttle', () => {
  it('begins at its threshold over both nodes; exactly the leads that are drawn reach the buyer, the others say why', async () => {
    await send(5);
    await expect
      .poll(
        async () =>
          (await node.pool.query('select sum(calls)::int as calls from breaker_minute where buyer_tier_id = $1', [tierId])).rows[0].calls,
      )
      .toBe(5);
    expect(throttled()).toEqual([false, false]);
    await send(1);
    await bothKnow(true);
    expect(await row()).toMatchObject({ calls: 6, failures: 6, slow: 0, look_back_minutes: 5 });
    const leads = await send(24);
    const drawn = leads.filter((id) => isDrawn(THROTTLE, id, tierId));
    expect([...(await asked(leads))].sort()).toEqual(drawn.toSorted());
    expect(drawn.length).toBeGreaterThan(0);
    const left = leads.find((id) => !drawn.includes(id))!;
    const lead = await view(left);
    expect(lead.status).toBe('sold');
    expect(lead.verdicts[0]).toMatchObject({ buyerName: 'Ann', outcome: 'filtered', filterReasonKey: 12 });
    expect(lead.verdicts[0]!.text).toMatch(
      /^Throttled since .*: 6 of 6 calls failed in the last 5 minutes\. Only 40% of its leads are sent meanwhile\. This lead is not among them\.$/,
    );
  });

  it('console §7: is told by the eligibility checker, on either node', async () => {
    await send(6);
    await bothKnow(true);
    const made = await office.post('/api/console/lab/eligibility-links', {
      ...{ region: 'us', vertical: 'payday', name: 'Desk', publisherTierIds: [office.world.publisherTierId], days: 7 },
    });
    for (const one of [node, other]) {
      const { json } = await one.post(`/${made.json.token}`, { key: office.world.publisherTierId, lead: LEAD });
      expect(json.buyerTiers[0]).toMatchObject({ buyerName: 'Ann', isEligible: true, filterReasonKey: 12 });
      expect(json.buyerTiers[0].why).toMatch(/^Throttled since .*Only 40% of its leads are sent meanwhile\.$/);
      expect(json.buyerTiers[1]).toMatchObject({ buyerName: 'Bob', isEligible: true, filterReasonKey: null, why: null });
    }
  });

  it('ends by itself once the share is answered well, and all leads are sent again', async () => {
    await send(6);
    await bothKnow(true);
    ann.answer(() => ({ body: JSON.stringify({ result: 'rejected' }) }));
    // What failed before lies out of sight.
    await node.pool.query(`update breaker_minute set minute = minute - interval '10 minutes' where buyer_tier_id = $1`, [tierId]);
    for (let tries = 0; tries < 60 && throttled().includes(true); tries += 1) await send(1);
    await bothKnow(false);
    const leads = await send(8);
    expect((await asked(leads)).size).toBe(8);
  });

  it('sees slow answers, whatever they say', async () => {
    await open({ sharePercent: 1, slow: { afterMs: 60, percent: 100 }, minimumCalls: 3, lookBackMinutes: 5 });
    ann.answer(() => ({ ...ACCEPT, delayMs: 90 }));
    await send(3);
    await bothKnow(true);
    expect(await row()).toMatchObject({ calls: 3, failures: 0, slow: 3 });
  });

  it('is off unless it is set, is changed on the tier, and a change begins it anew', async () => {
    await send(6);
    await bothKnow(true);
    const one = async () => (await office.post('/api/v1/common/single-data', { model: 'buyerTier', condition: { _id: tierId } })).json.data;
    expect((await one()).throttleState).toMatchObject({ calls: 6, failures: 6, slow: 0, lookBackMinutes: 5 });
    const { json } = await office.get(`/api/console/campaigns/${office.world.campaignId}/flow`);
    expect(json.warnings.find((warning: { kind: string }) => warning.kind === 'throttled')).toMatchObject({
      tierIds: [tierId],
      mark: 'Throttled',
    });
    expect((await office.change('buyerTier', tierId, { throttle: { ...THROTTLE, sharePercent: 50 } })).statusCode).toBe(200);
    await bothKnow(false);
    expect((await one()).throttleState).toBeNull();
    for (const wrong of [
      { ...THROTTLE, sharePercent: 100 },
      { sharePercent: 10, lookBackMinutes: 5 },
      { ...THROTTLE, slow: { afterMs: 5 } },
    ])
      expect((await office.change('buyerTier', tierId, { throttle: wrong })).statusCode).toBe(400);
    expect((await office.change('buyerTier', tierId, { throttle: null })).statusCode).toBe(200);
    // What was counted before may still be on its way.
    await expect
      .poll(async () => {
        await node.pool.query('delete from breaker_minute');
        await new Promise((resolve) => setTimeout(resolve, 250));
        return (await node.pool.query('select 1 from breaker_minute')).rowCount;
      })
      .toBe(0);
    const leads = await send(12);
    expect((await asked(leads)).size).toBe(12);
    expect((await node.pool.query('select 1 from breaker_minute where buyer_tier_id = $1', [tierId])).rows).toEqual([]);
  });
});
