import { describe, expect, test } from 'vitest';
import { makeGroup, newLeaf, openGroup, operatorsOf, unfinished, withOperator } from './filter-words.ts';

describe('console §4 (conditional filter): the visual builder', () => {
  test('a group reads and writes as all, any or none', () => {
    const leaf = { field: 'state', is: 'present' as const };
    for (const join of ['all', 'any', 'none'] as const) expect(openGroup(makeGroup(join, [leaf]))).toEqual({ join, children: [leaf] });
    expect(openGroup({ not: leaf })).toEqual({ join: 'none', children: [leaf] });
  });
  test('a value is kept over a change of operator as far as it can be', () => {
    const one = { field: 'state', is: 'equal' as const, value: 'CA' };
    expect(withOperator(one, 'in')).toEqual({ field: 'state', is: 'in', value: ['CA'] });
    expect(withOperator(withOperator(one, 'in'), 'notEqual')).toEqual({ field: 'state', is: 'notEqual', value: 'CA' });
    expect(withOperator(one, 'absent')).toEqual({ field: 'state', is: 'absent' });
    expect(withOperator({ field: 'age', is: 'atLeast', value: 18 }, 'between')).toEqual({ field: 'age', is: 'between', value: ['18', ''] });
  });
  test('operators fit the field', () => {
    expect(operatorsOf('integer')).toContain('between');
    expect(operatorsOf('integer')).not.toContain('contains');
    expect(operatorsOf('string')).not.toContain('atLeast');
    expect(operatorsOf('boolean')).toEqual(['equal', 'notEqual', 'present', 'absent']);
  });
  test('what is not finished is named', () => {
    const field = { _id: '', fieldName: 'age', fieldHumanName: 'Age', type: 'integer', options: null };
    expect(unfinished({ all: [newLeaf(field)] })).toBe('The condition on age needs a value.');
    expect(unfinished({ any: [] })).toBe('A group of conditions is empty.');
    expect(
      unfinished({
        all: [
          { field: 'age', is: 'between', value: ['1', '2'] },
          { field: 'age', is: 'absent' },
        ],
      }),
    ).toBeNull();
    expect(unfinished(null)).toBeNull();
  });
});
