/** Who sends leads: seven publishers, one of them the organization's own landers, thirteen publisher tiers, and how much comes through each. */
import { cap, fixed, hours, money, moneyCap, type WorldCard, type WorldLandingPage, type WorldPublisher } from './world.ts';

const NEW_YORK = 'America/New_York';
const LONDON = 'Europe/London';

/** The tier whose key stands in the curl that `npm start` prints: no duplicate window, no caps, open at all hours. */
export const DEMO_TIER = 'cashbridge-search';

/** The tier of the card that the demo world shows. */
const ADVISER_TIER = 'acme-cards';

export const acmeCards: WorldCard[] = [
  {
    tier: ADVISER_TIER,
    ...{ name: 'Dana Whitfield', title: 'Mortgage adviser', company: 'Acme Leads', design: 'modern' },
    ...{ email: 'dana.whitfield@acme.example', phone: '+1 614 555 0187', website: 'https://acme.example' },
    about: 'Refinancing and first homes in Ohio and everywhere else in the United States.',
    linkedin: 'https://www.linkedin.com/in/dana-whitfield-example',
    description:
      '<h2>What could your mortgage cost?</h2><p>Tell me about your home and the loan you have or want. I look for lenders that fit and call you back, usually the same day.</p>',
    consent: 'I agree that Acme Leads and its lenders may call, text and e-mail me about my request, also automatically.',
  },
];

export const acmeLandingPages: WorldLandingPage[] = [
  { tier: DEMO_TIER, name: 'Cash today', url: 'https://www.cashbridge.example/today', notes: 'From search adverts.' },
  { tier: 'leadriver-social', name: 'Bridge the month', url: 'https://go.leadriver.example/bridge', notes: 'Six steps, for phones.' },
  { tier: 'quotenest-compare', name: 'Compare car insurance', url: 'https://www.quotenest.example/auto', notes: '' },
];

export const acmePublishers: WorldPublisher[] = [
  {
    name: 'CashBridge Media',
    affiliateId: '1001',
    tiers: [
      {
        slug: DEMO_TIER,
        name: 'CashBridge Search',
        campaign: 'us-payday',
        subId: 'cb-search',
        priceModel: { kind: 'share', sharePercent: 80 },
        traffic: { perDay: 88, rhythm: 'evening', weekend: 0.8, quality: 0.75, invalid: 0.025, repeated: 0.04, growth: 0.004 },
      },
      {
        slug: 'cashbridge-email',
        name: 'CashBridge Email',
        campaign: 'us-payday',
        subId: 'cb-email',
        priceModel: { kind: 'minimum', price: money('5.00') },
        filter: { field: 'monthly_income', is: 'atLeast', value: 1000 },
        hours: hours(NEW_YORK, '06:00-23:00', '07:00-23:00', '07:00-23:00'),
        caps: [cap('sold', 'day', 40, NEW_YORK)],
        duplicate: { fields: ['email'], match: 'all', windowDays: 7, counts: 'received' },
        traffic: { perDay: 52, rhythm: 'office', weekend: 0.5, quality: 0.6, invalid: 0.03, repeated: 0.12 },
      },
      {
        slug: 'cashbridge-uk',
        name: 'CashBridge UK',
        campaign: 'acme-uk-payday',
        subId: 'cb-uk',
        priceModel: { kind: 'share', sharePercent: 75 },
        duplicate: { fields: ['email'], match: 'all', windowDays: 30, counts: 'sold' },
        traffic: { perDay: 28, rhythm: 'evening', weekend: 0.9, quality: 0.6, invalid: 0.04, repeated: 0.05 },
      },
    ],
  },
  {
    name: 'LeadRiver',
    affiliateId: '1002',
    tiers: [
      {
        slug: 'leadriver-social',
        name: 'LeadRiver Social',
        campaign: 'us-payday',
        subId: 'lr-social',
        replacedKey: true,
        priceModel: fixed('8.00'),
        filter: { not: { field: 'income_source', is: 'equal', value: 'benefits' } },
        caps: [moneyCap('day', '260.00', NEW_YORK), cap('sent', 'day', 75, NEW_YORK)],
        duplicate: { fields: ['email', 'ssn'], match: 'any', windowDays: 30, counts: 'received' },
        p2c: { service: 'acme-phones', timeLimitMs: 400, onFailure: 'pass' },
        traffic: {
          perDay: 58,
          rhythm: 'evening',
          weekend: 1.2,
          quality: 0.35,
          invalid: 0.11,
          repeated: 0.1,
          extra: ['fbclid', 'utm_campaign'],
        },
      },
      {
        slug: 'leadriver-ping',
        name: 'LeadRiver Ping and post',
        campaign: 'us-payday',
        subId: 'lr-pp',
        priceModel: { kind: 'share', sharePercent: 78 },
        terse: true,
        pingsPerMinute: 120,
        traffic: { perDay: 24, rhythm: 'flat', weekend: 0.9, quality: 0.65, invalid: 0.02, repeated: 0.02, pings: true, timeoutMs: 8_000 },
      },
      {
        slug: 'leadriver-native',
        name: 'LeadRiver Native ads',
        campaign: 'us-auto',
        subId: 'lr-native',
        priceModel: fixed('5.50'),
        caps: [cap('sold', 'week', 150, NEW_YORK)],
        duplicate: { fields: ['phone'], match: 'all', windowDays: 3, counts: 'received' },
        traffic: { perDay: 30, rhythm: 'evening', weekend: 1.1, quality: 0.4, invalid: 0.08, repeated: 0.06, extra: ['utm_campaign'] },
      },
    ],
  },
  {
    name: 'QuoteNest',
    affiliateId: '1003',
    tiers: [
      {
        slug: 'quotenest-compare',
        name: 'QuoteNest Compare',
        campaign: 'us-auto',
        subId: 'qn-compare',
        priceModel: { kind: 'share', sharePercent: 72 },
        duplicate: { fields: ['email', 'vehicle_make', 'vehicle_model'], match: 'all', windowDays: 14, counts: 'received' },
        traffic: { perDay: 54, rhythm: 'office', weekend: 0.7, quality: 0.75, invalid: 0.02, repeated: 0.05, growth: 0.008 },
      },
    ],
  },
  {
    name: 'HomePath Digital',
    affiliateId: '1004',
    tiers: [
      {
        slug: 'homepath-quiz',
        name: 'HomePath Refinance quiz',
        campaign: 'us-mortgage',
        subId: 'hp-quiz',
        priceModel: { kind: 'share', sharePercent: 70 },
        always200: true,
        caps: [cap('sold', 'month', 2000, NEW_YORK)],
        duplicate: { fields: ['email', 'address'], match: 'all', windowDays: 60, counts: 'received' },
        traffic: { perDay: 50, rhythm: 'office', weekend: 0.6, quality: 0.65, invalid: 0.04, repeated: 0.06, format: 'form' },
      },
    ],
  },
  {
    name: 'Acme Direct',
    affiliateId: '1000',
    tiers: [
      {
        slug: ADVISER_TIER,
        name: 'Adviser cards',
        campaign: 'us-mortgage',
        kind: 'lander',
        subId: 'cards',
        priceModel: fixed('0.00'),
        duplicate: { fields: ['email'], match: 'all', windowDays: 30, counts: 'received' },
        traffic: { perDay: 7, rhythm: 'office', weekend: 0.4, quality: 0.75, invalid: 0, repeated: 0.03 },
      },
    ],
  },
];

export const brightsidePublishers: WorldPublisher[] = [
  {
    name: 'Thistle Media',
    affiliateId: '2001',
    tiers: [
      {
        slug: 'thistle-compare',
        name: 'Thistle Compare',
        campaign: 'uk-payday',
        subId: 'th-compare',
        priceModel: { kind: 'share', sharePercent: 76 },
        duplicate: { fields: ['email'], match: 'all', windowDays: 14, counts: 'sold' },
        traffic: { perDay: 46, rhythm: 'evening', weekend: 0.9, quality: 0.65, invalid: 0.03, repeated: 0.05 },
      },
      {
        slug: 'thistle-guides',
        name: 'Thistle Mortgage guides',
        campaign: 'uk-mortgage',
        subId: 'th-guides',
        priceModel: { kind: 'share', sharePercent: 68 },
        duplicate: { fields: ['email'], match: 'all', windowDays: 90, counts: 'received' },
        traffic: { perDay: 28, rhythm: 'office', weekend: 0.6, quality: 0.7, invalid: 0.02, repeated: 0.04 },
      },
    ],
  },
  {
    name: 'Pound Street',
    affiliateId: '2002',
    tiers: [
      {
        slug: 'poundstreet-sms',
        name: 'Pound Street SMS',
        campaign: 'uk-payday',
        subId: 'ps-sms',
        priceModel: { kind: 'minimum', price: money('3.00') },
        hours: hours(LONDON, '07:00-22:30', '08:00-22:30', '09:00-22:00'),
        caps: [cap('sent', 'hour', 25, LONDON)],
        duplicate: { fields: ['email', 'phone'], match: 'any', windowDays: 2, counts: 'received' },
        traffic: { perDay: 34, rhythm: 'flat', weekend: 1, quality: 0.4, invalid: 0.09, repeated: 0.09, extra: ['keyword'] },
      },
      {
        slug: 'poundstreet-alert',
        name: 'Pound Street Remortgage alert',
        campaign: 'uk-mortgage',
        subId: 'ps-alert',
        priceModel: fixed('12.00'),
        filter: { field: 'mortgage_type', is: 'in', value: ['remortgage', 'buy to let', 'home mover'] },
        traffic: { perDay: 16, rhythm: 'office', weekend: 0.5, quality: 0.55, invalid: 0.05, repeated: 0.03 },
      },
    ],
  },
];
