/** Lets so many through at once and so many wait; who comes after those is turned away at once. */

/** Nobody more may wait. */
export class GateFull extends Error {}

export interface Gate {
  /** Runs `work` when there is room. Throws GateFull at once when all places to wait are taken. */
  enter<T>(work: () => Promise<T>): Promise<T>;
}

export function openGate(atOnce: number, waitingAtMost: number): Gate {
  let inside = 0;
  const waiting: (() => void)[] = [];
  return {
    async enter(work) {
      if (inside < atOnce) inside += 1;
      else if (waiting.length >= waitingAtMost) throw new GateFull();
      // Whoever leaves hands its place over, so that nobody slips in between.
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else inside -= 1;
      }
    },
  };
}

export interface SharedGate {
  /** Throws GateFull at once when all places to wait are taken, of `whose` or of all. */
  enter<T>(whose: string, work: () => Promise<T>): Promise<T>;
}

/** Lets so many through at once of all, and fewer of one: nobody keeps the others waiting for long. */
export function openSharedGate({
  atOnce,
  ofOne,
  waiting,
  waitingOfOne,
}: Record<'atOnce' | 'ofOne' | 'waiting' | 'waitingOfOne', number>): SharedGate {
  const all = openGate(atOnce, waiting);
  const own = new Map<string, Gate>();
  return {
    enter(whose, work) {
      const gate = own.get(whose) ?? openGate(ofOne, waitingOfOne);
      own.set(whose, gate);
      return gate.enter(() => all.enter(work));
    },
  };
}
