import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { TextChip } from '#web/ui/ChipFrame.tsx';
import { ChoiceChip } from '#web/ui/ChoiceChip.tsx';
import { ExactSearch } from '#web/ui/ExactSearch.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { PeriodChip } from '#web/ui/PeriodChip.tsx';
import { spans } from '#web/ui/period.ts';
import { leadChoices } from '../api/choices.ts';
import { leadFiltersQuery, type Place } from '../api/lead.ts';
import { rememberTimeSpan } from '../time-span.ts';
import { statuses, statusWord } from './lead-words.ts';
import { hasFilter, type LeadsSearch } from './leads-search.ts';
import { StatusText } from './StatusText.tsx';

const statusOptions = statuses.map((status) => ({ value: status, label: statusWord[status].label, mark: <StatusText status={status} /> }));
const testOptions = [
  { value: 'false', label: 'Real leads only' },
  { value: 'true', label: 'Test leads only' },
];

const pingOptions = [
  { value: 'false', label: 'Leads only' },
  { value: 'true', label: 'Bare pings only' },
];

const NO_STATE = { value: '', label: 'Not known' };

const LEAD_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface LeadFiltersProps {
  place: Place;
  search: LeadsSearch;
  onChange: (change: Partial<LeadsSearch>) => void;
  onClear: () => void;
}

/** One pattern of filters: a chip for each, its value in the address. */
export function LeadFilters({ place, search, onChange, onClear }: LeadFiltersProps) {
  const { data } = useQuery(leadFiltersQuery(place));
  const navigate = useNavigate();
  // A lead id names one lead, in whatever vertical it lies: straight to its page.
  const onSearch = (q: string) =>
    LEAD_ID.test(q)
      ? void navigate({ to: '/setup/$region/$vertical/leads/$leadId', params: { ...place, leadId: q.toLowerCase() } })
      : onChange({ q: q || undefined });
  return (
    <search className="lead-filters" aria-label="Find leads">
      <ExactSearch
        key={search.q ?? ''}
        value={search.q ?? ''}
        label="Search by lead id, email, phone or primary field"
        placeholder="Lead id, email or phone, then Enter"
        className="lead-search"
        onSearch={onSearch}
      />
      <PeriodChip
        presets={spans}
        value={{ period: search.period, from: search.from, to: search.to }}
        onChange={(next) => {
          if (next.period) rememberTimeSpan({ timespan: next.period, startDate: next.from ?? '', endDate: next.to ?? '' });
          onChange(next);
        }}
      />
      <FilterChip
        name="Status"
        options={statusOptions}
        value={search.status}
        emptyText="No status found."
        onChange={(status) => onChange({ status: statuses.find((one) => one === status) })}
      />
      <FilterChip
        name="Reason"
        options={data?.reasons ?? []}
        value={search.reason}
        emptyText="No reasons found."
        onChange={(reason) => onChange({ reason })}
      />
      <ChoiceChip
        name="Campaign"
        source={leadChoices(place, 'campaign')}
        value={search.campaignId}
        emptyText="No campaigns found."
        onChange={(campaignId) => onChange({ campaignId })}
      />
      <ChoiceChip
        name="Publisher"
        source={leadChoices(place, 'publisher')}
        value={search.publisherId}
        emptyText="No publishers found."
        onChange={(publisherId) => onChange({ publisherId })}
      />
      <ChoiceChip
        name="Publisher tier"
        source={leadChoices(place, 'publisherTier')}
        value={search.publisherTierId}
        emptyText="No publisher tiers found."
        onChange={(publisherTierId) => onChange({ publisherTierId })}
      />
      {search.subId !== undefined && (
        <TextChip name="Sub id" text={search.subId || 'none'} onClear={() => onChange({ subId: undefined })} />
      )}
      <FilterChip
        name="State"
        options={[...(data?.states ?? []), NO_STATE]}
        value={search.state}
        emptyText="No states found."
        onChange={(state) => onChange({ state })}
      />
      <ChoiceChip
        name="Buyer"
        source={leadChoices(place, 'buyer')}
        value={search.buyerId}
        emptyText="No buyers found."
        onChange={(buyerId) => onChange({ buyerId })}
      />
      <ChoiceChip
        name="Buyer tier"
        source={leadChoices(place, 'buyerTier')}
        value={search.buyerTierId}
        emptyText="No buyer tiers found."
        onChange={(buyerTierId) => onChange({ buyerTierId })}
      />
      {search.variantId === '' && <TextChip name="Variant" text="none" onClear={() => onChange({ variantId: undefined })} />}
      {search.variantId !== '' && (data?.hasVariants || search.variantId) && (
        <ChoiceChip
          name="Variant"
          source={leadChoices(place, 'variant')}
          value={search.variantId}
          emptyText="No variants found."
          onChange={(variantId) => onChange({ variantId })}
        />
      )}
      {search.pageId !== undefined && (
        <ChoiceChip
          name="Page"
          source={leadChoices(place, 'page')}
          value={search.pageId}
          emptyText="No pages found."
          onChange={(pageId) => onChange({ pageId })}
        />
      )}
      <FilterChip
        name="Test"
        options={testOptions}
        value={search.test}
        emptyText=""
        onChange={(test) => onChange({ test: test === 'true' || test === 'false' ? test : undefined })}
      />
      <FilterChip
        name="Pings"
        options={pingOptions}
        value={search.pings}
        emptyText=""
        onChange={(pings) => onChange({ pings: pings === 'true' || pings === 'false' ? pings : undefined })}
      />
      {hasFilter(search) && (
        <button type="button" className="bare link clear-all" onClick={onClear}>
          Clear all
        </button>
      )}
    </search>
  );
}
