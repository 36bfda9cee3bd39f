/** What a simulated buyer is asked and what it does. Types only. */

/** Request values by the buyer's key, wrappers taken off. */
export type MarketValues = Readonly<Record<string, string>>;
export type MarketLeg = 'ping' | 'post';

export type MarketAnswer =
  /** `sold` is what the buyer's own books say, whatever its answer sounds like; US dollars, e.g. '12.50'. */
  | { kind: 'answer'; status: number; headers: Record<string, string>; body: string; delayMs: number; sold?: { price: string } }
  /** reset: the connection breaks. hang: no answer ever comes. */
  | { kind: 'failure'; how: 'reset' | 'hang'; delayMs: number };

export interface MarketSettings {
  /** How long the slow one takes, least and most. */
  slowMs?: readonly [number, number];
}

/** Pure: the same values, leg and seed give the same answer. */
export type Decide = (values: MarketValues, leg: MarketLeg, seed: string, settings?: MarketSettings) => MarketAnswer;
