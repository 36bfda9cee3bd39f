import { describe, expect, test } from 'vitest';
import { formatter } from '#contract/endpoint.ts';
import { beginFormatter, formatSummary, formatterOffers, setParameter, tidyRow } from './formatters.ts';

const line = { to: 'a', from: { kind: 'field', field: 'a' } };

describe('the changes a value can take', () => {
  test('every kind of the contract is offered, and begins as one that can be saved', () => {
    const kinds = formatter.options.map((option) => option.shape.kind.value);
    expect(formatterOffers.map((offer) => offer.kind).toSorted()).toEqual(kinds.toSorted());
    for (const kind of kinds) expect(formatter.safeParse(beginFormatter(kind)), kind).toMatchObject({ success: true });
  });
  test('every parameter of the contract can be set', () => {
    for (const option of formatter.options) {
      const { kind, ...rest } = option.shape;
      const offered = formatterOffers.find((offer) => offer.kind === kind.value)!.parameters.map((one) => one.name);
      expect(offered.toSorted(), kind.value).toEqual(
        Object.keys(rest)
          .filter((name) => name !== 'bands')
          .toSorted(),
      );
    }
  });
  test('numbers are numbers once they are whole; an optional one that is emptied goes', () => {
    const from = { name: 'from', label: 'From', kind: 'number', optional: true } as const;
    expect(['1', '1.', '1.5', 'x'].map((typed) => setParameter({}, from, typed).from)).toEqual([1, '1.', 1.5, 'x']);
    expect(setParameter({}, from, '1.50', true)).toEqual({ from: 1.5 });
    expect(setParameter({ from: 1 }, from, '')).toEqual({});
  });
  test('what a row does stands in few words, and empty parts leave it', () => {
    expect(formatSummary(line)).toBe('');
    expect(
      formatSummary({
        ...line,
        format: [{ kind: 'trim' }, { kind: 'date', pattern: 'YYYY' }],
        map: { values: { a: 'b' } },
        type: 'number',
      }),
    ).toBe('Trim blanks, Date, 1 value mapped, number');
    expect(tidyRow({ ...line, format: [], type: 'string', omitWhenEmpty: false })).toEqual(line);
  });
});
