/** What exports and feeds are called, and how their settings read. */
import type { ExportContent, FeedDestination, FeedRunView, FeedSchedule } from '#contract/export.ts';
import { RUN_STATE_WORDS } from '#contract/export-words.ts';
import { timeZoneLabel } from '#web/ui/zone.ts';

/** The wire's list, in the order in which it is offered first; here so that the page's first load carries no schema. */
export const FIRST_COLUMNS = ['leadId', 'receivedAt', 'status', 'publisher', 'subId', 'buyer', 'price', 'payout'];
export const FIELD_COLUMN = 'field:';

export const OUTCOMES: { value: ExportContent['outcome']; label: string }[] = [
  { value: 'all', label: 'All leads' },
  { value: 'sold', label: 'Sold leads' },
  { value: 'unsold', label: 'Leads nobody bought' },
];
export const FORMATS: { value: ExportContent['format']; label: string }[] = [
  { value: 'csv', label: 'CSV' },
  { value: 'jsonl', label: 'JSON lines' },
];
export const DESTINATIONS: { value: FeedDestination['kind']; label: string }[] = [
  { value: 'http', label: 'A call (HTTP POST)' },
  { value: 'sftp', label: 'An SFTP server' },
  { value: 'mail', label: 'A mail' },
];
export const EVERY: { value: FeedSchedule['every']; label: string }[] = [
  { value: 'hour', label: 'Every hour' },
  { value: 'day', label: 'Every day' },
  { value: 'week', label: 'Every week' },
  { value: 'month', label: 'Every month' },
];
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** 'Every Friday at 06:30 EST'. */
export function sayWhen(schedule: FeedSchedule): string {
  if (schedule.every === 'hour') return `Every hour at minute ${schedule.minute}`;
  const at = `at ${schedule.at} ${timeZoneLabel[schedule.timeZone]}`;
  if (schedule.every === 'day') return `Every day ${at}`;
  return schedule.every === 'week' ? `Every ${WEEKDAYS[schedule.weekday]} ${at}` : `Monthly on day ${schedule.day} ${at}`;
}

/** 'SFTP to feed@files.example.com'. */
export function sayWhere(destination: FeedDestination): string {
  if (destination.kind === 'http') return destination.url;
  if (destination.kind === 'sftp') return `SFTP to ${destination.user}@${destination.host}`;
  const [first, ...more] = destination.to;
  return `Mail to ${first}${more.length > 0 ? ` and ${more.length} more` : ''}`;
}

export const RUN_STATES: Record<FeedRunView['state'], { label: string; tone: 'good' | 'warn' | 'bad' | 'muted' }> = {
  due: { label: RUN_STATE_WORDS.due, tone: 'warn' },
  sent: { label: RUN_STATE_WORDS.sent, tone: 'good' },
  empty: { label: RUN_STATE_WORDS.empty, tone: 'muted' },
  failed: { label: RUN_STATE_WORDS.failed, tone: 'bad' },
};
