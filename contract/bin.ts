/** BINs looked up, and the moves of many ranges set at once. */
import { z } from 'zod';

export const BINS_MOST = 1000;
const place = { campaignId: z.uuid().nullable().default(null), publisherId: z.uuid().nullable().default(null) };

/** Of a whole card number only its first eight digits are read. */
export const binLookUpBody = z.strictObject({ bins: z.array(z.string().max(40)).min(1).max(BINS_MOST), ...place });

export const foundBin = z.object({
  /** The digits that were looked up; null where what was asked for is no BIN. */
  bin: z.string().nullable(),
  /** The narrowest range that holds it. */
  range: z.string().nullable(),
  scheme: z.string(),
  issuer: z.string(),
  type: z.string(),
  category: z.string(),
  country: z.string(),
  move: z.int(),
  /** Which combination decided; null: none, so it is UNSORTED. */
  combination: z.int().nullable(),
  /** The range whose move it is. */
  decidedBy: z.string().nullable(),
});
export type FoundBin = z.infer<typeof foundBin>;
export const binLookUpAnswer = z.object({ status: z.literal(true), bins: z.array(foundBin) });

export const binChoicesQuery = z.object({ region: z.string().max(60), vertical: z.string().max(60) });
const choice = z.object({ _id: z.string(), name: z.string() });
export const binChoicesAnswer = z.object({ status: z.literal(true), campaigns: z.array(choice), publishers: z.array(choice) });
export type BinChoices = Omit<z.infer<typeof binChoicesAnswer>, 'status'>;

/** `search`: every range that the list finds by it; '' is all of them. */
export const moveBinsBody = z.strictObject({
  search: z.string().max(200),
  ...place,
  move: z.int().min(1).max(4).nullable().describe('null takes the moves of this combination away.'),
});
export const moveBinsAnswer = z.object({ status: z.literal(true), msg: z.string(), count: z.int() });
