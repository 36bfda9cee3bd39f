/** The words of the installation's health: what waits, for how long, how large. */
import type { CheckView, QueueKey, QueueView } from '#contract/installation-health.ts';
import { formatCount } from '#web/ui/format.ts';

/** What waits, and what to do when it grows. */
export const queueWords: Record<QueueKey, { name: string; about: string }> = {
  mails: { name: 'Mails', about: 'Filed, and not sent yet. They grow when the mail server is away.' },
  webhookCalls: { name: 'Webhook calls', about: 'What webhooks have yet to be told. Those that fail are tried again for a day.' },
  jobs: { name: 'Background jobs', about: 'Imports, exports, replays: under way, or waiting for their turn.' },
  feeds: { name: 'Files of feeds', about: 'Due now. The warnings of an organization say which feed fails.' },
  reportHours: { name: 'Hours of reports', about: 'Yet to be counted. Reports are right all the same, and slower.' },
  heldLeads: {
    name: 'Leads held',
    about: 'Nobody knows whether a buyer has them. Their organizations settle them; caps stay taken until then.',
  },
  pendingSales: {
    name: 'Pending among them',
    about: 'The buyer said that it decides later. They end by themselves when its time is over.',
  },
};

export const waitingText = ({ waiting, isMore }: QueueView): string => `${formatCount(waiting)}${isMore ? ' or more' : ''}`;

const UNITS: readonly [string, number][] = [
  ['day', 86_400],
  ['h', 3_600],
  ['min', 60],
];

/** "12 s", "5 min", "3 h", "1 day", "8 days": as exact as somebody needs who wonders whether it is long. */
export function sayDuration(seconds: number): string {
  const [unit, length] = UNITS.find(([, one]) => seconds >= one) ?? ['s', 1];
  const count = Math.floor(seconds / length);
  return `${formatCount(count)} ${unit === 'day' && count !== 1 ? 'days' : unit}`;
}

const SIZES = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** "512 bytes", "8.4 MiB", "120 GiB". */
export function saySize(bytes: number): string {
  let [size, at] = [bytes, 0];
  while (size >= 1024 && at < SIZES.length - 1) {
    size /= 1024;
    at += 1;
  }
  return `${at > 0 && size < 100 ? size.toFixed(1) : formatCount(Math.round(size))} ${SIZES[at]}`;
}

export const levelWords: Record<CheckView['level'], { word: string; tone: 'bad' | 'warn' | 'good' }> = {
  bad: { word: 'Bad', tone: 'bad' },
  warn: { word: 'Look', tone: 'warn' },
  ok: { word: 'Well', tone: 'good' },
};

/** The first thing to read: "All is well", "2 things are bad, 1 to look at". */
export function sayState(checks: readonly CheckView[]): { text: string; tone: 'bad' | 'warn' | 'good' } {
  const count = (level: CheckView['level']) => checks.filter((one) => one.level === level).length;
  const [bad, warn] = [count('bad'), count('warn')];
  if (bad + warn === 0) return { text: 'All is well', tone: 'good' };
  const said = [bad > 0 && `${bad} bad`, warn > 0 && `${warn} to look at`].filter(Boolean).join(', ');
  return { text: said, tone: bad > 0 ? 'bad' : 'warn' };
}
