/** What was asked for where another page opened instead: it goes along in the history, and is told there. */
import type { HistoryState } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The address that was asked for and is none. */
    lostAt?: string;
    /** The address that was asked for and that the person may not open. */
    barredFrom?: string;
  }
}

export const missedIn = ({ lostAt, barredFrom }: HistoryState): HistoryState => (lostAt ? { lostAt } : barredFrom ? { barredFrom } : {});
