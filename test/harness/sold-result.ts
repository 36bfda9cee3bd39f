import type { ResultRow } from '#server/lead/lead.sql.ts';
import type { World } from './world.ts';

/** What a node writes of a lead that it sold to the first tier of the world for 20, 16 of it for the publisher. */
export function soldResult(world: World, leadId: string): ResultRow {
  const money = { revenue: '20.00', payout: '16.00', margin: '4.00' };
  const { buyerId, buyerTierId } = world.tiers[0]!;
  return {
    leadId,
    verticalId: world.verticalId,
    campaignId: world.campaignId,
    publisherId: world.publisherId,
    publisherTierId: world.publisherTierId,
    test: false,
    status: 'sold',
    reason: null,
    duplicateOf: null,
    ...money,
    ...{ elapsedMs: 1, buyersMs: 1, storeMs: 1, finishedAt: Date.now() },
    verdicts: [],
    explained: Buffer.from('sealed'),
    wires: undefined,
    sales: [{ buyerId, buyerTierId, ...money, bid: null, postPriceDiffers: false, buyerRef: null }],
    attempts: [],
    checks: [],
    turns: [],
    unknown: [],
    references: [],
    redirect: undefined,
    promoted: [],
    variant: null,
    pageId: null,
    notices: [],
    webhooks: [],
  };
}
