import { describe, expect, test } from 'vitest';
import { compileFilter, type FilterFields } from './filter.ts';
import { neverBuys, neverMatches } from './never.ts';
import type { FieldConfig, FieldType, Filter } from './plan.ts';

const types: Record<string, FieldType> = { income: 'money', age: 'integer', birthDate: 'date', name: 'string' };
const known: FilterFields = {
  country: 'us',
  fields: new Map(
    Object.entries(types).map(([fieldName, type]): [string, FieldConfig] => [
      fieldName,
      { fieldName, fieldHumanName: fieldName, type, required: false, privacyClass: 'P1', inPing: true },
    ]),
  ),
};
const between = (field: string, from: number | string, to: number | string): Filter => ({ field, is: 'between', value: [from, to] });

describe('engine: a filter that is sound and can never hold', () => {
  test.each<[Filter, RegExp]>([
    [{ any: [] }, /has none, so no lead passes it/],
    [{ all: [{ field: 'age', is: 'present' }, { not: { any: [] } }] }, /has none/],
    [between('age', 5, 1), /the condition on age ends at 1, before it begins at 5, so no lead meets it; turn them round/],
    [between('income', '1,000', 999.99), /ends at 999.99, before it begins at 1,000/],
    [between('birthDate', '12/31/2000', '01/01/2000'), /on birthDate ends/],
    [{ any: [{ field: 'age', is: 'present' }, between('name', 'M', 'a')] }, /on name ends/],
  ])('%j', (filter, words) => {
    expect(compileFilter(filter, known).problems).toEqual([]);
    expect(neverMatches(filter, known)).toEqual([expect.stringMatching(words)]);
  });

  test.each<[Filter]>([
    [{ all: [] }],
    [between('age', 9, 10)],
    [between('age', 5, 5)],
    [between('birthDate', '12/31/1999', '01/01/2000')],
    [{ any: [between('name', 'a', 'M')] }],
  ])('nothing is wrong with %j', (filter) => expect(neverMatches(filter, known)).toEqual([]));
});

test('engine: a fixed price under the tier’s own floor never buys; a bid may rise above it', () => {
  expect(neverBuys({ price: { kind: 'fixed', price: 50_000 }, floor: 60_000 })).toEqual([
    'the fixed price 5.00 is under the floor 6.00, so the tier would never buy; lower the floor or remove it',
  ]);
  expect(neverBuys({ price: { kind: 'fixed', price: 60_000 }, floor: 60_000 })).toEqual([]);
  expect(neverBuys({ price: { kind: 'fixed', price: 1 } })).toEqual([]);
  expect(neverBuys({ price: { kind: 'bid', minimum: 1 }, floor: 60_000 })).toEqual([]);
});
