/** Who buys from Acme Leads, and how: seven buyers, eighteen tiers. */
import { daysAgo, nextHoliday } from './holidays.ts';
import { bid, cap, fixed, hours, money, moneyCap, type WorldBuyer } from './world.ts';

const NEW_YORK = 'America/New_York';
const CHICAGO = 'America/Chicago';
const DENVER = 'America/Denver';
const LOS_ANGELES = 'America/Los_Angeles';

/** States that these lenders have no licence for. */
const NOT_LICENSED = ['NY', 'CT', 'VT', 'AR', 'GA', 'WV', 'NJ', 'MA'];

export function acmeBuyers(now: number): WorldBuyer[] {
  return [northgate(), summitRidge(now), bluewater(), harbor(now), keystone(), meridian(), cedar(now)];
}

function northgate(): WorldBuyer {
  return {
    slug: 'northgate',
    name: 'Northgate Lending',
    caps: [moneyCap('day', '2500.00', CHICAGO)],
    tiers: [
      {
        slug: 'northgate-exclusive',
        name: 'Northgate Exclusive bid',
        place: 'us/payday',
        character: 'bidder',
        speaks: 'bearer',
        delivery: 'pingPost',
        price: bid(),
        floor: money('32.00'),
        postPriceRule: 'takeAndFlag',
        qualityFactor: 1.1,
        filter: {
          all: [
            { field: 'monthly_income', is: 'atLeast', value: 2400 },
            { field: 'direct_deposit', is: 'equal', value: true },
          ],
        },
        caps: [cap('sold', 'day', 18, CHICAGO), cap('sent', 'hour', 120, CHICAGO)],
        duplicate: { fields: ['email', 'phone'], match: 'any', windowDays: 3, counts: 'received' },
        timeLimitMs: 1_200,
      },
      {
        slug: 'northgate-basic',
        name: 'Northgate $12',
        place: 'us/payday',
        character: 'flaky',
        delivery: 'post',
        price: fixed('12.00'),
        filter: { field: 'monthly_income', is: 'atLeast', value: 2600 },
        caps: [cap('sent', 'day', 90, CHICAGO)],
        duplicate: { fields: ['email'], match: 'all', windowDays: 14, counts: 'sold' },
        timeLimitMs: 2_500,
        breaker: { failurePercent: 60, minimumCalls: 10, lookBackMinutes: 15, pauseMinutes: 5 },
      },
    ],
  };
}

function summitRidge(now: number): WorldBuyer {
  return {
    slug: 'summit-ridge',
    name: 'Summit Ridge Credit',
    caps: [cap('sold', 'week', 240, DENVER)],
    tiers: [
      {
        slug: 'summit-xml',
        name: 'Summit XML bid',
        place: 'us/payday',
        character: 'xmlOnly',
        delivery: 'pingPost',
        price: bid('30.00'),
        qualityFactor: 0.95,
        filter: {
          all: [
            { field: 'state', is: 'notIn', value: NOT_LICENSED },
            { field: 'monthly_income', is: 'atLeast', value: 1800 },
          ],
        },
        hours: hours(DENVER, '06:00-21:00', '08:00-18:00', 'closed'),
        pauseDates: { timeZone: DENVER, days: [daysAgo(9, DENVER, now, 'Moving to a new data centre'), nextHoliday('us', DENVER, now)] },
        caps: [cap('sold', 'hour', 2, DENVER)],
        timeLimitMs: 1_000,
      },
      {
        slug: 'summit-form',
        name: 'Summit form, from $33',
        place: 'us/payday',
        character: 'formAnswer',
        speaks: 'basic',
        delivery: 'post',
        price: bid('33.00'),
        postPriceRule: 'take',
        filter: {
          any: [
            { field: 'monthly_income', is: 'atLeast', value: 2600 },
            { field: 'months_employed', is: 'atLeast', value: 24 },
          ],
        },
        duplicate: { fields: ['email', 'date_of_birth'], match: 'all', windowDays: 30, counts: 'received' },
        caps: [moneyCap('day', '550.00', DENVER)],
        timeLimitMs: 2_000,
      },
    ],
  };
}

function bluewater(): WorldBuyer {
  return {
    slug: 'bluewater',
    name: 'Bluewater Finance',
    caps: [moneyCap('month', '60000.00', NEW_YORK)],
    tiers: [
      {
        slug: 'bluewater-150',
        name: 'Bluewater $150',
        place: 'us/payday',
        character: 'picky',
        delivery: 'post',
        price: fixed('150.00'),
        thirdParty: { service: 'acme-phones', timeLimitMs: 500, onFailure: 'refuse' },
        filter: {
          all: [
            { field: 'monthly_income', is: 'atLeast', value: 4800 },
            { field: 'months_employed', is: 'atLeast', value: 24 },
            { field: 'direct_deposit', is: 'equal', value: true },
            { field: 'account_type', is: 'equal', value: 'checking' },
            { not: { field: 'state', is: 'in', value: NOT_LICENSED } },
          ],
        },
        hours: hours(NEW_YORK, '08:00-22:00', '09:00-20:00', '10:00-18:00'),
        caps: [cap('sold', 'day', 6, NEW_YORK), cap('sold', 'week', 32, NEW_YORK)],
        duplicate: { fields: ['email', 'ssn'], match: 'any', windowDays: 60, counts: 'received' },
        timeLimitMs: 2_500,
      },
      {
        slug: 'bluewater-45',
        name: 'Bluewater $45',
        place: 'us/payday',
        character: 'slow',
        delivery: 'post',
        price: fixed('45.00'),
        filter: {
          all: [
            { field: 'monthly_income', is: 'atLeast', value: 2200 },
            { field: 'income_source', is: 'in', value: ['employment', 'pension'] },
          ],
        },
        caps: [cap('sold', 'day', 16, NEW_YORK)],
        duplicate: { fields: ['email'], match: 'all', windowDays: 30, counts: 'received' },
        timeLimitMs: 700,
      },
      {
        slug: 'bluewater-uk',
        name: 'Bluewater UK $38',
        place: 'uk/payday',
        character: 'generous',
        delivery: 'post',
        price: fixed('38.00'),
        filter: {
          all: [
            { field: 'monthly_income', is: 'atLeast', value: 1400 },
            { field: 'credit_search_consent', is: 'equal', value: true },
          ],
        },
        hours: hours('Europe/London', '07:00-22:00', '09:00-20:00', '09:00-20:00'),
        caps: [cap('sold', 'day', 12, 'Europe/London')],
        duplicate: { fields: ['email'], match: 'all', windowDays: 30, counts: 'sold' },
        timeLimitMs: 1_500,
      },
    ],
  };
}

function harbor(now: number): WorldBuyer {
  return {
    slug: 'harbor',
    name: 'Harbor Cash',
    tiers: [
      {
        slug: 'harbor-90',
        name: 'Harbor $90',
        place: 'us/payday',
        character: 'liar',
        delivery: 'post',
        price: fixed('90.00'),
        filter: {
          all: [
            { field: 'monthly_income', is: 'between', value: [3200, 9000] },
            { field: 'pay_frequency', is: 'notEqual', value: 'monthly' },
          ],
        },
        hours: hours(LOS_ANGELES, '05:00-20:00', '07:00-18:00', 'closed'),
        pauseDates: { timeZone: LOS_ANGELES, days: [nextHoliday('us', LOS_ANGELES, now)] },
        caps: [cap('sold', 'day', 12, LOS_ANGELES), moneyCap('week', '4500.00', LOS_ANGELES)],
        duplicate: { fields: ['email', 'phone'], match: 'any', windowDays: 5, counts: 'sold' },
        timeLimitMs: 1_500,
      },
      {
        slug: 'harbor-12',
        name: 'Harbor $12',
        place: 'us/payday',
        character: 'pipeAnswer',
        speaks: 'text',
        delivery: 'post',
        price: fixed('12.00'),
        filter: {
          all: [
            { field: 'monthly_income', is: 'atLeast', value: 2300 },
            { field: 'months_employed', is: 'atLeast', value: 6 },
            { field: 'account_type', is: 'equal', value: 'checking' },
          ],
        },
        caps: [cap('sold', 'month', 1200, LOS_ANGELES)],
        duplicate: { fields: ['email'], match: 'all', windowDays: 7, counts: 'received' },
        timeLimitMs: 1_500,
      },
      {
        slug: 'harbor-anytime',
        name: 'Harbor Anytime $2',
        place: 'us/payday',
        character: 'generous',
        delivery: 'post',
        price: fixed('2.00'),
        filter: {
          all: [
            { field: 'monthly_income', is: 'atLeast', value: 1800 },
            { field: 'direct_deposit', is: 'equal', value: true },
            { field: 'months_employed', is: 'atLeast', value: 12 },
          ],
        },
        timeLimitMs: 3_000,
      },
      {
        slug: 'harbor-uk',
        name: 'Harbor UK bid',
        place: 'uk/payday',
        character: 'bidder',
        delivery: 'pingPost',
        price: bid(),
        floor: money('28.00'),
        filter: { field: 'employment_status', is: 'notIn', value: ['benefits', 'retired'] },
        hours: hours('Europe/London', '08:00-20:00', '09:00-17:00', 'closed'),
        timeLimitMs: 1_200,
      },
    ],
  };
}

function keystone(): WorldBuyer {
  return {
    slug: 'keystone',
    name: 'Keystone Insurance Partners',
    tiers: [
      {
        slug: 'keystone-bid',
        name: 'Keystone bid',
        place: 'us/auto',
        character: 'bidder',
        delivery: 'pingPost',
        price: bid('9.00'),
        filter: {
          all: [
            { field: 'license_status', is: 'equal', value: 'active' },
            { field: 'accidents', is: 'atMost', value: 2 },
          ],
        },
        caps: [cap('sold', 'day', 32, NEW_YORK), moneyCap('month', '18000.00', NEW_YORK)],
        timeLimitMs: 1_000,
      },
      {
        slug: 'keystone-aged',
        name: 'Keystone Aged $6',
        place: 'us/auto',
        character: 'formAnswer',
        delivery: 'post',
        price: fixed('6.00'),
        filter: { field: 'license_status', is: 'in', value: ['active', 'expired'] },
        caps: [cap('sent', 'day', 70, NEW_YORK)],
        timeLimitMs: 1_500,
      },
    ],
  };
}

function meridian(): WorldBuyer {
  return {
    slug: 'meridian',
    name: 'Meridian Quotes',
    caps: [cap('sold', 'month', 1500, CHICAGO)],
    tiers: [
      {
        slug: 'meridian-live',
        name: 'Meridian Live transfer $28',
        place: 'us/auto',
        character: 'picky',
        delivery: 'post',
        price: fixed('28.00'),
        filter: {
          all: [
            { field: 'vehicle_year', is: 'atLeast', value: 2012 },
            { field: 'insured', is: 'equal', value: true },
            { field: 'months_insured', is: 'atLeast', value: 12 },
            { field: 'accidents', is: 'equal', value: 0 },
          ],
        },
        hours: hours(CHICAGO, '08:00-12:00, 13:00-19:00', '09:00-15:00', 'closed'),
        caps: [cap('sold', 'hour', 3, CHICAGO), cap('sold', 'day', 14, CHICAGO)],
        duplicate: { fields: ['phone', 'vehicle_make', 'vehicle_model'], match: 'all', windowDays: 30, counts: 'received' },
        timeLimitMs: 2_000,
      },
      {
        slug: 'meridian-shared',
        name: 'Meridian Shared bid',
        place: 'us/auto',
        character: 'xmlOnly',
        delivery: 'pingPost',
        price: bid(),
        floor: money('11.00'),
        qualityFactor: 1.05,
        postPriceRule: 'refuse',
        filter: { field: 'state', is: 'notIn', value: ['MI', 'NY', 'HI', 'AK'] },
        timeLimitMs: 1_200,
      },
    ],
  };
}

function cedar(now: number): WorldBuyer {
  return {
    slug: 'cedar',
    name: 'Cedar Mortgage',
    caps: [moneyCap('week', '6500.00', DENVER)],
    tiers: [
      {
        slug: 'cedar-60',
        name: 'Cedar Refinance $60',
        place: 'us/mortgage',
        character: 'slow',
        delivery: 'post',
        price: fixed('60.00'),
        filter: {
          all: [
            { field: 'credit_rating', is: 'in', value: ['excellent', 'good'] },
            { field: 'property_value', is: 'atLeast', value: 150000 },
            { field: 'loan_purpose', is: 'in', value: ['refinance', 'cash out', 'home equity'] },
          ],
        },
        hours: hours(DENVER, '07:00-20:00', '09:00-16:00', 'closed'),
        pauseDates: { timeZone: DENVER, days: [nextHoliday('us', DENVER, now)] },
        duplicate: { fields: ['email', 'zip'], match: 'all', windowDays: 90, counts: 'received' },
        caps: [cap('sold', 'overall', 100_000, DENVER)],
        timeLimitMs: 3_000,
        nearlyFull: true,
      },
      {
        slug: 'cedar-jumbo',
        name: 'Cedar Jumbo $110',
        place: 'us/mortgage',
        character: 'picky',
        status: 'paused',
        delivery: 'post',
        price: fixed('110.00'),
        filter: { field: 'loan_amount', is: 'moreThan', value: 750000 },
        caps: [cap('sold', 'overall', 500, DENVER)],
        timeLimitMs: 3_000,
      },
      {
        slug: 'cedar-aged',
        name: 'Cedar Shared $15',
        place: 'us/mortgage',
        character: 'generous',
        delivery: 'post',
        price: fixed('15.00'),
        filter: { field: 'property_value', is: 'atLeast', value: 80000 },
        caps: [cap('sold', 'day', 30, DENVER)],
        timeLimitMs: 2_000,
      },
    ],
  };
}
