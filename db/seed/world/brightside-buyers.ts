/** Who buys from Brightside Media: three buyers, seven tiers. */
import { daysAgo, nextHoliday } from './holidays.ts';
import { bid, cap, fixed, hours, money, moneyCap, type WorldBuyer } from './world.ts';

const LONDON = 'Europe/London';
const DUBLIN = 'Europe/Dublin';

export function brightsideBuyers(now: number): WorldBuyer[] {
  return [albion(), kingsway(now), pennine(now)];
}

function albion(): WorldBuyer {
  return {
    slug: 'albion',
    name: 'Albion Credit',
    caps: [moneyCap('day', '1200.00', LONDON)],
    tiers: [
      {
        slug: 'albion-bid',
        name: 'Albion bid',
        place: 'uk/payday',
        character: 'bidder',
        speaks: 'bearer',
        delivery: 'pingPost',
        price: bid(),
        floor: money('30.00'),
        filter: {
          all: [
            { field: 'monthly_income', is: 'atLeast', value: 1500 },
            { field: 'employment_status', is: 'in', value: ['full time', 'self employed'] },
          ],
        },
        hours: hours(LONDON, '07:00-23:00', '08:00-22:00', '09:00-21:00'),
        caps: [cap('sold', 'day', 18, LONDON)],
        duplicate: { fields: ['email'], match: 'all', windowDays: 28, counts: 'received' },
        timeLimitMs: 1_200,
      },
      {
        slug: 'albion-20',
        name: 'Albion £20',
        place: 'uk/payday',
        character: 'flaky',
        delivery: 'post',
        price: fixed('20.00'),
        filter: { field: 'monthly_income', is: 'atLeast', value: 1100 },
        caps: [cap('sent', 'hour', 12, LONDON)],
        timeLimitMs: 2_500,
      },
      {
        slug: 'albion-homes',
        name: 'Albion Homes £25',
        place: 'uk/mortgage',
        character: 'generous',
        delivery: 'post',
        price: fixed('25.00'),
        filter: { field: 'credit_rating', is: 'notEqual', value: 'poor' },
        caps: [cap('sold', 'week', 70, LONDON)],
        timeLimitMs: 2_000,
      },
    ],
  };
}

function kingsway(now: number): WorldBuyer {
  return {
    slug: 'kingsway',
    name: 'Kingsway Loans',
    tiers: [
      {
        slug: 'kingsway-xml',
        name: 'Kingsway XML bid',
        place: 'uk/payday',
        character: 'xmlOnly',
        delivery: 'pingPost',
        price: bid('25.00'),
        qualityFactor: 1.05,
        filter: { field: 'state', is: 'notEqual', value: 'NIR' },
        hours: hours(DUBLIN, '08:00-20:00', '09:00-17:00', 'closed'),
        pauseDates: { timeZone: DUBLIN, days: [daysAgo(5, DUBLIN, now, 'Stock-taking'), nextHoliday('uk', DUBLIN, now)] },
        timeLimitMs: 1_000,
      },
      {
        slug: 'kingsway-8',
        name: 'Kingsway £8',
        place: 'uk/payday',
        character: 'pipeAnswer',
        delivery: 'post',
        price: fixed('8.00'),
        caps: [cap('sold', 'overall', 5000, DUBLIN)],
        duplicate: { fields: ['email', 'phone'], match: 'any', windowDays: 1, counts: 'sold' },
        timeLimitMs: 1_500,
      },
    ],
  };
}

function pennine(now: number): WorldBuyer {
  return {
    slug: 'pennine',
    name: 'Pennine Mortgages',
    caps: [cap('sold', 'month', 400, LONDON)],
    tiers: [
      {
        slug: 'pennine-60',
        name: 'Pennine Adviser £60',
        place: 'uk/mortgage',
        character: 'picky',
        delivery: 'post',
        price: fixed('60.00'),
        filter: {
          all: [
            { field: 'loan_amount', is: 'between', value: [100000, 1500000] },
            { field: 'household_income', is: 'atLeast', value: 35000 },
          ],
        },
        hours: hours(LONDON, '08:30-18:30', '09:00-13:00', 'closed'),
        pauseDates: { timeZone: LONDON, days: [nextHoliday('uk', LONDON, now)] },
        caps: [cap('sold', 'day', 10, LONDON)],
        duplicate: { fields: ['email'], match: 'all', windowDays: 90, counts: 'received' },
        timeLimitMs: 3_000,
        afterTimeout: 'hold',
      },
      {
        slug: 'pennine-shared',
        name: 'Pennine Shared, from £38',
        place: 'uk/mortgage',
        character: 'flaky',
        delivery: 'post',
        price: bid('38.00'),
        filter: {
          all: [
            { field: 'mortgage_type', is: 'in', value: ['remortgage', 'buy to let'] },
            { field: 'loan_amount', is: 'moreThan', value: 220000 },
          ],
        },
        timeLimitMs: 2_000,
        afterTimeout: 'hold',
      },
    ],
  };
}
