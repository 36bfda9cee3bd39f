/** Decision 0018: whatever happens, in whatever order, at once and again, every balance is the sum of its entries, and every sale comes to nothing. */
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditBooks } from '#test/harness/books.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';
import { dollars, type TierSpec } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let other: TestNode;
let buyer: ScriptedBuyer;
let client: pg.Client;

beforeAll(async () => {
  node = await startTestWorld();
  other = await startNode(node.database.url);
  // What a consumer's first name says is what the buyer answers.
  buyer = await startBuyer(({ body }) => {
    const { first_name } = JSON.parse(body) as { first_name: string };
    const [result, price] = first_name.split(' ');
    return { body: JSON.stringify({ result, price, id: `B-${price}` }) };
  });
  client = new pg.Client({ connectionString: node.database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await other.close();
  await node.stop();
  await buyer.close();
});

const price = fc.integer({ min: 1, max: 4_000_000 }).map((amount) => (amount / 10_000).toFixed(4));
const signed = fc.tuple(fc.boolean(), price).map(([minus, amount]) => (minus ? `-${amount}` : amount));
const place = fc.nat(9);
const deed = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      says: fc.constantFrom('accepted', 'accepted', 'pending', 'rejected'),
      price,
      test: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('return' as const),
      place,
      index: fc.nat(1),
      amount: fc.option(fc.constantFrom('0.0001', '0.3333', '20')),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const), place, tier: fc.nat(1), bought: fc.boolean(), price }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('postback' as const), place, tier: fc.nat(1), sold: fc.boolean(), price: fc.option(price) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('enter' as const),
      buyer: fc.boolean(),
      kind: fc.constantFrom('payment', 'adjustment'),
      amount: signed,
    }),
  },
);
type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never;

it('D7: the books add up after any mix of sales, returns, settlements, adjustments and payments, at once and repeated, over two nodes', async () => {
  let settled = 0;
  let returned = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(deed, { minLength: 3, maxLength: 10 }), { minLength: 5, maxLength: 9, size: 'max' }),
      async (rounds) => {
        const caps = [{ measure: 'money', period: 'overall', limit: dollars(100_000), timeZone: 'UTC' } as const];
        const tier = (name: string): TierSpec => ({ url: buyer.url, buyer: name, price: { kind: 'bid' }, caps });
        const here = await openOffice(node, buyer, {
          groups: [{ mode: 'priority', tiers: [tier('Ann'), tier('Bob')] }],
          maxSales: 2,
          priceModel: { kind: 'share', sharePercent: 66.6667 },
        });
        await other.planBook.reload(here.world.organizationId);
        const offices = [here, await signIn(other, here.world)];
        const addresses = await Promise.all(
          here.world.tiers.map(async (one) => (await here.get(`/api/console/buyer-tiers/${one.buyerTierId}/postback`)).json.path),
        );
        const leads: string[] = [];
        let consumer = 0;
        for (const round of rounds) {
          // Each is done twice at once, on either node.
          const answers = await Promise.all(
            round.flatMap((one) => offices.map((office) => act(office, addresses, leads, one, () => `c${consumer++}@example.com`))),
          );
          for (const { deed: done, leadId, statusCode } of answers) {
            expect([done.do, statusCode < 500]).toEqual([done.do, true]);
            if (leadId) leads.push(leadId);
            if (done.do === 'settle' && statusCode === 200) settled += 1;
            if (done.do === 'return' && statusCode === 200) returned += 1;
          }
          expect(await auditBooks(client, here.world.organizationId)).toEqual([]);
          // A refusal gives its place back a moment after it was answered.
          await expect.poll(() => wrongCounters(here.world.organizationId)).toEqual([]);
        }
      },
    ),
    { numRuns: 20 },
  );
  // It looked at something.
  expect(settled).toBeGreaterThan(5);
  expect(returned).toBeGreaterThan(5);
}, 240_000);

/** Money caps of buyer tiers that do not say what was paid, and what open leads hold. */
async function wrongCounters(organizationId: string): Promise<unknown[]> {
  const { rows } = await client.query(
    `select * from (select c.counter, c.used::bigint as used,
        (coalesce((select sum(s.revenue) * 10000 from sale s where s.organization_id = c.organization_id and s.buyer_tier_id = c.scope_id and not s.test), 0)
          + coalesce((select sum((x ->> 1)::bigint) from reservation v, jsonb_array_elements(v.claims) x where v.organization_id = c.organization_id and x ->> 0 = c.counter), 0))::bigint as due
      from counter c where c.organization_id = $1 and c.measure = 'money') as told where used <> due`,
    [organizationId],
  );
  return rows;
}

async function act(
  office: Office,
  addresses: string[],
  leads: string[],
  one: Deed,
  nextConsumer: () => string,
): Promise<{ deed: Deed; statusCode: number; leadId?: string }> {
  const { world } = office;
  const leadAt = (at: number) => leads[at % Math.max(1, leads.length)] ?? world.campaignId;
  switch (one.do) {
    case 'post': {
      const { statusCode, json } = await office.lead(nextConsumer(), {
        first_name: `${one.says} ${one.price}`,
        ...(one.test && consumerIsTest(one)),
      });
      return { deed: one, statusCode, leadId: json.leadId };
    }
    case 'return': {
      const body = { saleIndex: one.index, reason: 'Duplicate', ...(one.amount && { amount: one.amount }) };
      return { deed: one, ...(await office.post(`/api/console/leads/${leadAt(one.place)}/return`, body)) };
    }
    case 'settle': {
      const { buyerTierId } = world.tiers[one.tier]!;
      const lead = {
        leadId: leadAt(one.place),
        buyerTierId,
        ...(one.bought ? { outcome: 'bought', price: one.price } : { outcome: 'notBought' }),
      };
      return { deed: one, ...(await office.post('/api/console/settlements', { leads: [lead] })) };
    }
    case 'postback': {
      const body = { leadId: leadAt(one.place), outcome: one.sold ? 'sold' : 'rejected', ...(one.price && { price: one.price }) };
      return { deed: one, ...(await office.post(addresses[one.tier]!, body)) };
    }
    case 'enter': {
      const party = one.buyer
        ? { partyKind: 'buyer', partyId: world.tiers[0]!.buyerId }
        : { partyKind: 'publisher', partyId: world.publisherId };
      return {
        deed: one,
        ...(await office.post('/api/console/ledger/entries', { ...party, kind: one.kind, amount: one.amount, note: 'n' })),
      };
    }
  }
}

/** One in a few is a test. */
const consumerIsTest = ({ price: amount }: { price: string }) => (amount.endsWith('0') ? { test: 'true' } : {});
