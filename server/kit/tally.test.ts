import { expect, it } from 'vitest';
import { openTally } from './tally.ts';

interface Thing {
  id: string;
}
type Counts = Partial<Record<'views' | 'submissions' | 'sold', number>>;

it('a flood of looks is few writes, one of a card at a time, and every look is counted', async () => {
  const written: Record<string, Counts[]> = { a: [], b: [] };
  const open = new Map<string, number>();
  const gate = Promise.withResolvers<void>();
  const write = async ({ id }: Thing, counts: Counts) => {
    open.set(id, (open.get(id) ?? 0) + 1);
    expect(open.get(id)).toBe(1);
    await gate.promise;
    written[id]!.push(counts);
    open.set(id, 0);
  };
  const count = openTally(write, () => expect.unreachable());
  for (let n = 0; n < 1000; n++) count({ id: 'a' }, ['views']);
  count({ id: 'a' }, ['submissions', 'sold']);
  count({ id: 'b' }, ['views']);
  gate.resolve();
  await expect
    .poll(() => written)
    .toEqual({
      a: [{ views: 1 }, { views: 999, submissions: 1, sold: 1 }],
      b: [{ views: 1 }],
    });
});

it('a write that fails is told, costs its own counts, and no later ones', async () => {
  const written: Counts[] = [];
  const lost: string[] = [];
  let isAway = true;
  const write = async (_thing: Thing, counts: Counts) => {
    if (isAway) throw new Error('away');
    written.push(counts);
  };
  const count = openTally(write, (error) => lost.push(error.message));
  count({ id: 'a' }, ['views']);
  await expect.poll(() => lost).toEqual(['away']);
  isAway = false;
  count({ id: 'a' }, ['views']);
  await expect.poll(() => written).toEqual([{ views: 1 }]);
});
