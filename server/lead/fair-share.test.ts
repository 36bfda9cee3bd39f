import { describe, expect, it } from 'vitest';
import { openFairShare } from './fair-share.ts';

const enterMany = (share: ReturnType<typeof openFairShare>, name: string, times: number) =>
  Array.from({ length: times }, () => share.enter(name)).filter(Boolean).length;

describe('D10: the room of a node', () => {
  it('is all of one organization’s where there is no other', () => {
    expect(
      enterMany(
        openFairShare(100, () => false),
        'ann',
        100,
      ),
    ).toBe(100);
  });

  it('is half of one organization’s where there are others, whatever it sends', () => {
    const share = openFairShare(100, () => true);
    expect(enterMany(share, 'ann', 1_000)).toBe(50);
    expect(enterMany(share, 'bob', 1_000)).toBe(34);
    // Who has a part under way is turned away as well, and takes the next free place of its share.
    share.leave('bob');
    expect([share.enter('ann'), share.enter('bob'), share.enter('bob')]).toEqual([false, true, false]);
  });

  it('has a place for the next who comes, once those that came first have ended some of theirs', () => {
    const [share, greedy] = [openFairShare(100, () => true), ['ann', 'bob', 'cid']];
    const own = new Map(greedy.map((name) => [name, 0]));
    const all = () => own.values().reduce((sum, one) => sum + one, 0);
    for (let round = 0; round < 100; round++)
      for (const name of greedy) {
        // A node that is full asks nobody.
        while (all() < 100 && share.enter(name)) own.set(name, own.get(name)! + 1);
        if (own.get(name)! > 0) share.leave(name);
        own.set(name, Math.max(0, own.get(name)! - 1));
      }
    expect(all()).toBeLessThan(80);
    expect(all()).toBeGreaterThan(70);
    expect(share.enter('new')).toBe(true);
  });

  it('is free again when all have left', () => {
    const share = openFairShare(10, () => true);
    for (let round = 0; round < 50; round++) {
      const entered = enterMany(share, 'ann', 20);
      expect(entered).toBe(5);
      for (let at = 0; at < entered; at++) share.leave('ann');
    }
  });
});
