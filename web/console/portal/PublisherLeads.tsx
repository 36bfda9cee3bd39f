import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { PortalAnswer, PublisherLead, PublisherLeadStatus } from '#contract/portal.ts';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { ExactSearch } from '#web/ui/ExactSearch.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { formatElapsed } from '#web/ui/format.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { portalLeadsQuery, publisherLeadQuery } from '../api/portal.ts';
import { LeadFields, LeadList, LeadRow, useAskedLeads } from './LeadList.tsx';
import { usePortalSearch } from './use-portal.ts';

const STATUS: Record<PublisherLeadStatus, { label: string; tone: string }> = {
  sold: { label: 'Sold', tone: 'good' },
  rejected: { label: 'Rejected', tone: 'muted' },
  invalid: { label: 'Invalid', tone: 'warn' },
  duplicate: { label: 'Duplicate', tone: 'warn' },
  waiting: { label: 'Waiting', tone: 'info' },
  error: { label: 'Error', tone: 'bad' },
  bid: { label: 'Bid', tone: 'info' },
  noBid: { label: 'No bid', tone: 'muted' },
};
const options = Object.entries(STATUS).map(([value, { label }]) => ({ value, label }));
const heads = [
  { head: 'Received' },
  { head: 'Status' },
  { head: 'Reason' },
  { head: 'Consumer' },
  { head: 'Tier' },
  { head: 'Sub id' },
  { head: 'Payout', isNumber: true },
];

/** What the publisher posted: what became of it, and what it is paid. */
export function PublisherLeads({ portal }: { portal: PortalAnswer }) {
  const { search, change } = usePortalSearch('publisher');
  const status = search.status && search.status in STATUS ? search.status : undefined;
  const asked = { ...useAskedLeads(search), ...(status && { status }), ...(search.subId && { subId: search.subId }) };
  const leads = useInfiniteQuery(portalLeadsQuery('publisher', asked));
  const rows = leads.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <LeadList
      portal={portal}
      label="Your leads"
      searchLabel="Find a lead by its id, or a consumer’s email or phone"
      file="portal-publisher-leads"
      asked={asked}
      isNarrowed={Object.keys(asked).length > 0}
      leads={leads}
      count={rows.length}
      none="You have posted no leads yet."
      heads={heads}
      chips={
        <>
          <FilterChip
            name="Status"
            options={options}
            value={status}
            emptyText="No status found."
            onChange={(next) => change({ status: next })}
          />
          <ExactSearch
            key={search.subId}
            value={search.subId ?? ''}
            label="Leads of one sub id"
            placeholder="Sub id"
            className="portal-sub-id"
            isFirst={false}
            onSearch={(subId) => change({ subId: subId || undefined })}
          />
        </>
      }
    >
      {rows.map((lead) => (
        <Row
          key={lead._id}
          lead={lead}
          isOpen={search.open === lead._id}
          onTurn={() => change({ open: search.open === lead._id ? undefined : lead._id })}
        />
      ))}
    </LeadList>
  );
}

function Row({ lead, isOpen, onTurn }: { lead: PublisherLead; isOpen: boolean; onTurn: () => void }) {
  const { label, tone } = STATUS[lead.status];
  return (
    <LeadRow at={lead.receivedAt} isOpen={isOpen} onTurn={onTurn} span={heads.length} opened={<Opened lead={lead} />}>
      <td data-head="Status">
        <span className="row">
          <span className={`pill ${tone}`}>{label}</span>
          {lead.test && <span className="pill warn">Test</span>}
          {lead.isPing && <span className="pill muted">Ping</span>}
          {lead.returned && <span className="pill bad">Given back</span>}
        </span>
      </td>
      <td data-head="Reason">{lead.reason ?? <span className="muted">–</span>}</td>
      <td data-head="Consumer">{lead.primaryValue || <span className="muted">–</span>}</td>
      <td data-head="Tier">{lead.tierName}</td>
      <td data-head="Sub id">{lead.subId || <span className="muted">–</span>}</td>
      <td className="num" data-head="Payout">
        <MoneyText amount={lead.payout} faint />
      </td>
    </LeadRow>
  );
}

function Opened({ lead }: { lead: PublisherLead }) {
  const found = useQuery(publisherLeadQuery(lead._id));
  const { data } = found;
  return (
    <div className="form-stack">
      <span className="row">
        <span className="mono small">{lead._id}</span>
        <CopyButton text={lead._id} label="Copy the lead id" />
        {data && <span className="muted small">answered in {formatElapsed(data.elapsedMs)}</span>}
      </span>
      {lead.returned && (
        <p className="small">
          <MoneyText amount={lead.returned} exact /> of the payout was taken back.
        </p>
      )}
      {found.isPending && <SkeletonLines count={3} />}
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {data && data.errors.length > 0 && (
        <ul className="portal-errors">
          {data.errors.map(({ field, message }) => (
            <li key={field + message}>
              <strong>{field}</strong> {message}
            </li>
          ))}
        </ul>
      )}
      {data && (
        <LeadFields
          fields={data.fields}
          none={data.isErased ? 'The person was taken out of this lead.' : 'Nothing was posted that is kept.'}
        />
      )}
    </div>
  );
}
