import { describe, expect, test } from 'vitest';
import { hourState, readDay, sayDay, setHour, tidySpans } from './week.ts';

describe('console §4 (operation hours): the week grid', () => {
  test('an hour is opened and closed without touching the rest of the day', () => {
    const day = [{ from: '08:30', to: '12:00' }];
    expect(setHour(day, 12, true)).toEqual([{ from: '08:30', to: '13:00' }]);
    expect(setHour(day, 10, false)).toEqual([
      { from: '08:30', to: '10:00' },
      { from: '11:00', to: '12:00' },
    ]);
    expect(setHour([{ from: '00:00', to: '24:00' }], 23, false)).toEqual([{ from: '00:00', to: '23:00' }]);
    expect(setHour([], 23, true)).toEqual([{ from: '23:00', to: '24:00' }]);
  });
  test('an hour that is open in part says so', () => {
    const day = [{ from: '08:30', to: '12:00' }];
    expect([7, 8, 9, 12].map((hour) => hourState(day, hour))).toEqual(['none', 'some', 'all', 'none']);
  });
  test('what is typed is read as it is said', () => {
    expect(readDay('8:30-12, 13-17:15')).toEqual([
      { from: '08:30', to: '12:00' },
      { from: '13:00', to: '17:15' },
    ]);
    expect(sayDay(readDay('13-17; 9-13')!)).toBe('09:00-17:00');
    expect(readDay('')).toEqual([]);
    for (const wrong of ['9', '17-9', '9-25', '9:75-10', 'x', '9-10,']) expect([wrong, readDay(wrong)]).toEqual([wrong, undefined]);
  });
  test('spans that touch or overlap become one', () => {
    expect(
      tidySpans([
        { from: '10:00', to: '12:00' },
        { from: '08:00', to: '10:00' },
        { from: '11:00', to: '11:30' },
      ]),
    ).toEqual([{ from: '08:00', to: '12:00' }]);
  });
});
