/**
 * Room for what buyers say later: their systems say it for a whole night's leads at once, and each word is a long transaction. Few of them work at a time, so that
 * leads, people and readiness always find a connection; the others wait without one.
 */
import { type Gate, GateFull, openGate } from '#server/kit/gate.ts';
import { HttpError } from '#server/kit/http-error.ts';

export interface PostbackRoom {
  /** Throws 429 `postback_crowded` when too many of the organization wait already. */
  enter<T>(organizationId: string, work: () => Promise<T>): Promise<T>;
}

/** Of the connections of a node (`openPool`). */
const AT_ONCE = 4;
const OF_ONE_ORGANIZATION = 2;
const WAITING_MOST = 600;

export function openPostbackRoom(): PostbackRoom {
  const all = openGate(AT_ONCE, Number.POSITIVE_INFINITY);
  const gates = new Map<string, Gate>();
  return {
    async enter(organizationId, work) {
      const gate = gates.get(organizationId) ?? openGate(OF_ONE_ORGANIZATION, WAITING_MOST);
      gates.set(organizationId, gate);
      try {
        return await gate.enter(() => all.enter(work));
      } catch (error) {
        if (!(error instanceof GateFull)) throw error;
        throw new HttpError(429, 'postback_crowded', 'Too many of your answers wait already. Say it again in a few seconds.', {
          retryAfterSeconds: 5,
        });
      }
    },
  };
}
