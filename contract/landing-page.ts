/** Landing pages: where they stand, what their script counts, and the report of them and of landers (console §2 "page-stats"). */
import { z } from 'zod';
import { csvForm } from './csv.ts';
import { isWebAddress, withScheme } from './lander-check.ts';
import { reportKey, reportQuery, rowQuery } from './report.ts';

/** Where a landing page stands. */
export const landingPageUrl = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(500)
  .transform(withScheme)
  .refine(isWebAddress, 'must be a web address, e.g. https://www.example.com/loans');

export const pageEvent = z.enum(['view', 'submit']);
export type PageEvent = z.infer<typeof pageEvent>;
export const countParams = z.object({ id: z.string().describe('Of the landing page.'), event: pageEvent });

const count = z.number().int();
export const pageMeasures = z.object({
  views: count,
  /** Forms sent, as the page says. */
  submits: count,
  /** Leads that name the page, test leads and bare pings left out. */
  leads: count,
  sold: count,
});
export type PageMeasures = z.infer<typeof pageMeasures>;

export const pageKind = z.enum(['landingPage', 'lander']);

export const pageReportQuery = reportQuery
  .pick({
    ...{ region: true, vertical: true, timeZone: true, from: true, to: true, beforeFrom: true, beforeTo: true, unit: true },
    ...{ campaignId: true, publisherId: true, publisherTierId: true },
  })
  .extend(rowQuery);
export const pageReportDownload = pageReportQuery.extend(csvForm.shape);

const spanView = z.object({ from: z.string(), to: z.string() });
const point = z.object({ at: z.string(), now: pageMeasures });
export const pageReportAnswer = z.object({
  status: z.literal(true),
  asOf: z.string(),
  span: spanView,
  before: spanView,
  total: pageMeasures,
  totalBefore: pageMeasures,
  /** In the order that was asked for, the most views first without one; every page that is in use, and archived ones that something happened on. `before` where it was asked for. */
  rows: z.array(
    z.object({
      keys: z.array(reportKey).length(1),
      kind: pageKind,
      /** Where it stands; of a lander below this installation's own address. */
      url: z.string(),
      publisherTier: reportKey,
      status: z.enum(['active', 'paused', 'archived']),
      now: pageMeasures,
      before: pageMeasures.optional(),
    }),
  ),
  rowCount: count,
  /** Every unit of the span, in order of time. */
  series: z.array(point),
  seriesBefore: z.array(point),
});
export type PageReportAnswer = z.infer<typeof pageReportAnswer>;
export type PageReportRow = PageReportAnswer['rows'][number];
