import { describe, expect, it } from 'vitest';
import { sayDuration, saySize, sayState } from './health-words.ts';

describe('the words of the installation’s health', () => {
  it.each([
    [0, '0 s'],
    [59, '59 s'],
    [60, '1 min'],
    [3_599, '59 min'],
    [3_600, '1 h'],
    [86_400, '1 day'],
    [8 * 86_400, '8 days'],
  ])('%d seconds are %s', (seconds, said) => expect(sayDuration(seconds)).toBe(said));

  it.each([
    [512, '512 bytes'],
    [1024, '1.0 KiB'],
    [8_808_038, '8.4 MiB'],
    [128_849_018_880, '120 GiB'],
  ])('%d bytes are %s', (bytes, said) => expect(saySize(bytes)).toBe(said));

  it('say first what is bad', () => {
    const check = (level: 'bad' | 'warn' | 'ok') => ({ level, part: 'Work', what: 'x', mend: null });
    expect(sayState([check('ok')])).toEqual({ text: 'All is well', tone: 'good' });
    expect(sayState([check('warn'), check('ok')])).toEqual({ text: '1 to look at', tone: 'warn' });
    expect(sayState([check('bad'), check('warn'), check('warn')])).toEqual({ text: '1 bad, 2 to look at', tone: 'bad' });
  });
});
