/** What the console sees of leads: the list, one lead explained, today's figures and the live feed. */
import { z } from 'zod';
import { CAME_BY } from './came-by.ts';
import { csvForm } from './csv.ts';
import { hopView } from './hop.ts';
import { returnView } from './lead-return.ts';
import { moneyText, sumText } from './money.ts';
import { warningView } from './warning.ts';

export const leadStatus = z.enum(['received', 'sold', 'unsold', 'invalid', 'rejected', 'duplicate', 'held', 'error', 'bid', 'noBid']);
export const outcome = z.enum(['sold', 'rejected', 'terrors', 'timeouts', 'filtered', 'notReached']);
/**
 * Of one call: as above, or `bid` for a ping answered with a usable bid. Of a loss notice: the buyer was told, was not, is yet to be, or
 * will never be.
 */
export const attemptOutcome = z.enum(['sold', 'rejected', 'terrors', 'timeouts', 'bid', 'told', 'untold', 'due', 'dropped']);
export type AttemptOutcomeWord = z.infer<typeof attemptOutcome>;
export type LeadStatusWord = z.infer<typeof leadStatus>;
export type OutcomeWord = z.infer<typeof outcome>;

/**
 * How a lead came: posted by API, posted from a landing page that it names, or sent by the lander of a card. `name` is that of the page or
 * card; empty where it is not known.
 */
const cameBy = z.object({ kind: z.enum(CAME_BY), name: z.string() });

/** One row of the leads list. Instants are ISO 8601 UTC. Personal values arrive masked. */
export const leadRow = z.object({
  _id: z.string(),
  receivedAt: z.string(),
  status: leadStatus,
  /** Internal reason (console §4) and the label people are shown; null when sold. */
  reason: z.string().nullable(),
  reasonLabel: z.string().nullable(),
  publisherName: z.string(),
  publisherTierId: z.string(),
  publisherTierName: z.string(),
  subId: z.string(),
  campaignId: z.string(),
  campaignName: z.string(),
  cameBy,
  /** Buyers that bought, in order of sale. */
  buyers: z.array(z.object({ buyerName: z.string(), buyerTierName: z.string() })),
  revenue: sumText,
  payout: sumText,
  margin: sumText,
  /** What of these was given back; null while nothing was. */
  returned: z.object({ revenue: sumText, payout: sumText, margin: sumText }).nullable(),
  attempts: z.number().int(),
  elapsedMs: z.number(),
  /** Our own share of elapsedMs. */
  ownMs: z.number(),
  test: z.boolean(),
  /** Masked, e.g. "j•••@example.com". */
  primaryValue: z.string(),
});
export type LeadRow = z.infer<typeof leadRow>;

/**
 * GET /api/console/leads. `q` finds a lead id, or the exact e-mail, phone or primary field value of a consumer.
 * Sorting is by time; `before`/`after` are cursors from the answer (keyset paging, so page 1000 costs what page 1 does).
 */
export const leadsQuery = z.object({
  region: z.string().max(60),
  vertical: z.string().max(60),
  status: z.enum(leadStatus.options).optional(),
  publisherId: z.string().max(60).optional(),
  publisherTierId: z.string().max(60).optional(),
  /** To the letter; none is an empty one. */
  subId: z.string().max(200).optional(),
  /** The code of a state or nation; empty for leads of which it is not known. */
  state: z.string().max(3).optional(),
  campaignId: z.string().max(60).optional(),
  buyerId: z.string().max(60).optional(),
  buyerTierId: z.string().max(60).optional(),
  /** Tried, as reports count it: asked to buy, or kept from it by a filter; `buyerId` and `buyerTierId` were called, which a bid that lost was too. */
  triedBuyerId: z.string().max(60).optional(),
  triedTierId: z.string().max(60).optional(),
  /** Tried in this group of a tree; with the two above by the same buyer tier. */
  triedGroupId: z.string().max(60).optional(),
  /** The filter reason key by which a buyer tier was passed by, and of the three above that one. */
  filterReason: z
    .string()
    .regex(/^([1-9]|1[0-2])$/, 'must be a filter reason key, 1 to 12')
    .optional(),
  /** Bought it, whoever else was asked. */
  soldBuyerId: z.string().max(60).optional(),
  soldTierId: z.string().max(60).optional(),
  /** Bought at another price than had been bid for it: by the buyer or tier that the two above name, or by any. */
  otherPrice: z.enum(['true']).optional(),
  /** Of an A/B test; empty: leads of no test. */
  variantId: z.string().max(60).optional(),
  /** A landing page, or the card of a lander. */
  pageId: z.string().max(60).optional(),
  /** The internal reason; empty for leads of none, which were sold or are under way. */
  reason: z.string().max(80).optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  q: z.string().max(200).optional(),
  test: z.enum(['true', 'false']).optional(),
  /** Bare pings alone, or all but them. */
  pings: z.enum(['true', 'false']).optional(),
  before: z.string().max(60).optional(),
  after: z.string().max(60).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
/** The same, for a file of all of them (account §7). */
export const leadsDownload = leadsQuery.omit({ before: true, after: true, limit: true }).extend(csvForm.shape);
export const leadsAnswer = z.object({
  status: z.literal(true),
  rows: z.array(leadRow),
  /** Leads that match in all, as far as they were counted; `totalIsExact` false means "so many or more". */
  total: z.number().int(),
  totalIsExact: z.boolean(),
  older: z.string().nullable(),
  newer: z.string().nullable(),
  /** A page looks at so many leads and no more: how far this one came, back or forth, where it ended before it was full. */
  lookedTo: z.string().nullable(),
});
export type LeadsAnswer = z.infer<typeof leadsAnswer>;

/** GET /api/console/leads/filters: what the list can be filtered by, in this region and vertical, beside records. */
export const leadFiltersAnswer = z.object({
  status: z.literal(true),
  reasons: z.array(z.object({ value: z.string(), label: z.string() })),
  filterReasons: z.array(z.object({ value: z.string(), label: z.string() })),
  /** Whether any lead went by a variant of an A/B test. */
  hasVariants: z.boolean(),
  /** Of the region's country: states and territories, or nations. */
  states: z.array(z.object({ value: z.string(), label: z.string() })),
});
export type LeadFiltersAnswer = z.infer<typeof leadFiltersAnswer>;

export const leadChoiceKind = z.enum(['campaign', 'publisher', 'publisherTier', 'group', 'buyer', 'buyerTier', 'variant', 'page']);
export type LeadChoiceKind = z.infer<typeof leadChoiceKind>;
/** GET /api/console/leads/choices: records that leads can be filtered by; those whose name holds `q`, or the one called `id`. */
export const leadChoicesQuery = leadsQuery.pick({ region: true, vertical: true }).extend({
  of: leadChoiceKind,
  q: z.string().max(200).default(''),
  id: z.string().max(60).optional(),
});
export const leadChoicesAnswer = z.object({
  status: z.literal(true),
  options: z.array(z.object({ _id: z.string(), name: z.string() })).describe('The first 20, by name.'),
  total: z.int().describe('How many there are in all.'),
});
export type LeadChoicesAnswer = z.infer<typeof leadChoicesAnswer>;

export const wireView = z.object({
  method: z.string(),
  url: z.string(),
  requestHeaders: z.record(z.string(), z.string()),
  requestBody: z.string(),
  /** Redirects that were followed, in order. */
  hops: z.array(hopView),
  /** null when no answer came. */
  statusCode: z.number().nullable(),
  responseHeaders: z.record(z.string(), z.string()),
  responseBody: z.string(),
  warnings: z.array(z.string()),
});

export const attemptView = z.object({
  _id: z.string(),
  buyerTierId: z.string(),
  buyerTierName: z.string(),
  buyerName: z.string(),
  groupName: z.string(),
  /** lost: the notice to a buyer that was outbid, sent after the sale. */
  leg: z.enum(['ping', 'post', 'lost']),
  outcome: attemptOutcome,
  startedAt: z.string(),
  /** From the lead's arrival to the start of this call. */
  offsetMs: z.number(),
  /** False where the buyer said nothing at all: it was not reached, or the connection broke. */
  isAnswered: z.boolean(),
  elapsedMs: z.number(),
  connectMs: z.number().nullable(),
  waitMs: z.number().nullable(),
  readMs: z.number().nullable(),
  bid: moneyText.nullable(),
  price: moneyText.nullable(),
  reasons: z.array(z.string()),
  /** An answer after the time limit, kept for reconciliation. */
  lateAnswer: z.object({ outcome: z.string(), price: moneyText.nullable(), afterMs: z.number() }).nullable(),
  wire: wireView.nullable(),
});
export type AttemptView = z.infer<typeof attemptView>;

/** One question to a third-party service: passed lets the lead go on. */
export const checkOutcome = z.enum(['passed', 'refused', 'error', 'timeout']);
export type CheckOutcomeWord = z.infer<typeof checkOutcome>;
export const checkView = z.object({
  _id: z.string(),
  serviceName: z.string(),
  purpose: z.enum(['p2c', 'thirdParty']),
  /** The buyer tier it was asked for; null for P2C. */
  buyerTierId: z.string().nullable(),
  buyerTierName: z.string().nullable(),
  outcome: checkOutcome,
  startedAt: z.string(),
  offsetMs: z.number(),
  elapsedMs: z.number(),
  connectMs: z.number().nullable(),
  waitMs: z.number().nullable(),
  readMs: z.number().nullable(),
  reasons: z.array(z.string()),
  wire: wireView.nullable(),
});
export type CheckView = z.infer<typeof checkView>;

/** One decision or event, in order of time; `text` is a whole sentence. */
export const stepView = z.object({
  at: z.string(),
  offsetMs: z.number(),
  code: z.string(),
  text: z.string(),
  groupName: z.string().nullable(),
  buyerTierId: z.string().nullable(),
  buyerTierName: z.string().nullable(),
});

/** One line per buyer tier of the tree: sold, or why not. */
export const verdictView = z.object({
  buyerTierId: z.string(),
  buyerTierName: z.string(),
  buyerName: z.string(),
  groupName: z.string(),
  groupMode: z.string(),
  outcome,
  /** False where the buyer was called and said nothing at all. */
  isAnswered: z.boolean(),
  filterReasonKey: z.number().nullable(),
  /** Of the cap that was reached; filter reason key 1 stands for hourly and daily caps alike. */
  capPeriod: z.enum(['hour', 'day', 'week', 'month', 'overall']).nullable(),
  text: z.string(),
});
export type VerdictView = z.infer<typeof verdictView>;

/** GET /api/console/leads/{id} */
export const leadView = leadRow.extend({
  regionSlug: z.string(),
  verticalSlug: z.string(),
  why: z.string(),
  duplicateOfLeadId: z.string().nullable(),
  redirectUrl: z.string().nullable(),
  /** Whether a buyer may have it and nobody has said yet: see settlement.ts. */
  isToSettle: z.boolean(),
  /** When the person was taken out of it, at their wish. */
  erasedAt: z.string().nullable(),
  /** At the person's request, or because the vertical keeps nobody for longer. */
  erasedBy: z.enum(['request', 'retention', 'refused']).nullable(),
  /** The link of ours that the publisher was given for the consumer; null where it was given none, or the buyer's own address. */
  redirect: z
    .object({
      givenAt: z.string(),
      expiresAt: z.string(),
      /** When the consumer was redirected. */
      followedAt: z.string().nullable(),
      follows: z.number(),
    })
    .nullable(),
  /** Where the time went, all in ms; the parts add up to elapsedMs. */
  time: z.object({ totalMs: z.number(), buyersMs: z.number(), servicesMs: z.number(), ownMs: z.number(), storeMs: z.number() }),
  /** Values are masked unless they are class P0 or P1. */
  fields: z.array(
    z.object({ fieldName: z.string(), fieldHumanName: z.string(), privacyClass: z.string(), value: z.string(), masked: z.boolean() }),
  ),
  errors: z.array(z.object({ field: z.string(), message: z.string() })),
  warnings: z.array(z.string()),
  sales: z.array(
    z.object({
      saleIndex: z.number().int(),
      buyerTierId: z.string(),
      buyerTierName: z.string(),
      buyerName: z.string(),
      revenue: moneyText,
      payout: moneyText,
      margin: moneyText,
      /** What of the payout a promotion added. */
      promotion: z.object({ name: z.string(), extra: moneyText }).nullable(),
      bid: moneyText.nullable(),
      /** With the lead the buyer named another price than was agreed before: its bid, or where there is none its fixed price. It need not be what it pays. */
      postPriceDiffers: z.boolean(),
      redirectUrl: z.string().nullable(),
      buyerRef: z.string().nullable(),
      /** Until when it may be given back; null for a test, where nobody paid. */
      returnableUntil: z.string().nullable(),
      returned: returnView.nullable(),
      /** What is left of the margin after it. */
      netMargin: sumText,
    }),
  ),
  /** Whether who asks may return its sales. */
  mayReturn: z.boolean(),
  /** What a return may give as its reason. */
  returnReasons: z.array(z.string()),
  steps: z.array(stepView),
  verdicts: z.array(verdictView),
  checks: z.array(checkView),
  attemptList: z.array(attemptView),
  /** The publisher's own call and our answer to it. */
  inbound: z
    .object({
      method: z.string(),
      path: z.string(),
      contentType: z.string(),
      body: z.string(),
      statusCode: z.number(),
      answer: z.string(),
      ip: z.string(),
    })
    .nullable(),
});
export type LeadView = z.infer<typeof leadView>;
export const leadViewAnswer = z.object({ status: z.literal(true), lead: leadView });

const figures = z.object({
  leads: z.number().int(),
  sold: z.number().int(),
  revenue: sumText,
  payout: sumText,
  margin: sumText,
  /** Earnings per lead: revenue / leads. */
  epl: sumText,
  /** What buyers gave back in this span, whenever it was sold. */
  returned: z.object({ leads: z.number().int(), revenue: sumText, payout: sumText, margin: sumText }),
  /** What is left of revenue, payout and margin after it. */
  net: z.object({ revenue: sumText, payout: sumText, margin: sumText }),
  attempts: z.number().int(),
  timeouts: z.number().int(),
  terrors: z.number().int(),
});
export type Figures = z.infer<typeof figures>;

/** GET /api/console/overview?region&vertical&timeZone. Test leads are never counted. */
export const overviewQuery = z.object({
  region: z.string().max(60),
  vertical: z.string().max(60),
  timeZone: z.enum(['UTC', 'America/New_York', 'Europe/London']).default('UTC'),
});
/** POST /api/v1/download-file/overview-publishers and overview-buyers: all of today, of which the page shows the first. */
export const overviewDownload = overviewQuery.extend(csvForm.pick({ isDownloadCSV: true }).shape);
export const overviewAnswer = z.object({
  status: z.literal(true),
  asOf: z.string(),
  today: figures,
  /** Yesterday up to the same time of day, so that the comparison is fair. */
  yesterdaySoFar: figures,
  yesterday: figures,
  /** 24 (23, 25) local hours of today and yesterday. */
  hours: z.array(
    z.object({
      hour: z.string(),
      leads: z.number(),
      sold: z.number(),
      revenue: sumText,
      leadsYesterday: z.number(),
      soldYesterday: z.number(),
      revenueYesterday: sumText,
    }),
  ),
  topPublishers: z.array(
    z.object({ _id: z.string(), name: z.string(), leads: z.number(), sold: z.number(), payout: sumText, revenue: sumText }),
  ),
  topBuyers: z.array(
    z.object({
      _id: z.string(),
      name: z.string(),
      attempts: z.number(),
      sold: z.number(),
      revenue: sumText,
      timeouts: z.number(),
      p50Ms: z.number().nullable(),
    }),
  ),
  /** What is wrong now, worst first. */
  warnings: z.array(warningView),
});
export type OverviewAnswer = z.infer<typeof overviewAnswer>;

/**
 * GET /api/console/feed?region&vertical: server-sent events named `lead`, each a leadRow, and `here` where all was told up to then; `id:` is a cursor,
 * resumed by Last-Event-ID, or by `after` on a connection of its own.
 */
export const feedQuery = z.object({ region: z.string().max(60), vertical: z.string().max(60), after: z.string().max(60).optional() });
