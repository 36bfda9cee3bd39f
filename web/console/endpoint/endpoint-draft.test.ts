import { describe, expect, test } from 'vitest';
import {
  addMissing,
  mappingOf,
  newLeg,
  outcomesOf,
  pathOf,
  placeText,
  readEndpoint,
  readPlace,
  setFormat,
  setLeg,
  setMapping,
  setPath,
  setResponse,
} from './endpoint-draft.ts';

describe('the endpoint editor', () => {
  test('changes what it knows and leaves alone what it does not', () => {
    const leg = { ...newLeg(), headers: { 'x-own': '1' }, asciiOnly: true };
    const mapped = setMapping(leg, [{ to: 'email', from: { kind: 'field', field: 'email' }, format: [{ kind: 'trim' }] }]);
    expect(mapped).toMatchObject({ headers: { 'x-own': '1' }, asciiOnly: true, body: { format: 'json' } });
    expect(setFormat(mapped, 'xml')).toMatchObject({ body: { format: 'xml', mapping: [{ to: 'email', format: [{ kind: 'trim' }] }] } });
    const read = setResponse(setPath(setPath(mapped, 'price', 'offer.price'), 'reasons', 'why'), { otherwise: 'error' });
    expect([pathOf(read, 'price'), pathOf(read, 'reasons'), pathOf(read, 'redirect')]).toEqual(['offer.price', 'why', '']);
    expect(outcomesOf(read)).toHaveLength(1);
    expect(setPath(read, 'price', '').response).not.toHaveProperty('price');
    expect(setPath({ ...read, response: { price: { at: [{ path: 'x' }], combine: 'sum' } } }, 'price', 'y').response).toEqual({
      price: { at: [{ path: 'y' }], combine: 'sum' },
    });
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
  test('places are read as they are said', () => {
    for (const at of [{ path: 'a.b' }, { header: 'x-result' }, { part: 'status' }]) {
      const [kind = '', name = ''] = placeText(at)!.split(/:(.*)/s);
      expect(readPlace(kind, name)).toEqual(at);
    }
    expect(placeText({ pattern: 'x' })).toBeNull();
  });
  test('what is no JSON object is nothing', () => {
    expect([readEndpoint('{'), readEndpoint('[]'), readEndpoint('{"post":{}}')]).toEqual([undefined, undefined, { post: {} }]);
  });
});
