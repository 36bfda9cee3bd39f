/** A record that two people edit at once: what was there, what is there now, and what was typed, place by place. */
import { differences } from '../change-log/value-difference.ts';

export interface ThreeSides {
  /** 'endpoint.post.url', 'caps.0.limit'. */
  place: string;
  was: unknown;
  theirs: unknown;
  yours: unknown;
}

type Values = Record<string, unknown>;

/** Every place where either side is not what it was; the one that both have changed comes first. */
export function threeSides(was: Values, theirs: Values, yours: Values): ThreeSides[] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(theirs), ...Object.keys(yours)])];
  return names
    .flatMap((name) => placesOf(name, was[name], theirs[name], yours[name]))
    .map((place) => ({ place, was: valueAt(was, place), theirs: valueAt(theirs, place), yours: valueAt(yours, place) }))
    .sort((a, b) => Number(isBoth(b)) - Number(isBoth(a)));
}

/** One place that lies within another is told with it. */
function placesOf(name: string, was: unknown, theirs: unknown, yours: unknown): string[] {
  const places = [...new Set([theirs, yours].flatMap((side) => differences(was, side, name).map((one) => one.place)))];
  return places.filter((place) => !places.some((other) => place.startsWith(`${other}.`)));
}

const valueAt = (values: unknown, place: string): unknown =>
  place.split('.').reduce<unknown>((value, name) => (value as Values | null | undefined)?.[name], values);

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
export const isBoth = ({ was, theirs, yours }: ThreeSides): boolean => !isSame(was, theirs) && !isSame(was, yours);
export const isChangedBy = ({ was, ...sides }: ThreeSides, side: 'theirs' | 'yours'): boolean => !isSame(was, sides[side]);
