import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Condition, type Locator, type OutcomeRule, type ResponseRules, responseRules } from '#contract/endpoint.ts';
import { compileReading, type Reading } from './compile-reading.ts';
import type { BuildInput, LeadValues } from './wire.ts';

const at = (path: string): Locator => ({ path });
const is = (place: Locator, value: string | number | boolean): Condition => ({ at: place, is: 'equal', value });
const rule = (outcome: OutcomeRule['outcome'], ...when: Condition[]): OutcomeRule => ({ outcome, when });
const status: ResponseRules = {
  outcomes: [
    rule('duplicate', is(at('status'), 'duplicate')),
    rule('accepted', is(at('status'), 'accepted')),
    rule('rejected', is(at('status'), 'rejected')),
  ],
  price: { at: [at('price')] },
  reasons: [at('reason')],
  redirect: { at: [at('url')] },
};
const now = Date.UTC(2026, 0, 2);

interface Sent {
  leg?: 'ping' | 'post';
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  lead?: LeadValues;
}
function read(body: string | Buffer, rules: Partial<ResponseRules> = {}, sent: Sent = {}): Reading {
  const compiled = compileReading(responseRules.parse({ ...status, ...rules }), 'https://buyer.test/post');
  const input: BuildInput = { lead: sent.lead ?? {}, context: { now, leadId: 'L1' }, call: { leg: sent.leg ?? 'post', timeoutMs: 1000 } };
  const headers = { ...(sent.type ? { 'content-type': sent.type } : {}), ...sent.headers };
  return compiled({ status: sent.status ?? 200, headers, body: Buffer.from(body as string) }, input);
}
const codes = (reading: Reading) => reading.warnings.map((warning) => warning.code);
const json = { type: 'application/json' };
const xml = { type: 'text/xml' };

describe('what counts as sold', () => {
  test('wire-quirks 1, 2: a failure word under 200, a refusal under 201', () => {
    for (const code of [200, 201])
      expect(read('{"status":"rejected","reason":"no"}', {}, { ...json, status: code })).toMatchObject({
        outcome: 'rejected',
        reasons: ['no'],
      });
  });
  test('wire-quirks 2: no 2xx is a sale by itself, in whatever the refusal is written', () => {
    const refusals: [string, Partial<ResponseRules>][] = [
      ['<r><status>Rejected</status><reason>no</reason></r>', {}],
      ['status=rejected&reason=no', {}],
      ['rejected|no', { outcomes: [rule('rejected', is(at('[0]'), 'rejected'))], read: 'delimited', delimiter: '|', reasons: [at('[1]')] }],
    ];
    for (const code of [200, 201, 202, 206])
      for (const [body, rules] of refusals)
        expect([code, body, read(body, rules, { status: code })]).toMatchObject([code, body, { outcome: 'rejected', reasons: ['no'] }]);
    for (const body of ['{"created":true}', '<r/>', 'Created', '{"status":"thanks"}'])
      expect([body, read(body, {}, { status: 201 }).outcome]).toEqual([body, 'error']);
  });
  test('wire-quirks 1: the status may be asked too', () => {
    const rules = { outcomes: [rule('accepted', is({ part: 'status' }, 201), is(at('status'), 'accepted'))] };
    expect(read('{"status":"accepted"}', rules, { status: 201 }).outcome).toBe('accepted');
    expect(read('{"status":"accepted"}', rules, { status: 200 }).outcome).toBe('error');
  });
  test('wire-quirks 3: the body of a 4xx is read like any other', () => {
    for (const code of [400, 404, 422, 500])
      expect(read('{"status":"rejected","reason":"state"}', {}, { ...json, status: code })).toMatchObject({
        outcome: 'rejected',
        reasons: ['state'],
      });
  });
  test('wire-quirks 5: an empty body is no answer, whatever a rule on the status says', () => {
    const rules = { outcomes: [rule('accepted', is({ part: 'status' }, 200))] };
    for (const body of ['', ' \r\n', '\ufeff']) expect(read(body, rules)).toMatchObject({ outcome: 'error', reasons: ['no answer'] });
    expect(read('ok', rules).outcome).toBe('accepted');
    const explicit = { outcomes: [rule('accepted', is({ part: 'status' }, 204), { at: { part: 'body' }, is: 'absent' })] };
    expect(read('', explicit, { status: 204 }).outcome).toBe('accepted');
  });
  test('wire-quirks 21: "unsuccessful" is not "success"', () => {
    const exact = { outcomes: [rule('accepted', is(at('status'), 'success'))] };
    expect(read('{"status":"unsuccessful"}', exact).outcome).toBe('error');
    expect(read('{"status":"failed","msg":"success:false"}', exact).outcome).toBe('error');
    const loose: Partial<ResponseRules> = { outcomes: [rule('accepted', { at: { part: 'body' }, is: 'contains', value: 'success' })] };
    expect(codes(read('{"status":"unsuccessful"}', loose))).toContain('substring-rule');
  });
  test('wire-quirks 22: a boolean rule takes every spelling, a text rule does not', () => {
    const asBoolean: Partial<ResponseRules> = {
      outcomes: [rule('accepted', { at: at('ok'), is: 'true' }), rule('rejected', { at: at('ok'), is: 'false' })],
    };
    for (const word of ['true', '"True"', '"true"', '1', '"1"', '"Y"', '"OK"', '"yes"'])
      expect(read(`{"ok":${word}}`, asBoolean).outcome).toBe('accepted');
    for (const word of ['false', '"False"', '0', '"N"', '"no"']) expect(read(`{"ok":${word}}`, asBoolean).outcome).toBe('rejected');
    for (const word of ['null', '""', '"maybe"', '2', '{}']) expect(read(`{"ok":${word}}`, asBoolean).outcome).toBe('error');
    const asText = { outcomes: [rule('accepted', is(at('ok'), 'true'))] };
    expect(read('{"ok":true}', asText).outcome).toBe('accepted');
    for (const word of ['1', '"Y"', '"OK"']) expect(read(`{"ok":${word}}`, asText).outcome).toBe('error');
    expect(read('{"ok":"Y"}', { outcomes: [rule('accepted', is(at('ok'), true))] }).outcome).toBe('accepted');
  });
  test('wire-quirks 23: several reasons are all kept', () => {
    expect(read('{"status":"rejected","reason":["a","b","a",""]}').reasons).toEqual(['a', 'b']);
    expect(read('<r><status>rejected</status><reason><e>a</e><e>b</e></reason></r>').reasons).toEqual(['a', 'b']);
    expect(read('{"status":"rejected","reason":{"zip":["bad zip"],"age":"too young"}}').reasons).toEqual(['bad zip', 'too young']);
  });
  test('wire-quirks 24: a duplicate is its own outcome, by word, by code or by 409', () => {
    expect(read('{"status":"Duplicate"}').outcome).toBe('duplicate');
    const rules = {
      outcomes: [
        rule('duplicate', is({ part: 'status' }, 409)),
        rule('duplicate', is(at('code'), 7)),
        rule('accepted', is(at('status'), 'accepted')),
      ],
    };
    expect(read('{"status":"accepted","code":7}', rules).outcome).toBe('duplicate');
    expect(read('{"status":"accepted"}', rules, { status: 409 }).outcome).toBe('duplicate');
  });
  test('wire-quirks 25: "queued" is pending', () => {
    const rules = {
      outcomes: [
        rule('pending', { at: at('status'), is: 'in', values: ['queued', 'sold later'] }),
        rule('pending', is({ part: 'status' }, 202)),
      ],
    };
    for (const word of ['queued', 'QUEUED', ' Sold Later '])
      expect(read(JSON.stringify({ status: word }), rules).outcome, word).toBe('pending');
    expect(read('{"id":7}', rules, { status: 202 }).outcome).toBe('pending');
    for (const word of ['queue', 'sold']) expect(read(JSON.stringify({ status: word }), rules).outcome, word).toBe('error');
  });
  describe('wire-quirks 43: 429 is a limit and not a fault, and says how long to wait', () => {
    const retryAfter: ResponseRules['retryAfter'] = { at: [at('retry_after')], unit: 'seconds' };
    const limited = (restsUntil?: number) => ({ outcome: 'rejected', limited: true, ...(restsUntil && { restsUntil }) });
    const day = 86_400_000;
    test('in the body, where the configuration says that it stands there', () => {
      expect(read('{"retry_after":30}', { retryAfter }, { status: 429 })).toMatchObject({
        ...limited(now + 30_000),
        reasons: ['rate limited'],
      });
      expect(read('{"retry_after":"2"}', { retryAfter: { ...retryAfter, unit: 'minutes' } }, { status: 429 })).toMatchObject(
        limited(now + 120_000),
      );
      expect(read('{"status":"rejected","retry_after":9}', { retryAfter })).toMatchObject(limited(now + 9_000));
      expect(read('{"status":"rejected"}', { retryAfter })).not.toHaveProperty('limited');
    });
    test('in the header, as seconds or as a date; before 429 its body is read first', () => {
      const header = (value: string, status = 429, body = '') => read(body, {}, { status, headers: { 'retry-after': value } });
      expect(header('5')).toMatchObject(limited(now + 5_000));
      expect(header(' 5 ')).toMatchObject(limited(now + 5_000));
      expect(header('Fri, 02 Jan 2026 00:00:10 GMT')).toMatchObject(limited(now + 10_000));
      expect(header('5', 429, '{"status":"rejected","reason":"30 a minute"}')).toMatchObject({
        ...limited(now + 5_000),
        reasons: ['30 a minute'],
      });
    });
    test('a rule for errors does not make it one; what the buyer took or has already is no limit', () => {
      const rules = { outcomes: [...status.outcomes, rule('error', is(at('status'), 'error'))] };
      expect(read('{"status":"error","reason":"slow down"}', rules, { status: 429 })).toMatchObject({
        ...limited(),
        reasons: ['slow down'],
      });
      for (const word of ['duplicate', 'accepted']) {
        const reading = read(`{"status":"${word}"}`, {}, { status: 429, headers: { 'retry-after': '5' } });
        expect(reading).toMatchObject({ outcome: word });
        expect(reading).not.toHaveProperty('restsUntil');
      }
    });
    test('503 stays a fault, and is left alone for as long as it says', () => {
      expect(read('', {}, { status: 503, headers: { 'retry-after': '7' } })).toMatchObject({ outcome: 'error', restsUntil: now + 7_000 });
      expect(read('', {}, { status: 503 })).not.toHaveProperty('restsUntil');
      expect(read('{"status":"rejected"}', {}, { status: 200, headers: { 'retry-after': '7' } })).not.toHaveProperty('restsUntil');
    });
    test('nobody rests for more than a day, or until a time that is over or cannot be read', () => {
      const until = (value: string) => read('', {}, { status: 429, headers: { 'retry-after': value } }).restsUntil;
      expect(until('999999')).toBe(now + day);
      expect(until('Sat, 02 Jan 2027 00:00:00 GMT')).toBe(now + day);
      for (const nothing of ['', '0', '-5', 'soon', 'Thu, 01 Jan 2026 00:00:00 GMT', '99999999999', '1e9', '5;6'])
        expect(until(nothing), nothing).toBeUndefined();
    });
  });
  test('conditions: present, absent, notEqual, atLeast, matches, header, case', () => {
    const holds = (condition: Condition, body = '{"status":"Sold","score":"7.5","empty":"","nothing":null}') =>
      read(body, { outcomes: [rule('accepted', condition)] }, { headers: { 'x-result': 'Yes' } }).outcome === 'accepted';
    expect(holds({ at: at('score'), is: 'present' })).toBe(true);
    for (const path of ['empty', 'nothing', 'gone'])
      expect([holds({ at: at(path), is: 'present' }), holds({ at: at(path), is: 'absent' })]).toEqual([false, true]);
    expect(holds({ at: at('status'), is: 'notEqual', value: 'sold' })).toBe(false);
    expect(holds({ at: at('score'), is: 'atLeast', value: 7.5 })).toBe(true);
    expect(holds({ at: at('score'), is: 'atLeast', value: 7.6 })).toBe(false);
    expect(holds({ at: at('status'), is: 'matches', pattern: '^S[a-z]+$' })).toBe(true);
    expect(holds({ at: { header: 'X-Result' }, is: 'equal', value: 'yes' })).toBe(true);
    expect(holds({ at: at('status'), is: 'equal', value: 'sold', caseSensitive: true })).toBe(false);
    expect(holds({ at: at('score'), is: 'equal', value: 7.5 })).toBe(true);
    expect(holds({ at: at('empty'), is: 'equal', value: 0 })).toBe(false);
  });
});

describe('bytes and documents', () => {
  const accepted = '<?xml version="1.0"?><r><status>accepted</status><price>8.50</price></r>';

  test('wire-quirks 4, E6: the body is believed before its Content-Type', () => {
    expect(read('{"status":"accepted"}', {}, { type: 'text/html' })).toMatchObject({ outcome: 'accepted', readAs: 'json' });
    const lied = read(accepted, {}, json);
    expect(lied).toMatchObject({ outcome: 'accepted', readAs: 'xml', price: 85_000 });
    expect(codes(lied)).toContain('content-type-differs');
    expect(codes(read(accepted, {}, xml))).not.toContain('content-type-differs');
    expect(read('status=accepted&price=3', {}, { type: 'text/plain' })).toMatchObject({
      outcome: 'accepted',
      readAs: 'form',
      price: 30_000,
    });
    expect(read('{"status":"accepted"}', { read: 'text' }, json)).toMatchObject({ outcome: 'error', readAs: 'text' });
  });
  test('wire-quirks 6: byte order mark, leading blanks, junk behind the document', () => {
    for (const body of [
      '\ufeff{"status":"accepted"}',
      ' \r\n\t{"status":"accepted"}',
      '{"status":"accepted"}\n<!-- served by 4 -->',
      '{"status":"accepted"}{"x":1}',
      '{"status":"accepted"};',
    ])
      expect(read(body).outcome).toBe('accepted');
    expect(codes(read('{"status":"accepted"} junk'))).toContain('trailing-text');
    for (const body of [`\ufeff${accepted}`, `\n ${accepted}`, `${accepted} junk`, `${accepted}<x/>`])
      expect(read(body).outcome).toBe('accepted');
    expect(codes(read(`${accepted} junk`))).toContain('trailing-text');
    expect(codes(read(`${accepted}<!-- fine --> <?ok?>\n`))).not.toContain('trailing-text');
    expect(codes(read(`Warning: ${accepted}`, { read: 'xml' }))).toContain('leading-text');
  });
  test('wire-quirks 7: prefixes and default namespaces do not matter; nil is null', () => {
    const body =
      '<s:Envelope xmlns:s="a" xmlns:xsi="i"><s:Body><Result xmlns="b"><n:status xmlns:n="c">accepted</n:status><price xsi:nil="true"/></Result></s:Body></s:Envelope>';
    const rules = {
      outcomes: [rule('accepted', is(at('Envelope.Body.Result.status'), 'accepted'))],
      price: { at: [at('Envelope.Body.Result.price')] },
    };
    const reading = read(body, rules);
    expect(reading.outcome).toBe('accepted');
    expect(reading.price).toBeUndefined();
    expect(read(body, { outcomes: [rule('accepted', { at: at('Body.Result.price'), is: 'absent' })] }).outcome).toBe('accepted');
  });
  test('wire-quirks 7: an element is found by its local name, however the buyer writes it', () => {
    for (const body of [
      '<r xmlns="http://tempuri.org/"><status>accepted</status><price>8.50</price></r>',
      '<a:r xmlns:a="x"><a:status>accepted</a:status><a:price>8.50</a:price></a:r>',
      '<r xmlns:b="y"><b:status xmlns="z">accepted</b:status><c:price xmlns:c="w">8.50</c:price></r>',
      '<a:r xmlns:a="x"><status xmlns="">accepted</status><a:price a:currency="USD">8.50</a:price></a:r>',
    ])
      expect([body, read(body)]).toMatchObject([body, { outcome: 'accepted', price: 85_000 }]);
    for (const nil of [
      '<price xsi:nil="true"/>',
      '<price i:nil="1"></price>',
      "<price xsi:nil='true'>7</price>",
      '<price/>',
      '<price> </price>',
    ])
      expect([nil, read(`<r><status>accepted</status>${nil}</r>`).price]).toEqual([nil, undefined]);
    expect(read('<r><status>accepted</status><price xsi:nil="false">7</price></r>').price).toBe(70_000);
  });
  test('wire-quirks 8: CDATA is unwrapped and trimmed', () => {
    expect(read('<r><status><![CDATA[ accepted\n]]></status><url><![CDATA[https://a.example/?x=1&y=2]]></url></r>')).toMatchObject({
      outcome: 'accepted',
      redirectUrl: 'https://a.example/?x=1&y=2',
    });
    expect(read('<r><status>\n<![CDATA[accep]]><![CDATA[ted]]>\n</status></r>').outcome).toBe('accepted');
    const reason = '<![CDATA[ <b>no</b> & never ]]>';
    expect(read(`<r><status>rejected</status><reason>${reason}</reason></r>`).reasons).toEqual(['<b>no</b> & never']);
  });
  test('wire-quirks 9: an escaped document is unescaped where the buyer is known for it', () => {
    const escaped = '&lt;r&gt;&lt;status&gt;accepted&lt;/status&gt;&lt;/r&gt;';
    expect(read(escaped, { unescape: true })).toMatchObject({ outcome: 'accepted', readAs: 'xml' });
    expect(read(`<?xml version="1.0"?><string xmlns="http://tempuri.org/">${escaped}</string>`, { unescape: true }).outcome).toBe(
      'accepted',
    );
    expect(read(escaped).outcome).toBe('error');
  });
  test('wire-quirks 10: values in attributes', () => {
    expect(
      read('<r code="0"><lead id="7" status="accepted"/></r>', {
        outcomes: [rule('accepted', is(at('r.@code'), 0), is(at('r.lead.@status'), 'accepted'))],
        captures: { id: { at: [at('lead.@id')] } },
      }),
    ).toMatchObject({ outcome: 'accepted', captures: { id: '7' } });
    const rules = { outcomes: [rule('rejected', is(at('*.@code'), '301'))], reasons: [at('r.@text')] };
    expect(read("<r code='301' text='a &amp; b'/>", rules)).toMatchObject({ outcome: 'rejected', reasons: ['a & b'] });
    expect(read('<r><code>301</code></r>', rules).outcome).toBe('error');
  });
  test('wire-quirks 11, E6: UTF-16 in both orders, with and without mark; other charsets as declared', () => {
    const wide = accepted.replace('?>', ' encoding="UTF-16"?>');
    const le = Buffer.from(wide, 'utf16le');
    const be = Buffer.from(le).swap16();
    for (const body of [le, be, Buffer.concat([Buffer.from([0xff, 0xfe]), le]), Buffer.concat([Buffer.from([0xfe, 0xff]), be])])
      expect(read(body)).toMatchObject({ outcome: 'accepted', price: 85_000 });
    const latin = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><r><status>rejected</status><reason>\u00e9</reason></r>',
      'latin1',
    );
    expect(read(latin).reasons).toEqual(['é']);
    expect(read(Buffer.from('{"status":"rejected","reason":"\u00e9"}', 'latin1')).reasons).toEqual(['é']);
    expect(
      read(Buffer.from('{"status":"rejected","reason":"\u00e9"}', 'latin1'), {}, { type: 'application/json; charset=iso-8859-1' }).reasons,
    ).toEqual(['é']);
    expect(read('{"status":"rejected","reason":"é"}', {}, { type: 'application/json; charset=klingon' }).reasons).toEqual(['é']);
  });
  test('wire-quirks 12, shape 7: what is broken says where, and expressions still work', () => {
    const unclosed = read('<r>\n<status>accepted</status>\n<price>8</r>', {}, xml);
    expect(unclosed).toMatchObject({ outcome: 'error', broke: { line: 3, column: 9 } });
    expect(unclosed.reasons).toEqual(['unreadable answer: </r> closes nothing that is open, line 3 column 9']);
    expect(read("{status: 'accepted', price: 8.5}")).toMatchObject({ outcome: 'error', broke: { at: 1, line: 1, column: 2 } });
    expect(read('{"a":[1,2,}')).toMatchObject({ broke: { at: 10 } });
    expect(read('{"a":1')).toMatchObject({ broke: { at: 6, message: 'it ends too early' } });
    const byPattern: Partial<ResponseRules> = {
      outcomes: [rule('accepted', { at: { part: 'body' }, is: 'matches', pattern: "status: 'accepted'" })],
      price: { at: [{ pattern: String.raw`price: ([\d.]+)` }] },
    };
    expect(read("{status: 'accepted', price: 8.5}", byPattern)).toMatchObject({ outcome: 'accepted', price: 85_000 });
  });
  test('wire-quirks 13: a list at the root', () => {
    expect(
      read('[{"status":"accepted","price":2}]', {
        outcomes: [rule('accepted', is(at('[0].status'), 'accepted'))],
        price: { at: [at('[0].price')] },
      }),
    ).toMatchObject({ outcome: 'accepted', price: 20_000 });
    const second = { outcomes: [rule('accepted', is(at('[1]'), 'yes'))] };
    expect(read('["x","yes"]', second).outcome).toBe('accepted');
    for (const other of ['["yes"]', '[]', '{"1":"yes"}']) expect(read(other, second).outcome, other).toBe('error');
  });
  test('wire-quirks 14: numeric keys are names', () => {
    expect(read('{"1984":{"0":"accepted"}}', { outcomes: [rule('accepted', is(at('1984.0'), 'accepted'))] }).outcome).toBe('accepted');
    const far = { outcomes: [rule('accepted', is(at('4294967295.status'), 'accepted'))] };
    expect(read('{"4294967295":{"status":"accepted"}}', far).outcome).toBe('accepted');
    expect(read('{"list":{"0":"accepted"}}', { outcomes: [rule('accepted', is(at('list[0]'), 'accepted'))] }).outcome).toBe('error');
  });
  test('wire-quirks 15: a wildcard takes the first child that leads somewhere', () => {
    const price = { at: [at('baz.*.cost')] };
    expect(read('{"status":"accepted","baz":{"a":{"x":1},"b":{"cost":"3"},"c":{"cost":"4"}}}', { price }).price).toBe(30_000);
    expect(read('<r><status>accepted</status><baz><a/><b><cost>3</cost></b><c><cost>4</cost></c></baz></r>', { price }).price).toBe(30_000);
    expect(read('{"status":"accepted","legs":[{"p":1},{"p":2}]}', { price: { at: [at('legs[*].p')] } }).price).toBe(10_000);
  });
});

describe('prices', () => {
  const priceOf = (literal: string, price: Partial<ResponseRules['price'] & object> = {}) =>
    read(`{"status":"accepted","price":${literal}}`, { price: { at: [at('price')], ...price } });
  test('wire-quirks 16, D5: every notation, exactly', () => {
    const known: [string, number][] = [
      ...([
        ['8.5', 85_000],
        ['"8.50"', 85_000],
        ['"$12.50"', 125_000],
        ['"1,250.00"', 12_500_000],
        ['"12,50"', 125_000],
        ['"1.250,75"', 12_507_500],
        ['"1,250"', 12_500_000],
      ] as [string, number][]),
      ...([
        ['"USD 8"', 80_000],
        ['"8.50 GBP"', 85_000],
        ['"£1 250.5"', 12_505_000],
        ['0', 0],
        ['"-5.00"', -50_000],
        ['"-$5"', -50_000],
        ['0.1', 1000],
        ['"007.10"', 71_000],
        ['".5"', 5000],
      ] as [string, number][]),
      ...([
        ['8.1234', 81_234],
        ['999999999.9999', 9_999_999_999_999],
        ['"+3"', 30_000],
        ['1.10', 11_000],
        ['100.0000', 1_000_000],
      ] as [string, number][]),
    ];
    for (const [literal, price] of known) expect([literal, priceOf(literal).price]).toEqual([literal, price]);
  });
  test('wire-quirks 16, D5: none where there is none', () => {
    for (const literal of [
      'null',
      '""',
      '"-"',
      '"NaN"',
      '1e309',
      '"Infinity"',
      '"abc"',
      '{}',
      '[]',
      '"1,2,3"',
      '"1.2.3"',
      '"12-5"',
      '1e3',
      '10000000000',
      'true',
      '"8.5.0"',
      '"0x10"',
      '"--5"',
    ]) {
      expect([literal, priceOf(literal).price]).toEqual([literal, undefined]);
    }
    expect(read('{"status":"accepted"}').price).toBeUndefined();
    expect(codes(priceOf('"call us"'))).toContain('price-unreadable');
    for (const literal of ['null', '""', '"-"', '"N/A"']) expect(codes(priceOf(literal))).not.toContain('price-unreadable');
  });
  test('wire-quirks 16: the locale decides where the shape cannot', () => {
    expect(priceOf('"1.250"').price).toBe(12_500);
    expect(priceOf('"1.250"', { decimal: ',' }).price).toBe(12_500_000);
    expect(priceOf('"1,250"', { decimal: ',' }).price).toBe(12_500);
    expect(priceOf('"12,50"', { decimal: '.' }).price).toBeUndefined();
    expect(priceOf('1250', { unit: 'cent' }).price).toBe(125_000);
    expect(priceOf('"7"', { unit: 'cent' }).price).toBe(700);
  });
  test('more than four fraction digits are cut, never rounded up', () => {
    const reading = priceOf('8.99999');
    expect(reading.price).toBe(89_999);
    expect(codes(reading)).toContain('price-rounded');
    expect(codes(priceOf('8.50000'))).not.toContain('price-rounded');
  });
  test('D5: no price passes through a float', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999_999_999 }), (money) => {
        const text = `${Math.floor(money / 10_000)}.${String(money % 10_000).padStart(4, '0')}`;
        expect(priceOf(text).price).toBe(money);
        expect(priceOf(`"${text.replace('.', ',')}"`, { decimal: ',' }).price).toBe(money);
      }),
    );
  });
  test('wire-quirks 17: a bid of nothing is read as it is, and said', () => {
    for (const literal of ['0', '"0.00"', '-1']) expect(codes(priceOf(literal))).toContain('price-not-positive');
  });
  test('wire-quirks 20: the first place with a price wins', () => {
    const price = { at: [at('payout'), at('price')] };
    expect(read('{"status":"accepted","payout":null,"price":"4"}', { price }).price).toBe(40_000);
    expect(read('{"status":"accepted","payout":"5","price":"4"}', { price }).price).toBe(50_000);
  });
  test('wire-quirks 20: in either leg, or nowhere: then the tier’s own counts', () => {
    const price = { at: [at('payout'), at('offer.price'), { header: 'X-Price' }] };
    for (const [body, headers, found] of [
      ['{"status":"accepted","payout":"","offer":{"price":"4"}}', {}, 40_000],
      ['{"status":"accepted","payout":"-","offer":{"price":null}}', { 'x-price': '3.50' }, 35_000],
      ['{"status":"accepted","payout":"0","offer":{"price":"4"}}', {}, 0],
      ['{"status":"accepted","payout":"soon","offer":{"price":"4"}}', {}, 40_000],
      ['{"status":"accepted"}', {}, undefined],
    ] as const)
      expect([body, read(body, { price }, { headers }).price]).toEqual([body, found]);
  });
  test('wire-quirks 28: several bids: the best with its id, or their sum', () => {
    const body =
      '<r><status>accepted</status><bids><bid><bid_id>a</bid_id><bid>3.00</bid></bid><bid><bid_id>b</bid_id><bid>$4.25</bid></bid><bid><bid_id>c</bid_id><bid/></bid></bids></r>';
    expect(read(body, { bids: { list: 'bids.bid', price: 'bid', captures: { bidId: 'bid_id' } } })).toMatchObject({
      price: 42_500,
      captures: { bidId: 'b' },
    });
    expect(
      read('{"status":"accepted","bids":[{"id":1,"p":2},{"id":2,"p":"7"}]}', {
        bids: { list: 'bids', price: 'p', captures: { bidId: 'id' } },
      }),
    ).toMatchObject({ price: 70_000, captures: { bidId: '2' } });
    const legs = '{"status":"accepted","legs":[{"id":"x","p":1.5},{"id":"y","p":"2.25"}]}';
    expect(
      read(legs, { price: { at: [at('legs[*].p')], combine: 'sum' }, captures: { ids: { at: [at('legs[*].id')], join: ',' } } }),
    ).toMatchObject({ price: 37_500, captures: { ids: 'x,y' } });
    expect(read(legs, { price: { at: [at('legs[*].p')], combine: 'highest' } }).price).toBe(22_500);
    expect(read('{"status":"accepted","bids":[],"price":1}', { bids: { list: 'bids', price: 'p' } }).price).toBe(10_000);
  });
  test('wire-quirks 28: those of several legs that are worth it, with the ids to post', () => {
    const legs =
      '{"status":"accepted","best":9,"legs":[{"id":"x","p":1.5},{"id":" y ","p":"2.25"},{"id":null,"p":4},{"id":"w","p":0},{"id":"z","p":"soon"}]}';
    const rules = { price: { at: [at('best')] }, bids: { list: 'legs', price: 'p', captures: { ids: 'id' } } };
    const reading = (more: object, leg: 'ping' | 'post' = 'ping') => read(legs, { ...rules, bids: { ...rules.bids, ...more } }, { leg });
    for (const [more, price, captures] of [
      [{ take: 'all' }, 37_500, { ids: 'x,y' }],
      [{ take: 'all', atLeast: '2' }, 22_500, { ids: 'y' }],
      [{ take: 'all', atLeast: '2.25' }, 22_500, { ids: 'y' }],
      [{ take: 'highest', atLeast: '2' }, 40_000, {}],
      [{ atLeast: '1' }, 40_000, {}],
    ] as const)
      expect([more, reading(more)]).toMatchObject([more, { outcome: 'accepted', price, captures }]);
    // None that is worth it is a no, whatever else the answer names; after the post the lead is the buyer's.
    for (const more of [{ atLeast: '5' }, { take: 'all', atLeast: '3' }])
      expect(reading(more)).toMatchObject({ outcome: 'rejected', reasons: ['no bid is high enough'], captures: {} });
    expect(reading({ atLeast: '5' }).price).toBeUndefined();
    expect(reading({ atLeast: '5' }, 'post')).toMatchObject({ outcome: 'accepted', price: 40_000 });
    // Also where what it bought has no id or no price any more.
    for (const [answer, price, ids] of [
      ['{"status":"accepted","legs":[{"p":12.5}]}', 125_000, undefined],
      ['{"status":"accepted","legs":[{"id":"x","p":10},{"p":5}]}', 150_000, 'x'],
      ['{"status":"accepted","legs":[{"id":"x","p":0}]}', 0, 'x'],
    ] as const) {
      const bids = { ...rules.bids, take: 'all', atLeast: '20' } as const;
      const post = read(answer, { ...rules, bids }, { leg: 'post' });
      expect([answer, post.outcome, post.price, post.captures.ids]).toEqual([answer, 'accepted', price, ids]);
    }
  });
});

describe('ids, expiry, redirects', () => {
  test('wire-quirks 29: ids are texts, digit for digit', () => {
    const captures = { id: { at: [at('ping_id'), at('PingID')] } };
    for (const [literal, text] of [
      ['12345678901234567890', '12345678901234567890'],
      ['"0012"', '0012'],
      ['7', '7'],
      ['1.0', '1.0'],
      ['1e5', '1e5'],
    ] as const)
      expect(read(`{"ping_id":${literal}}`, { captures }).captures).toEqual({ id: text });
    expect(read('{"ping_id":"","PingID":5}', { captures }).captures).toEqual({ id: '5' });
    expect(read('{}', { captures }).captures).toEqual({});
  });
  test('wire-quirks 49: a session cookie is captured for the next call', () => {
    const captures = { session: { at: [{ header: 'Set-Cookie', pattern: '(SID=[^;]+)' }] } };
    expect(read('{}', { captures }, { headers: { 'set-cookie': 'SID=ab12; Path=/; HttpOnly' } }).captures).toEqual({ session: 'SID=ab12' });
    const several = { 'set-cookie': ['theme=dark; Path=/', 'SID=cd34'] as unknown as string };
    expect(read('{}', { captures }, { headers: several }).captures).toEqual({ session: 'SID=cd34' });
    expect(read('{}', { captures }, {}).captures).toEqual({});
  });
  test('wire-quirks 42: until when a bid holds', () => {
    const expiry = (unit: 'seconds' | 'minutes' | 'iso' | 'epoch', timeZone?: string) => ({
      expiry: { at: [at('e')], unit, ...(timeZone ? { timeZone } : {}) },
    });
    expect(read('{"e":"90"}', expiry('seconds')).expiresAt).toBe(now + 90_000);
    expect(read('{"e":2}', expiry('minutes')).expiresAt).toBe(now + 120_000);
    expect(read('{"e":"2026-01-02T00:05:00Z"}', expiry('iso')).expiresAt).toBe(now + 300_000);
    expect(read('{"e":"2026-01-01 19:05:00"}', expiry('iso', 'America/New_York')).expiresAt).toBe(now + 300_000);
    expect(read(`{"e":${now / 1000 + 5}}`, expiry('epoch')).expiresAt).toBe(now + 5000);
    expect(read(`{"e":${now + 5}}`, expiry('epoch')).expiresAt).toBe(now + 5);
    const odd = read('{"e":"soon"}', expiry('iso'));
    expect([odd.expiresAt, codes(odd).includes('expiry-unreadable')]).toEqual([undefined, true]);
  });
  const redirectOf = (url: string, redirect: ResponseRules['redirect'] = { at: [at('url')] }, lead: LeadValues = {}) =>
    read(JSON.stringify({ status: 'accepted', url }), { redirect }, { lead });
  test('wire-quirks 26: decoded once, relative and plain http said, other schemes refused', () => {
    expect(redirectOf('https%3A%2F%2Fa.example%2Fx%3Fb%3D%2520').redirectUrl).toBe('https://a.example/x?b=%20');
    expect(redirectOf('https://a.example/?a=1&amp;b=2').redirectUrl).toBe('https://a.example/?a=1&b=2');
    expect(redirectOf('https://a.example/?u=https%3A%2F%2Fb').redirectUrl).toBe('https://a.example/?u=https%3A%2F%2Fb');
    const relative = redirectOf('/apply/7');
    expect([relative.redirectUrl, codes(relative)]).toEqual(['https://buyer.test/apply/7', expect.arrayContaining(['redirect-relative'])]);
    expect(codes(redirectOf('http://a.example/'))).toContain('redirect-not-https');
    expect(redirectOf('http://a.example/', { at: [at('url')], schemes: ['https'] }).redirectUrl).toBeUndefined();
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'ftp://a.example/', 'https://user:pw@a.example/', 'vbscript:x']) {
      const refused = redirectOf(url);
      expect([refused.redirectUrl, codes(refused)]).toEqual([undefined, expect.arrayContaining(['redirect-refused'])]);
    }
    expect(redirectOf('').redirectUrl).toBeUndefined();
    expect(read('{"status":"rejected","url":"https://a.example/"}').redirectUrl).toBeUndefined();
  });
  test('wire-quirks 27: a template of ours, encoded, with what the answer brought', () => {
    const rules: Partial<ResponseRules> = {
      captures: { ref: { at: [at('id')] } },
      redirect: { at: [at('url')], template: 'https://buyer.test/go/{{capture.ref}}?e={{email}}' },
    };
    expect(read('{"status":"accepted","id":"a/b"}', rules, { lead: { email: 'a+b@c.de' } }).redirectUrl).toBe(
      'https://buyer.test/go/a%2Fb?e=a%2Bb%40c.de',
    );
    for (const [id, email, url] of [
      ['../../admin', 'a@b.c&admin=1', 'https://buyer.test/go/..%2F..%2Fadmin?e=a%40b.c%26admin%3D1'],
      ['7#top', 'ü@b.c', 'https://buyer.test/go/7%23top?e=%C3%BC%40b.c'],
      ['100%', '"><script>', 'https://buyer.test/go/100%25?e=%22%3E%3Cscript%3E'],
      ['a b', '', 'https://buyer.test/go/a%20b?e='],
    ] as const)
      expect(read(JSON.stringify({ status: 'accepted', id }), rules, { lead: { email } }).redirectUrl).toBe(url);
    // What the buyer names itself goes before, and a refusal leads nowhere.
    expect(read('{"status":"accepted","id":"7","url":"https://a.example/"}', rules).redirectUrl).toBe('https://a.example/');
    expect(read('{"status":"rejected","id":"7"}', rules).redirectUrl).toBeUndefined();
  });
});

describe('hostile answers', () => {
  /** What takes time in proportion to its length takes some tens; what does not, minutes. */
  const MUCH_MORE_MS = 3_000;
  /** The best of three, so that a machine that was busy with something else does not count. */
  const lag = (work: () => unknown) =>
    Math.min(
      ...[1, 2, 3].map(() => {
        const startedAt = performance.now();
        work();
        return performance.now() - startedAt;
      }),
    );
  test('wire-quirks 46, E6, 1.2 XML: a quarter megabyte of anything is read or refused at once', () => {
    const size = 256 * 1024;
    const filled = (unit: string, before = '', after = '') =>
      before + unit.repeat(Math.floor((size - before.length - after.length) / unit.length)) + after;
    const evil = [
      ...[
        filled('&#65;', '<r>', '</r>'),
        filled('<a>'),
        filled('<a>1</a>', '<r>', '</r>'),
        filled('<!--', '<r/>'),
        filled('<', '<r>'),
        filled('[', ''),
        filled('{"a":', ''),
      ],
      ...[
        filled('[1],', '[', '1]'),
        filled('a="1" ', '<r ', '/>'),
        filled('"', ''),
        filled('\\"', '"', ''),
        filled('&', '<r>', '</r>'),
        filled('<![CDATA[', '<r>'),
        filled(' ', '<r', '>'),
        filled('a=1&', ''),
        filled('%', 'a='),
      ],
      '<!DOCTYPE r [<!ENTITY a "b">]><r>&a;</r>',
      '<r xmlns:xi="x"><xi:include href="file:///etc/passwd"/></r>',
    ];
    read('{"status":"accepted"}');
    for (const body of evil) {
      const ms = lag(() => read(body, { captures: { x: { at: [at('*.*.*'), { pattern: '(a+)+$' }], join: ',' } } }));
      expect(ms).toBeLessThan(MUCH_MORE_MS);
      expect(read(body).outcome).toBe('error');
    }
  });
  test('E6, 1.2 XML: no document type, no entity beyond the five, nothing inherited', () => {
    expect(read('<!DOCTYPE r [<!ENTITY a "accepted">]><r><status>&a;</status></r>')).toMatchObject({
      outcome: 'error',
      broke: { message: 'document type declarations are not read' },
    });
    expect(read('<r><status>&a;</status><reason>&nbsp;A &amp; B & C &#x41;</reason></r>').reasons).toEqual(['&nbsp;A & B & C A']);
    expect(read('<r><__proto__>x</__proto__><status>accepted</status></r>').outcome).toBe('accepted');
    expect(read('{"__proto__":{"status":"accepted"}}').outcome).toBe('error');
    expect(read('{}', { outcomes: [rule('accepted', { at: at('constructor.name'), is: 'present' })] }).outcome).toBe('error');
    expect(read('[]', { outcomes: [rule('accepted', { at: at('length'), is: 'present' })] }).outcome).toBe('error');
  });
  test('wire-quirks 48, E7: an expression that would hang elsewhere does not here', () => {
    const rules: Partial<ResponseRules> = { outcomes: [rule('accepted', { at: { part: 'body' }, is: 'matches', pattern: '^(a+)+$' })] };
    expect(lag(() => read(`${'a'.repeat(100_000)}!`, rules))).toBeLessThan(MUCH_MORE_MS);
    for (const pattern of ['(a|a)*$', '(a|aa)+$', '([a-z]+)*!$', '(.*)(.*)(.*)x$', '(\\w+\\s?)+$', 'a{1,50}a{1,50}a{1,50}$']) {
      const capture = { x: { at: [{ pattern }] } };
      expect([pattern, lag(() => read(`${'a'.repeat(50_000)}?`, { captures: capture })) < MUCH_MORE_MS]).toEqual([pattern, true]);
    }
  });
  test('whatever the bytes, reading never throws', () => {
    const rules: Partial<ResponseRules> = {
      unescape: true,
      redirect: { at: [{ part: 'body' }] },
      expiry: { at: [{ part: 'body' }], unit: 'iso' },
      price: { at: [{ part: 'body' }] },
    };
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
          fc.stringMatching(/^[<>{}[\]"':,=&;!/a?x \-#1CDAT]*$/).map((text) => Buffer.from(text)),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (body) => {
          for (const kind of ['auto', 'json', 'xml', 'form', 'delimited', 'text'] as const)
            expect(read(body, { ...rules, read: kind, delimiter: '|' }).outcome).toBe('error');
        },
      ),
      { numRuns: 300 },
    );
  });
});
