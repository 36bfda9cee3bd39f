import { expect, test } from 'vitest';
import { dropCardNumber, dropLongNumbers } from './card-number.ts';
import { isRefusal, readPosting } from './posting.read.ts';

const CARD = '4571736012345678';

/** Whatever a reader could make of what is kept: separators out, escapes undone. */
function spelledOut(text: string): string {
  const plain = text
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&#x([0-9a-f]+);/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return plain.replace(/[^0-9]/g, '');
}

function drop(body: string, contentType: string) {
  const posting = readPosting(Buffer.from(body), contentType);
  if (isRefusal(posting)) throw new Error(posting.msg);
  return dropCardNumber('card', { fields: posting.fields, body: Buffer.from(body) });
}

test.each([
  ['text', 'application/json', `{"card":"${CARD}","state":"NY"}`],
  ['a number', 'application/json', `{"card":${CARD}}`],
  ['a number that loses digits', 'application/json', '{"card":9571736012345678901}'],
  ['blanks', 'application/json', '{"card":" 4571 7360 1234 5678 "}'],
  ['JSON escapes', 'application/json', '{"card":"45717360123456\\u0037\\u0038"}'],
  ['a form with plus signs', 'application/x-www-form-urlencoded', 'card=4571+7360+1234+5678'],
  ['a form with escapes', 'application/x-www-form-urlencoded', 'card=%34571736012345678'],
  ['XML', 'application/xml', `<lead><card>${CARD}</card></lead>`],
  ['XML references', 'application/xml', '<lead><card>457173601234567&#56;</card></lead>'],
  ['told twice', 'application/json', `{"card":"${CARD}","note":"my card is 4571-7360-1234-5678"}`],
  ['a list', 'application/json', `{"card":["${CARD}"]}`],
  ['with letters', 'application/json', `{"card":"Visa ${CARD}"}`],
])('a whole card number keeps eight digits, in the field and in the call that is kept: %s', (_how, type, body) => {
  const { fields, body: kept } = drop(body, type);
  const said = JSON.stringify(fields) + kept.toString();
  for (const digits of [CARD, '9571736012345678901']) expect(spelledOut(said)).not.toContain(digits.slice(0, 12));
  expect(String(fields.card)).toMatch(/^\d{8}…?$/);
});

test('a BIN and a call without one stay as they are', () => {
  for (const body of ['{"card":"457173"}', '{"card":45717360}', '{"state":"NY","phone":"+44 7700 900123"}']) {
    const { fields, body: kept } = drop(body, 'application/json');
    expect(kept.toString()).toBe(body);
    expect({ ...fields }).toEqual(JSON.parse(body));
  }
});

test('of a body that cannot be read, what is as long as a card number goes', () => {
  expect(dropLongNumbers(Buffer.from('{"card":"4571 7360 1234 5678","zip":"01234"')).toString()).toBe('{"card":"45717360…","zip":"01234"');
});
