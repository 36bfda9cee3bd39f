import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpointAdvice } from '#contract/endpoint.advice.ts';
import { endpointConfig } from '#contract/endpoint.ts';
import type { BuyerCall } from '#engine/effect.ts';
import { type CharacterName, characterNames } from '#server/market/characters.ts';
import { endpointFor, type MarketVertical, verticalFields } from '#server/market/endpoints.ts';
import { readLedger } from '#server/market/ledger.ts';
import { type Market, startMarket } from '#server/market/market.ts';
import { serviceEndpointFor } from '#server/market/services.ts';
import { simulateDelivery } from '#server/market/simulate-delivery.ts';
import { compileTier, type Delivery, deliver, type TierWire } from './deliver.ts';
import { createOutbound } from './outbound.ts';
import { parseAllowList } from './outbound-address.ts';
import type { LeadValues } from './wire.ts';

const verticals: MarketVertical[] = ['payday', 'auto', 'mortgage'];
const directory = mkdtempSync(join(tmpdir(), 'market-'));
const ledgerPath = join(directory, 'ledger.jsonl');
const outbound = createOutbound({ allow: parseAllowList('127.0.0.1') });
let market: Market;

beforeAll(async () => {
  market = await startMarket({ port: 0, seed: 'test', pace: 0, ledgerPath });
});
afterAll(async () => {
  await outbound.close();
  await market.close();
  rmSync(directory, { recursive: true });
});

const states = ['CA', 'tx', 'FL', 'OH', 'WA', 'NY'];
function leadOf(n: number): LeadValues {
  return {
    ...{
      first_name: `Ann${n}`,
      last_name: "O'Neil & <Sons>",
      email: `ann${n}@example.com`,
      phone: `+1555${String(1_000_000 + n)}`,
      state: states[n % 6]!,
      zip: '01234',
    },
    ...{
      date_of_birth: '1980-02-09',
      monthly_income: String(1800 + n * 37),
      loan_amount: '500',
      employer: 'A&B',
      bank_name: 'Ü "Bank"',
      routing_number: '021000021',
    },
    ...{
      vehicle_year: 2005 + (n % 18),
      vehicle_make: 'Ford',
      vehicle_model: 'F|150',
      current_insurer: 'None',
      property_value: 300_000 + n,
      mortgage_balance: 1000,
      credit_rating: n % 5 ? 'Good' : 'Poor',
      property_type: 'Condo',
    },
  };
}
const tierOf = (character: CharacterName, vertical: MarketVertical = 'payday', buyerSlug = 'acme'): TierWire =>
  compileTier(endpointFor(character, { baseUrl: market.baseUrl, buyerSlug, vertical }), `${character}-${buyerSlug}`);
const contextOf = (n: number) => ({ now: 1_700_000_000_000, leadId: `lead-${n}` });

type Ask = (tier: TierWire, call: BuyerCall, n: number) => Promise<Delivery> | Delivery;
/** Ping, then post with what the ping captured; or the post alone. */
async function sell(ask: Ask, tier: TierWire, n: number): Promise<Delivery> {
  const post: BuyerCall = { buyerTierId: 't', leg: 'post', timeoutMs: 400 };
  if (!tier.ping) return ask(tier, post, n);
  const bid = await ask(tier, { ...post, leg: 'ping' }, n);
  if (bid.answer.outcome !== 'accepted') return bid;
  return ask(tier, { ...post, captures: bid.answer.captures, ...(bid.answer.price === undefined ? {} : { price: bid.answer.price }) }, n);
}
const overWire: Ask = (tier, call, n) => deliver(outbound, tier, call, leadOf(n), contextOf(n));
const simulated =
  (character: CharacterName, seed = 'test', buyerSlug = 'acme'): Ask =>
  (tier, call, n) =>
    simulateDelivery({ character, buyerSlug, seed }, tier, call, leadOf(n), contextOf(n));

describe.each(characterNames)('%s', (character) => {
  test.each(verticals)('its %s endpoint is one that can be saved, of fields the vertical has', (vertical) => {
    const endpoint = endpointFor(character, { baseUrl: 'https://market.example', buyerSlug: 'acme', vertical });
    expect(endpointConfig.parse(endpoint)).toEqual(endpoint);
    expect(endpointAdvice(endpoint, [...verticalFields[vertical].ping, ...verticalFields[vertical].post])).toEqual([]);
  });

  test('buys some and refuses some, always with a price, a reason or a fault to show', async () => {
    const seen = new Set<string>();
    for (let n = 0; n < 300; n++) {
      const { answer, wire } = await sell(simulated(character), tierOf(character, verticals[n % 3]), n);
      seen.add(answer.outcome);
      if (answer.outcome === 'accepted')
        expect([answer.price! > 0, answer.redirectUrl]).toEqual([
          true,
          expect.stringMatching(/^https:\/\/offers\.example\/apply\/\w+\?src=partner&step=1$/),
        ]);
      if (answer.outcome === 'rejected') expect(answer.reasons).not.toEqual([]);
      if (answer.outcome === 'error') expect([character, wire.failure?.why ?? wire.response!.status]).toEqual(['flaky', expect.anything()]);
    }
    expect([...seen]).toEqual(expect.arrayContaining(['accepted', 'rejected', 'duplicate'].slice(0, character === 'bidder' ? 2 : 3)));
  });

  test('decides by seed, buyer and lead alone', async () => {
    const answers = async (ask: Ask) =>
      Promise.all(Array.from({ length: 40 }, async (_, n) => (await sell(ask, tierOf(character), n)).answer));
    const first = await answers(simulated(character));
    expect(await answers(simulated(character))).toEqual(first);
    expect(await answers(simulated(character, 'other seed'))).not.toEqual(first);
    expect(await answers(simulated(character, 'test', 'other-buyer'))).not.toEqual(first);
  });
});

test('over HTTP the market says what the simulation says, and its books agree with what we were told', async () => {
  const told = new Map<string, number>();
  for (const character of characterNames) {
    for (let n = 0; n < 25; n++) {
      const { answer } = await sell(overWire, tierOf(character), n);
      const expected = (await sell(simulated(character), tierOf(character), n)).answer;
      // Without its delays the market is never too slow; only silence is.
      if (expected.outcome !== 'timeout')
        expect([character, n, { ...answer, elapsedMs: 0, expiresAt: 0 }]).toEqual([
          character,
          n,
          { ...expected, elapsedMs: 0, expiresAt: 0 },
        ]);
      if (answer.outcome === 'accepted') told.set(`${character} lead-${n}`, answer.price!);
    }
  }
  const books = new Map(
    readLedger(ledgerPath).map((line) => [`${line.character} ${line.leadId}`, Math.round(Number(line.price) * 10_000)]),
  );
  for (const [sale, price] of told) expect([sale, books.get(sale)]).toEqual([sale, price]);
  for (const sale of books.keys()) expect(told.has(sale) || sale.startsWith('flaky ')).toBe(true);
}, 20_000);

test('the phone check refuses some numbers, always the same ones, over HTTP as in the simulation', async () => {
  const wire = compileTier(serviceEndpointFor('phoneCheck', { baseUrl: market.baseUrl, slug: 'acme' }), 'service');
  const call: BuyerCall = { buyerTierId: 'service', leg: 'post', timeoutMs: 400 };
  const seen = new Map<string, number>();
  for (let n = 0; n < 120; n++) {
    const { answer } = await deliver(outbound, wire, call, leadOf(n), contextOf(n));
    const again = simulateDelivery(
      { character: 'phoneCheck', buyerSlug: 'acme', seed: 'test' },
      wire,
      call,
      leadOf(n),
      contextOf(n),
    ).answer;
    expect([n, answer.outcome, answer.reasons]).toEqual([n, again.outcome, again.reasons]);
    if (answer.outcome === 'rejected') expect(answer.reasons).not.toEqual([]);
    seen.set(answer.outcome, (seen.get(answer.outcome) ?? 0) + 1);
  }
  expect(seen.get('rejected')).toBeGreaterThan(0);
  expect(seen.get('accepted')).toBeGreaterThan(90);
});

test('the slow one is slow, as much as it is told to be', async () => {
  const slow: Ask = (tier, call, n) =>
    simulateDelivery({ character: 'slow', buyerSlug: 'acme', seed: 1, slowMs: [500, 600] }, tier, call, leadOf(n), contextOf(n));
  expect((await sell(slow, tierOf('slow'), 1)).answer).toMatchObject({ outcome: 'timeout', sent: true, elapsedMs: 400 });
});

test('what nobody asked for is not found, what cannot be read is an error', async () => {
  const post = (path: string, body: string, type = 'application/json') =>
    fetch(`${market.baseUrl}${path}`, { method: 'POST', body, headers: { 'content-type': type } }).then((response) => response.status);
  expect(await post('/nobody/acme/post', '{}')).toBe(404);
  expect(await post('/generous/acme/post/more', '{}')).toBe(404);
  expect(await post('/generous/acme/post', '{')).toBe(400);
  expect(await post('/xmlOnly/acme/post', '{}')).toBe(400);
  expect((await fetch(`${market.baseUrl}/generous/acme/post`)).status).toBe(405);
});
