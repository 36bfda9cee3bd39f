/**
 * Room for what buyers say later: their systems say it for a whole night's leads at once, and each word is a long transaction. Few of them work at a time, so that
 * leads, people and readiness always find a connection; the others wait without one.
 */
import { GateFull, openSharedGate } from '#server/kit/gate.ts';
import { HttpError } from '#server/kit/http-error.ts';

export interface PostbackRoom {
  /** Throws 429 `postback_crowded` when too many of the organization wait already. */
  enter<T>(organizationId: string, work: () => Promise<T>): Promise<T>;
}

/** Of the connections of a node (`openPool`), and of one organization. */
const ROOM = { atOnce: 4, ofOne: 2, waiting: 2_400, waitingOfOne: 600 };

export function openPostbackRoom(): PostbackRoom {
  const gate = openSharedGate(ROOM);
  return {
    async enter(organizationId, work) {
      try {
        return await gate.enter(organizationId, work);
      } catch (error) {
        if (!(error instanceof GateFull)) throw error;
        throw new HttpError(429, 'postback_crowded', 'Too many of your answers wait already. Say it again in a few seconds.', {
          retryAfterSeconds: 5,
        });
      }
    },
  };
}
