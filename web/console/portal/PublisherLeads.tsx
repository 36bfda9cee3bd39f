import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PortalAnswer, PublisherLead, PublisherLeadStatus } from '#contract/portal.ts';
import { PUBLISHER_LEAD_WORDS, PUBLISHER_STATUS_WORDS, type PublisherLeadColumn } from '#contract/portal-words.ts';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { ExactSearch } from '#web/ui/ExactSearch.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { formatElapsed } from '#web/ui/format.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { portalLeadsQuery, publisherLeadQuery } from '../api/portal.ts';
import { cellsOf, LeadFields, LeadList, LeadRow, type ListColumn, useAskedLeads, useListColumns } from './LeadList.tsx';
import { usePortalSearch } from './use-portal.ts';

const TONE: Record<PublisherLeadStatus, string> = {
  ...{ sold: 'good', rejected: 'muted', invalid: 'warn', duplicate: 'warn', waiting: 'info', error: 'bad', bid: 'info', noBid: 'muted' },
};
const options = Object.entries(PUBLISHER_STATUS_WORDS).map(([value, label]) => ({ value, label }));
const nothing = <span className="muted">–</span>;

const column = (id: PublisherLeadColumn, cell: (lead: PublisherLead) => ReactNode): ListColumn<PublisherLead> => ({
  ...{ id, head: PUBLISHER_LEAD_WORDS[id], cell },
});
export const publisherLeadColumns: readonly ListColumn<PublisherLead>[] = [
  column('status', (lead) => (
    <span className="row">
      <span className={`pill ${TONE[lead.status]}`}>{PUBLISHER_STATUS_WORDS[lead.status]}</span>
      {lead.test && <span className="pill warn">Test</span>}
      {lead.isPing && <span className="pill muted">Ping</span>}
      {lead.returned && <span className="pill bad">Given back</span>}
    </span>
  )),
  column('reason', (lead) => lead.reason ?? nothing),
  column('consumer', (lead) => lead.primaryValue || nothing),
  column('tier', (lead) => lead.tierName),
  column('subId', (lead) => lead.subId || nothing),
  { ...column('payout', (lead) => <MoneyText amount={lead.payout} faint />), isNumber: true },
  { ...column('returned', (lead) => (lead.returned ? <MoneyText amount={lead.returned} /> : nothing)), isNumber: true, isExtra: true },
  { ...column('id', (lead) => <span className="mono small">{lead._id}</span>), isExtra: true },
];

/** What the publisher posted: what became of it, and what it is paid. */
export function PublisherLeads({ portal }: { portal: PortalAnswer }) {
  const { search, change } = usePortalSearch('publisher');
  const status = search.status && search.status in PUBLISHER_STATUS_WORDS ? search.status : undefined;
  const asked = { ...useAskedLeads(search), ...(status && { status }), ...(search.subId && { subId: search.subId }) };
  const leads = useInfiniteQuery(portalLeadsQuery('publisher', asked));
  const columns = useListColumns('portal-publisher-leads', publisherLeadColumns);
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
      head={PUBLISHER_LEAD_WORDS.receivedAt}
      columns={columns}
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
          columns={columns.shown}
          isOpen={search.open === lead._id}
          onTurn={() => change({ open: search.open === lead._id ? undefined : lead._id })}
        />
      ))}
    </LeadList>
  );
}

interface RowProps {
  lead: PublisherLead;
  columns: readonly ListColumn<PublisherLead>[];
  isOpen: boolean;
  onTurn: () => void;
}

const Row = ({ lead, columns, isOpen, onTurn }: RowProps) => (
  <LeadRow at={lead.receivedAt} isOpen={isOpen} onTurn={onTurn} span={columns.length} opened={<Opened lead={lead} />}>
    {cellsOf(columns, lead)}
  </LeadRow>
);

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
