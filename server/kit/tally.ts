/** Counting beside the answers: one write of a thing at a time, with all that came meanwhile, however many look at it. */

type Counts<Event extends string> = Partial<Record<Event, number>>;

/** A write that fails costs its counts: counting is beside the point for who looks. */
export function openTally<Of extends { id: string }, Event extends string>(
  write: (of: Of, counts: Counts<Event>) => Promise<void>,
  onLost: (error: Error) => void,
) {
  const waiting = new Map<string, Counts<Event>>();
  const underWay = new Set<string>();

  async function writeAll(of: Of): Promise<void> {
    underWay.add(of.id);
    for (let counts = waiting.get(of.id); counts; counts = waiting.get(of.id)) {
      waiting.delete(of.id);
      await write(of, counts).catch(onLost);
    }
    underWay.delete(of.id);
  }

  return (of: Of, events: readonly Event[]): void => {
    const counts: Counts<Event> = waiting.get(of.id) ?? {};
    for (const event of events) counts[event] = (counts[event] ?? 0) + 1;
    waiting.set(of.id, counts);
    if (!underWay.has(of.id)) void writeAll(of);
  };
}
