import type { ReportUnit } from '#contract/report.ts';
import { dayOf, type TimeZone, wallMinuteOf } from '#web/ui/zone.ts';

const days = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' });
const months = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', year: 'numeric' });

/** "13:00", with its day where the chart has several; "Nov 27"; "Week of Nov 23"; "Nov 2026". */
export function pointLabel(at: string, unit: ReportUnit, zone: TimeZone, withDay = false): string {
  const ms = Date.parse(at);
  const day = new Date(`${dayOf(ms, zone)}T00:00:00Z`);
  switch (unit) {
    case 'hour':
      return `${withDay ? `${days.format(day)}, ` : ''}${wallMinuteOf(ms, zone).slice(11)}`;
    case 'day':
      return days.format(day);
    case 'week':
      return `Week of ${days.format(day)}`;
    case 'month':
      return months.format(day);
  }
}
