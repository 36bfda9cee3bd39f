/** Addresses of reports that members keep by a name, their own and those that are shared in a vertical. */
import { z } from 'zod';
import { isPlainLine } from './person-name.ts';
import { isStorable } from './storable.ts';

/** Reports that have views, and the page of the catalogue that opens each. */
export const VIEW_PAGES = {
  ...{ inbound: 'leadFlow-Inbound', 'sub-ids': 'leadFlow-Inbound', outbound: 'leadFlow-Outbound', trending: 'leadFlow-Trending' },
  ...{ reason: 'leadFlow-ReasonReport', redirect: 'leadFlow-RedirectReport', performance: 'leadFlow-PerformanceReport' },
  ...{ 'time-outs': 'buyer-timeout-track', map: 'comm-maps', compare: 'compare-stats', 'page-stats': 'Page-Stats' },
  payments: 'payment-processor-stats',
} as const;
export type ViewPage = keyof typeof VIEW_PAGES;

/** What a view keeps of an address. */
const MEMBERS: readonly string[] = [
  ...['period', 'from', 'to', 'by', 'unit', 'measure', 'sort', 'columns', 'chosen', 'result'],
  ...['campaignId', 'publisherId', 'publisherTierId', 'subId', 'state', 'buyerId', 'buyerTierId', 'processorId', 'move', 'bin', 'reason'],
  ...['of', 'a', 'b', 'bPeriod', 'bFrom', 'bTo'],
];

/** Views of one member at one report of a vertical. */
export const MOST_VIEWS = 30;

const viewPage = z.enum(Object.keys(VIEW_PAGES) as [ViewPage, ...ViewPage[]]);
const viewName = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(60)
  .refine((text) => isPlainLine(text) && isStorable(text), 'must be one line of text without a link');
const viewSearch = z
  .record(z.string().max(40), z.string().max(400).refine(isStorable, 'holds a NUL character, or half of one that takes two'))
  .refine((search) => Object.keys(search).every((name) => MEMBERS.includes(name)), 'holds something that no report has in its address');

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
