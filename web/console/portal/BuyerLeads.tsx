import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BuyerLead, PortalAnswer } from '#contract/portal.ts';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { ExactTime, MoneyText } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { buyerLeadQuery, portalLeadsQuery } from '../api/portal.ts';
import { LeadFields, LeadList, LeadRow, useAskedLeads } from './LeadList.tsx';
import { ReturnDialog } from './ReturnDialog.tsx';
import { usePortalSearch } from './use-portal.ts';

const heads = [
  { head: 'Bought' },
  { head: 'Your reference' },
  { head: 'Tier' },
  { head: 'State' },
  { head: 'Price', isNumber: true },
  { head: 'Given back', isNumber: true },
];

/** What the buyer bought, for how much, and the way to give it back. */
export function BuyerLeads({ portal }: { portal: PortalAnswer }) {
  const { search, change } = usePortalSearch('buyer');
  const [returning, setReturning] = useState<BuyerLead | null>(null);
  const returned = search.status === 'returned' ? 'true' : search.status === 'kept' ? 'false' : undefined;
  const asked = { ...useAskedLeads(search), ...(returned && { returned }) };
  const leads = useInfiniteQuery(portalLeadsQuery('buyer', asked));
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
        heads={heads}
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
  isOpen: boolean;
  onTurn: () => void;
  onReturn: () => void;
}

function Row({ lead, isOpen, onTurn, onReturn }: RowProps) {
  return (
    <LeadRow at={lead.soldAt} isOpen={isOpen} onTurn={onTurn} span={heads.length} opened={<Opened lead={lead} onReturn={onReturn} />}>
      <td data-head="Your reference">{lead.reference || <span className="muted">–</span>}</td>
      <td data-head="Tier">{lead.tierName}</td>
      <td data-head="State">
        <span className="row">
          {lead.returned ? <span className="pill bad">Given back</span> : <span className="pill good">Bought</span>}
          {lead.isReturnAsked && <span className="pill info">Return asked</span>}
          {lead.test && <span className="pill warn">Test</span>}
        </span>
      </td>
      <td className="num" data-head="Price">
        <MoneyText amount={lead.price} exact />
      </td>
      <td className="num" data-head="Given back">
        {lead.returned ? <MoneyText amount={lead.returned.amount} exact /> : <span className="muted">–</span>}
      </td>
    </LeadRow>
  );
}

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
