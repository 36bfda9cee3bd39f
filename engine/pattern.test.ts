import { RE2JS } from 're2js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openPatternBudget, type Pattern, readPattern } from './pattern.ts';

function sound(text: string): Pattern {
  const pattern = readPattern(text);
  if (typeof pattern === 'string') throw new Error(pattern);
  return pattern;
}

afterEach(() => void vi.restoreAllMocks());

describe('engine: a pattern is judged before it is compiled', () => {
  test.each([
    String.raw`\pL{1000}`.repeat(3),
    '(?:a{100}){100}',
    '((((a{9}){9}){9}){9}){9}',
    '(?:[a-z]{2,500}x){10}',
    '(?P<word>[]a-z]{30,}){80}',
    String.raw`(?:\Qa.b\E){900}(?:x?){400}`,
    String.raw`\p{L}`.repeat(150),
    'a{1000}'.repeat(140),
  ])('E7: too large, and never compiled: %s', (text) => {
    const compile = vi.spyOn(RE2JS, 'compile');
    expect(readPattern(text)).toMatch(/too large: .*at most 1000 steps in all; shorten them$/);
    expect(compile).not.toHaveBeenCalled();
  });

  test.each(['(a?){400}', 'x{990}(?:yy|zz){8}'])('what only the program tells is refused too: %s', (text) => {
    expect(readPattern(text)).toMatch(/too large/);
  });

  test.each(['(a', '(?<=a)b', String.raw`(a)\1`, 'a{5000}', ')', '[', String.raw`\p{Nope}`, '{3}', '(?'])('E7: not RE2: %s', (text) => {
    expect(readPattern(text)).toMatch(/is not a valid \(RE2\) expression|too large/);
  });

  test('what people really write is taken', () => {
    const real = [
      String.raw`^[\p{L} .'-]{2,60}$`,
      '^.{10,300}$',
      String.raw`^(?:\+?1[-. ]?)?\(?\d{3}\)?[-. ]?\d{3}[-. ]?\d{4}$`,
      String.raw`^[\w.%+-]{1,64}@(?:[a-z0-9-]+\.){1,8}[a-z]{2,24}$`,
      String.raw`(?i)price\s*[:=]\s*\$?([0-9]+(?:\.[0-9]{1,4})?)`,
      `^(?:${Array.from({ length: 150 }, (_, at) => 10_000 + at).join('|')})$`,
    ];
    for (const text of real) expect(readPattern(text), text).toMatchObject({ size: expect.any(Number) });
  });

  test('E7: one longer than 1,000 letters is refused', () => {
    expect(readPattern('a'.repeat(1_001))).toMatch(/longer than 1000 letters/);
  });
});

describe('engine: a pattern is compiled once, and runs over bounded text', () => {
  test('read again it is the same; the one used longest ago gives its place up', () => {
    const compile = vi.spyOn(RE2JS, 'compile');
    const first = readPattern('^kept once$');
    expect(readPattern('^kept once$')).toBe(first);
    expect(compile).toHaveBeenCalledTimes(1);
    for (let at = 0; at < 2_000; at++) readPattern(`^other ${at}$`);
    expect(readPattern('^kept once$')).not.toBe(first);
    expect(compile).toHaveBeenCalledTimes(2_002);
  });

  test('the larger the program, the less text it is run over, and never less than 1,000 letters', () => {
    expect(sound('a').letters).toBe(32_000);
    expect(sound('(?:[ab]c){400}').letters).toBe(1_000);
    for (const text of ['a', '[ab]{50}', '[ab]{300}', '[ab]{900}']) {
      const { size, letters } = sound(text);
      expect(size * letters).toBeLessThanOrEqual(1_000_000);
    }
  });

  test('a longer value neither fits nor matches by its beginning; an answer is searched as far as that', () => {
    const pattern = sound('^[ab]+$');
    expect([pattern.test('a'.repeat(pattern.letters)), pattern.fits('a'.repeat(pattern.letters))]).toEqual([true, true]);
    const long = `${'a'.repeat(pattern.letters)}a`;
    expect([pattern.test(long), pattern.fits(long)]).toEqual([false, false]);
    const price = sound('price=([0-9]+)');
    expect(price.find(`price=12 ${'x'.repeat(100_000)}`, 1)).toBe('12');
    expect(price.find(`${'x'.repeat(100_000)} price=12`, 1)).toBeUndefined();
  });
});

describe('engine: patterns that are met together share one budget', () => {
  test('one too many is refused without being compiled', () => {
    const budget = openPatternBudget('a filter', { patterns: 2, size: 1_000 });
    expect([budget.take('budget a'), budget.take('budget b')].map((one) => typeof one)).toEqual(['object', 'object']);
    const compile = vi.spyOn(RE2JS, 'compile');
    expect(budget.take('budget c')).toBe('a filter has at most 2 patterns; join some with | or use other conditions');
    expect(compile).not.toHaveBeenCalled();
  });

  test('their programs are added up', () => {
    const budget = openPatternBudget('an endpoint', { patterns: 20, size: 1_000 });
    expect(typeof budget.take('a{600}')).toBe('object');
    expect(budget.take('b{600}')).toBe('the patterns of an endpoint are too large together (1204 steps, at most 1000); shorten them');
  });
});
