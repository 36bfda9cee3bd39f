import { describe, expect, it } from 'vitest';
import { testFlagsOf } from './endpoint.test-flag.ts';
import type { EndpointConfig, LegConfig } from './endpoint.ts';

const leg = (more: Partial<LegConfig>): LegConfig => ({
  ...{ url: 'https://buyer.example/leads', method: 'POST', body: { format: 'json', mapping: [] }, response: { outcomes: [] } },
  ...more,
});
const flag = { to: 'lead.is_test', from: { kind: 'system', name: 'test' } } as const;
const other = { to: 'id', from: { kind: 'system', name: 'leadId' } } as const;
const places = (more: Partial<LegConfig>) => testFlagsOf({ post: leg(more) }, false).post;

describe('whether a buyer is told of a test', () => {
  it.each<[string, Partial<LegConfig>, string[]]>([
    ['a row of its mapping', { body: { format: 'json', mapping: [other, flag] } }, ['lead.is_test']],
    [
      'a row beside a wrapped document',
      { body: { format: 'xml', mapping: [other], wrap: { parameter: 'xml', beside: [flag] } } },
      ['lead.is_test'],
    ],
    [
      'a template in a row',
      { body: { format: 'form', mapping: [{ to: 'mode', from: { kind: 'template', text: 'm={{ system.test | boolean:T/L }}' } }] } },
      ['mode'],
    ],
    ['a header', { headers: { 'X-Test': '{{system.test}}', 'X-Id': '{{system.leadId}}' } }, ['X-Test']],
    ['the address', { url: 'https://buyer.example/leads?test={{system.test}}' }, ['the address']],
    ['a free text', { body: { format: 'text', template: '{"t":{{system.test}}}', escape: 'json' } }, ['its text']],
    ['a mail', { body: { format: 'mail', subject: 'Lead (test: {{system.test}})', text: 'x', mapping: [] } }, ['its text']],
  ])('by %s', (_, more, found) => expect(places(more)).toEqual(found));

  it('not by a constant, another system value, a field of that name, or a text that only looks like it', () => {
    expect(
      places({
        body: {
          format: 'json',
          mapping: [
            other,
            { to: 'test', from: { kind: 'constant', value: 'false' } },
            { to: 'test', from: { kind: 'field', field: 'test' } },
          ],
        },
      }),
    ).toEqual([]);
    expect(places({ body: { format: 'text', template: '{{test}} {{system.testing}} system.test', escape: 'none' } })).toEqual([]);
  });

  it('at the ping and at the post, each for itself; a ping that is never sent tells nobody', () => {
    const endpoint: Pick<EndpointConfig, 'ping' | 'post'> = { ping: leg({}), post: leg({ headers: { T: '{{system.test}}' } }) };
    expect(testFlagsOf(endpoint, true)).toEqual({ ping: [], post: ['T'] });
    expect(testFlagsOf(endpoint, false)).toEqual({ ping: null, post: ['T'] });
  });
});
