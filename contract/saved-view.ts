/** Addresses of reports, of the leads list and of logs that members keep by a name, their own and those that are shared in a vertical. */
import { z } from 'zod';
import { isPlainLine } from './person-name.ts';
import { isStorable } from './storable.ts';

/** Pages that have views, and those of the catalogue that open each: one of them is enough. */
export const VIEW_PAGES = {
  inbound: ['leadFlow-Inbound'],
  'sub-ids': ['leadFlow-Inbound'],
  outbound: ['leadFlow-Outbound'],
  trending: ['leadFlow-Trending'],
  reason: ['leadFlow-ReasonReport'],
  redirect: ['leadFlow-RedirectReport'],
  performance: ['leadFlow-PerformanceReport'],
  'time-outs': ['buyer-timeout-track'],
  map: ['comm-maps'],
  compare: ['compare-stats'],
  'page-stats': ['Page-Stats'],
  payments: ['payment-processor-stats'],
  'payment-list': ['payment-processor-stats'],
  leads: ['leadFlow-Inbound', 'leadFlow-Outbound', 'serverLogs'],
  'attempt-log': ['serverLogs'],
  'call-log': ['serverLogs'],
} as const satisfies Record<string, readonly string[]>;
export type ViewPage = keyof typeof VIEW_PAGES;

/** What a view keeps of an address. What was searched for (q, text) is no part of it: it may be of a person, and would outlive them. */
const MEMBERS: readonly string[] = [
  ...['period', 'from', 'to', 'by', 'unit', 'measure', 'sort', 'columns', 'chosen', 'result'],
  ...['campaignId', 'publisherId', 'publisherTierId', 'subId', 'state', 'buyerId', 'buyerTierId', 'processorId', 'move', 'bin', 'reason'],
  ...['of', 'a', 'b', 'bPeriod', 'bFrom', 'bTo'],
  ...[
    'status',
    'filterReason',
    'triedBuyerId',
    'triedTierId',
    'triedGroupId',
    'soldBuyerId',
    'soldTierId',
    'otherPrice',
    'variantId',
    'pageId',
  ],
  ...['test', 'pings', 'limit', 'outcome', 'leg', 'tookMs', 'end', 'call', 'code', 'http'],
];

/** In the log of buyer tiers a reason is searched for in a buyer's words, elsewhere it is one of ours. */
export const isKeptBy = (page: string, search: Record<string, string>): boolean => page !== 'attempt-log' || search.reason === undefined;

/** Views of one member at one page of a vertical. */
export const MOST_VIEWS = 30;

const viewPage = z.enum(Object.keys(VIEW_PAGES) as [ViewPage, ...ViewPage[]]);
const viewName = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(60)
  .refine((text) => isPlainLine(text) && isStorable(text), 'must be one line of text without a link');
const viewSearch = z
  .record(z.string().max(40), z.string().max(600).refine(isStorable, 'holds a NUL character, or half of one that takes two'))
  .refine(
    (search) => Object.keys(search).every((name) => MEMBERS.includes(name)),
    'holds something that a view does not keep of an address',
  );

export const viewsQuery = z.object({ region: z.string().max(60), vertical: z.string().max(60), page: viewPage });
export const newView = viewsQuery.extend({ name: viewName, search: viewSearch, shared: z.boolean().default(false) }).strict();
/** `version`: as it was read. */
export const changedView = z.strictObject({
  version: z.number().int(),
  name: viewName.optional(),
  search: viewSearch.optional(),
  shared: z.boolean().optional(),
});
export const defaultViewBody = z.strictObject({ isDefault: z.boolean() });
export const viewParams = z.object({ id: z.string().max(60) });

export const savedView = z.object({
  _id: z.string(),
  name: z.string(),
  search: z.record(z.string(), z.string()),
  shared: z.boolean(),
  /** Of the member who asks. */
  isOwn: z.boolean(),
  ownerName: z.string(),
  mayEdit: z.boolean(),
  isDefault: z.boolean(),
  version: z.number().int(),
  /** In sentences: what it is narrowed to and is archived, or not there any more. */
  notes: z.array(z.string()),
});
export type SavedView = z.infer<typeof savedView>;

/** The member's own, then the shared ones of others, each by name. */
export const viewsAnswer = z.object({ status: z.literal(true), views: z.array(savedView), mayShare: z.boolean() });
export type ViewsAnswer = z.infer<typeof viewsAnswer>;
export const viewSaved = z.object({ status: z.literal(true), msg: z.string(), view: savedView });
export type ViewSaved = z.infer<typeof viewSaved>;
export const viewDone = z.object({ status: z.literal(true), msg: z.string() });
