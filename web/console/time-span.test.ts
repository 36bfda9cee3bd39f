import { afterEach, expect, test, vi } from 'vitest';
import { readTimeSpan } from './time-span.ts';

afterEach(() => vi.unstubAllGlobals());

const today = { timespan: 'today', startDate: '', endDate: '' };
const kept = (value: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  vi.stubGlobal('localStorage', { getItem: () => text });
  return readTimeSpan();
};

test('console §3: the time span last chosen is read as it was kept', () => {
  const range = { timespan: 'customRange', startDate: '2026-11-01T00:00', endDate: '2026-11-02T23:59' };
  expect(kept(range)).toEqual(range);
  expect(kept({ timespan: 'lastWeek', startDate: '', endDate: '' })).toEqual({ ...today, timespan: 'lastWeek' });
});

test.each([
  'no object',
  { timespan: 'someday', startDate: '', endDate: '' },
  { timespan: 'customRange', startDate: '2026-11-01', endDate: '2026-11-02' },
  { timespan: 'customRange', startDate: '2026-99-01T00:00', endDate: '2026-11-02T00:00' },
  { timespan: 'customRange', endDate: '2026-11-02T00:00' },
  { timespan: 'customRange', startDate: '2010-01-01T00:00', endDate: '2026-11-02T00:00' },
])('console §3: %o is no span, and means today', (value) => {
  expect(kept(value)).toEqual(today);
});
