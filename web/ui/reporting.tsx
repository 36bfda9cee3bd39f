import { createContext, type ReactNode, use } from 'react';
import { formatAgo, formatCents, formatInstant, formatMoney, localAmounts, localTimes } from './format.ts';
import { useNow } from './use-now.ts';
import { usePrinted } from './use-printed.ts';
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

interface MoneyTextProps {
  amount: string;
  /** Nothing stands back. */
  faint?: boolean;
  /** For prices, a lead's own page and accounts; else it is to the cent, with the exact amount on hover. */
  exact?: boolean;
}

export function MoneyText({ amount, faint, exact: isExact }: MoneyTextProps) {
  const { currency, currencyDisplay } = useReporting();
  const zero = /^-?0+\.0+$/.test(amount);
  const exact = formatMoney(amount, currency, currencyDisplay);
  const text = isExact ? exact : formatCents(amount, currency, currencyDisplay);
  return (
    <span className={faint && zero ? 'tabular muted' : 'tabular'} title={text === exact ? undefined : exact}>
      {text}
    </span>
  );
}

/** A sentence of the server's, with its moments in the reporting zone and its amounts as the organization writes them. */
export function Sentence({ text }: { text: string }) {
  const { zone, currency, currencyDisplay } = useReporting();
  return localAmounts(localTimes(text, zone), currency, currencyDisplay);
}

/** Relative in the page, exact on hover and on paper. */
export function TimeAgo({ at }: { at: string }) {
  const { zone } = useReporting();
  const now = useNow();
  const exact = formatInstant(at, zone);
  return (
    <time dateTime={at} title={exact} className="tabular">
      {usePrinted() ? exact : formatAgo(at, now)}
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
