import { describe, expect, it } from 'vitest';
import { bare } from './bare.ts';
import { withMoves } from './move.ts';
import type { FieldConfig } from './plan.ts';

describe('the fields of a lead', () => {
  it('hold what was given and nothing else, by whatever name it is asked for', () => {
    const fields = bare({ email: 'ada@example.com' });
    expect(['email', 'constructor', 'toString', '__proto__'].map((name) => fields[name])).toEqual([
      'ada@example.com',
      ...[undefined, undefined, undefined],
    ]);
    expect(bare({ constructor: 'Smith & Sons' } as Record<string, string>).constructor).toBe('Smith & Sons');
    expect(Object.keys(bare(JSON.parse('{"__proto__": "x"}') as Record<string, string>))).toEqual(['__proto__']);
  });

  it('hold no more once the moves of bank and BIN are among them', () => {
    const routing: FieldConfig = {
      fieldName: 'aba',
      fieldHumanName: 'ABA',
      type: 'routing',
      required: false,
      privacyClass: 'P2',
      inPing: true,
    };
    const vertical = { bankField: 'aba', config: { fields: [routing] } } as unknown as Parameters<typeof withMoves>[1];
    const fields = withMoves(bare({ aba: '021000021' }), vertical, undefined);
    expect([fields.bank_move, fields.constructor]).toEqual(['Unsorted', undefined]);
  });
});
