/** engine §3: whoever was outbid is told so after the sale; the publisher waits for none of it, and nothing is counted by it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EndpointConfig } from '#contract/endpoint.ts';
import type { LeadView } from '#contract/lead.ts';
import { newId } from '#server/kit/ids.ts';
import { AT_ONCE_EACH, openNoticeSender, WAITING_EACH } from '#server/notice/notice-sender.ts';
import { type ScriptedAnswer, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { metricOf } from '#test/harness/metrics.ts';
import { startNode, startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice } from '#test/harness/office.ts';
import { jsonEndpoint, LEAD } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let winner: ScriptedBuyer;
let loser: ScriptedBuyer;

beforeAll(async () => {
  node = await startTestWorld();
  [winner, loser] = [await startBuyer(), await startBuyer()];
});
afterAll(async () => {
  await node.stop();
  await Promise.all([winner.close(), loser.close()]);
});

const bids =
  (price: string, notice: ScriptedAnswer = { status: 204 }) =>
  ({ path }: { path: string }): ScriptedAnswer =>
    path === '/lost' ? notice : { body: JSON.stringify({ result: 'accepted', price, id: `B-${price}` }) };
beforeEach(() => {
  winner.answer(bids('30.00'));
  loser.answer(bids('20.00'));
});

const field = (name: string) => ({ to: name, from: { kind: 'field', field: name } }) as const;
const system = (to: string, name: 'leadId' | 'bid' | 'leg' | 'winningPrice') => ({ to, from: { kind: 'system', name } }) as const;
const withNotice = (url: string, more: EndpointConfig['post']['body'] extends infer _ ? object[] : never = []): EndpointConfig => ({
  ...jsonEndpoint(url, 'pingPost'),
  lost: {
    url: `${url}/lost`,
    method: 'POST',
    body: {
      format: 'json',
      mapping: [
        ...[system('lead', 'leadId'), system('bid', 'bid'), system('leg', 'leg'), field('email'), field('state')],
        { to: 'ref', from: { kind: 'capture', name: 'id' } },
        ...(more as []),
      ],
    },
  },
});
const TIER = { delivery: 'pingPost' as const, price: { kind: 'bid' as const } };
const open = (more: object = {}, loserMore: object = {}): Promise<Office> =>
  openOffice(node, winner, {
    groups: [
      {
        mode: 'auction',
        tiers: [
          { url: winner.url, buyer: 'Winner', endpoint: withNotice(winner.url), ...TIER, ...more },
          { url: loser.url, buyer: 'Loser', endpoint: withNotice(loser.url), ...TIER, ...loserMore },
        ],
      },
    ],
  });
const told = (buyer: ScriptedBuyer) => buyer.calls.filter(({ path }) => path === '/lost');
const noticeOf = async (leadId: string) => (await node.pool.query('select * from loss_notice where lead_id = $1', [leadId])).rows;
const ended = (leadId: string) => expect.poll(async () => (await noticeOf(leadId))[0]?.outcome ?? null, { timeout: 6_000 }).not.toBeNull();
const view = async (office: Office, leadId: string): Promise<LeadView> => (await office.get(`/api/console/leads/${leadId}`)).json.lead;

describe('engine §3: a loss notice', () => {
  it('H3: tells the buyer that was outbid, by its ping’s reference and with nothing of the person, and the winner nothing', async () => {
    const office = await open();
    const [before, beforeWinner] = [told(loser).length, told(winner).length];
    const answer = await office.lead('outbid1@example.com');
    expect(answer.json.status).toBe('accepted');
    const { leadId } = answer.json;
    await ended(leadId);
    expect(told(loser).length).toBe(before + 1);
    expect(told(winner).length).toBe(beforeWinner);
    expect(JSON.parse(told(loser).at(-1)!.body)).toEqual({
      lead: leadId,
      bid: '20.00',
      leg: 'lost',
      email: '',
      state: 'NY',
      ref: 'B-20.00',
    });
    expect(await noticeOf(leadId)).toMatchObject([{ outcome: 'told', bid: '20.0000', winning: '30.0000', status_code: 204 }]);
    expect(await metricOf(node.url, 'sluice_notices_total', { outcome: 'told' })).toBe(1);
    const lead = await view(office, leadId);
    expect(lead.attemptList.map(({ leg, outcome, buyerName }) => [leg, outcome, buyerName])).toEqual([
      ['ping', 'bid', 'Winner'],
      ['ping', 'bid', 'Loser'],
      ['post', 'sold', 'Winner'],
      ['lost', 'told', 'Loser'],
    ]);
    expect(lead.verdicts.find((one) => one.buyerName === 'Loser')!.text).toBe(
      'Outbid: it bid USD 20.00, another buyer bought for USD 30.00. It was told that it lost.',
    );
    const { rows } = await node.pool.query('select leg from attempt where lead_id = $1', [leadId]);
    expect(rows.map((row) => row.leg).sort()).toEqual(['ping', 'ping', 'post']);
  });

  it('tells the highest bidder too, where its bid did not fit its money and another bought', async () => {
    const office = await open({ caps: [{ measure: 'money', period: 'overall', limit: 25_0000, timeZone: 'UTC' }] });
    const { leadId } = (await office.lead('too-much@example.com')).json;
    await ended(leadId);
    expect(await noticeOf(leadId)).toMatchObject([{ outcome: 'told', bid: '30.0000', winning: '20.0000' }]);
    const { text } = (await view(office, leadId)).verdicts.find((one) => one.buyerName === 'Winner')!;
    expect(text).toMatch(/money cap.* more does not fit\. It was told that it lost\.$/);
  });

  it('tells no buyer that has the lead by another of its tiers, held as well as bought', async () => {
    const tier = (buyer: string, url: string, more: object = {}) => ({ url, buyer, endpoint: withNotice(url), ...TIER, ...more });
    const small = [{ measure: 'money', period: 'overall', limit: 21_0000, timeZone: 'UTC' }];
    const office = await openOffice(node, winner, {
      maxSales: 2,
      groups: [
        {
          mode: 'auction',
          tiers: [
            tier('Winner', winner.url),
            tier('Loser', `${loser.url}/small`, { name: 'Small', caps: small }),
            tier('Loser', `${loser.url}/slow`, { name: 'Slow' }),
          ],
        },
      ],
    });
    let wasPinged = false;
    loser.answer(({ path }) => {
      if (path.startsWith('/small')) return { body: JSON.stringify({ result: 'accepted', price: '25.00', id: 'S' }) };
      if (wasPinged) return { body: JSON.stringify({ result: 'pending', id: 'P' }) };
      wasPinged = true;
      return { body: JSON.stringify({ result: 'accepted', price: '20.00', id: 'P' }) };
    });
    const { leadId } = (await office.lead('held-by-another@example.com')).json;
    const lead = await view(office, leadId);
    expect(lead.verdicts.map(({ buyerTierName, outcome }) => [buyerTierName, outcome])).toEqual(
      expect.arrayContaining([
        ['Small', 'filtered'],
        ['Slow', 'rejected'],
      ]),
    );
    expect([lead.sales.length, await noticeOf(leadId)]).toEqual([1, []]);
  });

  it('keeps the publisher waiting for nothing, and a notice that hangs or fails is told for what it is', async () => {
    loser.answer(bids('20.00', { delayMs: 1_500, status: 503 }));
    const office = await open();
    const startedAt = performance.now();
    const { leadId } = (await office.lead('outbid2@example.com')).json;
    expect(performance.now() - startedAt).toBeLessThan(1_400);
    expect((await view(office, leadId)).verdicts.find((one) => one.buyerName === 'Loser')!.text).toContain(
      'It is being told that it lost.',
    );
    await ended(leadId);
    const lead = await view(office, leadId);
    expect(lead.attemptList.at(-1)).toMatchObject({ leg: 'lost', outcome: 'untold', wire: { statusCode: 503 } });
    expect(lead.verdicts.find((one) => one.buyerName === 'Loser')!.text).toContain(
      'It could not be told that it lost: it answered with HTTP 503.',
    );
  });

  it('counts in no cap and no breaker, however often it fails', async () => {
    const breaker = { failurePercent: 1, minimumCalls: 5, lookBackMinutes: 5, pauseMinutes: 5 };
    const caps = [{ measure: 'sent', period: 'overall', limit: 100, timeZone: 'UTC' }];
    loser.answer(bids('20.00', { reset: true }));
    const office = await open({}, { breaker, caps });
    const tierId = office.world.tiers[1]!.buyerTierId;
    for (let at = 0; at < 6; at += 1) {
      const { leadId } = (await office.lead(`outbid3-${at}@example.com`)).json;
      await ended(leadId);
      expect((await noticeOf(leadId))[0].outcome).toBe('error');
    }
    await expect
      .poll(
        async () =>
          (
            await node.pool.query(
              'select sum(calls)::int as calls, sum(failures)::int as failures from breaker_minute where buyer_tier_id = $1',
              [tierId],
            )
          ).rows[0],
      )
      .toEqual({ calls: 6, failures: 0 });
    expect(node.breakers.of(office.world.organizationId).find(tierId)).toBeUndefined();
    const { rows } = await node.pool.query(`select used from counter where scope_id = $1`, [tierId]);
    expect(rows.map((row) => Number(row.used))).toEqual([6]);
  });

  it('says what the winner pays only where the tier allows it, and is not saved otherwise', async () => {
    const telling = withNotice(loser.url, [system('winning', 'winningPrice')]);
    const office = await open();
    const tierId = office.world.tiers[1]!.buyerTierId;
    const refused = await office.change('buyerTier', tierId, { endpoint: telling });
    expect([refused.statusCode, refused.json.code]).toEqual([400, 'endpoint_winning_price']);
    expect((await office.change('buyerTier', tierId, { endpoint: telling, tellWinningPrice: true })).statusCode).toBe(200);
    expect((await office.change('buyerTier', tierId, { tellWinningPrice: false })).json.code).toBe('endpoint_winning_price');
    const { leadId } = (await office.lead('outbid4@example.com')).json;
    await ended(leadId);
    expect(JSON.parse(told(loser).at(-1)!.body).winning).toBe('30.00');
    // However it came into the table: without the setting it is not told.
    await node.pool.query('update buyer_tier set tell_winning_price = false where id = $1', [tierId]);
    await node.planBook.reload(office.world.organizationId);
    const next = (await office.lead('outbid5@example.com')).json;
    await ended(next.leadId);
    expect(JSON.parse(told(loser).at(-1)!.body).winning).toBe('');
    const { ping } = jsonEndpoint(loser.url, 'pingPost');
    const early = { ...telling, ping: { ...ping, body: { format: 'json', mapping: [system('w', 'winningPrice')] } } };
    expect((await office.change('buyerTier', tierId, { endpoint: early, tellWinningPrice: true })).json.errors[0].message).toBe(
      'The winning price is known to a loss notice only.',
    );
  });

  it('nobody is told where nobody bought, where nobody bid, and where no notice is set up', async () => {
    winner.answer(({ path }) => (path === '/post' ? { body: '{"result":"rejected"}' } : bids('30.00')({ path })));
    loser.answer(({ path }) => (path === '/post' ? { body: '{"result":"rejected"}' } : bids('20.00')({ path })));
    const office = await open();
    const { leadId } = (await office.lead('outbid6@example.com')).json;
    expect(await noticeOf(leadId)).toEqual([]);
    winner.answer(bids('30.00'));
    const silent = await open({}, { endpoint: jsonEndpoint(loser.url, 'pingPost') });
    const sold = (await silent.lead('outbid7@example.com')).json;
    expect([sold.status, await noticeOf(sold.leadId)]).toEqual(['accepted', []]);
  });

  it('a bid that was offered at the publisher’s ping and not taken is told at its post', async () => {
    const office = await open();
    const auth = { authorization: `Bearer ${office.world.key}` };
    const ping = (await node.post('/api/v1/leads/ping', { ...LEAD, email: 'outbid8@example.com' }, auth)).json;
    expect(await noticeOf(ping.leadId ?? ping.pingId)).toEqual([]);
    const post = (await node.post('/api/v1/leads/post', { pingId: ping.pingId, ...LEAD, email: 'outbid8@example.com' }, auth)).json;
    expect(post.status).toBe('accepted');
    await ended(post.leadId);
    expect(JSON.parse(told(loser).at(-1)!.body)).toMatchObject({ lead: post.leadId, bid: '20.00', ref: 'B-20.00' });
  });

  it('a node that stops does not wait for buyers that hang, and claims to have told nobody that did not answer', async () => {
    const office = await open();
    const stopping = await startNode(node.database.url);
    await stopping.planBook.reload(office.world.organizationId);
    loser.answer(bids('20.00', { hang: true }));
    const before = told(loser).length;
    const auth = { authorization: `Bearer ${office.world.key}` };
    const { leadId } = (await stopping.post('/api/v1/leads', { ...LEAD, email: 'outbid10@example.com' }, auth)).json;
    await expect.poll(() => told(loser).length).toBe(before + 1);
    const began = performance.now();
    await stopping.close();
    expect(performance.now() - began).toBeLessThan(4_500);
    expect(['error', null]).toContain((await noticeOf(leadId))[0].outcome);
  });

  it('buyers that hang fill no node: what is too much is dropped, and its row says so', async () => {
    const office = await open();
    const organization = node.planBook.find(office.world.organizationId)!;
    const [leadId, buyerTierId] = [newId(), office.world.tiers[1]!.buyerTierId];
    await node.pool.query(
      `insert into loss_notice (organization_id, lead_id, buyer_tier_id, group_id, vertical_id, winning, due_at) values ($1, $2, $3, $4, $5, 30, now())`,
      [office.world.organizationId, leadId, buyerTierId, office.world.tiers[1]!.groupId, office.world.verticalId],
    );
    let calls = 0;
    const outbound = {
      call: () => {
        calls += 1;
        return new Promise<never>(() => {});
      },
      close: () => Promise.resolve(),
      underWay: () => 0,
    };
    const sender = openNoticeSender({ db: node.db, outbound, clock: Date.now, onError: () => {} });
    const seat = organization.publisherSeats.get(office.world.publisherTierId)!;
    const about = { organization, seat, campaign: undefined, fields: {}, test: false };
    const notice = { buyerTierId, groupId: office.world.tiers[1]!.groupId, bid: undefined, winning: 300_000, captures: {} };
    const many = Array.from({ length: AT_ONCE_EACH + WAITING_EACH }, () => notice);
    sender.send({ ...about, leadId: newId() }, many);
    sender.send({ ...about, leadId }, [notice]);
    await expect.poll(() => calls).toBe(AT_ONCE_EACH);
    await ended(leadId);
    expect((await noticeOf(leadId))[0].outcome).toBe('dropped');
    // Those of another organization do not wait behind them.
    sender.send({ ...about, organization: { ...organization, organizationId: newId() }, leadId: newId() }, [notice]);
    await expect.poll(() => calls).toBe(AT_ONCE_EACH + 1);
    await sender.close();
  });

  it('what a stopped node had not told stays untold, and the lead says so', async () => {
    const office = await open();
    const { leadId } = (await office.lead('outbid9@example.com')).json;
    await ended(leadId);
    await node.pool.query(
      `update loss_notice set outcome = null, started_at = null, wire = null, due_at = now() - interval '1 hour' where lead_id = $1`,
      [leadId],
    );
    const lead = await view(office, leadId);
    expect(lead.attemptList.at(-1)).toMatchObject({ leg: 'lost', outcome: 'dropped', wire: null });
    expect(lead.verdicts.find((one) => one.buyerName === 'Loser')!.text).toContain('It was not told that it lost');
  });

  it('stored secrets go to no address of a notice that they were not written for', async () => {
    const office = await open();
    const tierId = office.world.tiers[1]!.buyerTierId;
    expect((await office.change('buyerTier', tierId, { secrets: { token: 'tok-1234' } })).statusCode).toBe(200);
    const stranger = withNotice(loser.url);
    stranger.lost = { ...stranger.lost!, url: 'https://elsewhere.example/lost', auth: { kind: 'bearer', secret: 'token' } };
    expect((await office.change('buyerTier', tierId, { endpoint: stranger })).json.code).toBe('endpoint_secrets_needed');
    const tried = await office.post('/api/console/endpoint/test-call', {
      verticalId: office.world.verticalId,
      tierId,
      endpoint: stranger,
      leg: 'lost',
      lead: LEAD,
    });
    expect(tried.json.code).toBe('endpoint_secrets_needed');
  });

  it('is previewed and tried like any call', async () => {
    const office = await open();
    const asked = {
      verticalId: office.world.verticalId,
      endpoint: withNotice(loser.url, [system('w', 'winningPrice')]),
      leg: 'lost',
      lead: LEAD,
    };
    const { json } = await office.post('/api/console/endpoint/preview', asked);
    expect(JSON.parse(json.request.body)).toMatchObject({ leg: 'lost', email: '', state: 'NY', w: '25.00' });
    expect((await office.post('/api/console/endpoint/test-call', asked)).json).toMatchObject({
      response: { statusCode: 204 },
      reading: { outcome: 'accepted' },
    });
    expect((await office.post('/api/console/endpoint/preview', { ...asked, endpoint: jsonEndpoint(loser.url, 'post') })).json.code).toBe(
      'endpoint_lost_missing',
    );
  });
});
