import { expect, it } from 'vitest';
import type { CardCounts, PublicCard } from './card.sql.ts';
import { openCardTally } from './card-tally.ts';

const cardOf = (id: string) => ({ id, organizationId: 'one' }) as PublicCard;

it('a flood of looks is few writes, one of a card at a time, and every look is counted', async () => {
  const written: Record<string, CardCounts[]> = { a: [], b: [] };
  const open = new Map<string, number>();
  const gate = Promise.withResolvers<void>();
  const write = async ({ id }: PublicCard, counts: CardCounts) => {
    open.set(id, (open.get(id) ?? 0) + 1);
    expect(open.get(id)).toBe(1);
    await gate.promise;
    written[id]!.push(counts);
    open.set(id, 0);
  };
  const count = openCardTally(write, () => expect.unreachable());
  for (let n = 0; n < 1000; n++) count(cardOf('a'), ['card_views']);
  count(cardOf('a'), ['submissions', 'sold']);
  count(cardOf('b'), ['lander_views']);
  gate.resolve();
  await expect
    .poll(() => written)
    .toEqual({
      a: [{ card_views: 1 }, { card_views: 999, submissions: 1, sold: 1 }],
      b: [{ lander_views: 1 }],
    });
});

it('a write that fails is told, costs its own counts, and no later ones', async () => {
  const written: CardCounts[] = [];
  const lost: string[] = [];
  let isAway = true;
  const write = async (_card: PublicCard, counts: CardCounts) => {
    if (isAway) throw new Error('away');
    written.push(counts);
  };
  const count = openCardTally(write, (error) => lost.push(error.message));
  count(cardOf('a'), ['card_views']);
  await expect.poll(() => lost).toEqual(['away']);
  isAway = false;
  count(cardOf('a'), ['card_views']);
  await expect.poll(() => written).toEqual([{ card_views: 1 }]);
});
