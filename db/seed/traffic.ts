/** When leads arrive, and which: by publisher tier, hour of its day and day of its week. The same hours always bring the same leads. */
import { DAY_MS, HOUR_MS, localTimeAt } from '#engine/zone.ts';
import { poisson, randomOf } from './random.ts';
import type { Place, Traffic, WorldOrganization, WorldPublisherTier } from './world/world.ts';

export interface Arrival {
  organization: string;
  tierSlug: string;
  place: Place;
  traffic: Traffic;
  at: number;
  /** Who it is, and which visit. */
  consumerSeed: string;
  visitSeed: string;
  invalid: boolean;
  test: boolean;
}

export interface TrafficSpan {
  from: number;
  until: number;
  /** Multiplies all volumes. */
  scale: number;
}

/** Share of a day's leads by local hour. */
const RHYTHMS: Record<Traffic['rhythm'], number[]> = {
  office: [1, 0.6, 0.4, 0.4, 0.6, 1.4, 3, 5, 7, 8, 8.2, 7.8, 7.2, 7, 6.8, 6.4, 6, 5.4, 4.8, 4.2, 3.6, 2.8, 2, 1.4],
  evening: [2.6, 1.6, 1, 0.7, 0.7, 1, 1.8, 2.8, 3.6, 4.2, 4.6, 4.8, 5.2, 5, 4.8, 4.8, 5, 5.6, 6.6, 7.6, 8, 7.4, 6, 4.2],
  flat: [3, 2.4, 2, 1.8, 1.8, 2.2, 3, 3.8, 4.4, 4.8, 5, 5, 5, 5, 5, 4.8, 4.8, 5, 5.2, 5.4, 5.4, 5, 4.4, 3.8],
};

/** A consumer comes back within so many days. */
const COMES_BACK_WITHIN_MS = 12 * DAY_MS;

/** All arrivals of an organization, in order of time. */
export function planArrivals(world: WorldOrganization, span: TrafficSpan): Arrival[] {
  const all = world.publishers.flatMap((publisher) => publisher.tiers.flatMap((tier) => tierArrivals(world, tier, span)));
  all.sort((a, b) => a.at - b.at);
  return sendAgain(all);
}

function tierArrivals(world: WorldOrganization, tier: WorldPublisherTier, span: TrafficSpan): Arrival[] {
  const place = world.campaigns.find((campaign) => campaign.slug === tier.campaign)!.place;
  const timeZone = place.startsWith('uk') ? 'Europe/London' : 'America/Chicago';
  const arrivals: Arrival[] = [];
  for (let hour = Math.floor(span.from / HOUR_MS) * HOUR_MS; hour < span.until; hour += HOUR_MS) {
    const random = randomOf(tier.slug, hour);
    const count = poisson(random, expectedAt(tier.traffic, timeZone, hour, span));
    for (let index = 0; index < count; index++) {
      const at = hour + Math.floor(random.next() * HOUR_MS);
      const seed = `${tier.slug} ${at} ${index}`;
      const invalid = random.chance(tier.traffic.invalid);
      const test = random.chance(0.002);
      const arrival = { organization: world.subDomain, tierSlug: tier.slug, place, traffic: tier.traffic, at, invalid, test };
      if (at >= span.from && at < span.until) arrivals.push({ ...arrival, consumerSeed: seed, visitSeed: seed });
    }
  }
  return arrivals;
}

function expectedAt(traffic: Traffic, timeZone: string, hour: number, span: TrafficSpan): number {
  const { weekday, minute } = localTimeAt(timeZone, hour);
  const rhythm = RHYTHMS[traffic.rhythm];
  const share = rhythm[Math.floor(minute / 60)]! / rhythm.reduce((sum, part) => sum + part, 0);
  const dayFactor = weekday >= 5 ? traffic.weekend : 1;
  const grown = (1 - (traffic.growth ?? 0)) ** ((span.until - hour) / DAY_MS);
  return traffic.perDay * span.scale * share * dayFactor * grown;
}

/** Some consumers try again, at the same publisher or elsewhere in the vertical: the later visit becomes one of the earlier person. */
function sendAgain(all: Arrival[]): Arrival[] {
  const byPlace = new Map<Place, Arrival[]>();
  return all.map((arrival) => {
    const before = byPlace.get(arrival.place) ?? [];
    byPlace.set(arrival.place, before);
    const random = randomOf('again', arrival.visitSeed);
    const earlier =
      before.length > 0 && random.chance(arrival.traffic.repeated)
        ? before[random.integer(Math.max(0, before.length - 400), before.length - 1)]
        : undefined;
    const comesBack = earlier && arrival.at - earlier.at < COMES_BACK_WITHIN_MS && !earlier.invalid;
    const visit = comesBack ? { ...arrival, consumerSeed: earlier.consumerSeed, invalid: false } : arrival;
    before.push(visit);
    return visit;
  });
}
