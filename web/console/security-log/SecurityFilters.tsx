import { useQuery } from '@tanstack/react-query';
import type { SecurityLogChoices } from '#contract/security-log.ts';
import { SECURITY_KIND_LABELS, SECURITY_KINDS, SECURITY_OUTCOME_LABELS, SECURITY_OUTCOMES } from '#contract/security-words.ts';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { PeriodChip } from '#web/ui/PeriodChip.tsx';
import { logSpans } from '#web/ui/period.ts';
import { getJson } from '../api/client.ts';
import { readSecurityLogSearch, type SecurityLogSearch } from './security-log-search.ts';

const kinds = SECURITY_KINDS.map((value) => ({ value, label: SECURITY_KIND_LABELS[value] }));
const outcomes = [
  { value: 'not-done', label: 'Whatever did not go well' },
  ...SECURITY_OUTCOMES.map((value) => ({ value: value as string, label: SECURITY_OUTCOME_LABELS[value] })),
];

interface SecurityFiltersProps {
  search: SecurityLogSearch;
  onChange: (part: Partial<SecurityLogSearch>) => void;
}

/** What of the log is shown: when, whom, of which kind, and what came of it; the values stand in the address. */
export function SecurityFilters({ search, onChange }: SecurityFiltersProps) {
  const choices = useQuery({
    queryKey: ['security-log', 'choices'],
    queryFn: ({ signal }) => getJson<SecurityLogChoices>('/api/v1/security-log/choices', signal),
    staleTime: 60_000,
  });
  return (
    <>
      <PeriodChip presets={logSpans} value={{ period: search.period, from: search.from, to: search.to }} onChange={onChange} />
      <FilterChip
        name="Person"
        options={(choices.data?.people ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
        value={search.userId}
        emptyText="Nobody is on the team yet."
        onChange={(userId) => onChange({ userId })}
      />
      <FilterChip
        name="Kind"
        options={kinds}
        value={search.kind}
        emptyText=""
        onChange={(kind) => onChange({ kind: readSecurityLogSearch({ kind }).kind })}
      />
      <FilterChip
        name="Outcome"
        options={outcomes}
        value={search.outcome}
        emptyText=""
        onChange={(outcome) => onChange({ outcome: readSecurityLogSearch({ outcome }).outcome })}
      />
    </>
  );
}
