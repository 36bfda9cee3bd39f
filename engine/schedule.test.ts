import { describe, expect, test } from 'vitest';
import type { Hours, Span } from './plan.ts';
import { compileHours, compilePause, type OpeningHours, type Pause } from './schedule.ts';

const EVERY_DAY = (...spans: Span[]): Hours['week'] => [spans, spans, spans, spans, spans, spans, spans];
const at = (text: string) => Date.parse(text);

function hours(timeZone: string, week: Hours['week']): OpeningHours {
  return compileHours({ timeZone, week }) as OpeningHours;
}

describe('engine: opening hours are half-open and local', () => {
  const weekdays = hours('Europe/London', [
    [{ from: '09:00', to: '17:00' }],
    [],
    [],
    [],
    [
      { from: '09:00', to: '12:00' },
      { from: '13:00', to: '24:00' },
    ],
    [],
    [],
  ]);

  test.each([
    ['2026-11-27T09:00:00Z', true],
    ['2026-11-27T08:59:59Z', false],
    ['2026-11-27T12:00:00Z', false],
    ['2026-11-27T23:59:59Z', true],
    ['2026-11-28T00:00:00Z', false],
    ['2026-11-30T16:59:59Z', true],
    ['2026-11-30T17:00:00Z', false],
    ['2026-07-03T08:00:00Z', true],
  ])('at %s: %s', (instant, open) => expect(weekdays.isOpenAt(at(instant))).toBe(open));

  test.each([
    ['2026-11-27T12:30:00Z', '2026-11-27T13:00:00Z'],
    ['2026-11-28T00:00:00Z', '2026-11-30T09:00:00Z'],
    ['2026-11-30T18:00:00Z', '2026-12-04T09:00:00Z'],
  ])('closed at %s, opens %s', (instant, opens) => {
    expect(weekdays.opensAfter(at(instant))).toBe(at(opens));
    expect(weekdays.opensAfter(at(opens) - 1)).toBe(at(opens));
  });

  test('hours that never open say so', () => expect(hours('UTC', EVERY_DAY()).opensAfter(0)).toBeNull());
});

describe('G7: clock changes', () => {
  test('02:30 is skipped: the door opens at the jump; 02:00 to 03:00 does not open at all that day', () => {
    expect(hours('America/New_York', EVERY_DAY({ from: '02:30', to: '05:00' })).opensAfter(at('2026-03-08T06:00:00Z'))).toBe(
      at('2026-03-08T07:00:00Z'),
    );
    const skipped = hours('America/New_York', EVERY_DAY({ from: '02:00', to: '03:00' }));
    expect(skipped.isOpenAt(at('2026-03-08T07:00:00Z'))).toBe(false);
    expect(skipped.opensAfter(at('2026-03-08T05:30:00Z'))).toBe(at('2026-03-09T06:00:00Z'));
  });

  test('01:30 comes twice: it is open both times', () => {
    const night = hours('America/New_York', EVERY_DAY({ from: '01:30', to: '02:00' }));
    expect(
      ['2026-11-01T05:30:00Z', '2026-11-01T06:00:00Z', '2026-11-01T06:30:00Z', '2026-11-01T07:00:00Z'].map((text) =>
        night.isOpenAt(at(text)),
      ),
    ).toEqual([true, false, true, false]);
  });
});

test('engine: pause dates hold both local days to the end', () => {
  const pause = compilePause({
    timeZone: 'America/New_York',
    days: [{ from: '2026-11-01', to: '2026-11-01', note: 'Inventory' }],
  }) as Pause;
  expect(pause.findAt(at('2026-11-01T03:59:59Z'))).toBeUndefined();
  expect(pause.findAt(at('2026-11-02T04:59:59Z'))).toEqual({
    from: '2026-11-01',
    to: '2026-11-01',
    note: 'Inventory',
    endsAt: at('2026-11-02T05:00:00Z'),
  });
  expect(pause.findAt(at('2026-11-02T05:00:00Z'))).toBeUndefined();
});

test('wrong hours and pauses are told', () => {
  expect(compileHours({ timeZone: 'Mars/Olympus', week: EVERY_DAY() })).toMatch(/Mars\/Olympus does not exist/);
  expect(compileHours({ timeZone: 'UTC', week: EVERY_DAY({ from: '17:00', to: '09:00' }) })).toMatch(/from before its to/);
  expect(compileHours({ timeZone: 'UTC', week: EVERY_DAY({ from: '9', to: '24:01' }) })).toMatch(/from before its to/);
  expect(compilePause({ timeZone: 'UTC', days: [{ from: '2026-02-30', to: '2026-03-01' }] })).toMatch(/YYYY-MM-DD/);
});
