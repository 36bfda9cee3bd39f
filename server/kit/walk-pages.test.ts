import { expect, it } from 'vitest';
import { walkPages } from './walk-pages.ts';

it('a list is walked page by page as it is read, from cursor to cursor, over empty pages too', async () => {
  const asked: (string | undefined)[] = [];
  const pages = { first: [[1, 2], 'b'], b: [[], 'c'], c: [[3], null] } as const;
  const walk = walkPages(async (before) => {
    asked.push(before);
    const [rows, older] = pages[(before ?? 'first') as keyof typeof pages];
    return { rows: [...rows], older };
  });
  expect((await walk.next()).value).toBe(1);
  expect(asked).toEqual([undefined]);
  expect(await Array.fromAsync(walk)).toEqual([2, 3]);
  expect(asked).toEqual([undefined, 'b', 'c']);
});

it('whoever may read no further gets no further page', async () => {
  const read: number[] = [];
  const walk = async () => {
    for await (const row of walkPages(async (before) => {
      if (before) throw new Error('no longer');
      return { rows: [1, 2], older: 'b' };
    }))
      read.push(row);
  };
  await expect(walk()).rejects.toThrow('no longer');
  expect(read).toEqual([1, 2]);
});
