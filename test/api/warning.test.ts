/** console §2, flow-control: what is wrong now is judged once, for each seat of the picture and for the overview alike. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LeadView, OverviewAnswer } from '#contract/lead.ts';
import type { FlowAnswer } from '#contract/tree.ts';
import type { Warning } from '#contract/warning.ts';
import { openUnmappedCounter } from '#server/unmapped/count-unmapped.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, dollars, jsonEndpoint, LEAD, type World, type WorldSpec } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const UTC = { timeZone: 'UTC' };
const SHUT = { ...UTC, week: [[], [], [], [], [], [], []] as [[], [], [], [], [], [], []] };
const today = new Date().toISOString().slice(0, 10);
const day = { measure: 'sold', period: 'day', ...UTC } as const;

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let count = 0;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

async function build(spec: WorldSpec): Promise<World & { cookie: string }> {
  const world = await buildWorld(node.db, spec);
  await node.planBook.reload(world.organizationId);
  const user = await buildUser(node.db, world.organizationId);
  const answer = await node.post('/team-login', { email: user.email, password: user.password }, OWN_PAGE);
  return { ...world, cookie: answer.headers.get('set-cookie')!.split(';')[0]! };
}
type Built = Awaited<ReturnType<typeof build>>;

const read = async <T>(world: Built, path: string): Promise<T> =>
  (await fetch(node.url + path, { headers: { ...OWN_PAGE, cookie: world.cookie } })).json() as Promise<T>;
const flow = async (world: Built) => (await read<FlowAnswer>(world, `/api/console/campaigns/${world.campaignId}/flow`)).warnings;
const overview = async (world: Built) => (await read<OverviewAnswer>(world, '/api/console/overview?region=us&vertical=payday')).warnings;
const set = async (world: Built, table: string, id: string, column: string, value: unknown) => {
  await node.pool.query(`update ${table} set ${column} = $1 where organization_id = $2 and id = $3`, [value, world.organizationId, id]);
  await node.planBook.reload(world.organizationId);
};
const post = (world: Built) => {
  count += 1;
  return node.post('/api/v1/leads', { ...LEAD, email: `w${count}@example.com` }, { authorization: `Bearer ${world.key}` });
};
const said = (warnings: Warning[]) => warnings.map(({ kind, mark, text }) => [kind, mark, text]);
const tier = (name: string, more: object = {}) => ({ url: buyer.url, buyer: 'Acme', name, ...more });
const one = (...tiers: ReturnType<typeof tier>[]): WorldSpec => ({ groups: [{ mode: 'priority', tiers }] });

describe('console §2, §4: seats that take nothing because they are set so', () => {
  it('a buyer tier: paused, its buyer paused, a pause date that holds today, no hours today, each said once', async () => {
    const pauseDates = { ...UTC, days: [{ from: today, to: today, note: 'Stock-taking' }] };
    const world = await build(
      one(
        tier('Off', { status: 'paused', hours: SHUT }),
        tier('Away', { pauseDates, hours: SHUT }),
        tier('Shut', { hours: SHUT }),
        tier('Open', { pauseDates: { ...UTC, days: [{ from: '2020-01-01', to: '2020-01-02' }] } }),
        tier('Behind', { buyer: 'Sleeper' }),
      ),
    );
    await set(world, 'buyer', world.tiers[4]!.buyerId, 'status', 'paused');
    const expected = [
      ['pauseDate', 'Pause date', `Acme, Away is paused by its dates on ${today} (Stock-taking).`],
      ['closedToday', 'No hours today', 'Acme, Shut has no hours today.'],
      ['paused', 'Paused', 'Acme, Off is paused.'],
      ['paused', 'Buyer paused', 'Sleeper, Behind gets nothing because its buyer is paused.'],
    ];
    expect(said(await flow(world))).toEqual(expected);
    expect(await overview(world)).toEqual(await flow(world));
    expect((await flow(world)).map(({ tierIds }) => tierIds)).toEqual([1, 2, 0, 4].map((at) => [world.tiers[at]!.buyerTierId]));
  });

  it('a publisher tier: paused, its publisher archived, pause date, no hours, cap of 0, no posting key in force', async () => {
    const world = await build(one(tier('Taker')));
    const seat = (column: string, value: unknown) => set(world, 'publisher_tier', world.publisherTierId, column, value);
    const says = async () => said(await flow(world));
    expect(await says()).toEqual([]);
    await node.pool.query(`update posting_key set expires_at = now() - interval '1 minute' where publisher_tier_id = $1`, [
      world.publisherTierId,
    ]);
    expect(await says()).toEqual([
      ['noKey', 'No posting key', 'Publisher One, Main seat has no posting key in force: nobody can post to it.'],
    ]);
    await node.pool.query(`update posting_key set expires_at = now() + interval '1 hour' where publisher_tier_id = $1`, [
      world.publisherTierId,
    ]);
    await seat('hours', JSON.stringify(SHUT));
    await seat('caps', JSON.stringify([{ ...day, limit: 0 }]));
    expect(await says()).toEqual([
      ['capFull', 'Daily cap of 0', 'Publisher One, Main seat: daily sold cap is 0, so nothing passes.'],
      ['closedToday', 'No hours today', 'Publisher One, Main seat has no hours today.'],
    ]);
    await seat('pause_dates', JSON.stringify({ ...UTC, days: [{ from: '2020-01-01', to: '2999-12-31' }] }));
    expect((await says())[1]).toEqual([
      ...['pauseDate', 'Pause date'],
      'Publisher One, Main seat is paused by its dates from 2020-01-01 to 2999-12-31.',
    ]);
    await seat('status', 'paused');
    expect(await says()).toEqual([['paused', 'Paused', 'Publisher One, Main seat is paused: its leads are refused.']]);
    await set(world, 'publisher', world.publisherId, 'status', 'archived');
    const archived = 'Publisher One, Main seat: leads are refused because its publisher is archived.';
    expect(await says()).toEqual([['paused', 'Publisher archived', archived]]);
    expect(await overview(world)).toEqual(await flow(world));
    // What the warning says is so.
    expect((await post(world)).json.status).toBe('rejected');
  });

  it('a fixed price under the campaign’s floor, which no sale would ever reach; one at the floor, a bid and a paused tier are none', async () => {
    const world = await build(
      one(
        tier('Cheap', { price: { kind: 'fixed', price: dollars(4.5) } }),
        tier('Fair', { price: { kind: 'fixed', price: dollars(5) } }),
        tier('Bidder', { delivery: 'pingPost', price: { kind: 'bid' } }),
        tier('Off', { status: 'paused', price: { kind: 'fixed', price: dollars(1) } }),
      ),
    );
    await set(world, 'campaign', world.campaignId, 'floor', '5.0000');
    expect(said(await flow(world))).toEqual([
      ...[
        ['underFloor', 'Under the floor', 'Acme, Cheap never buys from Main campaign: its price of USD 4.50 is under the floor of 5.00.'],
      ],
      ['paused', 'Paused', 'Acme, Off is paused.'],
    ]);
    expect(await overview(world)).toEqual(await flow(world));
  });

  it('a paused campaign and a paused service that a seat asks, with the seats that feel it', async () => {
    const world = await build({
      services: { 'Phone check': { url: buyer.url, status: 'paused' } },
      ...one(tier('Careful', { thirdParty: { service: 'Phone check' } })),
    });
    await set(world, 'campaign', world.campaignId, 'status', 'paused');
    const warnings = await flow(world);
    expect(said(warnings)).toEqual([
      ['paused', 'Campaign paused', 'The campaign Main campaign is paused: every lead posted to it is refused.'],
      ['paused', 'Service paused', 'The third-party service Phone check is paused: Careful lets no lead through.'],
    ]);
    expect(warnings.map(({ tierIds }) => tierIds)).toEqual([[], [world.tiers[0]!.buyerTierId]]);
  });
});

describe('console §4: caps', () => {
  it('a cap of 0 and one that is used up, of a tier and of the buyer behind it; a buyer’s is felt by all its tiers', async () => {
    const world = await build({
      ...one(
        tier('Zero', { caps: [{ ...day, limit: 0 }], buyerCaps: [{ ...day, measure: 'sold', period: 'overall', limit: 1 }] }),
        tier('Taker'),
        tier('Rich', { buyer: 'Other', caps: [{ ...day, measure: 'money', limit: dollars(15) }] }),
      ),
    });
    const zero = ['capFull', 'Daily cap of 0', 'Acme, Zero: daily sold cap is 0, so nothing passes.'];
    // Its price is 20: not one lead fits.
    const rich = [
      ...['capFull', 'Daily cap used up'],
      expect.stringMatching(/^Other, Rich: daily money cap at USD 0\.00 of USD 15\.00, too little for one more; starts again .+ UTC\.$/),
    ];
    expect(said(await flow(world))).toEqual([zero, rich]);
    expect((await post(world)).json.status).toBe('accepted');
    const warnings = await flow(world);
    expect(said(warnings)).toEqual([zero, ['capFull', 'Buyer’s overall cap used up', 'Acme: overall sold cap at 1 of 1.'], rich]);
    expect(warnings[1]!.tierIds).toEqual([world.tiers[0]!.buyerTierId, world.tiers[1]!.buyerTierId]);
    expect((await post(world)).json.status).toBe('rejected');
  });
});

describe('console §2: unreachable', () => {
  it('one call that got no answer is enough, and an answer is enough to be reachable again', async () => {
    const dead = await startBuyer();
    await dead.close();
    const world = await build(one({ ...tier('Gone'), url: dead.url }, tier('Taker', { buyer: 'Other' })));
    await post(world);
    expect(said(await flow(world))).toEqual([
      ['unreachable', 'Unreachable', 'Acme, Gone has not answered the only attempt in the last 10 minutes.'],
    ]);
    expect(await overview(world)).toEqual(await flow(world));
    await post(world);
    expect(said(await flow(world))).toEqual([
      ['unreachable', 'Unreachable', 'Acme, Gone has not answered one of 2 attempts in the last 10 minutes.'],
    ]);
  });

  it('who answered before and not the last time is told as well; the lead says who could not be reached, the publisher hears no more of it', async () => {
    const there = await startBuyer(() => REJECT);
    const world = await build(one({ ...tier('Gone'), url: there.url }));
    await post(world);
    expect(await flow(world)).toEqual([]);
    await there.close();
    const { json } = await post(world);
    expect(said(await flow(world))).toEqual([['unreachable', 'Unreachable', 'Acme, Gone gave no answer at its last attempt.']]);
    expect(json).toMatchObject({ status: 'rejected', reason: 'buyer-all-tier-failed', msg: 'No buyer bought.' });
    const { lead } = await read<{ lead: LeadView }>(world, `/api/console/leads/${json.leadId}`);
    expect(lead.why).toBe('No buyer bought: the one buyer tier that was asked gave no answer.');
    expect(lead.verdicts).toMatchObject([
      { outcome: 'terrors', isAnswered: false, text: 'The buyer could not be reached: connection refused.' },
    ]);
    expect(lead.attemptList).toMatchObject([{ outcome: 'terrors', isAnswered: false, reasons: ['connection refused'] }]);
  });
});

describe('console §2: a campaign’s picture', () => {
  it('a tier that only the draft seats is judged, too', async () => {
    const world = await build(one(tier('Taker'), tier('Waiting', { caps: [{ ...day, limit: 0 }] })));
    const [taker, waiting] = world.tiers;
    await node.pool.query('delete from group_member where buyer_tier_id = $1', [waiting!.buyerTierId]);
    await node.planBook.reload(world.organizationId);
    expect(await flow(world)).toEqual([]);
    const groups = [{ name: 'Only', mode: 'priority', members: [taker, waiting].map((one) => ({ buyerTierId: one!.buyerTierId })) }];
    const { state } = await read<{ state: string }>(world, `/api/console/campaigns/${world.campaignId}/tree`);
    const path = `/api/console/campaigns/${world.campaignId}/draft`;
    expect((await node.post(path, { groups, state }, { ...OWN_PAGE, cookie: world.cookie })).statusCode).toBe(200);
    expect((await flow(world)).map(({ mark, tierIds }) => [mark, tierIds])).toEqual([['Daily cap of 0', [waiting!.buyerTierId]]]);
    // Nothing of a draft is wrong with what is live.
    expect(await overview(world)).toEqual([]);
  });

  it('says nothing of tiers of other campaigns, and counts leads into groups and tiers', async () => {
    const world = await build(one(tier('Taker')));
    const { rows } = await node.pool.query(
      `insert into campaign (organization_id, id, vertical_id, name, margin, max_sales, time_limit_ms)
       select organization_id, gen_random_uuid(), vertical_id, 'Another', margin, max_sales, time_limit_ms from campaign where id = $1 returning id`,
      [world.campaignId],
    );
    await set(world, 'buyer_tier', world.tiers[0]!.buyerTierId, 'status', 'paused');
    const other = await read<FlowAnswer>(world, `/api/console/campaigns/${rows[0].id}/flow`);
    expect(other.warnings).toEqual([]);
    await set(world, 'buyer_tier', world.tiers[0]!.buyerTierId, 'status', 'active');
    for (let n = 0; n < 2; n++) await post(world);
    const { groups, buyerTiers } = await read<FlowAnswer>(world, `/api/console/campaigns/${world.campaignId}/flow`);
    expect(groups).toEqual([{ _id: world.tiers[0]!.groupId, leads: 2 }]);
    expect(buyerTiers).toMatchObject([{ _id: world.tiers[0]!.buyerTierId, leads: 2, sold: 2 }]);
  });
});

describe('wire-quirks 33: values that a buyer’s mapping does not know', () => {
  const map = { values: { CA: 'California' } };
  const mapped = (to: string, field: string, more: object) => ({ to, from: { kind: 'field', field } as const, ...more });
  const endpoint = (...rows: ReturnType<typeof mapped>[]) => jsonEndpoint(buyer.url, 'post', rows);

  it('are counted and warned of until the tier is changed; what a default or nothing stands for is not', async () => {
    const world = await build(
      one(
        tier('Strict', {
          endpoint: endpoint(
            mapped('Region', 'state', { map }),
            mapped('Band', 'monthly_income', { format: [{ kind: 'range', bands: [{ to: 100, label: 'A' }] }] }),
          ),
        }),
        tier('Lenient', { endpoint: endpoint(mapped('Region', 'state', { map: { ...map, otherwise: 'Elsewhere' } })) }),
      ),
    );
    const [strict] = world.tiers.map(({ buyerTierId }) => buyerTierId);
    const says = async () => said(await flow(world)).filter(([kind]) => kind === 'unmapped');
    buyer.answer(() => REJECT);
    expect(await says()).toEqual([]);
    const sent = [await post(world), await post(world)];
    expect(sent.map(({ json }) => json.status)).toEqual(['rejected', 'rejected']);
    const counted = () => node.pool.query('select target, sends from unmapped_value where buyer_tier_id = $1 order by target', [strict]);
    await expect
      .poll(async () => (await counted()).rows, { timeout: 10_000 })
      .toEqual([
        { target: 'Band', sends: 2 },
        { target: 'Region', sends: 2 },
      ]);
    const [[, mark, text]] = (await says()) as [string[]];
    expect(mark).toBe('Unmapped values');
    expect(text).toMatch(
      /^Acme, Strict was sent 4 values that its mapping does not know, since .+ UTC, for Band, Region\. The request of a lead shows it; /,
    );
    expect(await overview(world)).toEqual(await flow(world));

    // Somebody has seen to it; what is sent now counts anew.
    await node.pool.query(`update buyer_tier set updated_at = clock_timestamp() where id = $1`, [strict]);
    expect(await says()).toEqual([]);
    await post(world);
    await expect.poll(async () => (await counted()).rows.map((row) => row.sends), { timeout: 10_000 }).toEqual([1, 1]);
    // What went out before the tier was put right is no news because it is written afterwards; two words of one request are one send.
    const [beforehand] = (await node.pool.query('select updated_at from buyer_tier where id = $1', [strict])).rows;
    let now = beforehand.updated_at.getTime() + 1_000;
    const later = openUnmappedCounter({ db: node.db, clock: () => now, onError: () => {} });
    const unknown = { code: 'unmapped-value', at: 'Band' } as const;
    later.count(world.organizationId, strict!, [unknown, unknown]);
    now += 60_000;
    await node.pool.query(`update buyer_tier set updated_at = $2 where id = $1`, [strict, new Date(now - 1)]);
    await node.pool.query('delete from unmapped_value where buyer_tier_id = $1', [strict]);
    await later.close();
    expect((await counted()).rows).toEqual([{ target: 'Band', sends: 1 }]);
    expect(await says()).toEqual([]);
    await node.pool.query('update buyer_tier set updated_at = $2 where id = $1', [strict, beforehand.updated_at]);
    // A day without one is a day without the warning.
    await node.pool.query(`update unmapped_value set last_at = now() - interval '25 hours' where buyer_tier_id = $1`, [strict]);
    expect(await says()).toEqual([]);
    buyer.answer(() => ACCEPT);
  });
});
