import { describe, expect, test } from 'vitest';
import { bidsOf, partsOf, placesOf, readHeaders, setBids, setParts, setPlaces } from './answer-rules.ts';
import { newLeg, responseOf } from './endpoint-draft.ts';

describe('what is read of an answer, as rows', () => {
  test('every rule takes places and parts, keeps what it does not know, and goes without a trace', () => {
    const price = setParts(setPlaces(newLeg(), 'price', [{ path: 'offer.price' }, { header: 'x-price' }]), 'price', { unit: 'cent' });
    expect(responseOf(price).price).toEqual({ at: [{ path: 'offer.price' }, { header: 'x-price' }], unit: 'cent' });
    expect([placesOf(price, 'price').length, partsOf(price, 'price')]).toEqual([2, { unit: 'cent' }]);
    expect(responseOf(setParts(price, 'price', { unit: undefined })).price).not.toHaveProperty('unit');
    expect(setPlaces(price, 'price', [])).toEqual(newLeg());
    const odd = { ...newLeg(), response: { ...responseOf(newLeg()), price: { at: [{ path: 'p' }], combine: 'sum', later: 1 } } };
    expect(responseOf(setPlaces(odd, 'price', [{ path: 'q' }])).price).toEqual({ at: [{ path: 'q' }], combine: 'sum', later: 1 });
    const reasons = setPlaces(newLeg(), 'reasons', [{ path: 'errors[*].message' }]);
    expect(responseOf(reasons).reasons).toEqual([{ path: 'errors[*].message' }]);
    expect(setPlaces(reasons, 'reasons', [])).toEqual(newLeg());
  });
  test('a time to wait begins in seconds, and is nothing without a place', () => {
    const begun = setPlaces(newLeg(), 'retryAfter', [{ path: 'retry_after' }]);
    expect(responseOf(begun).retryAfter).toEqual({ at: [{ path: 'retry_after' }], unit: 'seconds' });
    expect(responseOf(setPlaces(begun, 'retryAfter', []))).not.toHaveProperty('retryAfter');
  });
  test('an expiry begins in seconds and keeps the unit that was chosen', () => {
    const begun = setPlaces(newLeg(), 'expiry', [{ path: 'ttl' }]);
    expect(responseOf(begun).expiry).toEqual({ at: [{ path: 'ttl' }], unit: 'seconds' });
    const minutes = setParts(begun, 'expiry', { unit: 'minutes' });
    expect(responseOf(setPlaces(minutes, 'expiry', [{ path: 'ttl_m' }])).expiry).toEqual({ at: [{ path: 'ttl_m' }], unit: 'minutes' });
  });
  test('a redirect may be a template alone', () => {
    const template = setParts(newLeg(), 'redirect', { template: 'https://buyer.example/{{capture.id}}' });
    const both = setPlaces(template, 'redirect', [{ path: 'url' }]);
    expect(setPlaces(both, 'redirect', [])).toEqual(template);
    expect(setParts(template, 'redirect', { template: '' })).toEqual(newLeg());
  });
  test('the reference is a capture beside the others', () => {
    const leg = { ...newLeg(), response: { ...responseOf(newLeg()), captures: { pingId: { at: [{ path: 'id' }] } } } };
    const referred = setPlaces(leg, 'reference', [{ path: 'lead_id' }]);
    expect(responseOf(referred).captures).toEqual({ pingId: { at: [{ path: 'id' }] }, buyerRef: { at: [{ path: 'lead_id' }] } });
    expect(setPlaces(referred, 'reference', [])).toEqual(leg);
    expect(setPlaces(setPlaces(newLeg(), 'reference', [{ path: 'x' }]), 'reference', [])).toEqual(newLeg());
  });
  test('bids of a list keep what stands beside them', () => {
    const leg = { ...newLeg(), response: { ...responseOf(newLeg()), bids: { list: 'bids', price: 'p', captures: { id: 'id' } } } };
    expect(responseOf(setBids(leg, { list: 'offers', price: 'p' })).bids).toEqual({ list: 'offers', price: 'p', captures: { id: 'id' } });
    const plain = { list: 'bids', price: 'p', takesAll: false, atLeast: '' };
    expect([bidsOf(leg), bidsOf(newLeg()), setBids(leg, undefined)]).toEqual([plain, undefined, newLeg()]);
    const chosen = setBids(leg, { ...plain, takesAll: true, atLeast: '2.50' });
    expect(responseOf(chosen).bids).toEqual({ list: 'bids', price: 'p', captures: { id: 'id' }, take: 'all', atLeast: '2.50' });
    expect(bidsOf(chosen)).toEqual({ ...plain, takesAll: true, atLeast: '2.50' });
    expect(setBids(chosen, plain)).toEqual(leg);
  });
  test('headers are read as they are copied', () => {
    expect(readHeaders('HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\n x-result :  no\nX-Price: 12:50 \n\n')).toEqual({
      ...{ 'Content-Type': 'text/xml; charset=utf-8', 'X-Price': '12:50' },
    });
  });
});
