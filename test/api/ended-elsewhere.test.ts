/** A node that was taken for dead and is not: the lead it works on was ended by another meanwhile, and goes to no further buyer. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CapConfig } from '#engine/plan.ts';
import { interruptLead, readOpen } from '#server/node/interrupt-lead.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice } from '#test/harness/office.ts';

const CAP: CapConfig = { measure: 'sold', period: 'overall', limit: 5, timeZone: 'UTC' };

const CUT = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sluice notes' and datname = current_database()`;

let node: Awaited<ReturnType<typeof startTestWorld>>;
let slow: ScriptedBuyer;
let next: ScriptedBuyer;
let late: ScriptedBuyer;

beforeAll(async () => {
  node = await startTestWorld();
  slow = await startBuyer(() => ({ hang: true }));
  next = await startBuyer(() => ACCEPT);
  late = await startBuyer(() => ({ body: JSON.stringify({ result: 'accepted', price: '20.00' }), delayMs: 900 }));
});
afterAll(async () => {
  await node.stop();
  await Promise.all([slow.close(), next.close(), late.close()]);
});
beforeEach(() => {
  slow.calls.length = 0;
  next.calls.length = 0;
});

/** As another node does that has not heard of this one for a while. */
async function endElsewhere({ world: { organizationId } }: Office): Promise<string> {
  const { rows } = await node.pool.query('select id from lead where organization_id = $1', [organizationId]);
  const client = await node.pool.connect();
  try {
    await client.query('begin');
    const [lead] = await readOpen(client, organizationId, [rows[0].id]);
    expect(await interruptLead(client, node.planBook.find(organizationId)!, lead!)).toBe(true);
    await client.query('commit');
    return lead!.id;
  } finally {
    client.release();
  }
}

it.each([
  ['whose buyers are under caps', [CAP], undefined],
  ['whose posts are noted alone', [], undefined],
  ['whose posts are noted the slow way', [], 'cut'],
] as const)('G1: a lead %s is handed to nobody else, settled or not', async (_which, caps, notes) => {
  for (const settled of [false, true]) {
    next.calls.length = 0;
    const tiers = [
      { url: slow.url, buyer: 'Slow', timeLimitMs: 700, afterTimeout: 'next' as const, caps: [...caps] },
      { url: next.url, buyer: 'Next', caps: [...caps] },
    ];
    const office = await openOffice(node, undefined, { groups: [{ mode: 'priority', tiers }] });
    const calls = slow.calls.length;
    const answered = office.lead(`ended.elsewhere.${settled}@example.com`);
    await expect.poll(() => slow.calls.length, { interval: 5 }).toBe(calls + 1);
    const leadId = await endElsewhere(office);
    const cut = notes === 'cut' && setInterval(() => void node.pool.query(CUT), 20);
    if (settled) {
      const leads = [{ leadId, buyerTierId: office.world.tiers[0]!.buyerTierId, outcome: 'bought', price: '9.00' }];
      expect((await office.post('/api/console/settlements', { leads })).json).toMatchObject({ settled: 1 });
    }
    const { json } = await answered;
    if (cut) clearInterval(cut);
    expect(json).toMatchObject({ leadId, ...(settled ? { code: 'lead_interrupted' } : { code: 'lead_unsold' }) });
    expect(next.calls).toEqual([]);
    const { lead } = (await office.get(`/api/console/leads/${leadId}`)).json;
    expect([lead.status, lead.sales.length]).toEqual(settled ? ['sold', 1] : ['unsold', 0]);
    const { rows } = await node.pool.query(
      `select coalesce(sum(used), 0)::int as used from counter where organization_id = $1 and measure = 'sold'`,
      [office.world.organizationId],
    );
    expect(rows[0].used).toBe(settled && caps.length > 0 ? 1 : 0);
  }
});

it('G1: a sale that was made before stays one, where the lead may be sold to several', async () => {
  const office = await openOffice(node, undefined, {
    maxSales: 2,
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: next.url, buyer: 'First' },
          { url: slow.url, buyer: 'Slow', timeLimitMs: 700, afterTimeout: 'next' },
          { url: `${next.url}/third`, buyer: 'Third' },
        ],
      },
    ],
  });
  const answered = office.lead('sold.before@example.com');
  await expect.poll(() => slow.calls.length, { interval: 5 }).toBe(1);
  const leadId = await endElsewhere(office);
  expect((await answered).json).toMatchObject({ leadId, status: 'accepted' });
  const { lead } = (await office.get(`/api/console/leads/${leadId}`)).json;
  expect([lead.status, lead.sales.map(({ buyerName }: { buyerName: string }) => buyerName)]).toEqual(['sold', ['First']]);
  expect(next.calls.map(({ path }) => path)).toEqual(['/post']);
  const left = await node.pool.query('select from reservation where lead_id = $1 and unknown_since is not null', [leadId]);
  expect(left.rowCount).toBe(0);
});

it('G1: what a buyer names after its lead was settled takes nothing of its caps', async () => {
  const caps = [{ ...CAP, measure: 'money' as const, limit: 500_000 }];
  const office = await openOffice(node, undefined, {
    groups: [{ mode: 'priority', tiers: [{ url: late.url, buyer: 'Late', price: { kind: 'bid' }, caps }] }],
  });
  const answered = office.lead('named.later@example.com');
  await expect.poll(() => late.calls.length, { interval: 5 }).toBe(1);
  const leadId = await endElsewhere(office);
  const leads = [{ leadId, buyerTierId: office.world.tiers[0]!.buyerTierId, outcome: 'bought', price: '9.00' }];
  expect((await office.post('/api/console/settlements', { leads })).json).toMatchObject({ settled: 1 });
  await answered;
  const { rows } = await node.pool.query(`select used::int from counter where organization_id = $1 and measure = 'money'`, [
    office.world.organizationId,
  ]);
  expect(rows).toEqual([{ used: 90_000 }]);
  expect((await node.pool.query('select from reservation where lead_id = $1', [leadId])).rowCount).toBe(0);
});
