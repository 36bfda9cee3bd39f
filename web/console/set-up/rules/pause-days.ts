/** Pause dates: single days on a calendar, kept as ranges. */
import type { PauseDatesRule } from '#contract/tier.ts';

type Range = PauseDatesRule['days'][number];
const DAY_MS = 86_400_000;
const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export function toDays(ranges: readonly Range[]): string[] {
  return ranges.flatMap(({ from, to }) =>
    Array.from({ length: Math.min(400, (at(to) - at(from)) / DAY_MS + 1) }, (_, n) => dayAt(at(from) + n * DAY_MS)),
  );
}

/** Days that follow each other become one range; a note stays with the range that still holds its first day. */
export function toRanges(days: readonly string[], before: readonly Range[]): Range[] {
  const ranges: Range[] = [];
  for (const day of [...new Set(days)].sort()) {
    const last = ranges.at(-1);
    const opens = before.some((range) => range.from === day);
    if (last && !opens && at(day) - at(last.to) === DAY_MS) last.to = day;
    else ranges.push({ from: day, to: day, ...noteOf(before, day) });
  }
  return ranges;
}

const noteOf = (before: readonly Range[], day: string) => {
  const note = before.find((range) => range.from === day)?.note;
  return note ? { note } : {};
};
