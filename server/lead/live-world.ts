/** Carries out for real what the engine asks for one lead: books in PostgreSQL, calls buyers over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BreakerWatch } from '#engine/breaker-watch.ts';
import { paidTo } from '#engine/conclude.ts';
import type { Decision } from '#engine/decision.ts';
import type {
  Answer,
  BuyerCall,
  CapClaim,
  Effect,
  EffectResult,
  OutsideCheck,
  OutsideVerdict,
  Refusal,
  Reservation,
} from '#engine/effect.ts';
import type { Instant } from '#engine/plan.ts';
import type { Delivery, WireRecord } from '#server/delivery/deliver.ts';
import { keyedHash } from '#server/kit/crypto.ts';
import type { Counting } from '#server/metric/open-metrics.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { type Span, traced } from '#server/trace/tracer.ts';
import type { BookOp, BookResult, CounterRef, GiveBackOp, PrintRef, ReserveOp } from './book.sql.ts';
import type { Intent } from './lead.sql.ts';
import { isEndedByAnother, type LeadStore, StoreUnavailable } from './lead.store.ts';
import type { Rotation } from './rotation.ts';
import type { Asked } from './service-check.ts';

/** A call that left, with what was on the wire. */
export interface WireEntry {
  call: BuyerCall;
  startedAt: Instant;
  record: WireRecord | undefined;
  /** Undefined until the buyer has answered. */
  answer: Answer | undefined;
}

/** A service that was asked, with what was on the wire. */
export interface CheckEntry {
  check: OutsideCheck;
  startedAt: Instant;
  verdict: OutsideVerdict;
  delivery: Delivery;
}

type ReserveEffect = Extract<Effect, { kind: 'reserve' }>;
type CallEffect = Extract<Effect, { kind: 'call' }>;
type CheckEffect = Extract<Effect, { kind: 'check' }>;

export interface LeadWorld {
  /** What is done from now on are steps of this one. */
  trace(span: Span | undefined): void;
  /** Told of every effect the moment it is asked for, before anything is waited for: whose turn it is counts from here. */
  foresee(effect: Effect): void;
  /** What to write for a reservation; the first one travels together with the lead itself. */
  bookingOf(effect: ReserveEffect): ReserveOp[];
  /** Takes back what may have been booked by an answer that was lost. */
  undo(effect: ReserveEffect, ops: ReserveOp[]): Promise<void>;
  /** The engine's view of what `bookingOf` came to. */
  resultOf(effect: ReserveEffect, ops: ReserveOp[], booked: BookResult[]): EffectResult;
  /** What to note before these calls go out; likewise. */
  intentOf(effect: CallEffect): Intent | undefined;
  /** `noted`: the intent of the calls is written already. */
  perform(effect: Effect, noted?: boolean): Promise<EffectResult>;
  /** What is left to book when the lead ends: sold reservations are settled. */
  settlement(decision: Decision): BookOp[];
  wires: WireEntry[];
  checks: CheckEntry[];
  /** Buyer tiers that may hold the lead, for all that was heard of them so far. */
  inDoubt(): string[];
  /** Time waited for buyers and services together, of it for services, and for the database, in ms. */
  spent: { buyersMs: number; servicesMs: number; storeMs: number };
}

export interface WorldParts {
  organization: OrganizationPlan;
  store: LeadStore;
  rotation: Rotation;
  breakers: BreakerWatch;
  /** A buyer has asked not to be called before `until`. */
  rest: (buyerTierId: string, until: Instant) => void;
  /** `traceparent`: how the other side may name what it does for it. */
  deliver: (call: BuyerCall, attemptIndex: number, traceparent?: string) => Promise<Delivery>;
  askService: (check: OutsideCheck, traceparent?: string) => Promise<Asked>;
  metrics: Counting;
  leadId: string;
  groupOf: (buyerTierId: string) => string | undefined;
  clock: () => Instant;
  publisherGone: () => boolean;
  /** When the publisher stops waiting. */
  deadlineAt: Instant;
}

interface Held {
  reservation: Reservation;
  /** A reservation row stands in the database until released or settled. */
  kept: boolean;
  /** Fingerprints that a release takes off again. */
  prints: PrintRef[];
}

const NOT_SENT: Answer = { outcome: 'error', reasons: ['store-unavailable'], captures: {}, sent: false, elapsedMs: 0 };
const RETRY_PAUSE_MS = 150;

export function openLeadWorld(parts: WorldParts): LeadWorld {
  const { organization, store, leadId, clock } = parts;
  const held = new Map<string, Held>();
  const wires: WireEntry[] = [];
  const checks: CheckEntry[] = [];
  const spent = { buyersMs: 0, servicesMs: 0, storeMs: 0 };
  let outer: Span | undefined;

  /** A turn that a reservation was asked for and no post has followed yet. */
  let foreseen: { groupId: string; buyerTierId: string; before: number | undefined } | undefined;

  function foresee(effect: Effect): void {
    const buyerTierId = chosenBy(effect);
    if (!buyerTierId) return;
    const fulfilled = effect.kind === 'call' && foreseen?.buyerTierId === buyerTierId;
    if (fulfilled) foreseen = undefined;
    else takeTurn(buyerTierId, effect.kind === 'reserve');
  }

  function takeTurn(buyerTierId: string, maybe: boolean): void {
    giveTurnBack();
    const groupId = parts.groupOf(buyerTierId);
    if (!groupId) return;
    const before = parts.rotation.of(organization.organizationId).find(groupId, buyerTierId)?.lastTurnAt;
    parts.rotation.took(organization.organizationId, groupId, buyerTierId, clock());
    if (maybe) foreseen = { groupId, buyerTierId, before };
  }

  /** A cap stood in the way of the one that was to have the turn. */
  function giveTurnBack(): void {
    if (foreseen) parts.rotation.gaveBack(organization.organizationId, foreseen.groupId, foreseen.buyerTierId, foreseen.before);
    foreseen = undefined;
  }

  function bookingOf(effect: ReserveEffect): ReserveOp[] {
    const group = { first: effect.mode === 'first' };
    return effect.reservations.map((reservation) => reserveOp(organization, leadId, group, reservation));
  }

  // A post that reserved nothing leaves no trace of its own: it is noted, so that a crash cannot hide that a buyer may have the lead.
  function intentOf(effect: CallEffect): Intent | undefined {
    const post = effect.calls.find((one) => one.leg === 'post' && !held.get(nameOf(one.buyerTierId, 'post'))?.kept);
    return post && { leadId, buyerTierId: post.buyerTierId };
  }

  function resultOf(effect: ReserveEffect, ops: ReserveOp[], booked: BookResult[]): EffectResult {
    const granted: number[] = [];
    const refused: { index: number; refusal: Refusal }[] = [];
    for (const [index, result] of booked.entries()) {
      const reservation = effect.reservations[index]!;
      if (!result) continue;
      if (result.granted) {
        granted.push(index);
        held.set(nameOf(reservation.subject.id, reservation.purpose), holdOf(reservation, ops[index]!));
        parts.breakers.granted(reservation);
      } else refused.push({ index, refusal: refusalOf(reservation, result) });
    }
    return { kind: 'reserve', now: clock(), granted, refused };
  }

  async function reserve(effect: ReserveEffect): Promise<EffectResult> {
    const ops = bookingOf(effect);
    const began = clock();
    const booked = await traced(outer, 'reserve', () => bookInTime(effect, ops));
    spent.storeMs += clock() - began;
    // Nothing could be booked: the lead ends with what it has.
    return booked ? resultOf(effect, ops, booked) : { kind: 'reserve', now: clock(), granted: [], refused: [] };
  }

  /** While the database is away and the publisher still waits, tried again; whatever a lost answer may have booked is taken back first. */
  async function bookInTime(effect: ReserveEffect, ops: ReserveOp[]): Promise<BookResult[] | undefined> {
    for (;;) {
      try {
        return await store.book(organization.organizationId, ops);
      } catch (error) {
        // Another node has ended the lead: this one ends it with what it has.
        if (isEndedByAnother(error)) return undefined;
        if (!(error instanceof StoreUnavailable)) throw error;
        await undo(effect, ops);
        if (clock() >= parts.deadlineAt) return undefined;
      }
    }
  }

  function undo(effect: ReserveEffect, ops: ReserveOp[]): Promise<void> {
    const releases = effect.reservations.flatMap((reservation, at) =>
      ops[at]!.hold ? [releaseOp(leadId, holdOf(reservation, ops[at]!))] : [],
    );
    return releases.length > 0 ? store.giveBack(organization.organizationId, releases) : sleep(RETRY_PAUSE_MS);
  }

  function release(effect: Extract<Effect, { kind: 'release' }>): EffectResult {
    const name = nameOf(effect.subject.id, effect.purpose);
    const holding = held.get(name);
    held.delete(name);
    // Not waited for: the next lead may take the place a moment later, this one goes on at once.
    if (holding?.kept) void store.giveBack(organization.organizationId, [releaseOp(leadId, holding)]).catch(() => {});
    return { kind: 'release', now: clock() };
  }

  async function call(effect: CallEffect, noted: boolean): Promise<EffectResult> {
    const intent = noted ? undefined : intentOf(effect);
    // What cannot be noted is not sent.
    if (intent && !(await traced(outer, 'note', () => note(intent))))
      return { kind: 'call', now: clock(), answers: effect.calls.map(() => NOT_SENT) };
    const began = clock();
    const answers = await Promise.all(effect.calls.map((one) => callBuyer(one)));
    spent.buyersMs += clock() - began;
    return { kind: 'call', now: clock(), answers, ...(parts.publisherGone() && { publisherGone: true }) };
  }

  async function note(intent: Intent): Promise<boolean> {
    const began = clock();
    for (;;) {
      try {
        await store.intend(organization.organizationId, intent);
        spent.storeMs += clock() - began;
        return true;
      } catch (error) {
        if (isEndedByAnother(error)) return false;
        if (!(error instanceof StoreUnavailable)) throw error;
        if (clock() >= parts.deadlineAt) return false;
        await sleep(RETRY_PAUSE_MS);
      }
    }
  }

  async function callBuyer(one: BuyerCall): Promise<Answer> {
    const startedAt = clock();
    const index = wires.length;
    const entry: WireEntry = { call: one, startedAt, record: undefined, answer: undefined };
    wires.push(entry);
    const span = outer?.begin('buyer call', { 'sluice.leg': one.leg, 'sluice.buyer_tier_id': one.buyerTierId }, 'client');
    const delivery = await parts.deliver(one, index, span?.traceparent);
    const { outcome, sent, elapsedMs } = delivery.answer;
    span?.end({ 'sluice.outcome': outcome, 'sluice.sent': sent, ...statusOf(delivery) }, hasFailed(delivery.answer));
    parts.metrics.add('sluice_buyer_calls_total', { leg: one.leg, outcome });
    parts.metrics.observe('sluice_buyer_call_seconds', { leg: one.leg }, elapsedMs / 1_000);
    entry.record = delivery.wire;
    entry.answer = delivery.answer;
    if (wentOut(delivery)) parts.breakers.callEnded(one.buyerTierId, startedAt, hasFailed(delivery.answer), delivery.answer.elapsedMs);
    if (delivery.answer.restsUntil !== undefined) parts.rest(one.buyerTierId, delivery.answer.restsUntil);
    return delivery.answer;
  }

  async function askAll(effect: CheckEffect): Promise<EffectResult> {
    const began = clock();
    const verdicts = await Promise.all(effect.checks.map(askOne));
    const waitedMs = clock() - began;
    spent.buyersMs += waitedMs;
    spent.servicesMs += waitedMs;
    return { kind: 'check', now: clock(), verdicts };
  }

  async function askOne(check: OutsideCheck): Promise<OutsideVerdict> {
    const startedAt = clock();
    const span = outer?.begin('check', { 'sluice.service_id': check.serviceId }, 'client');
    const { verdict, delivery } = await parts.askService(check, span?.traceparent);
    const { outcome } = verdict;
    span?.end({ 'sluice.outcome': outcome, ...(delivery && statusOf(delivery)) }, outcome === 'error' || outcome === 'timeout');
    parts.metrics.add('sluice_service_calls_total', { kind: delivery ? 'called' : 'ready-made', outcome });
    if (delivery) parts.metrics.observe('sluice_service_call_seconds', {}, delivery.answer.elapsedMs / 1_000);
    if (delivery) checks.push({ check, startedAt, verdict, delivery });
    return verdict;
  }

  return {
    trace(span) {
      outer = span;
    },
    foresee,
    bookingOf,
    undo,
    resultOf,
    wires,
    checks,
    spent,
    intentOf,
    inDoubt: () => wires.filter(mayHold).map((entry) => entry.call.buyerTierId),
    perform: (effect, noted = false) => {
      switch (effect.kind) {
        case 'reserve':
          return reserve(effect);
        case 'release':
          return Promise.resolve(release(effect));
        case 'call':
          return call(effect, noted);
        case 'check':
          return askAll(effect);
      }
    },
    settlement(decision) {
      giveTurnBack();
      parts.breakers.leadEnded();
      return settle(leadId, held, decision);
    },
  };
}

/** The buyer tier that a post, or the first of the reservations for one, is meant for. */
function chosenBy(effect: Effect): string | undefined {
  if (effect.kind === 'call') return effect.calls.find((one) => one.leg === 'post')?.buyerTierId;
  if (effect.kind !== 'reserve' || effect.mode !== 'first') return undefined;
  const [first] = effect.reservations;
  return first?.purpose === 'post' ? first.subject.id : undefined;
}

/** Not a clear no: unanswered, accepted, pending, or an answer that tells nothing. */
function mayHold({ call, answer }: WireEntry): boolean {
  if (call.leg !== 'post') return false;
  if (!answer) return true;
  return answer.sent && (['accepted', 'pending', 'timeout'].includes(answer.outcome) || answer.unclear === true);
}

/** Whether anybody outside had a part in it: our own refusals (an address that is not allowed, too many calls at once) say nothing of the buyer. */
function wentOut({ answer, wire }: Delivery): boolean {
  if (answer.sent || wire.response !== null) return true;
  return wire.failure !== undefined && !['refused-address', 'too-busy'].includes(wire.failure.why);
}

const statusOf = ({ wire }: Delivery) => ({ 'http.response.status_code': wire.response?.status });

function hasFailed({ outcome }: Answer): boolean {
  return outcome === 'error' || outcome === 'timeout';
}

function nameOf(subjectId: string, purpose: string): string {
  return `${subjectId} ${purpose}`;
}

/** What a post books, and what comes on top when its buyer has taken the lead: all of it ends with the post. */
const OF_A_POST: ReadonlySet<Reservation['purpose']> = new Set(['post', 'raise', 'promotion']);

function reserveOp(organization: OrganizationPlan, leadId: string, effect: { first: boolean }, reservation: Reservation): ReserveOp {
  const { duplicate, claims, purpose } = reservation;
  const giveBack = claims.filter(isReturnable).map((claim) => ({ counter: claim.counter, amount: claim.amount }));
  const takesBack = duplicate?.claim === true && !duplicate.keepOnRelease;
  const keeps = OF_A_POST.has(purpose) || (purpose === 'admit' && (giveBack.length > 0 || takesBack));
  return {
    kind: 'reserve',
    effect,
    leadId,
    subjectId: reservation.subject.id,
    purpose,
    claims: claims.map((claim) => ({ ref: refOf(claim), limit: claim.limit, amount: claim.amount })),
    ...(duplicate && {
      duplicate: {
        prints: duplicate.fingerprints.map((text) => ({
          scopeId: duplicate.scopeId,
          print: keyedHash(organization.keys, 'duplicate', text),
        })),
        since: duplicate.since,
        claim: duplicate.claim,
        returns: takesBack,
      },
    }),
    ...(keeps && { hold: giveBack }),
  };
}

/** Sent claims stay counted whatever happens; a claim of nothing has nothing to give back. */
function isReturnable(claim: CapClaim): boolean {
  return claim.measure !== 'sent' && claim.amount > 0;
}

function refOf(claim: CapClaim): CounterRef {
  return { counter: claim.counter, scopeId: claim.scopeId, measure: claim.measure, period: claim.period, resetsAt: claim.resetsAt };
}

function holdOf(reservation: Reservation, op: ReserveOp): Held {
  return { reservation, kept: op.hold !== undefined, prints: op.duplicate?.returns ? op.duplicate.prints : [] };
}

function refusalOf(reservation: Reservation, result: Exclude<BookResult, undefined | { granted: true }>): Refusal {
  if (result.by === 'cap') return { by: 'cap', claim: reservation.claims[result.claimIndex]!, used: result.used };
  return { by: 'duplicate', earlierLeadId: result.earlierLeadId, claimedAt: result.claimedAt };
}

function releaseOp(leadId: string, { reservation, prints }: Held): GiveBackOp {
  const changes = reservation.claims.filter(isReturnable).map((claim) => ({ ref: refOf(claim), amount: -claim.amount }));
  return { kind: 'release', leadId, subjectId: reservation.subject.id, purpose: reservation.purpose, changes, prints };
}

/**
 * Sold reservations end with their money counters at what was really paid; an admission ends as it is. A post whose answer
 * is outstanding keeps its reservation, and what came on top of it.
 */
function settle(leadId: string, held: Map<string, Held>, decision: Decision): BookOp[] {
  const ops: BookOp[] = [];
  for (const { reservation, kept } of held.values()) {
    if (!kept) continue;
    const { subject, purpose } = reservation;
    const sale = OF_A_POST.has(purpose) ? decision.sales.find((one) => one.buyerTierId === subject.id) : undefined;
    if (OF_A_POST.has(purpose) && !sale) continue;
    const more = (['raise', 'promotion'] as const).flatMap((also) => held.get(nameOf(subject.id, also))?.reservation.claims ?? []);
    const changes = sale && purpose === 'post' ? corrections([...reservation.claims, ...more], sale) : [];
    ops.push({ kind: 'settle', leadId, subjectId: subject.id, purpose, changes, prints: [] });
  }
  return ops;
}

/**
 * Per money counter: what was paid less what was reserved, where that is less: a raise after the end of a window took its part from the next. What a
 * buyer owes stands in its balance from now on, and is reserved no longer.
 */
function corrections(claims: CapClaim[], sale: Decision['sales'][number]): GiveBackOp['changes'] {
  const money = Map.groupBy(
    claims.filter((claim) => claim.measure === 'money' && claim.amount > 0),
    (claim) => claim.counter,
  );
  return [...money.values()]
    .map((same) => {
      const [claim] = same as [CapClaim, ...CapClaim[]];
      const paid = claim.period === 'funds' ? 0 : paidTo(sale, claim.scopeId);
      return { ref: refOf(claim), amount: Math.min(0, paid - same.reduce((sum, one) => sum + one.amount, 0)) };
    })
    .filter((change) => change.amount !== 0);
}
