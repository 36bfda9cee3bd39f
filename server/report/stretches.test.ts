import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportingTimeZone } from '#contract/organization.ts';
import { HOUR_MS } from '#engine/zone.ts';
import { cutStretches, cutWeeks, stretchOf, weekOf } from './stretches.ts';

const at = (text: string) => Date.parse(`${text}:00Z`);
const texts = ({ from, to }: { from: number; to: number }) => [from, to].map((ms) => new Date(ms).toISOString().slice(5, 13));

/** Midnight by the clock of the runtime and nothing of ours. */
const isMidnight = (ms: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'short' }).format(ms) === '00:00';

describe('console §1: stretches serve the days of all reporting zones', () => {
  it('two a day in winter, three in summer', () => {
    expect(texts(stretchOf(at('2026-01-10T03:00')))).toEqual(['01-10T00', '01-10T05']);
    expect(texts(stretchOf(at('2026-01-10T05:00')))).toEqual(['01-10T05', '01-11T00']);
    expect(texts(stretchOf(at('2026-07-10T22:00')))).toEqual(['07-10T04', '07-10T23']);
    expect(texts(stretchOf(at('2026-07-10T23:00')))).toEqual(['07-10T23', '07-11T00']);
  });

  it('a midnight of any zone begins one and nothing else does, over a year with all changes of the clocks', () => {
    for (let hour = at('2026-01-01T00:00'); hour < at('2027-01-01T00:00'); hour += HOUR_MS)
      expect([hour, stretchOf(hour).from === hour]).toEqual([hour, reportingTimeZone.options.some((zone) => isMidnight(hour, zone))]);
  });

  it('hours beside whole stretches stay hours', () => {
    const cut = cutStretches({ from: at('2026-01-10T02:00'), to: at('2026-01-12T07:00') });
    expect(texts(cut.stretches!)).toEqual(['01-10T05', '01-12T05']);
    expect(cut.hours.map(texts)).toEqual([
      ['01-10T02', '01-10T05'],
      ['01-12T05', '01-12T07'],
    ]);
    const few = { from: at('2026-01-10T06:00'), to: at('2026-01-10T23:00') };
    expect(cutStretches(few)).toEqual({ stretches: undefined, hours: [few] });
    const whole = { from: at('2026-01-10T00:00'), to: at('2026-01-11T00:00') };
    expect(cutStretches(whole)).toEqual({ stretches: whole, hours: [] });
  });

  it('a week is whole stretches, from Monday to Monday by UTC, over a year with all changes of the clocks', () => {
    for (let hour = at('2026-01-01T00:00'); hour < at('2027-01-01T00:00'); hour += HOUR_MS) {
      const { from, to } = weekOf(hour);
      expect([new Date(from).getUTCDay(), from % (24 * HOUR_MS), to - from, from <= hour && hour < to]).toEqual([
        1,
        0,
        168 * HOUR_MS,
        true,
      ]);
      expect(stretchOf(from).from).toBe(from);
    }
  });

  it('stretches beside whole weeks stay stretches', () => {
    const mondays = ['01-05', '01-12', '01-19', '01-26', '02-02'].map((day) => at(`2026-${day}T00:00`));
    const cutAll = (span: { from: number; to: number }, kept = mondays) => cutWeeks(span, new Set(kept));
    const month = { from: at('2026-01-09T05:00'), to: at('2026-02-04T05:00') };
    const cut = cutAll(month);
    expect(cut.weeks.map(texts)).toEqual([['01-12T00', '02-02T00']]);
    expect(cut.stretches.map(texts)).toEqual([
      ['01-09T05', '01-12T00'],
      ['02-02T00', '02-04T05'],
    ]);
    const without = cutAll(
      month,
      mondays.filter((monday) => monday !== at('2026-01-19T00:00')),
    );
    expect(without.weeks.map(texts)).toEqual([
      ['01-12T00', '01-19T00'],
      ['01-26T00', '02-02T00'],
    ]);
    expect(without.stretches.map(texts)).toContainEqual(['01-19T00', '01-26T00']);
    const few = { from: at('2026-01-06T00:00'), to: at('2026-01-19T00:00') - HOUR_MS };
    expect(cutAll(few, [])).toEqual({ weeks: [], minus: [], stretches: [few] });
    const whole = { from: at('2026-01-05T00:00'), to: at('2026-01-19T00:00') };
    expect(cutAll(whole)).toEqual({ weeks: [whole], minus: [], stretches: [] });
  });

  it('a kept week of which more than half is meant is taken whole, less the rest of it', () => {
    const [first, second] = [at('2026-01-05T00:00'), at('2026-01-12T00:00')];
    const most = { from: at('2026-01-05T05:00'), to: at('2026-01-18T05:00') };
    const cut = cutWeeks(most, new Set([first, second]));
    expect(cut.weeks.map(texts)).toEqual([['01-05T00', '01-19T00']]);
    expect([cut.minus.map(texts), cut.stretches]).toEqual([
      [
        ['01-05T00', '01-05T05'],
        ['01-18T05', '01-19T00'],
      ],
      [],
    ]);
    const middle = { from: at('2026-01-06T00:00'), to: at('2026-01-11T00:00') };
    expect(cutWeeks(middle, new Set([first])).minus.map(texts)).toEqual([
      ['01-05T00', '01-06T00'],
      ['01-11T00', '01-12T00'],
    ]);
    // Half of it is read as it is, and so is one that is not kept.
    const half = { from: first, to: at('2026-01-08T12:00') };
    expect(cutWeeks(half, new Set([first]))).toEqual({ weeks: [], minus: [], stretches: [half] });
    expect(cutWeeks(middle, new Set([second]))).toEqual({ weeks: [], minus: [], stretches: [middle] });
  });

  it('weeks less what is taken away, and stretches, are the span', () => {
    const first = at('2026-01-05T00:00');
    const hour = fc.integer({ min: 0, max: 24 * 60 }).map((n) => first + n * HOUR_MS);
    fc.assert(
      fc.property(hour, hour, fc.subarray([0, 1, 2, 3, 4, 5, 6, 7, 8]), (a, b, weeks) => {
        const span = { from: Math.min(a, b), to: Math.max(a, b) };
        const cut = cutWeeks(span, new Set(weeks.map((n) => first + n * 168 * HOUR_MS)));
        const timesIn = (spans: { from: number; to: number }[], ms: number) => spans.filter(({ from, to }) => ms >= from && ms < to).length;
        for (let ms = first; ms < first + 63 * 24 * HOUR_MS; ms += HOUR_MS)
          expect(timesIn(cut.weeks, ms) - timesIn(cut.minus, ms) + timesIn(cut.stretches, ms)).toBe(timesIn([span], ms));
      }),
      { numRuns: 30 },
    );
  });
});
