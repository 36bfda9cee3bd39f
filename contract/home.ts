/** home-buyer and home-publisher: buyers and publishers with their health today, over all verticals whose overview the person may open. */
import { z } from 'zod';
import { csvForm } from './csv.ts';
import { HEALTHS } from './health.ts';
import { sumText } from './money.ts';

const health = z.enum(HEALTHS);

/** GET /api/console/home/buyers and /api/console/home/publishers. `search` is a part of the name. */
export const homeQuery = z.object({
  timeZone: z.enum(['UTC', 'America/New_York', 'Europe/London']).default('UTC'),
  search: z.string().max(200).default(''),
  health: health.optional(),
  /** `name` or a figure of the day, with a minus before it from the most to the least; worst first without. */
  sort: z
    .string()
    .regex(/^-?[A-Za-z0-9]{1,20}$/)
    .optional(),
  page: z.coerce.number().int().min(1).max(10_000).default(1),
});

/** The same as a file of all that match: a line for each, and one for each of its tiers. */
export const homeDownload = homeQuery.omit({ page: true }).extend(csvForm.shape);

const homeRow = <Today extends z.ZodType>(today: Today) =>
  z.object({
    _id: z.string(),
    name: z.string(),
    health,
    /** What is wrong now in whole sentences, worst first. */
    wrong: z.array(z.string()),
    today,
    tiers: z.array(
      z.object({
        _id: z.string(),
        name: z.string(),
        status: z.enum(['active', 'paused']),
        /** Slugs, and the names they have. */
        region: z.string(),
        vertical: z.string(),
        placeName: z.string(),
        today,
      }),
    ),
  });

const homeAnswer = <Row extends z.ZodType>(row: Row) =>
  z.object({
    status: z.literal(true),
    asOf: z.string(),
    /** In how many verticals the person may open the overview; of none, nothing is shown. */
    verticals: z.number().int(),
    /** Of one page, worst first. */
    rows: z.array(row),
    /** How many match in all. */
    total: z.number().int(),
    /** How many of each health match the search. */
    counts: z.record(health, z.number().int()),
  });

export const buyerDay = z.object({
  attempts: z.number().int(),
  sold: z.number().int(),
  revenue: sumText,
  timeouts: z.number().int(),
  terrors: z.number().int(),
  /** Of all calls; null without one. */
  p50Ms: z.number().nullable(),
});
export type BuyerDay = z.infer<typeof buyerDay>;
export const homeBuyersAnswer = homeAnswer(homeRow(buyerDay));
export type HomeBuyersAnswer = z.infer<typeof homeBuyersAnswer>;

/** Pings and test leads are left out. */
export const publisherDay = z.object({
  leads: z.number().int(),
  sold: z.number().int(),
  /** Not let into the tree: invalid, rejected or duplicate. */
  refused: z.number().int(),
  payout: sumText,
  revenue: sumText,
});
export type PublisherDay = z.infer<typeof publisherDay>;
export const homePublishersAnswer = homeAnswer(homeRow(publisherDay));
export type HomePublishersAnswer = z.infer<typeof homePublishersAnswer>;
