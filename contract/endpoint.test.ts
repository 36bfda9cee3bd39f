import { describe, expect, test } from 'vitest';
import { endpointAdvice } from './endpoint.advice.ts';
import { parsePath } from './endpoint.path.ts';
import { parseTemplate } from './endpoint.template.ts';
import { endpointConfig } from './endpoint.ts';

const leg = {
  url: 'https://buyer.example/lead',
  method: 'POST',
  body: { format: 'json', mapping: [{ to: 'zip', from: { kind: 'field', field: 'zip' } }] },
  response: { outcomes: [{ outcome: 'accepted', when: [{ at: { path: 'status' }, is: 'equal', value: 'ok' }] }] },
};
const row = (to: string, from: unknown = { kind: 'field', field: 'zip' }) => ({ to, from });
const json = (...mapping: unknown[]) => ({ body: { format: 'json', mapping } });
const rules = (part: object) => ({ response: { ...leg.response, ...part } });
const when = (condition: object) => rules({ outcomes: [{ outcome: 'accepted', when: [condition] }] });
/** The places that are refused. */
function refused(change: object, ping?: object): string[] {
  const parsed = endpointConfig.safeParse({ ...(ping ? { ping: { ...leg, ...ping } } : {}), post: { ...leg, ...change } });
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join('.'));
}

test('a plain endpoint is accepted as it is written', () => {
  expect(endpointConfig.parse({ post: leg })).toEqual({ post: leg });
});

describe('addresses', () => {
  test.each([
    'ftp://a.example/',
    'file:///etc/passwd',
    'gopher://a.example',
    'javascript:alert(1)',
    '//a.example',
    'a.example',
    'https://',
    'https://u:p@a.example/',
    'https://{{host}}/x',
    'https://{{a}}.example/',
    'https://a.example\\@b/',
    'https://a.example/#x',
    'https://a.example/a b',
    'https://a.example/{{evil()}}',
    'https://a.example:99999/',
  ])('refused at save: %s', (url) => expect(refused({ url })).toContain('post.url'));
  test.each([
    'https://a.example',
    'http://a.example:8080/x?y={{zip}}&t={{system.timestamp | date:YYYYMMDD}}',
    'https://a.example/é/{{ zip }}',
    'https://[2606:4700::1]/x',
  ])('accepted: %s', (url) => {
    expect(refused({ url })).toEqual([]);
  });
});

describe('headers', () => {
  test.each([
    'Content-Length',
    'content-length',
    'CONTENT-LENGTH',
    'host',
    'Transfer-Encoding',
    'connection',
    'X-Deadline-Ms',
    'bad name',
    'x:y',
    '',
    'x\r\ny',
  ])('E8, 1.2 header smuggling out: refused: %j', (name) => {
    expect(refused({ headers: { [name]: 'v' } })).not.toEqual([]);
  });
  test('E8: a value is one line', () => {
    for (const value of ['a\r\nx-evil: 1', 'a\nb', '\0']) expect(refused({ headers: { 'x-a': value } })).toEqual(['post.headers.x-a']);
    expect(refused({ headers: { 'X-Key': '{{secret.key}}', 'content-type': 'application/soap+xml' } })).toEqual([]);
  });
});

describe('mapping', () => {
  test('a key is sent once', () => {
    expect(refused(json(row('a'), row('a')))).toEqual(['post.body.mapping.1.to']);
    expect(refused(json(row('a.b'), row('a.c')))).toEqual([]);
  });
  test('a value is not a group, a list is not an object', () => {
    expect(refused(json(row('a'), row('a.b')))).toEqual(['post.body.mapping.0.to']);
    expect(refused(json(row('a[0]'), row('a.b')))).toEqual(['post.body.mapping.1.to']);
    expect(refused({ body: { format: 'xml', root: 'r', mapping: [row('a'), row('a.@id')] } })).toEqual([]);
    expect(refused(json(row('a'), row('a.@id')))).toEqual(['post.body.mapping.0.to']);
  });
  test.each(['', 'a..b', 'a.', '.a', 'a[', 'a[x]', 'a[-1]', 'a[0]b', 'a.*', 'a[*].b', 'a[500]', '@a.b'])(
    'a target that cannot be written: %j',
    (to) => {
      expect(refused(json(row(to)))).not.toEqual([]);
    },
  );
  test('form names are free', () => {
    expect(refused({ body: { format: 'form', mapping: [row('a['), row('x[0][y]'), row('*')] } })).toEqual([]);
  });
  test('a document in a field has that name to itself', () => {
    const body = { format: 'json', mapping: [], wrap: { parameter: 'data', beside: [row('data')] } };
    expect(refused({ body })).toEqual(['post.body.wrap.beside.0.to']);
  });
  test('xml: names, root and envelope fit together', () => {
    const xml = (part: object) => refused({ body: { format: 'xml', mapping: [], ...part } });
    expect(xml({})).toEqual(['post.body.root']);
    expect(xml({ root: '1a' })).toEqual(['post.body.root']);
    expect(xml({ root: 'r', mapping: [row('a b')] })).toEqual(['post.body.mapping.0.to']);
    expect(xml({ xml_open: '<a><b x="1">', xml_close: '</b></a>' })).toEqual([]);
    expect(xml({ xml_open: '<a><b>', xml_close: '</a></b>' })).toEqual(['post.body.xml_close']);
    expect(xml({ xml_open: '<a><c/>', xml_close: '' })).toEqual(['post.body.xml_close']);
  });
  test('GET carries a query, not a body', () => {
    expect(refused({ method: 'GET' })).toEqual(['post.method']);
    expect(refused({ method: 'GET', body: { format: 'query', mapping: [] } })).toEqual([]);
  });
  test('a capture must come from the ping', () => {
    const post = json(row('id', { kind: 'capture', name: 'ping_id' }), row('t', { kind: 'template', text: '{{capture.other}}' }));
    expect(refused(post)).toEqual(['post.body.mapping.0.from.name', 'post.body.mapping.1.from.text']);
    const captures = { ping_id: { at: [{ path: 'id' }] }, other: { at: [{ path: 'o' }] } };
    expect(refused(post, rules({ captures }))).toEqual([]);
  });
});

describe('response rules', () => {
  const evil = ['(', '(?=a)', '(?<!a)b', String.raw`(a)\1`, '(?>a)', 'a{5000}', '[z-a]', '*a', String.raw`\p{Nope}`];
  test.each(evil)('wire-quirks 48, E7: an expression that cannot run in linear time, or at all, is refused at save: %s', (pattern) => {
    expect(refused(when({ at: { part: 'body' }, is: 'matches', pattern }))).toEqual(['post.response.outcomes.0.when.0.pattern']);
    expect(refused(rules({ price: { at: [{ pattern }] } }))).toEqual(['post.response.price.at.0']);
  });
  test('an expression whose repeats come to too much is refused with what to do', () => {
    const pattern = '\\pL{1000}'.repeat(50);
    expect(refused(when({ at: { part: 'body' }, is: 'matches', pattern }))).toEqual(['post.response.outcomes.0.when.0.pattern']);
    expect(refused(rules({ reasons: [{ header: 'x-a', pattern }] }))).toEqual(['post.response.reasons.0']);
  });
  test('an endpoint has 20 expressions at most, of ping and post together', () => {
    const places = (from: number, count: number) =>
      rules({ reasons: Array.from({ length: count }, (_, at) => ({ pattern: `a${from + at}` })) });
    expect(refused(places(0, 10), places(10, 10))).toEqual([]);
    expect(refused(places(0, 10), places(10, 11))).toEqual(['post.response.reasons.9']);
  });
  test('groups and paths must exist', () => {
    expect(refused(rules({ price: { at: [{ pattern: '(a)', group: 2 }] } }))).toEqual(['post.response.price.at.0']);
    expect(refused(when({ at: { path: 'a..b' }, is: 'present' }))).toEqual(['post.response.outcomes.0.when.0.at']);
    expect(refused(rules({ captures: { id: { at: [{ path: '[' }] } } }))).toEqual(['post.response.captures.id.at.0']);
    expect(refused(rules({ read: 'delimited' }))).toEqual(['post.response.delimiter']);
  });
  test.each([
    'https://b.example/?k={{secret.key}}',
    'https://b.example/{{ secret.key | upper }}',
    'https://b.example/?p={{system.password}}',
    'https://b.example/?t={{capture.access_token}}',
  ])('a redirect is seen by the consumer and holds no secret: %s', (template) => {
    const auth = { kind: 'oauth2', tokenUrl: 'https://b.example/token', clientId: 'me', secret: 'key' };
    expect(refused({ auth, ...rules({ redirect: { template } }) })).toEqual(['post.response.redirect.template']);
  });
  test('redirects go to the web', () => {
    expect(refused(rules({ redirect: { schemes: ['javascript'] } }))).not.toEqual([]);
    expect(refused(rules({ redirect: { template: 'javascript:alert({{zip}})' } }))).toEqual(['post.response.redirect.template']);
    expect(
      refused(rules({ captures: { ref: { at: [{ path: 'id' }] } }, redirect: { template: 'https://b.example/{{capture.ref}}' } })),
    ).toEqual([]);
  });
  test('unknown keys are refused, so that a misspelt rule is not silently nothing', () => {
    expect(refused({ respnse: {} })).not.toEqual([]);
    expect(refused(when({ at: { path: 'a' }, is: 'equals', value: 1 }))).not.toEqual([]);
  });
});

describe('advice', () => {
  const advise = (change: object) =>
    endpointAdvice(endpointConfig.parse({ post: { ...leg, ...change } }), ['zip', 'email']).map((one) => one.path.join('.'));
  test('nothing about an ordinary endpoint', () => expect(advise({})).toEqual([]));
  test('wire-quirks 21: a substring rule', () =>
    expect(advise(when({ at: { part: 'body' }, is: 'contains', value: 'success' }))).toEqual(['post.response.outcomes.0']));
  test('wire-quirks 27: personal values in a redirect', () =>
    expect(advise(rules({ redirect: { template: 'https://b.example/?e={{email}}' } }))).toEqual(['post.response.redirect.template']));
  test('wire-quirks 31: a field that the vertical does not have', () =>
    expect(advise(json(row('a', { kind: 'field', field: 'Zip' })))).toEqual(['post.body.mapping.0.from']));
  test('wire-quirks 31: a name in other letters is another name, in a row or a template; only the wrong ones are told', () => {
    for (const field of ['ZIP', 'Email', 'zip_code', 'e_mail'])
      expect([field, advise(json(row('a', { kind: 'field', field })))]).toEqual([field, ['post.body.mapping.0.from']]);
    const rows = [row('a', { kind: 'field', field: 'zip' }), row('b', { kind: 'template', text: '{{email}} {{Zip}} {{system.leadId}}' })];
    expect(advise(json(...rows))).toEqual(['post.body.mapping.1.from']);
    expect(advise(json(row('Zip', { kind: 'field', field: 'zip' })))).toEqual([]);
  });
  test('wire-quirks 27: each personal value is named, and none where there is none', () => {
    const told = (template: string) =>
      endpointAdvice(endpointConfig.parse({ post: { ...leg, ...rules({ redirect: { template } }) } }), ['zip', 'email'])
        .map(({ message }) => message)
        .join(' ');
    expect(told('https://b.example/{{zip}}?e={{email | md5}}')).toContain('zip, email');
    expect(told('https://b.example/?z={{zip}}')).toContain('zip');
    expect(told('https://b.example/?l={{system.leadId}}')).toBe('');
  });
  test('wire-quirks 21: a substring rule is told where it can mean a sale, and only there', () => {
    const contains = (outcome: string, value: string) =>
      advise(rules({ outcomes: [...leg.response.outcomes, { outcome, when: [{ at: { path: 'msg' }, is: 'contains', value }] }] }));
    for (const value of ['success', 'ok', 'accepted'])
      expect(contains('accepted', value)).toEqual([`post.response.outcomes.${leg.response.outcomes.length}`]);
    for (const outcome of ['rejected', 'duplicate', 'pending']) expect(contains(outcome, 'success')).toEqual([]);
  });
  test('an endpoint that never buys, and one without encryption', () => {
    expect(advise(rules({ outcomes: [] }))).toEqual(['post.response.outcomes']);
    expect(advise({ url: 'http://b.example/' })).toEqual(['post.url']);
  });
});

test('paths: one grammar', () => {
  const steps = (text: string) => {
    const parsed = parsePath(text);
    return parsed.ok ? parsed.steps.map((step) => Object.values(step).join(' ')) : parsed.problem;
  };
  expect(steps('a.b[0].c')).toEqual(['key a', 'key b', 'index 0', 'key c']);
  expect(steps('[0].x')).toEqual(['index 0', 'key x']);
  expect(steps('a.*.@id')).toEqual(['key a', 'anyKey', 'attribute id']);
  expect(steps('a[*]["b.\\"c"]')).toEqual(['key a', 'anyItem', 'key b."c']);
  expect(steps('a\\.b.0')).toEqual(['key a.b', 'key 0']);
});

test('E8: templates: fields, sources and formats; nothing else between braces', () => {
  expect(parseTemplate('a{{ b | upper | date:MM/DD/YYYY }}{{system.leadId}}')).toEqual({
    ok: true,
    parts: [
      'a',
      {
        from: { kind: 'field', field: 'b' },
        format: [
          { kind: 'case', to: 'upper' },
          { kind: 'date', pattern: 'MM/DD/YYYY' },
        ],
      },
      { from: { kind: 'system', name: 'leadId' }, format: [] },
    ],
  });
  for (const text of [
    '{{',
    '{{a',
    '{{}}',
    '{{a.b}}',
    '{{constructor.constructor("x")()}}',
    '{{a | evil}}',
    '{{system.nothing}}',
    '{{#if a}}',
    '{{a | slice:x}}',
  ])
    expect(parseTemplate(text).ok).toBe(false);
  expect(parseTemplate('{"a":{"b":1}}').ok).toBe(true);
});
