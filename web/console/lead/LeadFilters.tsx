import { useNavigate } from '@tanstack/react-router';
import type { Place } from '../api/lead.ts';
import { rememberTimeSpan } from '../time-span.ts';
import { FilterBar } from './FilterBar.tsx';
import { FILTERS } from './filters.tsx';
import { hasFilter, type LeadsSearch } from './leads-search.ts';

const LEAD_FILTERS = [
  ...[FILTERS.q, FILTERS.period, FILTERS.status, FILTERS.reason, FILTERS.filterReason, FILTERS.campaign, FILTERS.publisher],
  ...[FILTERS.publisherTier, FILTERS.subId, FILTERS.state, FILTERS.buyer, FILTERS.buyerTier],
  ...[FILTERS.triedBuyer, FILTERS.triedTier, FILTERS.triedGroup, FILTERS.soldBuyer, FILTERS.soldTier, FILTERS.price],
  ...[FILTERS.variant, FILTERS.page, FILTERS.test, FILTERS.pings],
];

const LEAD_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface LeadFiltersProps {
  place: Place;
  search: LeadsSearch;
  onChange: (change: Partial<LeadsSearch>) => void;
  onClear: () => void;
}

/** What the leads list is narrowed by. */
export function LeadFilters({ place, search, onChange, onClear }: LeadFiltersProps) {
  const navigate = useNavigate();
  const change = (part: Partial<LeadsSearch>) => {
    const { q, period, from = '', to = '' } = part;
    // A lead id names one lead, in whatever vertical it lies: straight to its page.
    if (q && LEAD_ID.test(q))
      return void navigate({ to: '/setup/$region/$vertical/leads/$leadId', params: { ...place, leadId: q.toLowerCase() } });
    if (period) rememberTimeSpan({ timespan: period, startDate: from, endDate: to });
    onChange(part);
  };
  return (
    <FilterBar label="Find leads" filters={LEAD_FILTERS} isNarrowed={hasFilter(search)} onChange={change} {...{ place, search, onClear }} />
  );
}
