/** What the shell hands to route(): one lead and the publisher's patience. */
import type { Breakers } from './breaker.ts';
import type { BidOffer } from './decision.ts';
import type { Instant } from './plan.ts';
import type { Rests } from './rest.ts';

/** full: sell it. ping: a partial lead, collect offers only. post: after a ping, with the offers it was given. */
export type RouteMode = 'full' | 'ping' | 'post';

export interface RouteLead {
  id: string;
  publisherTierId: string;
  /** As the publisher sent them; normalised and checked here. Left out where `fields` come from normaliseLead already. */
  rawFields?: Record<string, unknown>;
  /** As normaliseLead gave them, without errors. */
  fields?: Readonly<Record<string, string>>;
  mode: RouteMode;
  /** A test lead gets a known result; nothing is reserved, sent or counted. */
  test: boolean;
  /** When the publisher stops waiting. */
  deadlineAt: Instant;
  /** Mode post: what the ping was offered. */
  offers?: readonly BidOffer[];
  turns?: Turns;
  breakers?: Breakers;
  rests?: Rests;
  /** Name of the suppression list, or bank or BIN move, that blocks this lead; looked up by the shell before. */
  suppressedBy?: string;
}

export interface Turn {
  lastTurnAt: Instant;
  /** Posts so far, in whatever span the shell balances over. */
  turns: number;
}

/** Rotation state as it was when the lead came; a turn is a post, see AttemptRecord. */
export interface Turns {
  find(groupId: string, buyerTierId: string): Turn | undefined;
}

export interface RouteStart {
  now: Instant;
}
