/** What happens to cards, counted beside the answers: one write of a card at a time, with all that came meanwhile, however many look at it. */
import type { CardCounts, CardEvent, PublicCard } from './card.sql.ts';

type WriteCounts = (card: PublicCard, counts: CardCounts) => Promise<void>;

/** A write that fails costs its counts: counting is beside the point for who looks. */
export function openCardTally(write: WriteCounts, onLost: (error: Error) => void) {
  const waiting = new Map<string, CardCounts>();
  const underWay = new Set<string>();

  async function writeAll(card: PublicCard): Promise<void> {
    underWay.add(card.id);
    for (let counts = waiting.get(card.id); counts; counts = waiting.get(card.id)) {
      waiting.delete(card.id);
      await write(card, counts).catch(onLost);
    }
    underWay.delete(card.id);
  }

  return (card: PublicCard, events: readonly CardEvent[]): void => {
    const counts = waiting.get(card.id) ?? {};
    for (const event of events) counts[event] = (counts[event] ?? 0) + 1;
    waiting.set(card.id, counts);
    if (!underWay.has(card.id)) void writeAll(card);
  };
}
