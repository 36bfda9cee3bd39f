import { useQuery } from '@tanstack/react-query';
import type { LeadFiltersAnswer } from '#contract/lead.ts';
import { TextChip } from '#web/ui/ChipFrame.tsx';
import { ChoiceChip } from '#web/ui/ChoiceChip.tsx';
import { ExactSearch } from '#web/ui/ExactSearch.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { PeriodChip } from '#web/ui/PeriodChip.tsx';
import { type Span, spans } from '#web/ui/period.ts';
import { leadChoices } from '../api/choices.ts';
import { leadFiltersQuery, type Place } from '../api/lead.ts';
import type { Filter } from './filters.tsx';

/** Members of an address. */
type Values = { period?: Span | undefined; from?: string | undefined; to?: string | undefined };
/** What a chip changes; undefined takes it away. */
type Change = Record<string, string | undefined>;

interface FilterBarProps<Search extends Values> {
  /** What is found by it, for who cannot see the page. */
  label: string;
  place: Place;
  search: Search;
  filters: readonly Filter<keyof Search & string>[];
  isNarrowed: boolean;
  onChange: (part: Partial<Search>) => void;
  onClear: () => void;
}

/** The filters of leads and of their logs: a chip for each, its value in the address. */
export function FilterBar<Search extends Values>({ label, place, search, filters, isNarrowed, onChange, onClear }: FilterBarProps<Search>) {
  const { data } = useQuery(leadFiltersQuery(place));
  // The address is read back by the page's own rules: what it cannot mean falls away there.
  const change = (part: Change) => onChange(part as Partial<Search>);
  const firstText = filters.find((one) => one.is === 'text');
  return (
    <search className="lead-filters" aria-label={label}>
      {filters.map((filter) =>
        filter.is === 'period' ? (
          <PeriodChip
            key="period"
            presets={spans}
            value={{ period: search.period, from: search.from, to: search.to }}
            onChange={(next) => change({ ...next })}
          />
        ) : (
          <OneFilter
            key={filter.field}
            {...{ filter, place, change, known: data }}
            isFirst={filter === firstText}
            value={search[filter.field] as string | undefined}
          />
        ),
      )}
      {isNarrowed && (
        <button type="button" className="bare link clear-all" onClick={onClear}>
          Clear all
        </button>
      )}
    </search>
  );
}

interface OneFilterProps {
  filter: Exclude<Filter, { is: 'period' }>;
  place: Place;
  value: string | undefined;
  known: LeadFiltersAnswer | undefined;
  isFirst: boolean;
  change: (part: Change) => void;
}

function OneFilter({ filter, place, value, known, isFirst, change }: OneFilterProps) {
  const { field, name } = filter;
  const set = (next: string | undefined) => change({ [field]: next });
  if (filter.is === 'few')
    return (
      <FilterChip
        name={name}
        options={filter.options(known)}
        value={value}
        emptyText="Nothing found."
        asTyped={filter.asTyped}
        onChange={set}
      />
    );
  if (value === '' && filter.none) return <TextChip name={name} text={filter.none} onClear={() => set(undefined)} />;
  if (filter.is === 'text')
    return (
      <ExactSearch
        key={value ?? ''}
        value={value ?? ''}
        label={filter.label}
        placeholder={filter.placeholder}
        className={filter.className}
        isFirst={isFirst}
        onSearch={(text) => set(text || undefined)}
      />
    );
  const { isShown } = filter;
  if (value === undefined && isShown && (isShown === 'whenSet' || !isShown(known))) return null;
  return (
    <ChoiceChip name={name} source={leadChoices(place, filter.of)} value={value} emptyText={`No ${filter.many} found.`} onChange={set} />
  );
}
