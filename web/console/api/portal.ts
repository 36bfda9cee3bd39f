import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { PortalRequestsAnswer } from '#contract/change-request.ts';
import type { StatementAnswer } from '#contract/ledger.ts';
import type {
  BuyerFiguresAnswer,
  BuyerLeadAnswer,
  BuyerLeadsAnswer,
  PortalAnswer,
  PortalReturnsAnswer,
  PublisherFiguresAnswer,
  PublisherLeadAnswer,
  PublisherLeadsAnswer,
} from '#contract/portal.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import { getJson, postJson } from './client.ts';

const PORTAL = '/api/console/portal';
/** All that a portal shows. */
export const portalKey = ['portal'];
type Asked = Record<string, string>;
const text = (asked: Asked): string => new URLSearchParams(asked).toString();

export const portalQuery = queryOptions({
  queryKey: [...portalKey, 'company'],
  queryFn: ({ signal }) => getJson<PortalAnswer>(PORTAL, signal),
  refetchInterval: 60_000,
  staleTime: 2000,
});

interface Figures {
  buyer: BuyerFiguresAnswer;
  publisher: PublisherFiguresAnswer;
}
export const portalFiguresQuery = <Kind extends keyof Figures>(kind: Kind, asked: Asked) =>
  queryOptions({
    queryKey: [...portalKey, 'figures', kind, asked],
    queryFn: ({ signal }) => getJson<Figures[Kind]>(`${PORTAL}/${kind}/figures?${text(asked)}`, signal),
    placeholderData: (before) => before,
    staleTime: 5000,
  });

interface Leads {
  buyer: BuyerLeadsAnswer;
  publisher: PublisherLeadsAnswer;
}
export const portalLeadsQuery = <Kind extends keyof Leads>(kind: Kind, asked: Asked) =>
  infiniteQueryOptions({
    queryKey: [...portalKey, 'leads', kind, asked],
    queryFn: ({ signal, pageParam }) =>
      getJson<Leads[Kind]>(`${PORTAL}/${kind}/leads?${text({ ...asked, ...(pageParam !== '' && { before: pageParam }) })}`, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.older,
    staleTime: 2000,
  });

export const publisherLeadQuery = (id: string) =>
  queryOptions({
    queryKey: [...portalKey, 'lead', id],
    queryFn: ({ signal }) => getJson<PublisherLeadAnswer>(`${PORTAL}/publisher/leads/${id}`, signal),
  });
export const buyerLeadQuery = (id: string, sale: number) =>
  queryOptions({
    queryKey: [...portalKey, 'lead', id, sale],
    queryFn: ({ signal }) => getJson<BuyerLeadAnswer>(`${PORTAL}/buyer/leads/${id}/${sale}`, signal),
  });

export const portalReturnsQuery = (asked: { from: string; to: string }) =>
  queryOptions({
    queryKey: [...portalKey, 'returns', asked],
    queryFn: ({ signal }) => getJson<PortalReturnsAnswer>(`${PORTAL}/returns?${text(asked)}`, signal),
    placeholderData: (before) => before,
    staleTime: 2000,
  });

export const portalStatementQuery = (month: string, timeZone: TimeZone) =>
  queryOptions({
    queryKey: [...portalKey, 'statement', month, timeZone],
    queryFn: ({ signal }) => getJson<StatementAnswer>(`${PORTAL}/statement?${text({ month, timeZone })}`, signal),
    placeholderData: (before) => before,
    staleTime: 5000,
  });

export const portalRequestsQuery = (page: number) =>
  queryOptions({
    queryKey: [...portalKey, 'requests', page],
    queryFn: ({ signal }) => getJson<PortalRequestsAnswer>(`${PORTAL}/requests?page=${page}`, signal),
    placeholderData: (before) => before,
    refetchInterval: 60_000,
    staleTime: 2000,
  });

export interface Asking {
  model: string;
  _id: string;
  data: Record<string, unknown>;
  note: string;
}
export const askChange = (asking: Asking) => postJson<{ msg: string }>(`${PORTAL}/requests`, asking);
export const withdrawRequest = (id: string) => postJson<{ msg: string }>(`${PORTAL}/requests/${id}/withdraw`, {});

export interface AskingReturn {
  leadId: string;
  saleIndex: number;
  reason: string;
  note: string;
  amount?: string;
}
export const askReturn = (asking: AskingReturn) => postJson<{ msg: string; isReturned: boolean }>(`${PORTAL}/returns`, asking);

/** A page of its own, opened beside the console. */
export const postingSpecPath = (tierId: string): string => `${PORTAL}/posting-specs/${tierId}`;
