/** What the address of a portal says. */
import { isWallMinute, type Span, spans } from '#web/ui/period.ts';
import { isMonth } from '../ledger/month.ts';

export const portalTabs = ['today', 'leads', 'returns', 'statement', 'terms', 'requests'] as const;
export type PortalTab = (typeof portalTabs)[number];

export interface PortalSearch {
  tab?: PortalTab | undefined;
  period?: Span | undefined;
  /** Wall-clock minutes of the reporting zone, only with `customRange`. */
  from?: string | undefined;
  to?: string | undefined;
  tier?: string | undefined;
  status?: string | undefined;
  subId?: string | undefined;
  by?: 'tier' | 'subId' | undefined;
  /** Of the table in sight: their names, by commas; those that the person chose last without. */
  columns?: string | undefined;
  month?: string | undefined;
}

const isMinute = (value: unknown): value is string => typeof value === 'string' && isWallMinute(value);

/** A value that cannot be meant falls away. */
export function readPortalSearch(raw: Record<string, unknown>): PortalSearch {
  const period = spans.find((one) => one === raw.period);
  const isWhole = period !== 'customRange' || (isMinute(raw.from) && isMinute(raw.to));
  const found: PortalSearch = {
    tab: portalTabs.find((one) => one === raw.tab),
    ...(isWhole && { period }),
    ...(period === 'customRange' && isWhole && { from: String(raw.from), to: String(raw.to) }),
    tier: typeof raw.tier === 'string' && /^[0-9a-f-]{36}$/.test(raw.tier) ? raw.tier : undefined,
    status: typeof raw.status === 'string' && /^[A-Za-z]{1,20}$/.test(raw.status) ? raw.status : undefined,
    subId: typeof raw.subId === 'string' && raw.subId.length <= 200 ? raw.subId || undefined : undefined,
    by: raw.by === 'subId' ? 'subId' : undefined,
    month: isMonth(raw.month) ? raw.month : undefined,
    columns: typeof raw.columns === 'string' && /^[A-Za-z0-9,]{1,600}$/.test(raw.columns) ? raw.columns : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
