import type { PageMeasures } from '#contract/landing-page.ts';
import { OUTCOME_WORDS } from '#contract/outcome-words.ts';
import { formatCount } from '#web/ui/format.ts';
import { compared, share } from '../report/outcome-columns.tsx';
import type { ReportColumn } from '../report/ReportTable.tsx';

const count = (id: keyof PageMeasures, head: string) =>
  compared<PageMeasures>(
    {
      id,
      head,
      cell: (now) => <span className={now[id] === 0 ? 'muted' : undefined}>{formatCount(now[id])}</span>,
      value: (now) => now[id],
    },
    'count',
  );
const ofViews = (id: string, head: string, part: (now: PageMeasures) => number) =>
  compared<PageMeasures>(
    share(id, head, part, (now) => now.views),
    'rate',
  );

export const pageColumns: readonly ReportColumn<PageMeasures>[] = [
  ...[...count('views', 'Views'), ...count('submits', 'Submits'), ...ofViews('submitShare', 'Of the views', (now) => now.submits)],
  ...[...count('leads', 'Leads'), ...count('sold', OUTCOME_WORDS.sold), ...ofViews('conversion', 'Conversion', (now) => now.sold)],
];
