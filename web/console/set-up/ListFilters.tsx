import { useQuery } from '@tanstack/react-query';
import { type ChipOption, FilterChip } from '#web/ui/FilterChip.tsx';
import { recordsQuery } from '../api/record.ts';
import type { FilterField, ListSearch } from './list-search.ts';

interface ListFiltersProps {
  filters: readonly FilterField[];
  condition: Record<string, unknown>;
  search: ListSearch;
  onChange: (part: ListSearch) => void;
}

const DELIVERIES: ChipOption[] = [
  { value: 'post', label: 'Post' },
  { value: 'pingPost', label: 'Ping and post' },
];
const OWNERS = {
  publisherId: { model: 'publisher', name: 'Publisher', emptyText: 'No publishers found.' },
  buyerId: { model: 'buyer', name: 'Buyer', emptyText: 'No buyers found.' },
  campaignId: { model: 'campaign', name: 'Campaign', emptyText: 'No campaigns found.' },
} as const;

/** What a list is narrowed by, a chip for each; the values stand in the address. */
export function ListFilters({ filters, condition, search, onChange }: ListFiltersProps) {
  return filters.map((field) =>
    field === 'delivery' ? (
      <FilterChip
        key={field}
        name="Delivery"
        options={DELIVERIES}
        value={search.delivery}
        emptyText=""
        onChange={(value) => onChange({ delivery: (['post', 'pingPost'] as const).find((one) => one === value) })}
      />
    ) : (
      <OwnerChip
        key={field}
        field={field}
        // Campaigns belong to a vertical; publishers and buyers to the whole organization.
        within={field === 'campaignId' && condition.verticalId ? { verticalId: condition.verticalId } : {}}
        value={search[field]}
        onChange={(value) => onChange({ [field]: value })}
      />
    ),
  );
}

interface OwnerChipProps {
  field: keyof typeof OWNERS;
  within: Record<string, unknown>;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function OwnerChip({ field, within, value, onChange }: OwnerChipProps) {
  const { model, name, emptyText } = OWNERS[field];
  const owners = useQuery({ ...recordsQuery({ model, condition: within, sort: [{ field: 'name' }], limit: 1000 }), staleTime: 60_000 });
  const options = (owners.data?.data ?? []).map((row) => ({ value: row._id, label: String(row.name) }));
  return <FilterChip name={name} options={options} value={value} emptyText={emptyText} onChange={onChange} />;
}
