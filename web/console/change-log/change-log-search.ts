/** What the address of the change log says: its filters, and where the person came from. */
import { customInstants, isWallMinute, type LogSpan, logSpans, spanInstants } from '#web/ui/period.ts';
import type { TimeZone } from '#web/ui/zone.ts';

export interface ChangeLogSearch {
  q?: string | undefined;
  recordId?: string | undefined;
  model?: string | undefined;
  userId?: string | undefined;
  period?: LogSpan | undefined;
  /** Wall-clock minutes of the reporting zone, only with `customRange`. */
  from?: string | undefined;
  to?: string | undefined;
  /** The set-up page the person came from, and goes back to: '/setup/us/payday/buyers/...'. */
  back?: string | undefined;
}

const SET_UP_PAGE = /^\/setup\/([a-z0-9-]{1,60})\/([a-z0-9-]{1,60})(\/[\w-]{1,60}){1,3}(\?of=(buyer|publisher))?$/;

export function readChangeLogSearch(raw: Record<string, unknown>): ChangeLogSearch {
  const id = (value: unknown) => (typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value) ? value : undefined);
  const minute = (value: unknown) => (typeof value === 'string' && isWallMinute(value) ? value : undefined);
  const [from, to] = [minute(raw.from), minute(raw.to)];
  const period = logSpans.find((one) => one === raw.period);
  const isOwnSpan = period === 'customRange' && from !== undefined && to !== undefined;
  const found: ChangeLogSearch = {
    q: typeof raw.q === 'string' && raw.q.trim() !== '' ? raw.q.slice(0, 200) : undefined,
    recordId: id(raw.recordId),
    model: typeof raw.model === 'string' && /^[A-Za-z]{1,40}$/.test(raw.model) ? raw.model : undefined,
    userId: id(raw.userId),
    period: period === 'customRange' && !isOwnSpan ? undefined : period,
    from: isOwnSpan ? from : undefined,
    to: isOwnSpan ? to : undefined,
    back: typeof raw.back === 'string' && SET_UP_PAGE.test(raw.back) ? raw.back : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The call's own filters: names of spans become instants of the reporting zone at the moment of asking. */
export function toChangeLogFilters({ q, recordId, model, userId, period, from, to }: ChangeLogSearch, zone: TimeZone, nowMs: number) {
  const span = !period ? {} : period !== 'customRange' ? spanInstants(period, nowMs, zone) : customInstants(from!, to!, zone);
  const given = { search: q, recordId, model, userId, ...span };
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** The region and vertical a set-up page lies in. */
export function placeOfPage(back: string | undefined): { region: string; vertical: string } | undefined {
  const [, region, vertical] = SET_UP_PAGE.exec(back ?? '') ?? [];
  return region && vertical ? { region, vertical } : undefined;
}

export const hasFilter = ({ back, ...filters }: ChangeLogSearch): boolean => Object.values(filters).some((one) => one !== undefined);
