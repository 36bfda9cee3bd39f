import type { PageMeasures } from '#contract/landing-page.ts';
import { PAGE_WORDS } from '#contract/report-words.ts';
import { formatCount } from '#web/ui/format.ts';
import { share } from '../report/outcome-columns.tsx';
import type { ReportColumn } from '../report/ReportTable.tsx';

const count = (id: keyof PageMeasures): ReportColumn<PageMeasures> => ({
  id,
  head: PAGE_WORDS[id],
  cell: (now) => <span className={now[id] === 0 ? 'muted' : undefined}>{formatCount(now[id])}</span>,
  value: (now) => now[id],
});

export const pageColumns: readonly ReportColumn<PageMeasures>[] = [
  count('views'),
  count('submits'),
  share(
    'submitShare',
    PAGE_WORDS.submitShare,
    (now) => now.submits,
    (now) => now.views,
  ),
  count('leads'),
  count('sold'),
  share(
    'conversion',
    PAGE_WORDS.conversion,
    (now) => now.sold,
    (now) => now.views,
  ),
];
