import { describe, expect, it } from 'vitest';
import { longNumber, ownValuesIn, piecesOf } from './own-value.ts';

describe('H4: a long number is one person’s own', () => {
  it.each([
    ['219-09-9471', '219099471'],
    ['219 09 9471', '219099471'],
    ['QQ 12 34 56 C', 'qq123456c'],
    ['GB29 NWBK 6016 1331 9268 19', 'gb29nwbk60161331926819'],
  ])('%s', (text, number) => {
    expect(longNumber(text)).toBe(number);
  });

  it.each([
    ['a date', '1990-01-31'],
    ['a date in words', 'January 31 1990'],
    ['what fills a field', '000-00-0000'],
    ['what fills a field in order', '123-45-6789'],
    ['an amount', '3200.00'],
    ['a street', '12 Okonkwo Street'],
    ['an e-mail address', 'bob219099471@example.com'],
    ['the last of it', '9471'],
    ['nothing', ''],
  ])('%s is none: %s', (_what, text) => {
    expect(longNumber(text)).toBeUndefined();
  });
});

describe('H4: values are read out of what was sent as intake reads them', () => {
  const read = (body: string, country: 'us' | 'uk' = 'us') => new Set(ownValuesIn(piecesOf(body), country));

  it.each([
    ['JSON that breaks off', '{"phone": "(212) 555-0142", "email": "Ada@Example.com', ['+12125550142', 'ada@example.com']],
    ['JSON with a number', '{"phone": 2125550142, ', ['+12125550142']],
    ['a form', 'email=ada%40example.com&phone=%2B1+212+555+0142&test=maybe', ['ada@example.com', '+12125550142']],
    ['XML that does not close', '<lead><ssn>219-09-9471</ssn><phone>212.555.0142', ['219099471', '+12125550142']],
    ['a sentence', 'Write to (ada@example.com).', ['ada@example.com']],
  ])('%s', (_what, body, values) => {
    expect([...read(body)]).toEqual(expect.arrayContaining(values));
  });

  it('numbers of the United Kingdom', () => {
    expect([...read('"phone":"+44 20 7946 0018"', 'uk')]).toContain('+442079460018');
  });

  it('a body of more values than any lead has is not read, and takes no time', () => {
    const body = Array.from({ length: 20_000 }, (_, n) => `"(212) 555-${n}"`).join(',');
    const began = performance.now();
    expect(ownValuesIn(piecesOf(body), 'us')).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
