import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_SLOTS, SLOT_MS, splitSpan } from './split-span.ts';

const HOUR = 3_600_000;
const at = (hours: number) => hours * HOUR;
const hours = (rolled: number, ...marked: number[]) => ({ rolledBefore: at(rolled), marked: new Set(marked.map(at)) });

test('whole hours that are rolled and not marked are kept, the others raw', () => {
  expect(splitSpan({ from: at(1), to: at(6) }, { ...hours(5, 2), slots: NO_SLOTS })).toEqual({
    kept: [
      { from: at(1), to: at(2) },
      { from: at(3), to: at(5) },
    ],
    slots: [],
    raw: [
      { hour: at(2), from: at(2), to: at(3) },
      { hour: at(5), from: at(5), to: at(6) },
    ],
  });
});

test('a part of an hour is raw', () => {
  expect(splitSpan({ from: at(1.5), to: at(3.25) }, { ...hours(9), slots: NO_SLOTS })).toEqual({
    kept: [{ from: at(2), to: at(3) }],
    slots: [],
    raw: [
      { hour: at(1), from: at(1.5), to: at(2) },
      { hour: at(3), from: at(3), to: at(3.25) },
    ],
  });
});

test('of hours that are not kept, whole slots are that are counted and not marked', () => {
  const minute = (minutes: number) => at(5) + minutes * 60_000;
  const second = (seconds: number) => at(5) + seconds * 1_000;
  const counted = { ...hours(6, 5), slots: { from: minute(0), to: minute(80), marked: new Set([minute(5)]) } };
  expect(splitSpan({ from: at(4), to: minute(82) }, counted)).toEqual({
    kept: [{ from: at(4), to: at(5) }],
    slots: [
      { from: minute(0), to: minute(5) },
      { from: second(310), to: minute(80) },
    ],
    raw: [
      { hour: at(5), from: minute(5), to: second(310) },
      { hour: at(6), from: minute(80), to: minute(82) },
    ],
  });
  expect(splitSpan({ from: second(295), to: second(319) }, counted)).toEqual({
    ...{ kept: [], slots: [] },
    raw: [{ hour: at(5), from: second(295), to: second(319) }],
  });
});

test('every moment of a span is read once', () => {
  const end = fc.integer({ min: 0, max: at(50) });
  const slot = fc.integer({ min: 0, max: at(50) / SLOT_MS }).map((n) => n * SLOT_MS);
  const hour = fc.integer({ min: 0, max: 60 });
  fc.assert(
    fc.property(
      ...([end, end, hour, fc.uniqueArray(hour), slot, slot, fc.uniqueArray(slot, { maxLength: 120 })] as const),
      (a, b, rolled, marks, from, to, slotMarks) => {
        const span = { from: Math.min(a, b), to: Math.max(a, b) };
        const split = splitSpan(span, { ...hours(rolled, ...marks), slots: { from, to, marked: new Set(slotMarks) } });
        expect(split.slots.length).toBeLessThanOrEqual(40);
        const parts = [...split.kept, ...split.slots, ...split.raw].sort((one, other) => one.from - other.from);
        let reached = span.from;
        for (const part of parts) {
          expect(part.from).toBe(reached);
          expect(part.to).toBeGreaterThan(part.from);
          reached = part.to;
        }
        expect(reached).toBe(span.to);
        for (const kept of split.kept) {
          expect([kept.from % HOUR, kept.to % HOUR, kept.to <= at(rolled)]).toEqual([0, 0, true]);
          expect(marks.map(at).some((mark) => mark >= kept.from && mark < kept.to)).toBe(false);
        }
        for (const one of split.slots) {
          expect([one.from % SLOT_MS, one.to % SLOT_MS, one.from >= from, one.to <= to]).toEqual([0, 0, true, true]);
          expect(slotMarks.some((mark) => mark >= one.from && mark < one.to)).toBe(false);
        }
        for (const raw of split.raw) expect([raw.hour % HOUR, raw.from >= raw.hour, raw.to <= raw.hour + HOUR]).toEqual([0, true, true]);
      },
    ),
  );
});
