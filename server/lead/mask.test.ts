import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldConfig } from '#engine/plan.ts';
import { maskPersonal, maskValue, type PersonalValue } from './mask.ts';
import { maskReceived, maskSent, maskUrl } from './mask-document.ts';
import { maskPosting, postedValues, readPosted } from './mask-posting.ts';
import { openMasking } from './mask-text.ts';

const field = (fieldName: string, type: FieldConfig['type'], privacyClass: FieldConfig['privacyClass'] = 'P2'): FieldConfig => ({
  fieldName,
  fieldHumanName: fieldName,
  type,
  privacyClass,
  required: false,
  inPing: false,
});
const FIRST = field('first_name', 'string');
const LAST = field('last_name', 'string');
const EMAIL = field('email', 'email');
const PHONE = field('phone', 'phone');
const BORN = field('dob', 'date', 'P3');
const SSN = field('ssn', 'string', 'P3');
const STATE = field('state', 'state', 'P1');
const PERSON: PersonalValue[] = [
  { field: FIRST, value: 'Zoë' },
  { field: LAST, value: "O'Quillfeather" },
  { field: EMAIL, value: 'mixed.case@example.com' },
  { field: PHONE, value: '+16145550177' },
  { field: BORN, value: '1985-03-07' },
  { field: SSN, value: '219099994' },
  { field: undefined, value: 'Li' },
  { field: undefined, value: '36' },
];
const person = openMasking(PERSON, [{ field: STATE, value: 'NY' }]);

describe('what is left of a value', () => {
  it.each([
    [EMAIL, 'ada@example.com', 'a•••@example.com'],
    [EMAIL, 'Ada Lovelace', '•••'],
    [PHONE, '+16145550177', '•••0177'],
    [PHONE, '12345', '•••'],
    [SSN, '219099994', '•••9994'],
    [SSN, '2190', '•••'],
    [BORN, '1985-03-07', '•••'],
    [FIRST, 'Ada', 'A•••'],
    [FIRST, 'Li', '•••'],
    [STATE, 'NY', 'NY'],
    [undefined, 'anything', 'a•••'],
    [undefined, '"<quoted>&', 'q•••'],
    [SSN, '"1234567""""', '•••'],
    [SSN, '12-34-5678', '•••5678'],
  ])('%j %s', (of, value, left) => expect(maskValue(of, value)).toBe(left));

  it('a personal value of an open field has its class no more', () => expect(maskPersonal(STATE, 'Lovelace')).toBe('L•••'));
});

describe('a value is found however it is written', () => {
  it.each([
    ['mixed.case@example.com', 'Mixed.CASE@Example.COM'],
    ['percent, upper hex', 'mixed%2Ecase%40example.com'],
    ['percent, lower hex', 'mixed%2ecase%40example.com'],
    ['percent, twice', 'mixed.case%2540example.com'],
    ['JSON escapes', 'mixed.case\\u0040example.com'],
    ['XML references', 'mixed.case&#64;example.com'],
    ['XML references in hex', 'mixed.case&#x40;example.com'],
    ['blanks', 'mixed.case @ example.com'],
    ['the part before the @', 'user MIXED.CASE exists'],
  ])('e-mail: %s', (_, text) => expect(person.text(`so ${text}!`)).not.toMatch(/mixed|case/i));

  it.each([
    '+1 614.555.0177',
    '(614) 555-0177',
    '(614) - 555 - 0177',
    '16145550177',
    '6145550177',
    '614 555 0177',
    '+1%20614%20555%200177',
    '%2B16145550177',
    '001-614-555-0177',
    '614\u2011555\u20110177',
  ])('phone: %s', (text) => expect(person.text(`call ${text} now`)).not.toMatch(/614|555/));

  it.each([
    '1985-03-07',
    '03/07/1985',
    '7/3/1985',
    '3/7/85',
    '03%2F07%2F1985',
    '19850307',
    '07.03.1985',
    'March 7, 1985',
    '7th MAR 1985',
    '1985-03-07T00:00:00Z',
  ])('date: %s', (text) => expect(person.text(`born ${text}.`)).not.toMatch(/85|mar/i));

  it.each(['O&apos;Quillfeather', 'O%27QUILLFEATHER', 'o\u2019quillfeather', 'OQUILLFEATHER', 'Mr. O Quillfeather'])('name: %s', (text) =>
    expect(person.text(text)).not.toMatch(/quillfeather/i),
  );

  it.each(['Zoë', 'ZOE', 'zoe\u0308', 'Zo%C3%AB', 'Zo\\u00eb', 'Zo%EB', 'Zo&#235;'])('accents: %s', (text) =>
    expect(person.text(`Dear ${text}, hello`)).toBe('Dear Z•••, hello'),
  );

  it.each(['219-09-9994', '219 09 9994', '219.09.9994'])('social security number: %s', (text) =>
    expect(person.text(`ssn ${text}`)).not.toMatch(/219/),
  );

  it('a full name in another order', () => {
    const masking = openMasking([{ field: FIRST, value: 'Ada Lovelace' }]);
    expect(masking.text('LOVELACE, ADA is known')).toBe('L•••, A••• is known');
  });

  it('a value that the text breaks off in, and a long one that was cut short', () => {
    expect(person.text('known: mixed.case@exam')).not.toMatch(/mixed/);
    const story = 'I lost my job in the spring and the roof of my house leaks since the storm of last week';
    expect(openMasking([{ field: undefined, value: story }]).text(`note: ${story.slice(0, 70)}...`)).toBe('note: I•••...');
  });
});

describe('what is nobody’s stays readable', () => {
  it.each([
    'No buyer bought within 3000 ms; 36 of 40 asked.',
    'Canzoe Zoetrope',
    '{"result":"accepted","price":"36.00","state":"NY"}',
    'https://buyer.example/thanks?id=614',
    '01a21f57-0000-7000-8000-000000000000',
    '2026-11-28T05:00:00Z',
  ])('%s', (text) => expect([person.text(text), maskReceived(person, text)]).toEqual([text, text]));

  it('a state stays even when an unknown field repeats it', () => {
    const masking = openMasking([{ field: undefined, value: 'NY' }], [{ field: STATE, value: 'NY' }]);
    expect(maskSent(masking, '{"state":"NY"}')).toBe('{"state":"NY"}');
  });

  it('an open text field cannot make an e-mail readable', () => {
    const masking = openMasking(
      [{ field: EMAIL, value: 'ada@example.com' }],
      [{ field: field('note', 'string', 'P1'), value: 'ada@example.com' }],
    );
    expect(masking.text('ada@example.com')).toBe('a•••@example.com');
  });

  it('a field’s name is not taken for a person’s', () => {
    const masking = openMasking([{ field: LAST, value: 'Price' }]);
    expect(maskReceived(masking, '{"price":8.50,"who":"PRICE"}')).toBe('{"price":8.50,"who":"P•••"}');
    expect(maskReceived(masking, '<price cur="x">8.50</price>')).toBe('<price cur="x">8.50</price>');
  });

  it('true, yes and no are not masked everywhere', () => {
    expect(openMasking([{ field: undefined, value: 'true' }]).leaf('true')).toBe('true');
  });
});

describe('documents keep their form', () => {
  it('JSON: numbers as they were, short values by the whole leaf, bare numbers in quotes', () => {
    const body = '{"id":12345678901234567890,"p":8.50,"who":{"n":"LI","age":36},"tel":6145550177,"list":["zoe"]}';
    expect(maskReceived(person, body)).toBe(
      '{"id":12345678901234567890,"p":8.50,"who":{"n":"•••","age":"•••"},"tel":"•••0177","list":["Z•••"]}',
    );
  });

  it('form, and XML with attributes, comments and CDATA', () => {
    expect(maskReceived(person, 'a=Li&b=Zo%c3%ab+x&c=1')).toBe('a=•••&b=Z•••+x&c=1');
    expect(maskReceived(person, '<a n="Li"><!-- zoe --><b>36</b><c><![CDATA[Li]]></c></a>')).toBe(
      '<a n="•••"><!-- Z••• --><b>•••</b><c><![CDATA[•••]]></c></a>',
    );
  });

  it('a document inside a document', () => {
    expect(maskSent(person, `xml=${encodeURIComponent('<l><n>Li</n></l>')}&k=1`)).toBe('xml=%3Cl%3E%3Cn%3E•••%3C%2Fn%3E%3C%2Fl%3E&k=1');
    expect(maskReceived(person, JSON.stringify({ soap: '<n>Li</n>', j: '{"n":"Li"}' }))).toBe(
      JSON.stringify({ soap: '<n>•••</n>', j: '{"n":"•••"}' }),
    );
    expect(maskReceived(person, '<s>&lt;n&gt;Li&lt;/n&gt;</s>')).toBe('<s>&lt;n&gt;•••&lt;/n&gt;</s>');
  });

  it('a value that holds what reads as an escape', () => {
    const value = '%000   "A 0 ';
    const masking = openMasking([{ field: undefined, value }]);
    expect(maskReceived(masking, JSON.stringify({ x: value, y: [encodeURIComponent(value)] }))).toBe('{"x":"0•••","y":["0•••"]}');
  });

  it('what was sent in slices', () => {
    expect(maskSent(person, '{"area":"614","exchange":"555","year":"1985","ssn1":"219","price":"12"}')).toBe(
      '{"area":"•••","exchange":"•••","year":"•••","ssn1":"•••","price":"12"}',
    );
  });

  it('an address keeps its host', () => {
    const masking = openMasking([{ field: LAST, value: 'Harbour' }, ...PERSON]);
    expect(maskUrl(masking, 'https://harbour.example/p/HARBOUR?n=Li&e=mixed.case%40example.com#x')).toBe(
      'https://harbour.example/p/H•••?n=•••&e=m•••@example.com#x',
    );
  });

  it.each([
    '{"a":"mixed.case@example.com',
    '<a>mixed.case@example.com',
    '<!-- mixed.case@example.com',
    '{]mixed.case@example.com',
    '<a n="mixed.case@example.com',
  ])('broken: %s', (text) => expect(maskReceived(person, text)).not.toContain('mixed'));
});

describe('whatever comes', () => {
  const values = fc.array(fc.oneof(fc.emailAddress(), fc.string({ minLength: 5, maxLength: 30 }), fc.stringMatching(/^[2-9]\d{9}$/)), {
    minLength: 1,
    maxLength: 5,
  });
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

  it('an echo is masked, and the JSON around it stays JSON', () => {
    fc.assert(
      fc.property(values, fc.jsonValue(), (all, other) => {
        const masking = openMasking(all.map((value) => ({ field: undefined, value })));
        const body = JSON.stringify({ x: all, up: all.map((value) => value.toUpperCase()), url: all.map(encodeURIComponent), other });
        const masked = Object.values(JSON.parse(maskReceived(masking, body)) as object)
          .slice(0, 2)
          .flat();
        const telling = all.map(bare).filter((one) => one.length >= 5 && !['false'].includes(one));
        expect(masked.filter((text) => telling.includes(bare(String(text))))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the publisher’s body', () => {
  const FIELDS = [FIRST, EMAIL, PHONE, STATE];
  const shown = (body: string, contentType = '', accepted = ['first_name', 'email', 'phone', 'state']) => {
    const posting = readPosted({ body, contentType });
    return maskPosting({ body, contentType }, posting, FIELDS, new Set(accepted), openMasking(postedValues(posting, FIELDS)));
  };

  it('is shown field by field in its own format', () => {
    expect(
      JSON.parse(shown('{"key":"…","state":"NY","first_name":"Ada","x":{"deep":["Ada Lovelace",{"n":7,"ok":true,"none":null}]}}')),
    ).toEqual({
      key: '•••',
      state: 'NY',
      first_name: 'A•••',
      x: { deep: ['A•••', { n: '•••', ok: 't•••', none: null }] },
    });
    expect(shown('state=NY&email=ADA%40Example.com&odd=value+here', 'application/x-www-form-urlencoded')).toBe(
      'state=NY&email=A•••%40Example.com&odd=v•••',
    );
    expect(shown('<lead><state>NY</state><phone>614.555.0177</phone><more><a>secret</a></more></lead>')).toBe(
      '<lead>\n  <state>NY</state>\n  <phone>•••0177</phone>\n  <more>\n    <a>s•••</a>\n  </more>\n</lead>',
    );
  });

  it('a refused value of an open field may be anything', () => {
    expect(JSON.parse(shown('{"state":"Lovelace"}', '', []))).toEqual({ state: 'L•••' });
  });

  it('what cannot be read is not shown', () => {
    expect(shown('{"email":"ada@example.com"')).toMatch(
      /^26 characters, not shown: they cannot be read as a lead\. The body is not valid JSON/,
    );
  });

  it('names are no way around it', () => {
    expect(shown('{"__proto__":"secret","ada@example.com":"x","email":"ada@example.com"}')).not.toMatch(/secret|ada@/);
  });
});

describe('it stays quick', () => {
  const lead: PersonalValue[] = [
    ...PERSON,
    ...Array.from({ length: 60 }, (_, at) => ({ field: undefined, value: `some value ${at} of a publisher` })),
  ];

  it('20 attempts of 8 KB, both ways', () => {
    const rows = Array.from({ length: 180 }, (_, at) => [`field_${at}`, `text of field ${at}, ${at * 7919}, a%20b`]);
    const body = JSON.stringify({ ...Object.fromEntries(rows), email: 'MIXED.CASE@example.com', phone: '(614) 555-0177' });
    expect(body.length).toBeGreaterThan(8_000);
    const once = () => {
      const began = performance.now();
      const masking = openMasking(lead);
      for (let at = 0; at < 20; at++) [maskSent(masking, body), maskReceived(masking, body)];
      return performance.now() - began;
    };
    const times = [once(), once(), once(), once(), once()];
    expect(Math.min(...times)).toBeLessThan(40);
  });

  it.each([
    ['long runs of one letter', 'a'.repeat(60_000), Array.from({ length: 200 }, (_, at) => `${'a'.repeat(300)}${at}`)],
    ['comments that never end', '<!--'.repeat(15_000), ['<!-- abc']],
    ['quotes that never end', '<a '.repeat(10_000) + '"'.repeat(10_001), ['abc']],
    ['backslashes', '\\'.repeat(60_000), ['abc']],
    ['percent signs', '%25'.repeat(20_000), ['abc']],
  ])('%s', (_, body, values) => {
    const masking = openMasking(values.map((value) => ({ field: undefined, value })));
    const began = performance.now();
    for (let at = 0; at < 5; at++) maskReceived(masking, body);
    expect(performance.now() - began).toBeLessThan(1_500);
  });

  it('a posting of 12,000 dates is not shown, and costs nothing', () => {
    const day = (at: number) => new Date(Date.UTC(1900, 0, 1 + at)).toISOString().slice(0, 10);
    const posted = JSON.stringify({ many: Array.from({ length: 12_000 }, (_, at) => day(at)) });
    const posting = readPosted({ body: posted, contentType: '' });
    const began = performance.now();
    const masking = openMasking(postedValues(posting, [FIRST]));
    const shown = maskPosting({ body: posted, contentType: '' }, posting, [FIRST], new Set(), masking);
    expect([shown, maskReceived(masking, posted), maskSent(masking, posted), masking.text(`born ${day(11_000)}`)].join()).not.toMatch(
      /19\d\d/,
    );
    expect(performance.now() - began).toBeLessThan(1_500);
  });
});
