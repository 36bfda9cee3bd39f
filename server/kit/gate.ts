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
