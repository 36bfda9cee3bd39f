/** How a promotion is told in one line. */
import type { PromotionPhase, PromotionTargetView, RaiseView } from '#contract/promotion.ts';
import { formatMoney } from '#web/ui/format.ts';

export const TARGETS: Record<PromotionTargetView['kind'], string> = {
  publisherTier: 'Publisher tier',
  subId: 'Sub id',
  publisher: 'Publisher',
  campaign: 'Campaign',
};

export const PHASES: Record<PromotionPhase, { label: string; tone: string }> = {
  on: { label: 'On', tone: 'good' },
  coming: { label: 'Coming', tone: 'info' },
  usedUp: { label: 'Used up', tone: 'warn' },
  paused: { label: 'Paused', tone: 'warn' },
  over: { label: 'Over', tone: 'muted' },
  archived: { label: 'Archived', tone: 'muted' },
};

export const sayRaise = (raise: RaiseView, currency: string, display?: 'symbol' | 'code'): string =>
  raise.kind === 'percent' ? `+ ${raise.percent}%` : `+ ${formatMoney(raise.amount, currency, display)}`;

/** '2026-11-26 to 2026-11-28', 'from 2026-11-26'. */
export const sayDays = (fromOn: string, toOn: string | null): string => {
  if (toOn === null) return `from ${fromOn}`;
  return fromOn === toOn ? fromOn : `${fromOn} to ${toOn}`;
};

/** 'Alpha, Web', 'Alpha, Web and 4 more'. */
export function saySeats(seats: readonly string[], seatCount: number): string {
  const more = seatCount - seats.length;
  return more > 0 ? `${seats.join('; ')} and ${more} more` : seats.join('; ');
}
