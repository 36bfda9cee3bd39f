/** Promotions: dated payout rises out of our margin. Money is a decimal text. */
import { z } from 'zod';
import { sumText } from './money.ts';
import { amountText, timeZoneName } from './tier.ts';

const id = z.string().max(60);

/** Whose leads are promoted. Of several that are for one lead the narrowest pays: publisher tier, sub id, publisher, campaign, in this order. */
export const promotionTarget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('publisherTier'), publisherTierId: z.uuid() }),
  z.strictObject({ kind: z.literal('subId'), subId: z.string().min(1, 'is required').max(100) }),
  z.strictObject({ kind: z.literal('publisher'), publisherId: z.uuid() }),
  z.strictObject({ kind: z.literal('campaign'), campaignId: z.uuid() }),
]);
export type PromotionTargetView = z.infer<typeof promotionTarget>;

/** On top of the payout: an amount, or a percent of it with at most four decimals. */
export const promotionRaise = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fixed'), amount: amountText.refine((text) => Number(text) > 0, 'must be more than 0') }),
  z.strictObject({ kind: z.literal('percent'), percent: z.number().gt(0).max(1_000) }),
]);
export type RaiseView = z.infer<typeof promotionRaise>;

export const promotionDay = z.iso.date('must be a day such as 2026-11-27');
export const promotionZone = timeZoneName;

export const promotionPhase = z.enum(['on', 'coming', 'over', 'usedUp', 'paused', 'archived']);
export type PromotionPhase = z.infer<typeof promotionPhase>;

export const promotionBoardQuery = z.object({ region: z.string().max(60), vertical: z.string().max(60) });

const named = z.object({ _id: id, name: z.string() });

/** What the promotions of one vertical can be for, and what is worth knowing of them together. */
export const promotionBoard = z.object({
  status: z.literal(true),
  targets: z.object({
    publisherTiers: z.array(
      named.extend({
        publisherId: id,
        publisherName: z.string(),
        campaignId: id,
        subId: z.string(),
        priceKind: z.enum(['fixed', 'minimum', 'share']),
      }),
    ),
    publishers: z.array(named),
    campaigns: z.array(named),
    subIds: z.array(z.string()),
  }),
  /** Two that are for one seat on the same days: only `pays` does, while it has room. `seats`: publisher and tier, at most 3 of `seatCount`. */
  overlaps: z.array(z.object({ pays: named, waits: named, seats: z.array(z.string()), seatCount: z.int() })),
  /** Seats to which a promotion can add nothing: their price is all that the margin leaves already, and it may not go below that. */
  idle: z.array(z.object({ promotion: named, seats: z.array(z.string()), seatCount: z.int() })),
  /** Paid by all promotions of the vertical so far. */
  extraPaid: sumText,
  soldLeads: z.int(),
});
export type PromotionBoard = z.infer<typeof promotionBoard>;
