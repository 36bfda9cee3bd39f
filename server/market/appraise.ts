/** What a simulated buyer makes of a lead before it finds its own words for it. */
import { between, type Draw, drawFor, idFor, leadKey } from './chance.ts';
import type { MarketValues } from './market-answer.ts';

export interface Taste {
  /** Share of leads it buys, duplicates aside. */
  buys: number;
  /** Of the going rate. */
  pays: readonly [number, number];
  delayMs: readonly [number, number];
}
export interface Appraisal {
  verdict: 'buy' | 'refuse' | 'duplicate';
  reason: string;
  priceCents: number;
  id: string;
  delayMs: number;
  draw: Draw;
}

/** Going rates in cents. */
const rates: Record<string, number> = { payday: 4200, auto: 1350, mortgage: 6400 };
const reasons = [
  'income too low',
  'state not served',
  'no capacity left today',
  'credit policy',
  'employment not accepted',
  'bank not accepted',
  'age outside our range',
];

export function appraise(values: MarketValues, seed: string, taste: Taste): Appraisal {
  const key = leadKey(values);
  const draw = drawFor(seed, key);
  const lot = draw('verdict');
  const verdict = draw('duplicate') < 0.03 ? 'duplicate' : lot < taste.buys ? 'buy' : 'refuse';
  const rate = rates[values.product ?? ''] ?? 2000;
  return {
    verdict,
    reason: reasons[Math.floor(draw('reason') * reasons.length)]!,
    priceCents: between(draw('price'), rate * taste.pays[0], rate * taste.pays[1]),
    id: idFor(seed, key),
    delayMs: between(draw('delay'), taste.delayMs[0], taste.delayMs[1]),
    draw,
  };
}

/** 1250 -> '12.50'. */
export function dollars(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
