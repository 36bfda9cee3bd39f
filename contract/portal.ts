/**
 * The portals (product.md: home-buyer and home-publisher): what a member sees who is bound to one buyer or publisher. Nothing of anybody else is
 * in any of it: a publisher reads no buyer, price or margin, a buyer no publisher, payout or other bid.
 */
import { z } from 'zod';
import { csvForm } from './csv.ts';
import { keyView } from './key.ts';
import { returnBody } from './lead-return.ts';
import { monthText, statementAnswer } from './ledger.ts';
import { moneyText, sumText } from './money.ts';
import { reportingTimeZone } from './organization.ts';
import { leadReportQuery, reportQuery, spanView } from './report.ts';
import { cap, hours, pauseDates } from './tier.ts';

const count = z.number().int();
export const portalKind = z.enum(['buyer', 'publisher']);
export type PortalKind = z.infer<typeof portalKind>;

/** A cap with what is taken of it in the window that runs now. Money is a decimal. */
export const capUse = z.object({
  measure: z.enum(['sold', 'sent', 'money']),
  period: z.enum(['hour', 'day', 'week', 'month', 'overall']),
  timeZone: z.string(),
  limit: z.string(),
  used: z.string(),
  /** From 0 to 1. */
  share: z.number(),
  /** When its window began, by the clock of its zone; null for one that has none. */
  startsAt: z.string().nullable(),
  /** When it starts again; null for one that never does. */
  resetsAt: z.string().nullable(),
});
export type CapUse = z.infer<typeof capUse>;

export const portalTier = z.object({
  _id: z.string(),
  name: z.string(),
  status: z.enum(['active', 'paused']),
  /** "United States, Payday" */
  placeName: z.string(),
  caps: z.array(cap),
  capUse: z.array(capUse),
  hours: hours.nullable(),
  pauseDates: pauseDates.nullable(),
  /** Of a buyer tier with a fixed price. */
  price: moneyText.nullable(),
  /** Of a buyer tier: within how many days a lead is given back, and whether it is at once. */
  returnDays: count.nullable(),
  returnsAtOnce: z.boolean(),
  /** Of a publisher tier: the addresses it may post from; any, where there are none. */
  ipAllow: z.array(z.string()),
  subId: z.string(),
  /** Of a publisher tier: the keys it posts with, by their first characters. */
  keys: z.array(keyView),
});
export type PortalTier = z.infer<typeof portalTier>;

export const portalContact = z.object({
  _id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  job: z.string(),
  email: z.string(),
  phone: z.string(),
});
export type PortalContact = z.infer<typeof portalContact>;

/** GET /api/console/portal. Of an archived company only its name is told. */
export const portalAnswer = z.object({
  status: z.literal(true),
  kind: portalKind,
  organizationName: z.string(),
  currency: z.string(),
  company: z.object({ _id: z.string(), name: z.string(), isPaused: z.boolean(), isArchived: z.boolean() }),
  contacts: z.array(portalContact),
  tiers: z.array(portalTier),
  /** Of a buyer, over all of its tiers. */
  caps: z.array(cap),
  capUse: z.array(capUse),
  account: z
    .object({ balance: sumText, reserved: sumText.nullable(), left: sumText.nullable(), billing: z.enum(['none', 'prepaid', 'credit']) })
    .nullable(),
  /** Of a buyer. */
  returnReasons: z.array(z.string()),
  returnKeys: z.array(keyView),
  openRequests: count,
});
export type PortalAnswer = z.infer<typeof portalAnswer>;

const instant = z.iso.datetime({ offset: true });
const page = {
  tierId: z.string().max(60).optional(),
  from: instant.optional(),
  to: instant.optional(),
  /** Of a lead of one's own: its id, or something else by which it is known. */
  q: z.string().max(200).optional(),
  /** The cursor of an answer: what is older. */
  before: z.string().max(60).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
};

const lookedPage = {
  /** Where the next page begins; null at the end. */
  older: z.string().nullable(),
  /** A page looks at so many leads and no more: how far back this one came, where it ended before its span did. */
  lookedTo: z.string().nullable(),
};

/** What a publisher is told became of a lead. */
export const publisherLeadStatus = z.enum(['sold', 'rejected', 'invalid', 'duplicate', 'waiting', 'error', 'bid', 'noBid']);
export type PublisherLeadStatus = z.infer<typeof publisherLeadStatus>;
export const publisherLeadsQuery = z.object({
  ...page,
  status: publisherLeadStatus.optional(),
  /** To the letter; none is an empty one. */
  subId: z.string().max(200).optional(),
});
export const publisherLead = z.object({
  _id: z.string(),
  receivedAt: z.string(),
  tierName: z.string(),
  subId: z.string(),
  isPing: z.boolean(),
  test: z.boolean(),
  status: publisherLeadStatus,
  /** In the words of console §4; null when sold, and for a tier that is told no reasons. */
  reason: z.string().nullable(),
  payout: sumText,
  /** What of it was taken back. */
  returned: sumText.nullable(),
  /** Masked. */
  primaryValue: z.string(),
});
export type PublisherLead = z.infer<typeof publisherLead>;
export const publisherLeadsAnswer = z.object({ status: z.literal(true), rows: z.array(publisherLead), ...lookedPage });
export type PublisherLeadsAnswer = z.infer<typeof publisherLeadsAnswer>;

const leadField = z.object({ label: z.string(), value: z.string() });
export const publisherLeadAnswer = z.object({
  status: z.literal(true),
  lead: publisherLead,
  /** What was posted, masked. */
  fields: z.array(leadField),
  errors: z.array(z.object({ field: z.string(), message: z.string() })),
  elapsedMs: z.number(),
  isErased: z.boolean(),
});
export type PublisherLeadAnswer = z.infer<typeof publisherLeadAnswer>;

export const buyerLeadsQuery = z.object({ ...page, returned: z.enum(['true', 'false']).optional() });
export const buyerLead = z.object({
  /** Of the lead, and which of its sales. */
  leadId: z.string(),
  saleIndex: count,
  soldAt: z.string(),
  tierName: z.string(),
  test: z.boolean(),
  price: moneyText,
  /** The buyer's own id of it. */
  reference: z.string(),
  returned: z.object({ amount: sumText, reason: z.string(), at: z.string() }).nullable(),
  /** Until when it may be given back; null for a test lead. */
  returnableUntil: z.string().nullable(),
  /** Asked for, and not decided. */
  isReturnAsked: z.boolean(),
});
export type BuyerLead = z.infer<typeof buyerLead>;
export const buyerLeadsAnswer = z.object({ status: z.literal(true), rows: z.array(buyerLead), ...lookedPage });
export type BuyerLeadsAnswer = z.infer<typeof buyerLeadsAnswer>;
export const buyerLeadAnswer = z.object({
  status: z.literal(true),
  lead: buyerLead,
  /** What this buyer was sent of it, masked; empty once that is no longer kept. */
  fields: z.array(leadField),
  isErased: z.boolean(),
});
export type BuyerLeadAnswer = z.infer<typeof buyerLeadAnswer>;

/** `sort` and `rowsBefore` as of reports, by the figures that the portal has. */
const figuresQuery = reportQuery
  .pick({ timeZone: true, from: true, to: true, beforeFrom: true, beforeTo: true, unit: true })
  .extend({ tierId: z.string().max(60).optional(), ...leadReportQuery.pick({ sort: true, rowsBefore: true }).shape });
export const publisherFiguresQuery = figuresQuery.extend({ by: z.enum(['tier', 'subId']).default('tier') });
export const buyerFiguresQuery = figuresQuery;

export const publisherMeasures = z.object({
  attempts: count,
  sold: count,
  /** Not sold, for whatever reason. */
  rejected: count,
  /** Under way, or waiting for a word. */
  open: count,
  pings: count,
  bids: count,
  payout: sumText,
  returnedPayout: sumText,
  /** Payout by attempt. */
  epl: sumText,
});
export type PublisherMeasures = z.infer<typeof publisherMeasures>;
export const buyerMeasures = z.object({
  /** Leads that were offered: posted, or asked a price for and won. */
  offered: count,
  sold: count,
  rejected: count,
  timeouts: count,
  terrors: count,
  pings: count,
  bids: count,
  /** What the buyer pays. */
  spent: sumText,
  returned: count,
  returnedAmount: sumText,
  /** Of its answers, to within 4.5 percent; null without one, and over several verticals at once. */
  p50Ms: z.number().nullable(),
  p90Ms: z.number().nullable(),
});
export type BuyerMeasures = z.infer<typeof buyerMeasures>;

const figures = <Measures extends z.ZodType>(measures: Measures) =>
  z.object({
    status: z.literal(true),
    asOf: z.string(),
    span: spanView,
    before: spanView,
    total: measures,
    totalBefore: measures,
    /** In the order that was asked for: the first of them where there are many, the largest without one; `rowCount` says how many there are. `before` where it was asked for. */
    rows: z.array(z.object({ key: z.string(), name: z.string(), now: measures, before: measures.optional() })),
    rowCount: count,
    series: z.array(z.object({ at: z.string(), now: measures })),
    seriesBefore: z.array(z.object({ at: z.string(), now: measures })),
  });
export const publisherFiguresAnswer = figures(publisherMeasures);
export type PublisherFiguresAnswer = z.infer<typeof publisherFiguresAnswer>;
export const buyerFiguresAnswer = figures(buyerMeasures);
export type BuyerFiguresAnswer = z.infer<typeof buyerFiguresAnswer>;

/** Leads that were given back: by the buyer, or at the publisher's cost. */
export const portalReturnsQuery = z.object({ from: instant, to: instant });
export const portalReturn = z.object({
  leadId: z.string(),
  returnedAt: z.string(),
  tierName: z.string(),
  reason: z.string(),
  /** The buyer's own note; '' to a publisher. */
  note: z.string(),
  /** What the buyer got back, or what the publisher gave back. */
  amount: sumText,
});
export type PortalReturn = z.infer<typeof portalReturn>;
export const PORTAL_RETURNS_MOST = 1000;
export const portalReturnsAnswer = z.object({
  status: z.literal(true),
  rows: z.array(portalReturn),
  total: sumText,
  /** There were more in the span than are told. */
  isCut: z.boolean(),
});
export type PortalReturnsAnswer = z.infer<typeof portalReturnsAnswer>;

export const portalStatementQuery = z.object({ month: monthText, timeZone: reportingTimeZone.default('UTC') });
export const portalStatementAnswer = statementAnswer;

export const publisherLeadsDownload = publisherLeadsQuery.omit({ before: true, limit: true }).extend(csvForm.shape);
export const buyerLeadsDownload = buyerLeadsQuery.omit({ before: true, limit: true }).extend(csvForm.shape);
export const portalReturnsDownload = portalReturnsQuery.extend(csvForm.shape);
export const portalStatementDownload = csvForm.omit({ columns: true }).extend({ month: monthText });
export const publisherFiguresDownload = publisherFiguresQuery.omit({ unit: true }).extend(csvForm.shape);
export const buyerFiguresDownload = buyerFiguresQuery.omit({ unit: true }).extend(csvForm.shape);

/** POST /api/console/portal/returns: a buyer gives a lead back, or asks for it. */
export const portalReturnBody = returnBody.extend({ leadId: z.string().max(60) });
export const portalReturnAnswer = z.object({ status: z.literal(true), msg: z.string(), isReturned: z.boolean() });
