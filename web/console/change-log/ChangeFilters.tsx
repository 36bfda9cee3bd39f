import { useQuery } from '@tanstack/react-query';
import type { ChangeLogChoices } from '#contract/change-log.ts';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { IconX } from '#web/ui/icons.ts';
import { PeriodChip } from '#web/ui/PeriodChip.tsx';
import { logSpans } from '#web/ui/period.ts';
import { getJson } from '../api/client.ts';
import type { ChangeLogSearch } from './change-log-search.ts';

interface ChangeFiltersProps {
  search: ChangeLogSearch;
  onChange: (part: Partial<ChangeLogSearch>) => void;
}

/** What of the log is shown: when, by whom, of what; the values stand in the address. */
export function ChangeFilters({ search, onChange }: ChangeFiltersProps) {
  const choices = useQuery({
    queryKey: ['change-log', 'choices'],
    queryFn: ({ signal }) => getJson<ChangeLogChoices>('/api/v1/change-log/choices', signal),
    staleTime: 60_000,
  });
  return (
    <>
      <PeriodChip presets={logSpans} value={{ period: search.period, from: search.from, to: search.to }} onChange={onChange} />
      <FilterChip
        name="Person"
        options={(choices.data?.people ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
        value={search.userId}
        emptyText="Nobody has changed anything yet."
        onChange={(userId) => onChange({ userId })}
      />
      <FilterChip
        name="Kind"
        options={(choices.data?.models ?? []).map(({ model, label }) => ({ value: model, label }))}
        value={search.model}
        emptyText=""
        onChange={(model) => onChange({ model })}
      />
      {search.recordId && (
        <button type="button" className="tool-button" onClick={() => onChange({ recordId: undefined })}>
          One record only <IconX size={14} aria-hidden />
        </button>
      )}
    </>
  );
}
