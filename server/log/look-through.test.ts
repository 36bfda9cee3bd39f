import { expect, it } from 'vitest';
import { lookThrough, readable } from './look-through.ts';

const ALL = Array.from({ length: 12_345 }, (_, at) => 12_345 - at);

/** Pages of a list of numbers, the highest first. */
function listed() {
  const asked: number[] = [];
  const read = async ({ before, limit }: { before?: string | undefined; limit: number }) => {
    const rows = ALL.filter((one) => before === undefined || one < Number(before)).slice(0, limit);
    asked.push(rows.length);
    return { rows, end: rows.at(-1) === 1 ? null : String(rows.at(-1)) };
  };
  return { asked, read };
}

it('reads so many and no more, and finds each on one of the searches', async () => {
  const found: number[] = [];
  let before: string | undefined;
  for (let search = 0; ; search++) {
    const { asked, read } = listed();
    const see = (row: number) => (row % 1000 === 7 ? row : undefined);
    const { rows, older } = await lookThrough({ query: { before, limit: 5 }, read, see, cursorOf: String });
    found.push(...rows);
    expect(asked.length).toBeLessThanOrEqual(25);
    expect(rows.length).toBeLessThanOrEqual(5);
    if (older === null) break;
    expect(Number(older)).toBeLessThan(Number(before ?? Number.POSITIVE_INFINITY));
    before = older;
    expect(search).toBeLessThan(100);
  }
  expect(found).toEqual(ALL.filter((row) => row % 1000 === 7));
});

it('is at its end where the last of all fills the page, and goes on behind any other', async () => {
  const search = (see: (row: number) => number | undefined, before: string, limit: number) =>
    lookThrough({ query: { before, limit }, read: listed().read, see, cursorOf: String });
  expect(await search((row) => row, '4', 3)).toEqual({ rows: [3, 2, 1], older: null });
  expect(await search((row) => row, '4', 2)).toEqual({ rows: [3, 2], older: '2' });
  expect(await search((row) => (row === 1 ? row : undefined), '4', 1)).toEqual({ rows: [1], older: null });
});

it('compares in any case, without blanks', () => {
  expect(readable('{\n  "Result": "No\u00a0Loan" }')).toBe('{"result":"noloan"}');
});
