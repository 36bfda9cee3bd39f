import { PeriodChip } from '#web/ui/PeriodChip.tsx';
import { spans } from '#web/ui/period.ts';
import { rememberTimeSpan } from '../time-span.ts';
import { type ReportSearch, spanOf } from './report-search.ts';

interface SpanChipProps {
  search: ReportSearch;
  change: (span: Pick<ReportSearch, 'period' | 'from' | 'to'>) => void;
}

/** The span of a report, which others begin with from then on. */
export function SpanChip({ search, change }: SpanChipProps) {
  return (
    <PeriodChip
      presets={spans}
      value={{ from: undefined, to: undefined, ...spanOf(search) }}
      onChange={(next) => {
        const period = next.period ?? 'today';
        rememberTimeSpan({ timespan: period, startDate: next.from ?? '', endDate: next.to ?? '' });
        change({ period, from: next.from, to: next.to });
      }}
    />
  );
}
