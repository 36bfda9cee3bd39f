import { infiniteQueryOptions } from '@tanstack/react-query';
import type { PaymentListAnswer } from '#contract/payment.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import { type FilterName, type ReportSearch, toReportQuery } from '../report/report-search.ts';
import { getJson } from './client.ts';
import type { Place } from './lead.ts';

/** The payments of a span, narrowed, a page at a time. */
export const paymentsQuery = (place: Place, search: ReportSearch, filters: readonly FilterName[], zone: TimeZone) =>
  infiniteQueryOptions({
    queryKey: ['payments', place, search, zone],
    queryFn: ({ pageParam, signal }) => {
      const { region, vertical, from, to, timeZone, ...narrowed } = toReportQuery(place, search, { filters }, zone, Date.now());
      const asked = { region, vertical, from, to, timeZone, ...only(narrowed, filters) } as Record<string, string>;
      const query = new URLSearchParams({
        ...asked,
        ...(search.result && { result: search.result }),
        ...(pageParam && { before: pageParam }),
      });
      return getJson<PaymentListAnswer>(`/api/console/payments?${query}`, signal);
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.older,
  });

const only = (query: Record<string, string>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)));
