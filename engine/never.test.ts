import { describe, expect, test } from 'vitest';
import { compileFilter, type FilterFields } from './filter.ts';
import { neverBuys, neverMatches, neverOpens } from './never.ts';
import type { FieldConfig, FieldType, Filter } from './plan.ts';

const types: Record<string, FieldType> = { income: 'money', age: 'integer', birthDate: 'date', name: 'string', make: 'choice' };
const known: FilterFields = {
  country: 'us',
  fields: new Map(
    Object.entries(types).map(([fieldName, type]): [string, FieldConfig] => [
      fieldName,
      { fieldName, fieldHumanName: fieldName, type, required: false, privacyClass: 'P1', inPing: true, options: ['Ford', 'Fiat'] },
    ]),
  ),
};
const is = (field: string, value: string | number): Filter => ({ field, is: 'equal', value });
const between = (field: string, from: number | string, to: number | string): Filter => ({ field, is: 'between', value: [from, to] });

describe('engine: a filter that is sound and can never hold', () => {
  test.each<[Filter, RegExp]>([
    [{ any: [] }, /has none, so no lead passes it/],
    [{ all: [{ field: 'age', is: 'present' }, { any: [] }] }, /has none/],
    [{ not: is('make', 'Lada') }, /“Lada” is not among the choices of make/],
    [is('name', ' '), /the condition on name names an empty value; write one, or ask whether there is any/],
    [{ all: [is('name', 'Ann'), { not: is('name', 'ANN') }] }, /on name contradict/],
    [{ all: [{ any: [is('name', 'Ann')] }, is('name', 'Bob')] }, /on name contradict/],
    [{ all: [{ not: { field: 'age', is: 'present' } }, is('age', 3)] }, /on age contradict/],
    [between('age', 5, 1), /the condition on age ends at 1, before it begins at 5, so no lead meets it; turn them round/],
    [between('income', '1,000', 999.99), /ends at 999.99, before it begins at 1,000/],
    [between('birthDate', '12/31/2000', '01/01/2000'), /on birthDate ends/],
    [{ any: [{ field: 'age', is: 'present' }, between('name', 'M', 'a')] }, /on name ends/],
    [{ field: 'make', is: 'equal', value: 'Lada' }, /“Lada” is not among the choices of make; choose one that is/],
    [{ field: 'make', is: 'notIn', value: ['ford', 'Lada', 'Seat'] }, /“Lada”, “Seat” are not among the choices/],
    [{ all: [is('name', 'Ann'), is('name', 'Bob')] }, /the conditions on name contradict each other, so no lead meets all of them/],
    [{ all: [is('name', 'Ann'), { all: [{ field: 'name', is: 'in', value: ['Bob', 'Eve'] }] }] }, /on name contradict/],
    [{ all: [is('age', 20), { field: 'age', is: 'moreThan', value: 20 }] }, /on age contradict/],
    [{ all: [is('age', 20), { field: 'age', is: 'absent' }] }, /on age contradict/],
    [{ all: [is('name', 'Ann'), { field: 'name', is: 'startsWith', value: 'B' }] }, /on name contradict/],
    [
      {
        all: [
          { field: 'age', is: 'atLeast', value: 30 },
          { field: 'age', is: 'lessThan', value: 30 },
        ],
      },
      /on age contradict/,
    ],
    [{ all: [between('income', 1, '1,000'), { field: 'income', is: 'moreThan', value: 5000 }] }, /on income contradict/],
  ])('%j', (filter, words) => {
    expect(compileFilter(filter, known).problems).toEqual([]);
    expect(neverMatches(filter, known)).toEqual([expect.stringMatching(words)]);
  });

  test.each<[Filter]>([
    [{ all: [] }],
    [{ not: { any: [] } }],
    [{ field: 'name', is: 'contains', value: ' ' }],
    [{ not: { all: [is('name', 'Ann'), is('name', 'Bob')] } }],
    [{ all: [is('name', 'Ann'), { not: is('name', 'Bob') }] }],
    [between('age', 9, 10)],
    [between('age', 5, 5)],
    [between('birthDate', '12/31/1999', '01/01/2000')],
    [{ any: [between('name', 'a', 'M')] }],
    [{ field: 'make', is: 'in', value: ['FORD', 'Fiat'] }],
    [{ any: [is('name', 'Ann'), is('name', 'Bob')] }],
    [{ all: [is('name', 'Ann'), is('name', 'ANN'), { field: 'name', is: 'present' }] }],
    [{ all: [is('age', 20), { field: 'age', is: 'atLeast', value: 20 }] }],
    [
      {
        all: [
          { field: 'age', is: 'absent' },
          { field: 'age', is: 'notEqual', value: 3 },
        ],
      },
    ],
    [{ all: [between('age', 1, 5), { field: 'age', is: 'atLeast', value: 5 }] }],
    [
      {
        all: [
          { field: 'name', is: 'contains', value: 'a' },
          { field: 'name', is: 'startsWith', value: 'b' },
        ],
      },
    ],
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

test('engine: a week without any hours is closed for ever', () => {
  const day = [{ from: '09:00', to: '17:00' }];
  expect(neverOpens({ timeZone: 'America/New_York', week: [[], [], [], [], [], [], []] })).toEqual([
    'no day of the week has hours, so it would be closed for ever; give it some, or pause it instead',
  ]);
  expect(neverOpens({ timeZone: 'America/New_York', week: [[], [], [], day, [], [], []] })).toEqual([]);
});
