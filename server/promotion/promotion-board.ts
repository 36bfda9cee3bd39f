/** What is worth knowing of a vertical's promotions together: which of them meet at one seat, and which can add nothing. Pure. */
import type { PromotionBoard } from '#contract/promotion.ts';
import type { PromotionConfig } from '#engine/plan.ts';
import { isFor, narrowestFirst } from '#engine/promotion.ts';
import { instantOfLocal, parseLocalDate } from '#engine/zone.ts';

type Seat = PromotionBoard['targets']['publisherTiers'][number];

const SEATS_NAMED = 3;

/** Two promotions that are not over by `now` and share days and a seat; the narrower pays, as in the engine. */
export function findOverlaps(promotions: PromotionConfig[], seats: Seat[], now: number): PromotionBoard['overlaps'] {
  const living = promotions.filter((one) => one.status === 'active' && spanOf(one).endsAt > now).sort(narrowestFirst);
  return living.flatMap((pays, at) =>
    living.slice(at + 1).flatMap((waits) => {
      const shared = seats.filter((seat) => isForSeat(pays, seat) && isForSeat(waits, seat));
      return shared.length > 0 && meet(pays, waits) ? [{ pays: nameOf(pays), waits: nameOf(waits), ...tellSeats(shared) }] : [];
    }),
  );
}

/** A minimum price pays the publisher all that the margin leaves: a rise finds no room there unless it may go below the margin. */
export function findIdle(promotions: PromotionConfig[], seats: Seat[], now: number): PromotionBoard['idle'] {
  const careful = promotions.filter((one) => one.status === 'active' && !one.belowMargin && spanOf(one).endsAt > now);
  return careful.flatMap((promotion) => {
    const idle = seats.filter((seat) => seat.priceKind === 'minimum' && isForSeat(promotion, seat));
    return idle.length > 0 ? [{ promotion: nameOf(promotion), ...tellSeats(idle) }] : [];
  });
}

const isForSeat = ({ target }: PromotionConfig, { _id: id, ...seat }: Seat): boolean => isFor(target, { id, ...seat });

/** Each in the days of its own zone; hours are not looked at. */
function meet(a: PromotionConfig, b: PromotionConfig): boolean {
  const [first, second] = [spanOf(a), spanOf(b)];
  return first.beginsAt < second.endsAt && second.beginsAt < first.endsAt;
}

function spanOf({ from, to, timeZone }: PromotionConfig): { beginsAt: number; endsAt: number } {
  const [first, last] = [parseLocalDate(from) ?? 0, to === undefined ? undefined : parseLocalDate(to)];
  return {
    beginsAt: instantOfLocal(timeZone, first, 0),
    endsAt: last === undefined ? Number.POSITIVE_INFINITY : instantOfLocal(timeZone, last + 1, 0),
  };
}

const nameOf = ({ id, name }: PromotionConfig) => ({ _id: id, name });
const tellSeats = (seats: Seat[]) => ({
  seats: seats.slice(0, SEATS_NAMED).map(({ publisherName, name }) => `${publisherName}, ${name}`),
  seatCount: seats.length,
});
