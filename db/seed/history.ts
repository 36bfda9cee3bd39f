/** The past of the demo world, lead by lead: who came when, what their publisher sent, and what the engine made of it. */
import { LANDER_PATH } from '#contract/lander-check.ts';
import { proofOf } from '#server/card/submit-lander.ts';
import { PAGE_MEMBER } from '#server/landing-page/page-of-posting.ts';
import type { Acceptance } from '#server/lead/intake.ts';
import { findPing } from '#server/lead/posting.sql.ts';
import { makeConsumer, type RawFields, spoil } from './consumer.ts';
import type { InsertedCard } from './insert-card.ts';
import type { InsertedOrganization } from './insert-world.ts';
import { type Random, randomOf } from './random.ts';
import type { LeadClock } from './simulated-outbound.ts';
import { openSimulation, type SaidLead, type Simulation, type SimulationOptions } from './simulation.ts';
import { type Arrival, planArrivals, type TrafficSpan } from './traffic.ts';

export type HistoryOptions = Omit<SimulationOptions, 'now'> & TrafficSpan;

/** Leads that are under way at the same moment of our time; in simulated time they lie minutes to hours apart. */
const IN_FLIGHT = 128;
const PATIENCE_MS = 60_000;
/** Share of the leads of a tier with a landing page that were written there. */
const FROM_PAGE = 0.7;
const LEARN_AFTER = [250, 1_500];

interface Making {
  simulation: Simulation;
  organizations: Map<string, InsertedOrganization>;
  /** When the leads under way began, the earliest first. */
  underWay: Set<{ startedAt: number }>;
  /** Visits of one consumer follow each other. */
  visits: Map<string, Promise<void>>;
}

/** Returns how many consumers came. */
export async function makeHistory(inserted: InsertedOrganization[], options: HistoryOptions): Promise<number> {
  const arrivals = inserted.flatMap(({ world }) => planArrivals(world, options)).sort((a, b) => a.at - b.at);
  const underWay: Making['underWay'] = new Set();
  const now = () => underWay.values().next().value?.startedAt ?? options.until;
  const simulation = await openSimulation(
    inserted.map(({ id }) => id),
    { ...options, now },
  );
  const organizations = new Map(inserted.map((one) => [one.world.subDomain, one]));
  const making: Making = { simulation, organizations, underWay, visits: new Map() };
  try {
    await inOrder(arrivals, (arrival, index) =>
      Promise.all([visit(making, arrival), LEARN_AFTER.includes(index) && learnSizes(options.pool)]),
    );
  } finally {
    await simulation.close();
  }
  return arrivals.length;
}

/** A bounded number at once, begun in order. */
async function inOrder<T>(list: T[], work: (item: T, index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < list.length; index = next++) await work(list[index]!, index);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

/** Tables grow from nothing within seconds, sooner than the database looks by itself; plans made for empty tables are slow. */
async function learnSizes(pool: HistoryOptions['pool']): Promise<void> {
  await pool.query('analyze counter, duplicate_claim, reservation, idempotency, lead, lead_result');
}

async function visit(making: Making, arrival: Arrival): Promise<void> {
  const span = { startedAt: arrival.at };
  making.underWay.add(span);
  const earlier = making.visits.get(arrival.consumerSeed) ?? Promise.resolve();
  const mine = earlier.then(() => sendLead(making, arrival));
  making.visits.set(arrival.consumerSeed, mine);
  await mine;
  making.underWay.delete(span);
  if (making.visits.get(arrival.consumerSeed) === mine) making.visits.delete(arrival.consumerSeed);
}

/** Straight away, or with a ping before. */
async function sendLead(making: Making, arrival: Arrival): Promise<void> {
  const random = randomOf('post', arrival.visitSeed);
  const clock: LeadClock = { at: arrival.at };
  const fields = fieldsOf(arrival, random);
  if (!arrival.traffic.pings) return void (await call(making, arrival, clock, random, { mode: 'full', fields }));
  const { organization, seat, inPing } = placeOf(making, arrival);
  const shown = Object.fromEntries(Object.entries(fields).filter(([name]) => inPing.has(name)));
  const bid = await call(making, arrival, clock, random, { mode: 'ping', fields: shown });
  // A publisher that asks around sells to us only when we bid best.
  if (bid.replayed || bid.answer.code !== 'ping_bid' || !random.chance(0.8)) return;
  clock.at += random.between(150, 9_000);
  const ping = await findPing(making.simulation.db, organization, seat.id, bid.leadId);
  if (!ping) return;
  const post = { pingId: bid.leadId, offers: ping.offers };
  await call(making, arrival, clock, random, { mode: 'post', fields: { ...ping.fields, ...fields }, ping: post });
}

function placeOf(making: Making, arrival: Arrival) {
  const inserted = making.organizations.get(arrival.organization)!;
  const organization = making.simulation.organizations.get(inserted.id)!;
  const seat = organization.publisherSeats.get(inserted.publisherTiers.get(arrival.tierSlug)!)!;
  const { fields } = organization.plan.verticals.get(inserted.verticals.get(arrival.place)!.verticalId)!.config;
  const inPing = new Set(fields.filter((field) => field.inPing).map((field) => field.fieldName));
  const landingPageId = inserted.landingPages.get(arrival.tierSlug);
  return { organization, seat, inPing, card: inserted.cards.get(arrival.tierSlug), landingPageId };
}

function fieldsOf(arrival: Arrival, random: Random): RawFields {
  const { place, consumerSeed, visitSeed, at, traffic } = arrival;
  const made = makeConsumer({ place, quality: traffic.quality, consumerSeed, visitSeed, at });
  const extra = Object.fromEntries((traffic.extra ?? []).map((name) => [name, random.hex(10)]));
  const fields = { ...made, ...extra };
  return arrival.invalid ? spoil(fields, visitSeed) : fields;
}

type Said = Pick<SaidLead, 'mode' | 'fields' | 'ping'>;

function call(making: Making, arrival: Arrival, clock: LeadClock, random: Random, said: Said): Promise<Acceptance> {
  const { organization, seat, card, landingPageId } = placeOf(making, arrival);
  const pageId = landingPageId && randomOf('page', arrival.visitSeed).chance(FROM_PAGE) ? landingPageId : undefined;
  const timeoutMs = arrival.traffic.timeoutMs ?? PATIENCE_MS;
  const whole = card
    ? { organization, seat, timeoutMs, pageId: card.id, ...filledIn(clock.at, card, said) }
    : { organization, seat, test: arrival.test, timeoutMs, ...(pageId && { pageId }), inbound: inboundOf(arrival, said, pageId), ...said };
  return making.simulation.post(whole, clock, random);
}

/** As the form of a lander sends it: what it asks for and the consumer's address, with the words that were agreed to as proof. */
function filledIn(at: number, card: InsertedCard, { mode, fields: all }: Said) {
  const named = card.fields.map((name) => [name, name === 'phone' ? String(all[name]).replace(/\D/g, '') : String(all[name])]);
  const fields: RawFields = { ...Object.fromEntries(named), ip_address: all.ip_address };
  const proof = { card, body: { dc_source: { utm_source: 'card' } }, origin: undefined, userAgent: String(all.user_agent) };
  const body = JSON.stringify(proofOf(proof, fields, at));
  // Nobody tries a public form by a test lead.
  const inbound = { method: 'POST', path: LANDER_PATH, contentType: 'application/json', body, ip: String(all.ip_address) };
  return { mode, fields, test: false, inbound };
}

const PATHS = { full: '/api/v1/leads', ping: '/api/v1/leads/ping', post: '/api/v1/leads/post' } as const;

/** The call as the publisher's server made it, from its own reserved address. */
function inboundOf(arrival: Arrival, { mode, fields, ping }: Said, pageId: string | undefined): SaidLead['inbound'] {
  const sent = {
    ...fields,
    ...(pageId && { [PAGE_MEMBER]: pageId }),
    ...(ping && { pingId: ping.pingId }),
    ...(arrival.test && { test: true }),
  };
  const isForm = arrival.traffic.format === 'form';
  const pairs = Object.entries(sent).map(([name, value]) => [name, String(value)]);
  return {
    method: 'POST',
    path: PATHS[mode],
    contentType: isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    body: isForm ? new URLSearchParams(pairs).toString() : JSON.stringify(sent),
    ip: `203.0.113.${randomOf('server', arrival.tierSlug).integer(10, 99)}`,
  };
}
