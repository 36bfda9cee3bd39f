import { expect, test } from 'vitest';
import { pointLabel } from './point-label.ts';

test.each([
  ['2026-11-28T03:00:00Z', 'hour', 'America/New_York', false, '22:00'],
  ['2026-11-28T03:00:00Z', 'hour', 'America/New_York', true, 'Nov 27, 22:00'],
  ['2026-11-27T05:00:00Z', 'day', 'America/New_York', false, 'Nov 27'],
  ['2026-03-29T23:00:00Z', 'week', 'Europe/London', false, 'Week of Mar 30'],
  ['2026-10-01T04:00:00Z', 'month', 'America/New_York', false, 'Oct 2026'],
] as const)('%s by %s in %s is called as the zone has it', (at, unit, zone, withDay, text) => {
  expect(pointLabel(at, unit, zone, withDay)).toBe(text);
});
