import { createContext, type ReactNode, use } from 'react';
import { formatAgo, formatInstant, formatMoney, localTimes } from './format.ts';
import { useNow } from './use-now.ts';
import type { TimeZone } from './zone.ts';

/** How figures are written here: the user's reporting zone and the organization's currency. */
export interface Reporting {
  zone: TimeZone;
  currency: string;
  /** $12.50 or USD 12.50. */
  currencyDisplay?: 'symbol' | 'code';
}
const ReportingContext = createContext<Reporting>({ zone: 'UTC', currency: 'USD' });
export const useReporting = (): Reporting => use(ReportingContext);

export function ReportingProvider({ value, children }: { value: Reporting; children: ReactNode }) {
  return <ReportingContext value={value}>{children}</ReportingContext>;
}

export function MoneyText({ amount, faint }: { amount: string; faint?: boolean }) {
  const { currency, currencyDisplay } = useReporting();
  const zero = /^-?0+\.0+$/.test(amount);
  return <span className={faint && zero ? 'tabular muted' : 'tabular'}>{formatMoney(amount, currency, currencyDisplay)}</span>;
}

/** A sentence of the server's, with its moments in the reporting zone. */
export function Sentence({ text }: { text: string }) {
  return localTimes(text, useReporting().zone);
}

/** Relative in the page, exact on hover. */
export function TimeAgo({ at }: { at: string }) {
  const { zone } = useReporting();
  const now = useNow();
  return (
    <time dateTime={at} title={formatInstant(at, zone)} className="tabular">
      {formatAgo(at, now)}
    </time>
  );
}

export function ExactTime({ at }: { at: string }) {
  const { zone } = useReporting();
  return (
    <time dateTime={at} className="tabular">
      {formatInstant(at, zone)}
    </time>
  );
}
