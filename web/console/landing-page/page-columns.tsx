import type { PageMeasures } from '#contract/landing-page.ts';
import { PAGE_WORDS } from '#contract/report-words.ts';
import { formatCount } from '#web/ui/format.ts';
import { compared, share } from '../report/outcome-columns.tsx';
import type { ReportColumn } from '../report/ReportTable.tsx';

const count = (id: keyof PageMeasures) =>
  compared<PageMeasures>(
    {
      ...{ id, head: PAGE_WORDS[id], value: (now) => now[id] },
      cell: (now) => <span className={now[id] === 0 ? 'muted' : undefined}>{formatCount(now[id])}</span>,
    },
    'count',
  );
const ofViews = (id: 'submitShare' | 'conversion', part: (now: PageMeasures) => number) =>
  compared<PageMeasures>(
    share(id, PAGE_WORDS[id], part, (now) => now.views),
    'rate',
  );

export const pageColumns: readonly ReportColumn<PageMeasures>[] = [
  ...[...count('views'), ...count('submits'), ...ofViews('submitShare', (now) => now.submits)],
  ...[...count('leads'), ...count('sold'), ...ofViews('conversion', (now) => now.sold)],
];
