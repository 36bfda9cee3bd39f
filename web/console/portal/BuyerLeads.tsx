import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { BuyerLead, PortalAnswer } from '#contract/portal.ts';
import { BUYER_LEAD_WORDS, type BuyerLeadColumn, buyerLeadState } from '#contract/portal-words.ts';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { ExactTime, MoneyText } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { buyerLeadQuery, portalLeadsQuery } from '../api/portal.ts';
import { cellsOf, LeadFields, LeadList, LeadRow, type ListColumn, useAskedLeads, useListColumns } from './LeadList.tsx';
import { ReturnDialog } from './ReturnDialog.tsx';
import { usePortalSearch } from './use-portal.ts';

const nothing = <span className="muted">–</span>;
const column = (id: BuyerLeadColumn, cell: (lead: BuyerLead) => ReactNode): ListColumn<BuyerLead> => ({
  ...{ id, head: BUYER_LEAD_WORDS[id], cell },
});
export const buyerLeadColumns: readonly ListColumn<BuyerLead>[] = [
  column('reference', (lead) => lead.reference || nothing),
  column('tier', (lead) => lead.tierName),
  column('state', (lead) => (
    <span className="row">
      <span className={`pill ${lead.returned ? 'bad' : lead.isReturnAsked ? 'info' : 'good'}`}>{buyerLeadState(lead)}</span>
      {lead.test && <span className="pill warn">Test</span>}
    </span>
  )),
  { ...column('price', (lead) => <MoneyText amount={lead.price} exact />), isNumber: true },
  { ...column('returned', (lead) => (lead.returned ? <MoneyText amount={lead.returned.amount} exact /> : nothing)), isNumber: true },
  { ...column('reason', (lead) => lead.returned?.reason || nothing), isExtra: true },
  { ...column('id', (lead) => <span className="mono small">{lead.leadId}</span>), isExtra: true },
];

/** What the buyer bought, for how much, and the way to give it back. */
export function BuyerLeads({ portal }: { portal: PortalAnswer }) {
  const { search, change } = usePortalSearch('buyer');
  const [returning, setReturning] = useState<BuyerLead | null>(null);
  const returned = search.status === 'returned' ? 'true' : search.status === 'kept' ? 'false' : undefined;
  const asked = { ...useAskedLeads(search), ...(returned && { returned }) };
  const leads = useInfiniteQuery(portalLeadsQuery('buyer', asked));
  const columns = useListColumns('portal-buyer-leads', buyerLeadColumns);
  const rows = leads.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      <LeadList
        portal={portal}
        label="Leads you bought"
        searchLabel="Find a lead by its id, or by your reference"
        file="portal-buyer-leads"
        asked={asked}
        isNarrowed={Object.keys(asked).length > 0}
        leads={leads}
        count={rows.length}
        none="You have bought no leads yet."
        head={BUYER_LEAD_WORDS.soldAt}
        columns={columns}
        chips={
          <FilterChip
            name="Given back"
            options={[
              { value: 'returned', label: 'Given back' },
              { value: 'kept', label: 'Kept' },
            ]}
            value={returned && search.status}
            emptyText="Nothing found."
            onChange={(status) => change({ status })}
          />
        }
      >
        {rows.map((lead) => {
          const key = lead.leadId;
          return (
            <Row
              key={`${key}-${lead.saleIndex}`}
              lead={lead}
              columns={columns.shown}
              isOpen={search.open === key}
              onTurn={() => change({ open: search.open === key ? undefined : key })}
              onReturn={() => setReturning(lead)}
            />
          );
        })}
      </LeadList>
      {returning && <ReturnDialog portal={portal} lead={returning} onClose={() => setReturning(null)} />}
    </>
  );
}

interface RowProps {
  lead: BuyerLead;
  columns: readonly ListColumn<BuyerLead>[];
  isOpen: boolean;
  onTurn: () => void;
  onReturn: () => void;
}

const Row = ({ lead, columns, isOpen, onTurn, onReturn }: RowProps) => (
  <LeadRow at={lead.soldAt} isOpen={isOpen} onTurn={onTurn} span={columns.length} opened={<Opened lead={lead} onReturn={onReturn} />}>
    {cellsOf(columns, lead)}
  </LeadRow>
);

function Opened({ lead, onReturn }: { lead: BuyerLead; onReturn: () => void }) {
  const found = useQuery(buyerLeadQuery(lead.leadId, lead.saleIndex));
  return (
    <div className="form-stack">
      <span className="row">
        <span className="mono small">{lead.leadId}</span>
        <CopyButton text={lead.leadId} label="Copy the lead id" />
      </span>
      {found.isPending && <SkeletonLines count={3} />}
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && (
        <LeadFields
          fields={found.data.fields}
          none={found.data.isErased ? 'The person was taken out of this lead.' : 'What you were sent is kept here no longer.'}
        />
      )}
      <ReturnLine lead={lead} onReturn={onReturn} />
    </div>
  );
}

function ReturnLine({ lead, onReturn }: { lead: BuyerLead; onReturn: () => void }) {
  if (lead.returned)
    return (
      <p className="small">
        Given back <ExactTime at={lead.returned.at} />: {lead.returned.reason}.
      </p>
    );
  if (lead.isReturnAsked) return <p className="small">You asked to give it back. It is not decided yet.</p>;
  if (lead.returnableUntil === null) return <p className="muted small">A test lead: there is nothing to give back.</p>;
  if (Date.parse(lead.returnableUntil) < Date.now())
    return (
      <p className="muted small">
        It could be given back until <ExactTime at={lead.returnableUntil} />.
      </p>
    );
  return (
    <span className="row">
      <Button size="xs" variant="default" onClick={onReturn}>
        Give it back
      </Button>
      <span className="muted small">
        until <ExactTime at={lead.returnableUntil} />
      </span>
    </span>
  );
}
