/** What intake works with, what comes in, what is kept, and the ways in which a call can end without an answer of its own. */
import type { BidOffer, Decision, Explanation, Step, VariantTaken } from '#engine/decision.ts';
import type { RouteMode } from '#engine/lead.ts';
import type { Margin, Money, PriceModel } from '#engine/plan.ts';
import type { BreakerBook } from '#server/breaker/breaker-book.ts';
import type { WireRecord } from '#server/delivery/deliver.ts';
import type { Counting } from '#server/metric/open-metrics.ts';
import type { NoticeSender } from '#server/notice/notice-sender.ts';
import type { PublisherSeat } from '#server/plan/configuration.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { RestBook } from '#server/rest/rest-book.ts';
import type { Span } from '#server/trace/tracer.ts';
import type { UnmappedCounter } from '#server/unmapped/count-unmapped.ts';
import type { Deliver } from './buyer-delivery.ts';
import type { FactBook } from './fact-book.ts';
import type { ResultRow } from './lead.sql.ts';
import type { LeadStore } from './lead.store.ts';
import type { LeadWorld } from './live-world.ts';
import type { GivenAnswer } from './posting.answer.ts';
import type { LateRow } from './record.sql.ts';
import type { Rotation } from './rotation.ts';
import type { StoredFields } from './stored-fields.ts';

export interface Intake {
  store: LeadStore;
  rotation: Rotation;
  breakers: Pick<BreakerBook, 'of' | 'throttlesOf' | 'watch'>;
  facts: Pick<FactBook, 'find' | 'findPerson'>;
  rests: Pick<RestBook, 'of' | 'begin'>;
  unmapped: Pick<UnmappedCounter, 'count'>;
  deliver: Deliver;
  notices: Pick<NoticeSender, 'send'>;
  metrics: Counting;
  clock: () => number;
  /** The link of ours that leads the consumer of a sold lead on. */
  linkOf(organization: OrganizationPlan, leadId: string): string;
  /** The answer a lead of this publisher tier got; undefined while it is under way. */
  findAnswer(organization: OrganizationPlan, publisherTierId: string, leadId: string): Promise<GivenAnswer | undefined>;
  /** Keeps what was done for a lead that another node ended. */
  keepAfterwards(organizationId: string, row: ResultRow): Promise<void>;
  /** Keeps an answer that came after its time limit. */
  recordLate(late: LateRow): Promise<void>;
  /** Calls under way on this node, by publisher tier and fingerprint. */
  inFlight: Map<string, UnderWay>;
  /** Told of every lead that ended, for the live feed. */
  ended(event: {
    organizationId: string;
    leadId: string;
    verticalId: string;
    status: string;
    ownMs: number;
    storeMs: number;
    /** Waited for buyers and services. */
    othersMs: number;
  }): void;
}

/** A call whose lead is being worked on, and everybody who waits for its answer. */
export interface UnderWay {
  working: Promise<Acceptance>;
  payloadHash: string;
  callers: (() => boolean)[];
}

export interface IncomingLead {
  organization: OrganizationPlan;
  seat: PublisherSeat;
  mode: RouteMode;
  fields: Record<string, unknown>;
  test: boolean;
  timeoutMs: number;
  idempotencyKey: string | undefined;
  /** Mode post: the ping, with the offers it was given and the variant it went by. */
  ping?: { pingId: string; offers: BidOffer[]; variantId?: string };
  /** The landing page or lander it came from, where that is known. */
  pageId?: string;
  publisherGone: () => boolean;
  /** The call as it came, kept with the lead. */
  inbound: Inbound;
  /** The call as a step of a trace, where one is kept. */
  span?: Span | undefined;
  /** Its person was erased and is not taken again: nothing of them is in any of it. */
  erased?: StoredFields['erased'];
}

export interface Inbound {
  method: string;
  path: string;
  contentType: string;
  body: string;
  ip: string;
  /** First characters of the key it came with; absent in leads of before it was kept. */
  keyPrefix?: string;
}

/** `spent`: as in LeadWorld, of this call; absent when an earlier answer was given again. `isErased`: nothing of the call may be kept. */
export type Acceptance = GivenAnswer & { leadId: string; replayed: boolean; spent?: LeadWorld['spent']; isErased?: true };

/** Two calls with one Idempotency-Key but different leads. */
export class IdempotencyMismatch extends Error {}
/** The same lead is still being worked on elsewhere and the caller's patience ran out. */
export class LeadInFlight extends Error {}

/** One attempt's conversation, as it is kept. */
export type StoredWire = Partial<WireRecord> & { reasons: string[] };

/** The lead is done, but its result cannot be stored within the caller's patience; it will be. */
export class AnswerDelayed extends Error {}

/** What a lead was routed by, of money: its publisher tier's terms, as its variant has them. */
export interface VariantTerms {
  priceModel: PriceModel;
  margin: Margin;
  floor?: Money;
}

/** What is kept of the explanation, sealed with the lead; verdicts stand in a column of their own, each with the code of its step. */
export interface Explained {
  why: Explanation;
  errors: Decision['errors'];
  steps: Step[];
  /** Why of tiers whose verdict has no step of its own (never reached, outbid): those that share a reason stand together. */
  unreached: { why: Explanation; buyerTierIds: string[] }[];
  sales: Decision['sales'];
  offers: BidOffer[];
  /** Of the A/B test its campaign was under. */
  variant?: VariantTaken;
  /** What its variant says of money: no longer to be had once the test is over. */
  variantTerms?: VariantTerms;
  /** Names of fields the vertical does not know. */
  warnings: string[];
  given: GivenAnswer;
  /** What a publisher that asks is told since the lead was settled; equal calls get the first answer still. */
  settled?: GivenAnswer['answer'];
  /** Of the time waited for others, that for third-party services; absent where none was asked. */
  servicesMs?: number;
}
