/** Chance that can be repeated: every draw follows from the name of its source. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number, both ends included. */
  integer(from: number, to: number): number;
  between(from: number, to: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** One of the keys, by weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
  digits(count: number): string;
  hex(count: number): string;
}

export function randomOf(...name: (string | number)[]): Random {
  const next = mulberry(hashOf(name.join('\0')));
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const text = (alphabet: string, count: number) => Array.from({ length: count }, () => alphabet[integer(0, alphabet.length - 1)]).join('');
  return {
    next,
    integer,
    between: (from, to) => from + next() * (to - from),
    chance: (share) => next() < share,
    pick: (list) => list[integer(0, list.length - 1)]!,
    weighted: (weights) => pickWeighted(weights, next()),
    digits: (count) => text('0123456789', count),
    hex: (count) => text('0123456789abcdef', count),
  };
}

function pickWeighted<K extends string>(weights: Readonly<Record<K, number>>, draw: number): K {
  const entries = Object.entries(weights) as [K, number][];
  let left = draw * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [key, weight] of entries) {
    left -= weight;
    if (left < 0) return key;
  }
  return entries.at(-1)![0];
}

/** How many of something rare happen where `mean` are expected (Knuth). */
export function poisson(random: Random, mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random.next(); product > limit; product *= random.next()) count += 1;
  return count;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
