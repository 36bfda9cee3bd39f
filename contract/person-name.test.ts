import { describe, expect, it } from 'vitest';
import { organizationName, personName } from './person-name.ts';

const isName = (text: string) => personName.safeParse(text).success;

describe('account §3: names', () => {
  it.each([
    ['a zero-width space', 'Ada\u200b'],
    ['a word joiner', 'A\u2060da'],
    ['a byte order mark', '\ufeffAda'],
    ['a soft hyphen', 'A\u00adda'],
    ['a tag character', 'Ada\u{e0041}'],
    ['the end of tags', 'Ada\u{e007f}'],
    ['an invisible operator', 'Ada\u2063'],
    ['a Hangul filler', 'Ada\u3164'],
    ['a grapheme joiner', 'A\u034fda'],
    ['a blank of Braille', 'Ada\u2800'],
    ['a change of direction', 'Ada\u202e'],
    ['a joiner between Latin letters', 'A\u200dda'],
    ['a non-joiner between Cyrillic letters', 'Ан\u200cна'],
    ['a joiner at the end', 'Ada\u200d'],
    ['two joiners in a row', 'می\u200c\u200cخواهم'],
    ['a variation selector behind a letter', 'Ada\ufe0f'],
    ['a line break', 'Ada\nBcc: x@example.com'],
  ])('hold nothing that is not seen: %s', (_what, name) => {
    expect(isName(name)).toBe(false);
    expect(organizationName.safeParse(`${name} Leads`).success).toBe(false);
  });

  it.each(['', ' ', '\u00a0', '\u2003 ', '\u0301', '\u200b', '\u3164\u3164', '\u200d'])('are never nothing: %j', (name) => {
    expect(isName(name)).toBe(false);
  });

  it.each([
    'Ada',
    'Zoë-Ann',
    'O’Brien',
    'علی\u200cرضا',
    'क्\u200dष',
    '山田 太郎',
    'Ng',
    '7',
    '👩\u200d💻',
    '👩🏽\u200d💻',
    '❤\ufe0f\u200d🔥 Leads',
    '🇩🇪',
  ])('are written as people write them: %s', (name) => {
    expect(isName(name)).toBe(true);
  });
});
