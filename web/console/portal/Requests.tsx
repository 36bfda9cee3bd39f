import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type PortalRequest, REQUESTS_ON_A_PAGE } from '#contract/change-request.ts';
import type { PortalKind } from '#contract/portal.ts';
import { Pager } from '#web/ui/Pager.tsx';
import { TimeAgo } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, NotRefreshed, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { portalKey, portalRequestsQuery, withdrawRequest } from '../api/portal.ts';
import { RequestDifference } from './RequestDifference.tsx';
import { requestTitle, STATUS } from './request-words.ts';
import { usePortalSearch } from './use-portal.ts';

/** What the company asked for, and what was answered. */
export function Requests({ kind }: { kind: PortalKind }) {
  const { search, change } = usePortalSearch(kind);
  const page = search.page ?? 1;
  const requests = useQuery(portalRequestsQuery(page));
  const { data } = requests;
  return (
    <section className="card" aria-label="Requests">
      {requests.isPending && (
        <div className="card-body">
          <SkeletonLines count={5} height={22} />
        </div>
      )}
      {requests.isError && !data && <ErrorState error={requests.error} onRetry={() => void requests.refetch()} />}
      <NotRefreshed query={requests} />
      {data && data.rows.length === 0 && (
        <EmptyState title="Nothing was asked for yet.">
          Changes of your tiers and contacts are asked for where those stand, and a return where its lead stands.
        </EmptyState>
      )}
      {data && data.rows.length > 0 && (
        <ul className="request-list">
          {data.rows.map((request) => (
            <Request key={request._id} request={request} />
          ))}
        </ul>
      )}
      {data && <Pager total={data.total} pageSize={REQUESTS_ON_A_PAGE} page={page} onPage={(next) => change({ page: next })} />}
    </section>
  );
}

function Request({ request }: { request: PortalRequest }) {
  const client = useQueryClient();
  const { label, tone } = STATUS[request.status];
  const withdraw = useMutation({
    mutationFn: () => withdrawRequest(request._id),
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: () => client.invalidateQueries({ queryKey: portalKey }),
  });
  const title = requestTitle(request);
  return (
    <li>
      <div className="request-head">
        <strong>{title}</strong>
        <span className={`pill ${tone}`}>{label}</span>
        <span className="muted small">
          {request.askedBy}, <TimeAgo at={request.at} />
        </span>
        {request.status === 'open' && (
          <Button className="push" size="xs" variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
            Take back<span className="sr-only"> the request about {title}</span>
          </Button>
        )}
      </div>
      <RequestDifference request={request} />
      {request.note && <p className="request-said">“{request.note}”</p>}
      {request.decidedAt && request.status !== 'withdrawn' && (
        <p className="small">
          {label} <TimeAgo at={request.decidedAt} />
          {request.answer && `: ${request.answer}`}
        </p>
      )}
    </li>
  );
}
