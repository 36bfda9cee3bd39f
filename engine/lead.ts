/** What the shell hands to route(): one lead and the publisher's patience. */
import type { Breakers } from './breaker.ts';
import type { BidOffer } from './decision.ts';
import type { LeadFacts } from './facts.ts';
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
  /** Where the consumer falls in the campaign's A/B test: a whole number from 0, below BUCKETS (split.ts). Without one the live campaign counts. */
  bucket?: number;
  /** Mode post: the variant its ping was routed by; it stays, whatever the bucket. */
  variantId?: string;
  turns?: Turns;
  breakers?: Breakers;
  /** What the shell has looked up, see factsWanted; without it no list holds the lead, and its bank and BIN are unknown. */
  facts?: LeadFacts;
  rests?: Rests;
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
