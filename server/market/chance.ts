/** Chance without chance: every draw is a hash of the seed, its purpose and the lead, so that the same lead gets the same answer. */
import { createHash } from 'node:crypto';
import type { MarketValues } from './market-answer.ts';

/** Not part of who the consumer is: they differ from call to call, or between ping and post. */
const passing = new Set([
  'timestamp',
  'lead_id',
  'sub_id',
  'bid_id',
  'ping_id',
  'price',
  'bid',
  'key',
  'username',
  'password',
  'campaign',
  'affiliate_id',
]);

/** What makes two calls the same lead, in any order and spelling of case. */
export function leadKey(values: MarketValues): string {
  const parts = Object.entries(values)
    .filter(([name]) => !passing.has(name))
    .map(([name, value]) => `${name}=${value.trim().toLowerCase()}`);
  return parts.sort().join('\n');
}

/** One number in [0, 1) per purpose. */
export type Draw = (purpose: string) => number;

export function drawFor(seed: string, key: string): Draw {
  return (purpose) => createHash('sha256').update(`${seed}\0${purpose}\0${key}`).digest().readUInt32BE(0) / 2 ** 32;
}

export function between(share: number, low: number, high: number): number {
  return Math.round(low + share * (high - low));
}

/** Short, stable and meaningless. */
export function idFor(seed: string, key: string): string {
  return createHash('sha256').update(`${seed}\0id\0${key}`).digest('hex').slice(0, 12);
}
