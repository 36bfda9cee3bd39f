import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { endpointConfig, type LegBody, type LegConfig, type MappingRow } from '#contract/endpoint.ts';
import { compileRequest } from './compile-request.ts';
import { readXml } from './read-xml.ts';
import type { BuildInput, LeadValues } from './wire.ts';

const response = { outcomes: [] };
function legOf(body: LegBody, rest: Partial<LegConfig> = {}): LegConfig {
  const post = { url: 'https://buyer.test/lead', method: 'POST' as const, body, response, ...rest };
  return endpointConfig.parse({
    ping: {
      ...post,
      url: 'https://buyer.test/ping',
      body: { format: 'text', template: '', escape: 'none' },
      headers: {},
      response: { outcomes: [], captures: { ping_id: { at: [{ path: 'id' }] } } },
    },
    post,
  }).post;
}
const field = (to: string, name = to, rest: Partial<MappingRow> = {}): MappingRow => ({
  to,
  from: { kind: 'field', field: name },
  ...rest,
});
function input(lead: LeadValues, extra: Partial<BuildInput['call']> = {}): BuildInput {
  const context = {
    now: Date.UTC(2026, 2, 4, 15, 6, 7),
    leadId: 'L1',
    affiliateId: 'A7',
    subId: 's-1',
    campaignName: 'Payday',
    minimumPrice: 15_000,
    maxSales: 3,
    username: 'acme',
    hardCode: 'HC',
    secrets: { password: 'p&ss', token: 't0k' },
  };
  return { lead, context, call: { leg: 'post', timeoutMs: 900, price: 125_000, ...extra } };
}
const build = (body: LegBody, lead: LeadValues, rest: Partial<LegConfig> = {}) => compileRequest(legOf(body, rest))(input(lead));
const bodyOf = (body: LegBody, lead: LeadValues) => build(body, lead).request.body ?? '';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '","price":"0',
    '</Last><Bid>999</Bid>',
    '\r\nX-Evil: 1',
    '&a=b',
    '{{constructor.constructor("x")()}}',
    ']]>',
    '%00',
    '<!--',
    '..',
    '+',
    ' ',
  ),
);
const wellFormed = anyText.map((text) => text.toWellFormed());
// biome-ignore lint/suspicious/noControlCharactersInRegex: what XML 1.0 cannot carry.
const xmlText = wellFormed.map((text) => text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, ''));

describe('E8: what is sent is what was given, in every grammar', () => {
  test('json', () => {
    const leg = compileRequest(legOf({ format: 'json', mapping: [field('a.list[1].b', 'a'), field('plain', 'b')] }));
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const sent = JSON.parse(leg(input({ a, b })).request.body ?? '');
        expect(sent).toEqual({ a: { list: [{ b: a }] }, plain: b });
      }),
    );
  });

  test('xml: element and attribute, read by another parser than ours', () => {
    const leg = compileRequest(legOf({ format: 'xml', root: 'lead', mapping: [field('person.@name', 'a'), field('person.note', 'b')] }));
    const parser = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '@',
      parseTagValue: false,
      trimValues: false,
      htmlEntities: true,
    });
    fc.assert(
      fc.property(xmlText, xmlText, (a, b) => {
        const sent = leg(input({ a, b })).request.body ?? '';
        const theirs = parser.parse(sent).lead.person;
        expect([theirs['@name'], theirs.note]).toEqual([a, b]);
        const ours = readXml(sent);
        const person = ours.ok ? ours.root.children[0]! : undefined;
        expect([person?.attributes.name, person?.children[0]?.text]).toEqual([a, b.trim()]);
      }),
    );
  });

  test('form and query', () => {
    const form = compileRequest(legOf({ format: 'form', mapping: [field('p[0][x]', 'a'), field('b')] }));
    const query = compileRequest(
      legOf({ format: 'query', mapping: [field('a'), field('b')] }, { method: 'GET', url: 'https://buyer.test/lead?fixed=1' }),
    );
    fc.assert(
      fc.property(wellFormed, wellFormed, (a, b) => {
        expect([...new URLSearchParams(form(input({ a, b })).request.body)]).toEqual([
          ['p[0][x]', a],
          ['b', b],
        ]);
        expect([...new URL(query(input({ a, b })).request.url).searchParams]).toEqual([
          ['fixed', '1'],
          ['a', a],
          ['b', b],
        ]);
      }),
    );
  });

  test('templates: json, xml, url and csv', () => {
    const asJson = compileRequest(legOf({ format: 'text', escape: 'json', template: '{"Request":{"a":"{{a}}","n":[{"b":"{{ b }}"}]}}' }));
    const asUrl = compileRequest(legOf({ format: 'text', escape: 'url', template: 'a={{a}}&b={{b}}' }));
    const asXml = compileRequest(legOf({ format: 'text', escape: 'xml', template: '<r><a x="{{b}}">{{a}}</a></r>' }));
    fc.assert(
      fc.property(xmlText, xmlText, (a, b) => {
        expect(JSON.parse(asJson(input({ a, b })).request.body ?? '')).toEqual({ Request: { a, n: [{ b }] } });
        expect([...new URLSearchParams(asUrl(input({ a, b })).request.body)]).toEqual([
          ['a', a],
          ['b', b],
        ]);
        const xml = readXml(asXml(input({ a, b })).request.body ?? '');
        expect(xml.ok && [xml.root.children[0]?.text, xml.root.children[0]?.attributes.x]).toEqual([a.trim(), b]);
      }),
    );
    expect(bodyOf({ format: 'text', escape: 'csv', template: '{{a}},{{b}}' }, { a: 'say "hi", you', b: 'x' })).toBe('"say ""hi"", you",x');
  });

  test('address: a value stays one segment, or one query value, whatever it holds', () => {
    const leg = compileRequest(legOf({ format: 'json', mapping: [] }, { url: 'https://buyer.test/p/{{a}}/x?q={{a}}' }));
    fc.assert(
      fc.property(wellFormed, (a) => {
        const url = new URL(leg(input({ a })).request.url);
        expect(url.origin).toBe('https://buyer.test');
        expect(url.pathname.split('/')).toHaveLength(4);
        expect([...url.searchParams]).toEqual([['q', a]]);
      }),
    );
  });

  test('headers: one line each, nothing beside them', () => {
    const leg = compileRequest(legOf({ format: 'json', mapping: [] }, { headers: { 'X-Lead': 'v {{a}}' } }));
    fc.assert(
      fc.property(anyText, (a) => {
        const { headers } = leg(input({ a })).request;
        expect(Object.keys(headers).sort()).toEqual(['content-type', 'x-lead']);
        expect(headers['x-lead']).toMatch(/^[\x20-\x7e\x80-\xff]*$/);
      }),
    );
  });
});

describe('json', () => {
  test('nested keys, lists, quoted keys; order is the order of the rows', () => {
    const sent = bodyOf(
      {
        format: 'json',
        mapping: [field('b.x', 'v'), field('a[1].y', 'v'), field('a[0].y', 'w'), field('["odd.key"]', 'v'), field('@type', 'v')],
      },
      { v: '1', w: '2' },
    );
    expect(sent).toBe('{"b":{"x":"1"},"a":[{"y":"2"},{"y":"1"}],"odd.key":"1","@type":"1"}');
  });
  test('wire-quirks 40: phones.0 is a key, phones[0] a position, and form names are taken as they are', () => {
    expect(bodyOf({ format: 'json', mapping: [field('phones.0', 'v')] }, { v: '1' })).toBe('{"phones":{"0":"1"}}');
    expect(bodyOf({ format: 'json', mapping: [field('phones[0]', 'v')] }, { v: '1' })).toBe('{"phones":["1"]}');
    expect(bodyOf({ format: 'form', mapping: [field('phones.0', 'v'), field('phones[1]', 'v')] }, { v: '1' })).toBe(
      'phones.0=1&phones%5B1%5D=1',
    );
  });
  test('wire-quirks 30: zip 01234 keeps its zero as text, and says so when it must be a number', () => {
    expect(bodyOf({ format: 'json', mapping: [field('zip')] }, { zip: '01234' })).toBe('{"zip":"01234"}');
    const { request, warnings } = build({ format: 'json', mapping: [field('zip', 'zip', { type: 'number' })] }, { zip: '01234' });
    expect(request.body).toBe('{"zip":1234}');
    expect(warnings).toEqual([{ code: 'leading-zeros-dropped', at: 'zip' }]);
    for (const [text, number, isTold] of [
      ['00501', '501', true],
      ['011000015', '11000015', true],
      ['0', '0', false],
      ['10', '10', false],
      ['0.50', '0.50', false],
      ['00', '0', true],
    ] as const) {
      expect(bodyOf({ format: 'json', mapping: [field('v')] }, { v: text })).toBe(`{"v":"${text}"}`);
      for (const format of ['form', 'query'] as const)
        expect(bodyOf({ format, mapping: [field('v')] }, { v: text })).toBe(format === 'form' ? `v=${text}` : '');
      const asNumber = build({ format: 'json', mapping: [field('v', 'v', { type: 'number' })] }, { v: text });
      expect([text, asNumber.request.body, asNumber.warnings.length > 0]).toEqual([text, `{"v":${number}}`, isTold]);
    }
  });
  test('numbers keep their digits, booleans their meaning; what is neither stays a text, with a warning', () => {
    const rows = [field('n', 'n', { type: 'number' }), field('b', 'b', { type: 'boolean' }), field('e', 'e', { type: 'number' })];
    expect(bodyOf({ format: 'json', mapping: rows }, { n: '12345678901234567890.5000', b: 'Yes', e: '' })).toBe(
      '{"n":12345678901234567890.5000,"b":true,"e":null}',
    );
    const { request, warnings } = build({ format: 'json', mapping: rows }, { n: '12 a', b: 'perhaps', e: -3 });
    expect(request.body).toBe('{"n":"12 a","b":"perhaps","e":-3}');
    expect(warnings.map((warning) => warning.code)).toEqual(['not-a-number', 'not-a-boolean']);
  });
  test('wire-quirks 32: an empty value is sent empty or not at all, as the row says', () => {
    const rows = [field('a', 'a', { omitWhenEmpty: true }), field('group.b', 'b', { omitWhenEmpty: true }), field('c')];
    for (const empty of [null, undefined, ''])
      expect(bodyOf({ format: 'json', mapping: rows }, { a: empty, b: empty, c: empty })).toBe('{"c":""}');
    expect(bodyOf({ format: 'json', mapping: rows.slice(0, 2) }, {})).toBe('{}');
  });
  test('C6: a field called like a part of the language is only a name', () => {
    const sent = bodyOf({ format: 'json', mapping: [field('__proto__.x', 'constructor'), field('y', '__proto__')] }, { a: '1' });
    expect(sent).toBe('{"__proto__":{"x":""},"y":""}');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe('xml', () => {
  test('wire-quirks 36: & in a bank name, attributes, repeated elements', () => {
    const rows = [
      field('@id', 'id'),
      field('bank', 'bank'),
      field('phone[0]', 'p'),
      field('phone[1]', 'q'),
      field('dob.@y', 'y'),
      field('dob.@m', 'm'),
    ];
    const sent = bodyOf(
      { format: 'xml', root: 'lead', mapping: rows },
      { id: '7"', bank: 'Smith & <Sons>', p: '1', q: '2', y: '1980', m: '2' },
    );
    expect(sent).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><lead id="7&quot;"><bank>Smith &amp; &lt;Sons&gt;</bank><phone>1</phone><phone>2</phone><dob y="1980" m="2"/></lead>',
    );
  });
  test('wire-quirks 36: whatever a name holds, it comes out of the document as it went in', () => {
    for (const name of [
      'Smith & Sons',
      'A&amp;B',
      '<bank>',
      'O\'Neil "Trust"',
      ']]>',
      '5 > 3 < 7',
      'Größe & Söhne',
      '&#x26;',
      'tab\there',
    ]) {
      const sent = bodyOf({ format: 'xml', root: 'lead', mapping: [field('bank', 'v'), field('other.@name', 'v')] }, { v: name });
      const read = readXml(sent);
      expect([name, read.ok && [read.root.children[0]?.text, read.root.children[1]?.attributes.name]]).toEqual([name, [name, name]]);
      const wrapped = bodyOf(
        { format: 'soap', version: '1.1', action: '', operation: 'Post', namespace: '', mapping: [field('bank', 'v')] },
        { v: name },
      );
      const soap = readXml(wrapped);
      expect([name, soap.ok]).toEqual([name, true]);
      expect(new URLSearchParams(bodyOf({ format: 'form', mapping: [field('bank', 'v')] }, { v: name })).get('bank')).toBe(name);
      expect(JSON.parse(bodyOf({ format: 'json', mapping: [field('bank', 'v')] }, { v: name }))).toEqual({ bank: name });
    }
  });
  test('shape 13: a SOAP envelope from xml_header, xml_open and xml_close', () => {
    const body: LegBody = {
      format: 'xml',
      mapping: [field('ns:first', 'first')],
      xml_header: '<?xml version="1.0"?>',
      xml_open: '<soap:Envelope xmlns:soap="s"><soap:Body><ns:Post user="{{system.username}}">',
      xml_close: '</ns:Post></soap:Body></soap:Envelope>',
    };
    expect(bodyOf(body, { first: 'Ann' })).toBe(
      '<?xml version="1.0"?><soap:Envelope xmlns:soap="s"><soap:Body><ns:Post user="acme"><ns:first>Ann</ns:first></ns:Post></soap:Body></soap:Envelope>',
    );
  });
  test('characters that XML cannot carry are left out, and it is said where', () => {
    const { request, warnings } = build({ format: 'xml', root: 'r', declaration: false, mapping: [field('a')] }, { a: 'x\u0000y\ud800z' });
    expect(request.body).toBe('<r><a>xyz</a></r>');
    expect(warnings).toEqual([{ code: 'character-dropped', at: 'a' }]);
  });
});

describe('values', () => {
  const one = (row: Partial<MappingRow>, lead: LeadValues, call: Partial<BuildInput['call']> = {}) => {
    const leg = compileRequest(legOf({ format: 'json', mapping: [{ ...field('v'), ...row }] }));
    const { request, warnings } = leg(input(lead, call));
    return { text: JSON.parse(request.body ?? '').v, codes: warnings.map((warning) => warning.code) };
  };
  const formatted = (v: string | boolean, ...format: NonNullable<MappingRow['format']>) => one({ format }, { v }).text;

  test("system values, the spec's hard-coded keys among them", () => {
    const names = [
      'leadId',
      'lead_id',
      'subId',
      'sub_id',
      'publisherTierSubId',
      'affiliateId',
      'publisherAffliateId',
      'campaign',
      'price',
      'minimumPrice',
      'maxSales',
      'timestamp',
      'username',
      'password',
      'hard_code',
      'leg',
      'timeoutMs',
      'test',
    ] as const;
    const values = names.map((name) => one({ from: { kind: 'system', name } }, {}).text);
    expect(values).toEqual([
      'L1',
      'L1',
      's-1',
      's-1',
      's-1',
      'A7',
      'A7',
      'Payday',
      '12.50',
      '1.50',
      '3',
      '2026-03-04T15:06:07.000Z',
      'acme',
      'p&ss',
      'HC',
      'post',
      '900',
      'false',
    ]);
  });
  test('engine Sales: a buyer is told whether it gets the lead alone', () => {
    const bands = [
      { to: 1, label: 'exclusive' },
      { from: 2, label: 'shared' },
    ];
    const row = field('exclusivity', '', { from: { kind: 'system', name: 'maxSales' }, format: [{ kind: 'range', bands }] });
    const template = field('note', '', { from: { kind: 'template', text: 'sold up to {{system.maxSales}} times' } });
    const leg = compileRequest(legOf({ format: 'json', mapping: [row, template] }));
    const sentFor = (maxSales?: number) => {
      const { context, ...rest } = input({});
      const { maxSales: _, ...unsaid } = context;
      return JSON.parse(leg({ ...rest, context: maxSales === undefined ? unsaid : { ...context, maxSales } }).request.body!);
    };
    expect(sentFor(1)).toEqual({ exclusivity: 'exclusive', note: 'sold up to 1 times' });
    expect(sentFor(3)).toEqual({ exclusivity: 'shared', note: 'sold up to 3 times' });
    // A service that is asked for no campaign.
    expect(sentFor()).toEqual({ exclusivity: '', note: 'sold up to  times' });
  });
  test('wire-quirks 29: a captured id goes back under another name', () => {
    for (const id of ['12345678901234567890', '7', 'a/b+c=', '{"x":1}', ' 5 ', '1e5', ''])
      expect(one({ from: { kind: 'capture', name: 'ping_id' } }, {}, { captures: { ping_id: id } }).text).toBe(id);
    expect(one({ from: { kind: 'capture', name: 'ping_id' } }, {}, {}).text).toBe('');
    expect(one({ from: { kind: 'capture', name: 'ping_id' } }, {}, { captures: { ping_id: '0012' } }).text).toBe('0012');
  });
  test('wire-quirks 34: dates in every order, a fixed zone for instants', () => {
    const date = (pattern: string, timeZone?: string) => ({ kind: 'date' as const, pattern, ...(timeZone ? { timeZone } : {}) });
    expect(formatted('1980-02-09', date('MM/DD/YYYY'))).toBe('02/09/1980');
    expect(formatted('1980-02-09', date('M/D/YY'))).toBe('2/9/80');
    expect(formatted('1980-02-09', date('D-M-YYYY'))).toBe('9-2-1980');
    expect(formatted('1980-02-09', date('YYYY'))).toBe('1980');
    expect(formatted('1980-02-09', date('[Day] D MMMM, MMM'))).toBe('Day 9 February, Feb');
    expect(formatted('2026-03-04T02:06:07Z', date('YYYY-MM-DD HH:mm:ss', 'America/New_York'))).toBe('2026-03-03 21:06:07');
    expect(formatted('2026-03-04T15:06:07Z', date('h:mm A'))).toBe('3:06 PM');
    expect(one({ format: [date('YYYY')] }, { v: '1980-02-31' })).toEqual({ text: '1980-02-31', codes: ['not-a-date'] });
  });
  test('wire-quirks 35: phone formats', () => {
    const phone = (text: string, pattern: string) => formatted(text, { kind: 'phone', pattern });
    expect(phone('+15551234567', '(###) ###-####')).toBe('(555) 123-4567');
    expect(phone('+15551234567', '###.###.####')).toBe('555.123.4567');
    expect(phone('+15551234567', 'national')).toBe('5551234567');
    expect(phone('+15551234567', 'digits')).toBe('15551234567');
    expect(phone('(555) 123-4567 x89', 'e164')).toBe('+15551234567');
    expect(phone('+447911123456', 'national')).toBe('07911123456');
    expect(phone('+447911123456', '##### ######')).toBe('07911 123456');
    expect(formatted('+15551234567', { kind: 'phone', pattern: 'national' }, { kind: 'slice', from: 0, length: 3 })).toBe('555');
    expect(formatted('123-45-6789', { kind: 'digits' }, { kind: 'slice', from: -4 })).toBe('6789');
  });
  test('wire-quirks 33: value maps, ranges, and an alarm for what they do not know', () => {
    const map = { values: { Male: 'M', female: 'F' } };
    expect(one({ map }, { v: ' MALE ' })).toEqual({ text: 'M', codes: [] });
    expect(one({ map }, { v: 'other' })).toEqual({ text: 'other', codes: ['unmapped-value'] });
    expect(one({ map: { ...map, otherwise: 'U' } }, { v: 'other' })).toEqual({ text: 'U', codes: ['mapped-otherwise'] });
    expect(one({ map }, { v: '' })).toEqual({ text: '', codes: [] });
    const bands = [
      { to: 100, label: 'up to $100' },
      { from: 101, to: 150, label: '$101-$150' },
      { from: 151, label: 'Über' },
    ];
    for (const [v, label] of [
      ['100', 'up to $100'],
      ['150', '$101-$150'],
      ['9000', 'Über'],
    ] as const)
      expect(formatted(v, { kind: 'range', bands })).toBe(label);
    expect(one({ format: [{ kind: 'range', bands: bands.slice(1, 2) }] }, { v: '7' }).codes).toEqual(['unmapped-value']);
  });
  test('numbers, prices, cents, booleans, case, hashes', () => {
    expect(formatted('12.345', { kind: 'price', decimals: 2 })).toBe('12.35');
    expect(formatted('-0.004', { kind: 'number', decimals: 2 })).toBe('0.00');
    expect(formatted('999.5', { kind: 'number', decimals: 0 })).toBe('1000');
    expect(formatted('12.5', { kind: 'cents' })).toBe('1250');
    expect(formatted(true, { kind: 'boolean', yes: 'Y', no: 'N' })).toBe('Y');
    expect(formatted('no', { kind: 'boolean', yes: 'Y', no: 'N' })).toBe('N');
    expect(formatted("mary-ann o'neil", { kind: 'case', to: 'title' })).toBe("Mary-Ann O'neil");
    expect(formatted('HELLO', { kind: 'case', to: 'lower' }, { kind: 'hash', algorithm: 'md5' })).toBe('5d41402abc4b2a76b9719d911017c592');
  });
  test('wire-quirks 37: a buyer that takes ASCII only gets ASCII', () => {
    const { request } = build({ format: 'json', mapping: [field('v')] }, { v: 'José Müller-Straße “Ł” 东' }, { asciiOnly: true });
    expect(JSON.parse(request.body ?? '').v).toBe('Jose Muller-Strasse "L" ');
    const form = (v: string) => build({ format: 'form', mapping: [field('v')] }, { v }, { asciiOnly: true }).request.body;
    expect([form('Zoë'), form('Ægir Ørsted'), form('plain')]).toEqual(['v=Zoe', 'v=AEgir+Orsted', 'v=plain']);
  });
});

describe('around the body', () => {
  test('authentication', () => {
    const auth = (value: LegConfig['auth']) => build({ format: 'json', mapping: [] }, {}, { auth: value }).request.headers.authorization;
    expect(auth({ kind: 'basic', username: '{{system.username}}', secret: 'password' })).toBe(
      `Basic ${Buffer.from('acme:p&ss').toString('base64')}`,
    );
    expect(auth({ kind: 'bearer', secret: 'token' })).toBe('Bearer t0k');
    expect(auth({ kind: 'none' })).toBeUndefined();
  });
  test('a secret that is not there is said, not guessed', () => {
    expect(build({ format: 'json', mapping: [] }, {}, { auth: { kind: 'bearer', secret: 'gone' } }).warnings).toEqual([
      { code: 'unknown-secret', at: 'gone' },
    ]);
  });
  test('wire-quirks 38: a document inside one form field, others beside it', () => {
    const { request } = build(
      {
        format: 'xml',
        root: 'lead',
        declaration: false,
        mapping: [field('a')],
        wrap: { parameter: 'xmldata', beside: [{ to: 'key', from: { kind: 'secret', name: 'token' } }] },
      },
      { a: '<&>' },
    );
    expect(request.headers['content-type']).toContain('x-www-form-urlencoded');
    expect([...new URLSearchParams(request.body)]).toEqual([
      ['key', 't0k'],
      ['xmldata', '<lead><a>&lt;&amp;&gt;</a></lead>'],
    ]);
    for (const a of ['x & y=z', '100% "sure"', 'Ü+1', '&key=stolen', "'; --"]) {
      const beside: MappingRow[] = [field('first', 'a'), { to: 'mode', from: { kind: 'constant', value: 'live' } }];
      const sent = bodyOf(
        { format: 'json', root: 'Request', mapping: [field('a'), field('list[0].b', 'a')], wrap: { parameter: 'data', beside } },
        { a },
      );
      const pairs = [...new URLSearchParams(sent)];
      expect(pairs.map(([name]) => name)).toEqual(['first', 'mode', 'data']);
      expect([pairs[0]![1], JSON.parse(pairs[2]![1])]).toEqual([a, { Request: { a, list: [{ b: a }] } }]);
    }
    expect(bodyOf({ format: 'xml', root: 'r', declaration: false, mapping: [field('a')], wrap: { parameter: 'xml' } }, { a: '1' })).toBe(
      'xml=%3Cr%3E%3Ca%3E1%3C%2Fa%3E%3C%2Fr%3E',
    );
  });
  test('wire-quirks 39: a wrapper object is a path or a template', () => {
    expect(bodyOf({ format: 'json', mapping: [field('Request.a', 'a')] }, { a: '1' })).toBe('{"Request":{"a":"1"}}');
    const template = '{"Request":{"Lead":[{"a":"{{a}}"}]}}';
    expect(bodyOf({ format: 'text', escape: 'json', template }, { a: '"}' })).toBe('{"Request":{"Lead":[{"a":"\\"}"}]}}');
    expect(bodyOf({ format: 'xml', root: 'Request', declaration: false, mapping: [field('Lead.a', 'a')] }, { a: '1' })).toBe(
      '<Request><Lead><a>1</a></Lead></Request>',
    );
  });
  test('a plain text line stays one line', () => {
    const { request } = build({ format: 'text', escape: 'none', template: '{{a}}|{{b | upper}}' }, { a: 'x\r\ny', b: 'z' });
    expect(request).toMatchObject({ body: 'x y|Z', headers: { 'content-type': 'text/plain; charset=utf-8' } });
  });
  test("a content type of one's own wins", () => {
    expect(
      build({ format: 'xml', root: 'r', mapping: [] }, {}, { headers: { 'Content-Type': 'application/soap+xml' } }).request.headers[
        'content-type'
      ],
    ).toBe('application/soap+xml');
  });
});
