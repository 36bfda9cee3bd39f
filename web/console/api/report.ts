import { queryOptions } from '@tanstack/react-query';
import type { PageReportAnswer } from '#contract/landing-page.ts';
import type { PaymentReportAnswer } from '#contract/payment.ts';
import type {
  AttemptReportAnswer,
  BidPriceAnswer,
  CompareAnswer,
  LeadReportAnswer,
  MapReportAnswer,
  PerformanceReportAnswer,
  ReasonReportAnswer,
  TimeoutReportAnswer,
} from '#contract/report.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import { type AskedRows, type ReportSearch, toReportQuery } from '../report/report-search.ts';
import { getJson } from './client.ts';
import type { Place } from './lead.ts';

/** By the name in the call's address. */
interface Answers {
  inbound: LeadReportAnswer;
  trending: LeadReportAnswer;
  outbound: AttemptReportAnswer;
  performance: PerformanceReportAnswer;
  redirect: AttemptReportAnswer;
  reason: ReasonReportAnswer;
  'time-outs': TimeoutReportAnswer;
  map: MapReportAnswer;
  compare: CompareAnswer;
  'page-stats': PageReportAnswer;
  payments: PaymentReportAnswer;
  'bid-prices': BidPriceAnswer;
}
/** Of those that have a page. */
export type ReportName = Exclude<keyof Answers, 'bid-prices'>;

export interface AskedReport extends AskedRows {
  place: Place;
  search: ReportSearch;
  zone: TimeZone;
}

export const reportQuery = <Name extends keyof Answers>(name: Name, { place, search, zone, ...rows }: AskedReport) => {
  // What only changes how the answer is looked at asks for no other.
  const { sort, measure, chosen, result, columns, view, ...asked } = search;
  return queryOptions({
    queryKey: ['report', place, name, asked, rows, zone],
    queryFn: ({ signal }) => {
      const query = toReportQuery(place, asked, rows, zone, Date.now());
      return getJson<Answers[Name]>(`/api/console/reports/${name}?${new URLSearchParams(query)}`, signal);
    },
    // While a filter changes the old answer stays in sight, dimmed; another place's or report's never does.
    placeholderData: (before, query) => {
      const [, oldPlace, oldName] = (query?.queryKey ?? []) as unknown as [string, Place, string];
      return oldName === name && oldPlace.region === place.region && oldPlace.vertical === place.vertical ? before : undefined;
    },
    staleTime: 15_000,
  });
};
