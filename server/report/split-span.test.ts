import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitSpan } from './split-span.ts';

const HOUR = 3_600_000;
const at = (hours: number) => hours * HOUR;

test('whole hours that are rolled and not marked are kept, the others raw', () => {
  expect(splitSpan({ from: at(1), to: at(6) }, at(5), new Set([at(2)]))).toEqual({
    kept: [
      { from: at(1), to: at(2) },
      { from: at(3), to: at(5) },
    ],
    raw: [
      { hour: at(2), from: at(2), to: at(3) },
      { hour: at(5), from: at(5), to: at(6) },
    ],
  });
});

test('a part of an hour is raw', () => {
  expect(splitSpan({ from: at(1.5), to: at(3.25) }, at(9), new Set())).toEqual({
    kept: [{ from: at(2), to: at(3) }],
    raw: [
      { hour: at(1), from: at(1.5), to: at(2) },
      { hour: at(3), from: at(3), to: at(3.25) },
    ],
  });
});

test('every moment of a span is read once', () => {
  const quarter = fc.integer({ min: 0, max: 200 }).map((n) => (n * HOUR) / 4);
  fc.assert(
    fc.property(
      quarter,
      quarter,
      fc.integer({ min: 0, max: 60 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 60 })),
      (a, b, rolled, marks) => {
        const span = { from: Math.min(a, b), to: Math.max(a, b) };
        const { kept, raw } = splitSpan(span, at(rolled), new Set(marks.map(at)));
        const parts = [...kept, ...raw].sort((one, other) => one.from - other.from);
        let reached = span.from;
        for (const part of parts) {
          expect(part.from).toBe(reached);
          expect(part.to).toBeGreaterThan(part.from);
          reached = part.to;
        }
        expect(reached).toBe(span.to);
        for (const { from, to } of kept) {
          expect([from % HOUR, to % HOUR, to <= at(rolled)]).toEqual([0, 0, true]);
          expect(marks.map(at).some((mark) => mark >= from && mark < to)).toBe(false);
        }
      },
    ),
  );
});
