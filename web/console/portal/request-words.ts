/** What is asked for, in words: of a portal's member and of who decides alike. */
import type { PortalRequest, RequestStatus } from '#contract/change-request.ts';
import type { CapUse } from '#contract/portal.ts';
import type { Cap, HoursRule, PauseDatesRule, TierPriceView } from '#contract/tier.ts';
import { formatCount, formatMoney } from '#web/ui/format.ts';

const FIELD: Record<string, string> = {
  status: 'Status',
  caps: 'Caps',
  hours: 'Hours',
  pauseDates: 'Pause days',
  price: 'Price',
  ipAllow: 'Addresses',
  firstName: 'First name',
  lastName: 'Last name',
  job: 'Job',
  email: 'Email',
  phone: 'Phone',
  reason: 'Reason',
  amount: 'Amount',
};
export const fieldName = (name: string): string => FIELD[name] ?? name;

export const STATUS: Record<RequestStatus, { label: string; tone: string }> = {
  open: { label: 'Waiting', tone: 'info' },
  approved: { label: 'Approved', tone: 'good' },
  declined: { label: 'Declined', tone: 'bad' },
  withdrawn: { label: 'Taken back', tone: 'muted' },
};

const MODEL: Record<PortalRequest['model'], string> = {
  buyer: 'All tiers of',
  buyerTier: 'Tier',
  publisherTier: 'Tier',
  contact: 'Contact',
  leadReturn: 'Return of',
};
export const requestTitle = ({ model, recordName }: Pick<PortalRequest, 'model' | 'recordName'>): string =>
  `${MODEL[model]} ${model === 'leadReturn' ? recordName.replace(/^Lead/, 'lead') : recordName}`;

const MEASURE = { sold: 'sold', sent: 'sent', money: '' } as const;
const PERIOD = { hour: 'per hour', day: 'per day', week: 'per week', month: 'per month', overall: 'overall' } as const;
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

export function sayCap({ measure, period, limit }: Pick<Cap, 'measure' | 'period'> & { limit: number | string }, currency: string): string {
  const amount = measure === 'money' ? formatMoney(String(limit), currency) : formatCount(Number(limit));
  return [amount, MEASURE[measure], PERIOD[period]].filter(Boolean).join(' ');
}

/** With whose day it is, as it is asked for. */
const sayCapOfZone = (cap: Cap, currency: string): string =>
  cap.period === 'overall' ? sayCap(cap, currency) : `${sayCap(cap, currency)} (${cap.timeZone})`;

const WINDOW = { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' } as const;

/** Whose hour, day, week or month a cap is of, and when that began and ends, by the clock of its zone: "Day of America/New_York: began Nov 30, 00:00, starts again Dec 1, 00:00". */
export function sayWindow({ period, timeZone, startsAt, resetsAt }: Pick<CapUse, 'period' | 'timeZone' | 'startsAt' | 'resetsAt'>): string {
  if (period === 'overall' || startsAt === null || resetsAt === null) return 'Of all time: it does not start again';
  const clock = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  const at = (instant: string) => clock.format(new Date(instant));
  return `${WINDOW[period]} of ${timeZone}: began ${at(startsAt)}, starts again ${at(resetsAt)}`;
}

export function sayHours(rule: HoursRule | null): string {
  if (!rule) return 'Always open';
  const days = rule.week.map(
    (spans, at) => `${DAYS[at]} ${spans.length ? spans.map(({ from, to }) => `${from}–${to}`).join(', ') : 'closed'}`,
  );
  return `${days.join('; ')} (${rule.timeZone})`;
}

export function sayPauses(rule: PauseDatesRule | null): string {
  if (!rule || rule.days.length === 0) return 'None';
  return `${rule.days.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)).join(', ')} (${rule.timeZone})`;
}

/** One value of a request, as people read it. */
export function sayValue(name: string, value: unknown, currency: string): string {
  switch (name) {
    case 'status':
      return value === 'paused' ? 'Paused' : 'Active';
    case 'caps':
      return (value as Cap[]).length === 0 ? 'No cap' : (value as Cap[]).map((cap) => sayCapOfZone(cap, currency)).join('; ');
    case 'hours':
      return sayHours(value as HoursRule | null);
    case 'pauseDates':
      return sayPauses(value as PauseDatesRule | null);
    case 'price':
      return formatMoney((value as Extract<TierPriceView, { kind: 'fixed' }>).price, currency);
    case 'amount':
      return formatMoney(String(value), currency);
    case 'ipAllow':
      return (value as string[]).length === 0 ? 'Any' : (value as string[]).join(', ');
    default:
      return value === null || value === '' ? 'None' : String(value);
  }
}
