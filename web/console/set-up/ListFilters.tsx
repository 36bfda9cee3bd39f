import { MOVES } from '#contract/move.ts';
import { ChoiceChip } from '#web/ui/ChoiceChip.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { recordChoices } from '../api/choices.ts';
import { type FilterField, type ListSearch, readListSearch } from './list-search.ts';
import { TIER_KIND } from './tier-kind.ts';

interface ListFiltersProps {
  model: string;
  filters: readonly FilterField[];
  condition: Record<string, unknown>;
  search: ListSearch;
  onChange: (part: ListSearch) => void;
}

const WORDS = {
  delivery: {
    name: 'Delivery',
    options: [
      { value: 'post', label: 'Post' },
      { value: 'pingPost', label: 'Ping and post' },
    ],
  },
  kind: { name: 'Kind', options: Object.entries(TIER_KIND).map(([value, label]) => ({ value, label })) },
} as const;
const OWNERS = {
  publisherId: { model: 'publisher', name: 'Publisher', emptyText: 'No publishers found.' },
  buyerId: { model: 'buyer', name: 'Buyer', emptyText: 'No buyers found.' },
  campaignId: { model: 'campaign', name: 'Campaign', emptyText: 'No campaigns found.' },
} as const;

const MOVE_OPTIONS = MOVES.map(({ move, label }) => ({ value: String(move), label: `${move} ${label}` }));

/** What a list is narrowed by, a chip for each; the values stand in the address. */
export function ListFilters({ model, filters, condition, search, onChange }: ListFiltersProps) {
  return filters.map((field) =>
    field === 'move' ? (
      <FilterChip
        key={field}
        name="Move"
        options={model === 'binRange' ? [...MOVE_OPTIONS, { value: 'none', label: 'No move for all' }] : MOVE_OPTIONS}
        value={search.move}
        emptyText=""
        onChange={(value) => onChange({ move: readListSearch({ move: value }).move })}
      />
    ) : field === 'delivery' || field === 'kind' ? (
      <FilterChip
        key={field}
        name={WORDS[field].name}
        options={WORDS[field].options}
        value={search[field]}
        emptyText=""
        onChange={(value) => onChange({ [field]: WORDS[field].options.find((one) => one.value === value)?.value })}
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
