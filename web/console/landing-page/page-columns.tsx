import type { PageMeasures } from '#contract/landing-page.ts';
import { OUTCOME_WORDS } from '#contract/outcome-words.ts';
import { formatCount } from '#web/ui/format.ts';
import { share } from '../report/outcome-columns.tsx';
import type { ReportColumn } from '../report/ReportTable.tsx';

const count = (id: keyof PageMeasures, head: string): ReportColumn<PageMeasures> => ({
  id,
  head,
  cell: (now) => <span className={now[id] === 0 ? 'muted' : undefined}>{formatCount(now[id])}</span>,
  value: (now) => now[id],
});

export const pageColumns: readonly ReportColumn<PageMeasures>[] = [
  count('views', 'Views'),
  count('submits', 'Submits'),
  share(
    'submitShare',
    'Of the views',
    (now) => now.submits,
    (now) => now.views,
  ),
  count('leads', 'Leads'),
  count('sold', OUTCOME_WORDS.sold),
  share(
    'conversion',
    'Conversion',
    (now) => now.sold,
    (now) => now.views,
  ),
];
