import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import type { PortalAnswer, PortalKind } from '#contract/portal.ts';
import { EmptyState, ErrorState, NotRefreshed, SkeletonLines } from '#web/ui/states.tsx';
import { portalQuery } from '../api/portal.ts';
import { TabBar } from '../shell/TabBar.tsx';
import '#web/ui/stacking-table.css';
import { BuyerLeads } from './BuyerLeads.tsx';
import { BuyerFigures, PublisherFigures } from './PortalFigures.tsx';
import { PortalReturns } from './PortalReturns.tsx';
import { PortalStatement } from './PortalStatement.tsx';
import { PortalTerms } from './PortalTerms.tsx';
import { PublisherLeads } from './PublisherLeads.tsx';
import { type PortalTab, portalTabs } from './portal-search.ts';
import { Requests } from './Requests.tsx';
import { usePortalSearch } from './use-portal.ts';
import './portal.css';

const LABEL: Record<PortalTab, string> = {
  today: 'Figures',
  leads: 'Leads',
  returns: 'Returns',
  statement: 'Statement',
  terms: 'Tiers and contacts',
  requests: 'Requests',
};

/** home-buyer or home-publisher for a member who is bound to one: its own leads, figures, returns, statement, terms and requests. */
export function Portal({ kind }: { kind: PortalKind }) {
  const portal = useQuery(portalQuery);
  const { search } = usePortalSearch(kind);
  const { data } = portal;
  const tab = search.tab ?? 'today';
  const look = useEffectEvent(() => void portal.refetch());
  // What was decided meanwhile stands in the next tab that is opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked for when another tab opens
  useEffect(() => look(), [tab]);
  return (
    <div className="page">
      <title>{`${data?.company.name ?? 'Your portal'} · Sluice`}</title>
      <div className="page-head">
        <h1>{data?.company.name ?? 'Your portal'}</h1>
        {data && <span className="muted">{`${kind === 'buyer' ? 'Buyer' : 'Publisher'} with ${data.organizationName}`}</span>}
        {data?.company.isPaused && <span className="pill info">Paused</span>}
      </div>
      {portal.isPending && (
        <div className="card card-body">
          <SkeletonLines count={8} height={22} />
        </div>
      )}
      {portal.isError && !data && (
        <div className="card">
          <ErrorState error={portal.error} onRetry={() => void portal.refetch()} />
        </div>
      )}
      <NotRefreshed query={portal} />
      {data?.company.isArchived && (
        <div className="card">
          <EmptyState title={`${data.company.name} is archived.`}>
            {`Its portal is closed, and nothing of it is shown. Ask ${data.organizationName} if that is not right.`}
          </EmptyState>
        </div>
      )}
      {data && !data.company.isArchived && (
        <>
          <TabBar label="Your pages here">
            {portalTabs.map((one) => (
              <Link
                key={one}
                to={`/setup/home-${kind}`}
                search={(one === 'today' ? {} : { tab: one }) as never}
                {...(one === tab && { 'aria-current': 'page' as const })}
                activeOptions={{ exact: true, includeSearch: true }}
              >
                {LABEL[one]}
                {one === 'requests' && data.openRequests > 0 && (
                  <span className="count-badge">
                    {data.openRequests}
                    <span className="sr-only"> waiting</span>
                  </span>
                )}
              </Link>
            ))}
          </TabBar>
          <Body tab={tab} portal={data} />
        </>
      )}
    </div>
  );
}

function Body({ tab, portal }: { tab: PortalTab; portal: PortalAnswer }) {
  const { kind } = portal;
  switch (tab) {
    case 'today':
      return kind === 'buyer' ? <BuyerFigures portal={portal} /> : <PublisherFigures portal={portal} />;
    case 'leads':
      return kind === 'buyer' ? <BuyerLeads portal={portal} /> : <PublisherLeads portal={portal} />;
    case 'returns':
      return <PortalReturns portal={portal} />;
    case 'statement':
      return <PortalStatement portal={portal} />;
    case 'terms':
      return <PortalTerms portal={portal} />;
    case 'requests':
      return <Requests kind={kind} />;
  }
}
