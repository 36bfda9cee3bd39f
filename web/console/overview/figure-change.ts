import type { Figures } from '#contract/lead.ts';
import type { Change } from '#web/ui/FigureCard.tsx';

const near = (text: string) => Number(text);

/** How a figure moved against yesterday by this hour; null when yesterday gives nothing to compare with. */
export function percentChange(now: number, before: number, moreIs: 'good' | 'neutral'): Change | null {
  if (before === 0) return null;
  const percent = ((now - before) / Math.abs(before)) * 100;
  if (Math.abs(percent) < 0.05) return { text: '0%', direction: 'same', feeling: 'neutral' };
  const up = percent > 0;
  const feeling = moreIs === 'neutral' ? 'neutral' : up ? 'good' : 'bad';
  return { text: `${Math.abs(percent).toFixed(Math.abs(percent) < 10 ? 1 : 0)}%`, direction: up ? 'up' : 'down', feeling };
}

/** A rate moves in points, not in per cent of itself. */
export function pointChange(now: { part: number; whole: number }, before: { part: number; whole: number }): Change | null {
  if (now.whole === 0 || before.whole === 0) return null;
  const points = (now.part / now.whole - before.part / before.whole) * 100;
  if (Math.abs(points) < 0.05) return { text: '0 points', direction: 'same', feeling: 'neutral' };
  return { text: `${Math.abs(points).toFixed(1)} points`, direction: points > 0 ? 'up' : 'down', feeling: points > 0 ? 'good' : 'bad' };
}

/** Money is compared as a number only here, for a percentage that is rounded anyway. */
export const moneyChange = (now: string, before: string, moreIs: 'good' | 'neutral') => percentChange(near(now), near(before), moreIs);

export const soldRate = (figures: Figures) => ({ part: figures.sold, whole: figures.leads });
