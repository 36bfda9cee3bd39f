import type { FeedDestination, FeedRunView, FeedSchedule } from '#contract/export.ts';
import { ExactTime, TimeAgo } from '#web/ui/reporting.tsx';
import type { RecordRow } from '../api/record.ts';
import type { ListSpec } from '../set-up/RecordList.tsx';
import { VerticalList } from '../set-up/VerticalList.tsx';
import { RUN_STATES, sayWhen, sayWhere } from './export-words.ts';
import { FeedFrame } from './FeedFrame.tsx';
import './export.css';

const spec: ListSpec = {
  model: 'exportFeed',
  one: 'feed of leads',
  many: 'feeds of leads',
  searches: 'name or notes',
  teaches:
    'A feed sends the leads that came since its last run, each once, as a file: to an address of yours, an SFTP server, or by mail, every hour, day, week or month.',
  hasCopy: false,
  also: ['failingSince', 'lastState'],
  columns: [
    { field: 'name', head: 'Name' },
    { field: 'status', head: 'Status' },
    { field: 'schedule', head: 'When', cell: (row) => sayWhen(row.schedule as FeedSchedule), sorts: false },
    {
      field: 'destination',
      head: 'Where to',
      cell: (row) => <span className="feed-where">{sayWhere(row.destination as FeedDestination)}</span>,
      sorts: false,
    },
    { field: 'lastAt', head: 'Last run', cell: (row) => <LastRun row={row} /> },
    { field: 'nextAt', head: 'Next run', cell: (row) => (row.nextAt ? <ExactTime at={String(row.nextAt)} /> : '–'), sorts: false },
    { field: 'updatedAt', head: 'Changed', cell: (row) => <TimeAgo at={String(row.updatedAt)} /> },
  ],
};

function LastRun({ row }: { row: RecordRow }) {
  if (!row.lastState) return <span className="muted">None yet</span>;
  const { label, tone } = RUN_STATES[row.lastState as FeedRunView['state']];
  return (
    <>
      <span className={`pill ${row.failingSince ? 'bad' : tone}`}>{row.failingSince ? 'Fails' : label}</span>{' '}
      {row.lastAt ? <TimeAgo at={String(row.lastAt)} /> : null}
    </>
  );
}

/** The feeds of a vertical's leads. */
export const FeedsPage = () => (
  <VerticalList spec={spec} title="Feeds of leads" path="data-mgmt/outbound/feeds" add="Add a feed" Frame={FeedFrame} />
);
