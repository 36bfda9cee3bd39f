/**
 * How a node that is told to stop leaves without a failed request: for a while it goes on answering, but says at `/readyz` that it leaves, and closes
 * each connection with its answer, so that whoever spreads requests over nodes turns to the others before this one closes its door (reliability G4).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Longer than most leads take; one that is still at a buyer then is finished as interrupted by another node, or at the next start. */
export const DRAIN_MS = 25_000;

export interface Leaving {
  hasBegun(): boolean;
  /** Resolves when the door may be closed. */
  begin(): Promise<void>;
}

export function openLeaving(graceMs: number): Leaving {
  let begun = false;
  return {
    hasBegun: () => begun,
    async begin() {
      begun = true;
      if (graceMs > 0) await sleep(graceMs);
    },
  };
}

/** Answers of a node that leaves are the last on their connection. */
export function closeAsItLeaves(app: FastifyInstance, leaving: Leaving): void {
  app.addHook('onSend', async (_request, reply) => {
    if (leaving.hasBegun()) reply.header('connection', 'close');
  });
}
