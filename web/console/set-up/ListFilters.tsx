import { ChoiceChip } from '#web/ui/ChoiceChip.tsx';
import { type ChipOption, FilterChip } from '#web/ui/FilterChip.tsx';
import { recordChoices } from '../api/choices.ts';
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
      <ChoiceChip
        key={field}
        name={OWNERS[field].name}
        // Campaigns belong to a vertical; publishers and buyers to the whole organization.
        source={recordChoices(
          OWNERS[field].model,
          field === 'campaignId' && condition.verticalId ? { verticalId: condition.verticalId } : {},
        )}
        emptyText={OWNERS[field].emptyText}
        value={search[field]}
        onChange={(value) => onChange({ [field]: value })}
      />
    ),
  );
}
