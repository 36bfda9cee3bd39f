import { describe, expect, test } from 'vitest';
import { explain } from './explain.ts';
import { compileFilter, FILTER_DEPTH_LIMIT, type FilterFields } from './filter.ts';
import type { FieldConfig, FieldType, Filter } from './plan.ts';

const types: Record<string, FieldType> = {
  state: 'state',
  zip: 'zip',
  income: 'money',
  age: 'integer',
  birthDate: 'date',
  name: 'string',
  email: 'email',
  owner: 'boolean',
};
const known: FilterFields = {
  country: 'us',
  fields: new Map(
    Object.entries(types).map(([fieldName, type]): [string, FieldConfig] => [
      fieldName,
      { fieldName, fieldHumanName: fieldName, type, required: false, privacyClass: 'P1', inPing: true },
    ]),
  ),
};
const ann = {
  state: 'CA',
  zip: '01234',
  income: '2500.00',
  age: '30',
  birthDate: '1996-05-01',
  name: 'Ann Lee',
  email: 'ann@example.com',
  owner: 'true',
};

function compiled(filter: unknown) {
  const { filter: sound, problems } = compileFilter(filter as Filter, known);
  if (!sound) throw new Error(problems.join('; '));
  return sound;
}

describe('engine: conditions compare as the field is', () => {
  test.each<[Filter, boolean]>([
    [{ field: 'state', is: 'equal', value: 'california' }, true],
    [{ field: 'state', is: 'notIn', value: ['NY', 'ca'] }, false],
    [{ field: 'income', is: 'equal', value: 2500 }, true],
    [{ field: 'income', is: 'between', value: ['1,000', 2500] }, true],
    [{ field: 'age', is: 'moreThan', value: 4 }, true],
    [{ field: 'age', is: 'lessThan', value: 30 }, false],
    [{ field: 'age', is: 'atMost', value: '30' }, true],
    [{ field: 'birthDate', is: 'atLeast', value: '05/01/1996' }, true],
    [{ field: 'birthDate', is: 'lessThan', value: '1996-05-01' }, false],
    [{ field: 'zip', is: 'in', value: [1234] }, true],
    [{ field: 'zip', is: 'startsWith', value: '01' }, true],
    [{ field: 'name', is: 'contains', value: 'N LE' }, true],
    [{ field: 'name', is: 'endsWith', value: 'lee' }, true],
    [{ field: 'email', is: 'matches', value: '@example\\.(com|org)$' }, true],
    [{ field: 'owner', is: 'equal', value: true }, true],
    [{ field: 'owner', is: 'equal', value: 'no' }, false],
    [{ all: [] }, true],
    [{ any: [] }, false],
    [
      {
        not: {
          any: [
            { field: 'state', is: 'equal', value: 'NY' },
            { field: 'age', is: 'equal', value: 31 },
          ],
        },
      },
      true,
    ],
  ])('%j is %s', (filter, result) => expect(compiled(filter).matches(ann)).toBe(result));
});

test('engine: on an absent value every condition is false, but notEqual, notIn and absent', () => {
  const conditions: Filter[] = [
    { field: 'state', is: 'equal', value: 'CA' },
    { field: 'state', is: 'in', value: ['CA'] },
    { field: 'age', is: 'between', value: [0, 99] },
    { field: 'age', is: 'lessThan', value: 5 },
    { field: 'name', is: 'contains', value: '' },
    { field: 'name', is: 'matches', value: '' },
    { field: 'name', is: 'present' },
  ];
  for (const condition of conditions) expect(compiled(condition).matches({}), JSON.stringify(condition)).toBe(false);
  expect(compiled({ field: 'state', is: 'notEqual', value: 'CA' }).matches({})).toBe(true);
  expect(compiled({ field: 'state', is: 'notIn', value: ['CA'] }).matches({})).toBe(true);
  expect(compiled({ field: 'state', is: 'absent' }).matches({})).toBe(true);
});

describe('engine: the condition that decided is told, the lead’s own value is not', () => {
  test.each<[Filter, string]>([
    [{ field: 'state', is: 'in', value: ['TX', 'NY'] }, 'Filter: state is not in TX, NY.'],
    [{ not: { field: 'state', is: 'in', value: ['CA', 'NY'] } }, 'Filter: state is in CA, NY.'],
    [
      {
        all: [
          { field: 'age', is: 'atLeast', value: 18 },
          { field: 'income', is: 'atLeast', value: 3000 },
        ],
      },
      'Filter: income is less than 3000.',
    ],
    [
      {
        any: [
          { field: 'state', is: 'equal', value: 'TX' },
          { field: 'age', is: 'lessThan', value: 21 },
        ],
      },
      'Filter: state is not TX, nor is any of 1 other condition met.',
    ],
    [
      {
        not: {
          all: [
            { field: 'state', is: 'equal', value: 'CA' },
            { field: 'age', is: 'equal', value: 30 },
          ],
        },
      },
      'Filter: state is CA.',
    ],
    [
      {
        not: {
          any: [
            { field: 'age', is: 'equal', value: 99 },
            { field: 'name', is: 'contains', value: 'Lee' },
          ],
        },
      },
      'Filter: name contains Lee.',
    ],
    [{ any: [] }, 'Filter: it has no condition that could be met.'],
  ])('%j', (filter, sentence) => {
    expect(compiled(filter).matches(ann)).toBe(false);
    expect(explain(compiled(filter).explain(ann))).toBe(sentence);
  });

  test('a missing value is told as missing, with what it must be', () => {
    expect(explain(compiled({ field: 'age', is: 'atLeast', value: 18 }).explain({}))).toBe(
      'Filter: age is missing; it must be at least 18.',
    );
    expect(explain(compiled({ field: 'name', is: 'startsWith', value: 'A' }).explain({}))).toBe(
      'Filter: name is missing; it must start with A.',
    );
    expect(explain(compiled({ field: 'age', is: 'present' }).explain({}), { field: () => 'Age' })).toBe('Filter: Age is missing.');
  });
});

describe('E7: what is wrong with a filter is told at save, never thrown', () => {
  const deep = (levels: number): unknown => (levels === 0 ? { field: 'age', is: 'present' } : { not: deep(levels - 1) });
  test.each<[unknown, RegExp]>([
    [{ field: 'shoeSize', is: 'equal', value: 1 }, /the field shoeSize does not exist/],
    [{ field: 'age', is: 'resembles', value: 1 }, /operator resembles/],
    [{ field: 'age', is: 'atLeast', value: 'old' }, /“old” is not a value of the integer field age/],
    [{ field: 'birthDate', is: 'equal', value: '02/30/1990' }, /not a value of the date field/],
    [{ field: 'age', is: 'equal' }, /needs a value/],
    [{ field: 'age', is: 'in', value: 5 }, /needs a value/],
    [{ field: 'age', is: 'between', value: [1] }, /needs a value/],
    [{ field: 'age', is: 'equal', value: { $ne: null } }, /needs a value/],
    [{ field: 'name', is: 'matches', value: '(a' }, /not a valid \(RE2\) expression/],
    [{ field: 'name', is: 'matches', value: '(?<=a)b' }, /not a valid \(RE2\) expression/],
    [{ field: 'name', is: 'matches', value: '(a)\\1' }, /not a valid \(RE2\) expression/],
    [{ all: 'x' }, /needs a list/],
    [null, /must be an object/],
    [deep(FILTER_DEPTH_LIMIT), /nests at most 12 levels/],
    [deep(5_000), /nests at most 12 levels/],
    [{ any: Array.from({ length: 501 }, () => ({ field: 'age', is: 'present' })) }, /at most 500 conditions/],
    [{ field: 'name', is: 'matches', value: '\\pL{1000}'.repeat(20) }, /too large: .* at most 1000 steps in all; shorten them/],
    [
      { any: Array.from({ length: 21 }, (_, at) => ({ field: 'name', is: 'matches', value: `^a${at}` })) },
      /^a filter has at most 20 patterns; join some/,
    ],
    [{ any: Array(5).fill({ field: 'name', is: 'matches', value: 'a{500}' }) }, /patterns of a filter are too large together/],
  ])('%# is refused', (filter, problem) => {
    const result = compileFilter(filter as Filter, known);
    expect(result.filter).toBeUndefined();
    expect(result.problems.join('; ')).toMatch(problem);
  });

  test('an evil pattern takes linear time', () => {
    const filter = compiled({ field: 'name', is: 'matches', value: '^(a+)+$' });
    const began = performance.now();
    expect(filter.matches({ name: `${'a'.repeat(20_000)}!` })).toBe(false);
    expect(performance.now() - began).toBeLessThan(500);
  });
});
