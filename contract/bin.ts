/** BINs looked up, and the moves of many ranges set at once. */
import { z } from 'zod';
import { csvForm } from './csv.ts';
import { combinationLabel } from './move.ts';

export const BINS_MOST = 1000;
const place = { campaignId: z.uuid().nullable().default(null), publisherId: z.uuid().nullable().default(null) };

/** Of a whole card number only its first eight digits are read. */
export const binLookUpBody = z.strictObject({ bins: z.array(z.string().max(40)).min(1).max(BINS_MOST), ...place });

/** The same for a file, as a hidden form sends it: BINs by commas. */
export const binLookUpDownload = z.object({
  bins: z
    .string()
    .max(BINS_MOST * 41)
    .transform((text) => text.split(','))
    .pipe(binLookUpBody.shape.bins),
  campaignId: z.uuid().optional(),
  publisherId: z.uuid().optional(),
  ...csvForm.shape,
});

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
/** What a page and a file tell of each. */
export const BIN_HEADS = ['BIN', 'Move', 'Decided by', 'Range', 'Issuer', 'Scheme', 'Type', 'Country'] as const;
/** Of what was asked for and is no BIN: as it was written, but for what may be the rest of a card number. */
export const notBinText = (asked: string): string => asked.replace(/[\s-]/g, '').replace(/\d{9,}/g, (digits) => `${digits.slice(0, 8)}…`);
export const NO_BIN = 'No BIN: six to eight digits.';
export const decidedByText = ({ combination, decidedBy }: FoundBin): string =>
  combination === null ? 'No move' : `${decidedBy}: ${combinationLabel(combination).toLowerCase()}`;
export const kindText = ({ type, category }: FoundBin): string => [type, category].filter(Boolean).join(', ');
export const binLookUpAnswer = z.object({ status: z.literal(true), bins: z.array(foundBin) });

export const binChoicesQuery = z.object({ region: z.string().max(60), vertical: z.string().max(60) });
const choice = z.object({ _id: z.string(), name: z.string() });
export const binChoicesAnswer = z.object({ status: z.literal(true), campaigns: z.array(choice), publishers: z.array(choice) });
export type BinChoices = Omit<z.infer<typeof binChoicesAnswer>, 'status'>;

/** `search` and `moveForAll`: every range that the list finds by them; '' and nothing is all of them. */
export const moveBinsBody = z.strictObject({
  search: z.string().max(200),
  moveForAll: z.int().min(1).max(4).nullable().optional().describe('Only ranges with this move for everybody; null: those that have none.'),
  ...place,
  move: z.int().min(1).max(4).nullable().describe('null takes the moves of this combination away.'),
});
export const moveBinsAnswer = z.object({ status: z.literal(true), msg: z.string(), count: z.int() });
