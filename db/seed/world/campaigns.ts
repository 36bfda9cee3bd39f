/** The campaigns and their ping trees; each of the five modes stands somewhere, and one tree has them all. */
import { money, type WorldAbTest, type WorldCampaign } from './world.ts';

const TEST_EMAILS = {
  field: 'email',
  sold: 'sold@example.com',
  rejected: 'rejected@example.com',
  timeout: 'timeout@example.com',
  error: 'error@example.com',
};
const TEST_PHONES = { field: 'phone', sold: '+12025550101', rejected: '+12025550102', timeout: '+12025550103', error: '+12025550104' };

export const acmeCampaigns: WorldCampaign[] = [
  {
    slug: 'us-payday',
    name: 'US Payday Core',
    place: 'us/payday',
    margin: { kind: 'percent', percent: 15 },
    timeLimitMs: 25_000,
    testValues: TEST_EMAILS,
    tree: [
      { name: 'Premium, fixed', mode: 'highestPrice', timeLimitMs: 6_000, members: [{ tier: 'harbor-90' }, { tier: 'bluewater-150' }] },
      { name: 'Bids', mode: 'auction', timeLimitMs: 1_500, members: [{ tier: 'northgate-exclusive' }, { tier: 'summit-xml' }] },
      { name: 'Middle, by turns', mode: 'roundRobin', members: [{ tier: 'bluewater-45' }, { tier: 'summit-form' }] },
      {
        name: 'Low, 70 to 30',
        mode: 'weighted',
        members: [
          { tier: 'harbor-12', weight: 70 },
          { tier: 'northgate-basic', weight: 30 },
        ],
      },
      { name: 'Last resort', mode: 'priority', members: [{ tier: 'harbor-anytime' }] },
    ],
  },
  {
    slug: 'us-auto',
    name: 'US Auto Quotes',
    place: 'us/auto',
    margin: { kind: 'percent', percent: 20 },
    floor: money('5.00'),
    maxSales: 2,
    timeLimitMs: 15_000,
    testValues: TEST_PHONES,
    tree: [
      { name: 'Live transfers', mode: 'priority', members: [{ tier: 'meridian-live' }] },
      { name: 'Shared bids', mode: 'auction', timeLimitMs: 1_500, members: [{ tier: 'keystone-bid' }, { tier: 'meridian-shared' }] },
      { name: 'Aged', mode: 'priority', members: [{ tier: 'keystone-aged' }] },
    ],
  },
  {
    slug: 'us-mortgage',
    name: 'US Refinance',
    place: 'us/mortgage',
    margin: { kind: 'fixed', amount: money('3.00') },
    timeLimitMs: 20_000,
    testValues: TEST_EMAILS,
    tree: [
      { name: 'Exclusive', mode: 'priority', members: [{ tier: 'cedar-jumbo' }, { tier: 'cedar-60' }] },
      { name: 'Shared', mode: 'highestPrice', members: [{ tier: 'cedar-aged' }] },
    ],
  },
  {
    slug: 'acme-uk-payday',
    name: 'UK Payday via Acme',
    place: 'uk/payday',
    margin: { kind: 'percent', percent: 15 },
    timeLimitMs: 12_000,
    testValues: TEST_EMAILS,
    tree: [{ name: 'Best offer', mode: 'auction', timeLimitMs: 2_000, members: [{ tier: 'harbor-uk' }, { tier: 'bluewater-uk' }] }],
  },
];

/** Does it pay to ask for bids before a live transfer is tried? */
export const acmeAbTests: WorldAbTest[] = [
  {
    campaign: 'us-auto',
    name: 'Bids before live transfers',
    notes: 'Live transfers pay well and take long to answer. Bids first may sell more.',
    metric: 'revenue',
    startedBy: 'Dana Whitfield',
    variants: [
      { name: 'As it is', sharePercent: 50 },
      {
        name: 'Bids first',
        sharePercent: 50,
        tree: [
          { name: 'Shared bids', mode: 'auction', timeLimitMs: 1_500, members: [{ tier: 'keystone-bid' }, { tier: 'meridian-shared' }] },
          { name: 'Live transfers', mode: 'priority', members: [{ tier: 'meridian-live' }] },
          { name: 'Aged', mode: 'priority', members: [{ tier: 'keystone-aged' }] },
        ],
      },
    ],
  },
];

export const brightsideCampaigns: WorldCampaign[] = [
  {
    slug: 'uk-payday',
    name: 'UK Short-term Credit',
    place: 'uk/payday',
    margin: { kind: 'percent', percent: 18 },
    timeLimitMs: 18_000,
    testValues: TEST_EMAILS,
    tree: [
      { name: 'Bids', mode: 'auction', timeLimitMs: 1_500, members: [{ tier: 'albion-bid' }, { tier: 'kingsway-xml' }] },
      {
        name: 'Fixed, 60 to 40',
        mode: 'weighted',
        members: [
          { tier: 'albion-20', weight: 60 },
          { tier: 'kingsway-8', weight: 40 },
        ],
      },
    ],
  },
  {
    slug: 'uk-mortgage',
    name: 'UK Mortgage Advice',
    place: 'uk/mortgage',
    margin: { kind: 'fixed', amount: money('4.00') },
    floor: money('15.00'),
    timeLimitMs: 20_000,
    testValues: TEST_EMAILS,
    tree: [
      { name: 'Advisers', mode: 'priority', members: [{ tier: 'pennine-60' }] },
      { name: 'Brokers in turn', mode: 'roundRobin', members: [{ tier: 'albion-homes' }, { tier: 'pennine-shared' }] },
    ],
  },
];
