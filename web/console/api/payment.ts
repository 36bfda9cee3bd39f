import { infiniteQueryOptions } from '@tanstack/react-query';
import type { PaymentListAnswer } from '#contract/payment.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import { PAYMENT_FILTERS } from '../payment/payment-filters.ts';
import { type ReportSearch, toReportQuery } from '../report/report-search.ts';
import { getJson } from './client.ts';
import type { Place } from './lead.ts';

/** The call's own query, of the page as of its file. */
export function toPaymentsQuery(place: Place, search: ReportSearch, zone: TimeZone): Record<string, string> {
  const {
    beforeFrom: _from,
    beforeTo: _to,
    unit: _unit,
    ...asked
  } = toReportQuery(place, search, { filters: PAYMENT_FILTERS }, zone, Date.now());
  const { result, q } = search;
  return { ...asked, ...(result && { result }), ...(q && { q }) };
}

/** The payments of a span, or of what is searched for, narrowed, a page at a time. */
export const paymentsQuery = (place: Place, { columns: _columns, view: _view, ...search }: ReportSearch, zone: TimeZone) =>
  infiniteQueryOptions({
    queryKey: ['payments', place, search, zone],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ ...toPaymentsQuery(place, search, zone), ...(pageParam && { before: pageParam }) });
      return getJson<PaymentListAnswer>(`/api/console/payments?${query}`, signal);
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.older,
  });
