/** What the address of the log of sign-ins and refusals says: its filters. */
import { SECURITY_KINDS, SECURITY_OUTCOMES, type SecurityKind, type SecurityOutcome } from '#contract/security-words.ts';
import { customInstants, isWallMinute, type LogSpan, logSpans, spanInstants } from '#web/ui/period.ts';
import type { TimeZone } from '#web/ui/zone.ts';

export interface SecurityLogSearch {
  userId?: string | undefined;
  kind?: SecurityKind | undefined;
  outcome?: SecurityOutcome | 'not-done' | undefined;
  period?: LogSpan | undefined;
  /** Wall-clock minutes of the reporting zone, only with `customRange`. */
  from?: string | undefined;
  to?: string | undefined;
}

export function readSecurityLogSearch(raw: Record<string, unknown>): SecurityLogSearch {
  const minute = (value: unknown) => (typeof value === 'string' && isWallMinute(value) ? value : undefined);
  const [from, to] = [minute(raw.from), minute(raw.to)];
  const period = logSpans.find((one) => one === raw.period);
  const isOwnSpan = period === 'customRange' && from !== undefined && to !== undefined;
  const found: SecurityLogSearch = {
    userId: typeof raw.userId === 'string' && /^[0-9a-f-]{36}$/.test(raw.userId) ? raw.userId : undefined,
    kind: SECURITY_KINDS.find((one) => one === raw.kind),
    outcome: raw.outcome === 'not-done' ? 'not-done' : SECURITY_OUTCOMES.find((one) => one === raw.outcome),
    period: period === 'customRange' && !isOwnSpan ? undefined : period,
    from: isOwnSpan ? from : undefined,
    to: isOwnSpan ? to : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The call's own filters: names of spans become instants of the reporting zone at the moment of asking. */
export function toSecurityLogFilters({ period, from, to, ...filters }: SecurityLogSearch, zone: TimeZone, nowMs: number) {
  const span = !period ? {} : period !== 'customRange' ? spanInstants(period, nowMs, zone) : customInstants(from!, to!, zone);
  return Object.fromEntries(
    Object.entries({ ...filters, ...span }).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

export const hasFilter = (search: SecurityLogSearch): boolean => Object.values(search).some((one) => one !== undefined);
