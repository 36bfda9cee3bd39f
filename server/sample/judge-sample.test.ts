/** engine §2 "auctions that can be trusted": what a kept answer must be read as, and how a difference is told. */
import { describe, expect, it } from 'vitest';
import type { EndpointConfig, ResponseRules } from '#contract/endpoint.ts';
import { jsonEndpoint } from '#test/harness/world.ts';
import { judgeSamples, type KeptSample } from './judge-sample.ts';

const endpoint = (rules: Partial<ResponseRules> = {}): EndpointConfig => {
  const { post } = jsonEndpoint('http://127.0.0.1:9', 'post');
  return { post: { ...post, response: { ...post.response, ...rules } } };
};
const sample = (body: string, expected: KeptSample['expected'], headers: Record<string, string> = {}): KeptSample => ({
  leg: 'post',
  answer: { statusCode: 200, headers, body },
  expected,
});
const differences = (config: EndpointConfig, one: KeptSample) => judgeSamples(config, [one])[0]!.differences;

const YES = JSON.stringify({ result: 'accepted', price: '12.50', redirect: 'https://buyer.example/x' });
const NO = JSON.stringify({ result: 'rejected', reason: 'not wanted' });

describe('a sample', () => {
  it('passes where all that is expected is read, however the amount is written', () => {
    expect(differences(endpoint(), sample(YES, { outcome: 'accepted', price: '12.5', redirectUrl: 'https://buyer.example/x' }))).toEqual(
      [],
    );
    expect(differences(endpoint(), sample(NO, { outcome: 'rejected', reason: 'not wanted' }))).toEqual([]);
  });

  it('what is not expected may be read as anything', () => {
    expect(differences(endpoint(), sample(YES, { outcome: 'accepted' }))).toEqual([]);
  });

  it('tells each difference in a sentence', () => {
    const wrong: KeptSample['expected'] = { outcome: 'rejected', price: '13', reason: 'old', redirectUrl: 'https://buyer.example/y' };
    expect(differences(endpoint(), sample(YES, wrong))).toEqual([
      'It is read as accepted, and should be declined.',
      'The price is read as 12.50, and should be 13.',
      'No reason is read, and should be “old”.',
      'The redirect is read as https://buyer.example/x, and should be https://buyer.example/y.',
    ]);
    expect(differences(endpoint({ price: undefined } as never), sample(YES, { outcome: 'accepted', price: '12.50' }))).toEqual([
      'No price is read, and should be 12.50.',
    ]);
  });

  it('of a ping fails where the endpoint has none any more', () => {
    const [judged] = judgeSamples(endpoint(), [{ ...sample(YES, { outcome: 'accepted' }), leg: 'ping' }]);
    expect(judged).toEqual({ differences: ['The endpoint has no ping any more: remove the sample, or set the ping up.'], read: null });
  });

  it('says what is read now, as a sample expects it', () => {
    expect(judgeSamples(endpoint(), [sample(NO, { outcome: 'accepted' })])[0]!.read).toEqual({ outcome: 'rejected', reason: 'not wanted' });
  });

  it('was kept as text: the charset that its header names does not spoil it', () => {
    const body = JSON.stringify({ result: 'rejected', reason: 'zu früh' });
    const kept = sample(body, { outcome: 'rejected', reason: 'zu früh' }, { 'Content-Type': 'application/json; charset=iso-8859-1' });
    expect(differences(endpoint(), kept)).toEqual([]);
  });

  it('is read the same at any time: a link with the id of the lead does not change', () => {
    const config = endpoint({ redirect: { template: 'https://buyer.example/?l={{system.leadId}}' } });
    const { read } = judgeSamples(config, [sample(YES, { outcome: 'accepted' })])[0]!;
    expect(differences(config, sample(YES, read!))).toEqual([]);
  });
});
