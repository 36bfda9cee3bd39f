/** The room of a node for leads that come from outside, posted or by a lander: of all together, and of one organization. Nothing waits; who finds none is told to come back. */
import { HttpError } from '#server/kit/http-error.ts';
import type { RateLimiter } from '#server/kit/rate-limiter.ts';
import type { FairShare } from './fair-share.ts';

export interface IntakeLoad {
  underWay: number;
  share: FairShare;
}

export interface IntakeRoom {
  limiter: RateLimiter;
  maxInFlight: number;
  /** Most leads a second of one organization; 0 where there is no such limit. */
  leadsPerSecond: number;
  /** Calls under way on this node. */
  load: IntakeLoad;
}

/** 429, with when to try again. */
export class NoRoom extends HttpError {
  constructor(code: 'node_busy' | 'organization_rate_limited' | 'organization_busy', msg: string) {
    super(429, code, msg, { retryAfterSeconds: 1 });
  }
}

const SECOND_MS = 1_000;

/** Throws NoRoom where the node works on as much as it may. */
export async function withinNode<T>({ load, maxInFlight }: IntakeRoom, work: () => Promise<T>): Promise<T> {
  if (load.underWay >= maxInFlight) throw new NoRoom('node_busy', 'Too many leads are under way. Try again in a second.');
  load.underWay += 1;
  try {
    return await work();
  } finally {
    load.underWay -= 1;
  }
}

/** What one organization sends too much of keeps no other from being served. Throws NoRoom. */
export async function withinShare<T>(
  { load, limiter, leadsPerSecond }: IntakeRoom,
  organizationId: string,
  now: number,
  work: () => Promise<T>,
): Promise<T> {
  if (leadsPerSecond > 0 && limiter.take(`leads ${organizationId}`, leadsPerSecond, SECOND_MS, now) > 0)
    throw new NoRoom('organization_rate_limited', 'More leads came than are taken of one organization. Send it again in a second.');
  if (!load.share.enter(organizationId))
    throw new NoRoom('organization_busy', 'As many leads as are worked on for one organization are under way. Send it again in a second.');
  try {
    return await work();
  } finally {
    load.share.leave(organizationId);
  }
}
