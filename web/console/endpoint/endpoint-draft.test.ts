import { describe, expect, test } from 'vitest';
import {
  addMissing,
  capturePaths,
  type JsonObject,
  mappingOf,
  newLeg,
  outcomesOf,
  placeOf,
  readEndpoint,
  setCapturePaths,
  setComparison,
  setFormat,
  setHeaders,
  setLeg,
  setMapping,
  setPlace,
  setResponse,
  setSwitch,
} from './endpoint-draft.ts';

describe('the endpoint editor', () => {
  test('changes what it knows and leaves alone what it does not', () => {
    const leg = { ...newLeg(), headers: { 'x-own': '1' }, asciiOnly: true };
    const mapped = setMapping(leg, [{ to: 'email', from: { kind: 'field', field: 'email' }, format: [{ kind: 'trim' }] }]);
    expect(mapped).toMatchObject({ headers: { 'x-own': '1' }, asciiOnly: true, body: { format: 'json' } });
    expect(setFormat(mapped, 'xml')).toMatchObject({ body: { format: 'xml', mapping: [{ to: 'email', format: [{ kind: 'trim' }] }] } });
    expect(outcomesOf(setResponse(mapped, { otherwise: 'error' }))).toHaveLength(1);
  });
  test('another format takes along what it knows, and nothing else', () => {
    const rows = [{ to: 'email', from: { kind: 'field', field: 'email' } }];
    const wrap = { parameter: 'payload' };
    const json: JsonObject = {
      ...newLeg(),
      url: 'https://b.test/',
      sign: { secret: 'signing' },
      body: { format: 'json', mapping: rows, root: 'R', wrap },
    };
    expect(setFormat(json, 'json')).toBe(json);
    expect(setFormat(json, 'xml')).toMatchObject({ sign: { secret: 'signing' }, body: { format: 'xml', mapping: rows, wrap } });
    expect(setFormat(json, 'xml').body).not.toHaveProperty('root');
    expect(setFormat(json, 'form').body).toEqual({ format: 'form', mapping: rows });
    expect(setFormat(json, 'query')).not.toHaveProperty('sign');
    expect(setFormat(json, 'soap').body).toEqual({
      format: 'soap',
      version: '1.1',
      action: '',
      operation: '',
      namespace: '',
      mapping: rows,
    });
    const mail = setFormat({ ...json, auth: { kind: 'bearer', secret: 'x' }, headers: { a: 'b' } }, 'mail');
    expect(Object.keys(mail)).toEqual(['url', 'method', 'body', 'response']);
    expect(mail.url).toBe('mailto:');
    expect(setFormat(mail, 'json')).toEqual(newLeg());
  });
  test('wire-quirks 44: a switch that is off leaves no trace, and a mail knows of neither redirects nor second tries', () => {
    for (const name of ['followRedirects', 'retryUnsent'] as const) {
      const on = setSwitch(newLeg(), name, true);
      expect(on).toEqual({ ...newLeg(), [name]: true });
      expect(setSwitch(on, name, false)).toEqual(newLeg());
      expect(setFormat(on, 'xml')).toMatchObject({ [name]: true });
      expect(setFormat(on, 'mail')).not.toHaveProperty(name);
    }
  });
  test('missing fields are added once, under their own names', () => {
    const some = mappingOf(setMapping(newLeg(), [{ to: 'mail', from: { kind: 'field', field: 'email' } }]));
    expect(addMissing(some, ['email', 'state']).map((row) => row.to)).toEqual(['mail', 'state']);
  });
  test('a ping comes before the post, and goes without a trace', () => {
    const both = setLeg({ post: newLeg() }, 'ping', newLeg());
    expect(Object.keys(both)).toEqual(['ping', 'post']);
    expect(Object.keys(setLeg(both, 'ping', undefined))).toEqual(['post']);
  });
  test('every place can be shown and written again', () => {
    for (const at of [
      { path: 'a.b' },
      { header: 'x-result' },
      { header: 'x', pattern: 'a(b)', group: 1 },
      { part: 'status' },
      { pattern: 'x', group: 0 },
    ]) {
      const { kind, name } = placeOf(at);
      expect(setPlace(at, kind, name)).toEqual(at);
    }
    expect(setPlace({ header: 'x', pattern: 'a' }, 'pattern', 'b')).toEqual({ pattern: 'b' });
    expect(setPlace({ path: 'a' }, 'body', '')).toEqual({ part: 'body' });
  });
  test('a condition keeps what it compares with while its comparison changes', () => {
    const equal = { at: { path: 'a' }, is: 'equal', value: 'yes', caseSensitive: true };
    expect(setComparison(equal, 'in')).toEqual({ at: { path: 'a' }, is: 'in', values: ['yes'], caseSensitive: true });
    expect(setComparison(setComparison(equal, 'in'), 'equal')).toEqual(equal);
    expect(setComparison(equal, 'matches')).toEqual({ at: { path: 'a' }, is: 'matches', pattern: 'yes' });
    expect(setComparison(equal, 'absent')).toEqual({ at: { path: 'a' }, is: 'absent' });
    const atLeast = { at: { path: 'a' }, is: 'atLeast', value: 0 };
    expect(['1.', '1.5', '1.50'].map((text) => setComparison(atLeast, 'atLeast', [text]).value)).toEqual(['1.', 1.5, '1.50']);
    expect(setComparison(atLeast, 'atLeast', ['1.50'], true).value).toBe(1.5);
  });
  test('captures that only JSON can say stay where they are', () => {
    const odd = { at: [{ path: 'a' }, { path: 'b' }] };
    const buyerRef = { at: [{ path: 'ref' }] };
    const leg = setResponse(newLeg(), { captures: { pingId: { at: [{ path: 'id' }] }, odd, buyerRef } });
    expect(capturePaths(leg)).toEqual({ pingId: 'id' });
    expect(setCapturePaths(leg, { bid: 'x' }).response).toMatchObject({ captures: { odd, buyerRef, bid: { at: [{ path: 'x' }] } } });
    expect(setCapturePaths(setCapturePaths(newLeg(), { a: 'b' }), {})).toEqual(newLeg());
    expect(setHeaders(setHeaders(newLeg(), { 'x-a': '1' }), {})).toEqual(newLeg());
  });
  test('what is no JSON object is nothing', () => {
    expect([readEndpoint('{'), readEndpoint('[]'), readEndpoint('{"post":{}}')]).toEqual([undefined, undefined, { post: {} }]);
  });
});
