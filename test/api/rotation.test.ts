import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { startNode, type TestNode } from '#test/harness/node.ts';
import { buildWorld, LEAD, type World } from '#test/harness/world.ts';

let database: TestDatabase;
let nodes: TestNode[];
let buyers: ScriptedBuyer[];

beforeAll(async () => {
  database = await freshDatabase();
  nodes = [await startNode(database.url), await startNode(database.url)];
  buyers = await Promise.all([startBuyer(() => ACCEPT), startBuyer(() => ACCEPT), startBuyer(() => ACCEPT)]);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await Promise.all(buyers.map((buyer) => buyer.close()));
  await database.drop();
});

async function postMany(world: World, count: number): Promise<number[]> {
  for (const buyer of buyers) buyer.calls.length = 0;
  for (let at = 0; at < count; at += 20) {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        nodes[n % 2]!.post(
          '/api/v1/leads',
          { ...LEAD, email: `turn${world.campaignId.slice(-6)}${at + n}@example.com` },
          { authorization: `Bearer ${world.key}` },
        ),
      ),
    );
  }
  return buyers.map((buyer) => buyer.calls.length);
}

describe('over two nodes under load', () => {
  it('round robin gives every tier the same', async () => {
    const world = await buildWorld(nodes[0]!.db, { groups: [{ mode: 'roundRobin', tiers: buyers.map(({ url }) => ({ url })) }] });
    await Promise.all(nodes.map((node) => node.planBook.reload(world.organizationId)));
    for (const calls of await postMany(world, 300)) expect(Math.abs(calls - 100)).toBeLessThanOrEqual(6);
  });

  it('weighted gives every tier its share', async () => {
    const weights = [70, 20, 10];
    const world = await buildWorld(nodes[0]!.db, {
      groups: [{ mode: 'weighted', tiers: buyers.map(({ url }, at) => ({ url, weight: weights[at]! })) }],
    });
    await Promise.all(nodes.map((node) => node.planBook.reload(world.organizationId)));
    const calls = await postMany(world, 300);
    for (const [at, weight] of weights.entries()) expect(Math.abs(calls[at]! - weight * 3)).toBeLessThanOrEqual(9);
    const stored = await nodes[0]!.pool.query('select sum(turns)::int as turns from group_turn where organization_id = $1', [
      world.organizationId,
    ]);
    expect(stored.rows[0].turns).toBe(300);
  });
});
