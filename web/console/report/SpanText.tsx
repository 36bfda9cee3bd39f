import { formatLongMinute } from '#web/ui/format.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { timeZoneLabel, wallMinuteOf } from '#web/ui/zone.ts';
import { instantsOf, type ReportSearch } from './report-search.ts';

/** The span that is looked at, by its ends. */
export function SpanText({ search }: { search: ReportSearch }) {
  const { zone } = useReporting();
  const { from, to } = instantsOf(search, zone, Date.now());
  return (
    <span className="muted">
      <MomentText at={from} /> to <MomentText at={new Date(Date.parse(to) - 60_000).toISOString()} /> ({timeZoneLabel[zone]})
    </span>
  );
}

/** The span that another is compared with. */
export const BeforeText = ({ from, to }: { from: string; to: string }) => (
  <>
    <MomentText at={from} /> to <MomentText at={new Date(Date.parse(to) - 60_000).toISOString()} />
  </>
);

function MomentText({ at }: { at: string }) {
  const { zone } = useReporting();
  return <time dateTime={at}>{formatLongMinute(wallMinuteOf(Date.parse(at), zone))}</time>;
}
