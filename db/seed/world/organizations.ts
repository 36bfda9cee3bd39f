/** The two organizations of the demo world, put together. */
import { acmeBuyers } from './acme-buyers.ts';
import { autoUs } from './auto.ts';
import { brightsideBuyers } from './brightside-buyers.ts';
import { acmeAbTests, acmeCampaigns, brightsideCampaigns } from './campaigns.ts';
import { mortgageUk, mortgageUs } from './mortgage.ts';
import { paydayUk, paydayUs } from './payday.ts';
import { acmeCards, acmeLandingPages, acmePublishers, brightsidePublishers } from './publishers.ts';
import type { WorldOrganization } from './world.ts';

/** `now` decides which holiday is the next. */
export function describeWorld(now: number): WorldOrganization[] {
  return [
    {
      name: 'Acme Leads',
      subDomain: 'acme',
      timeZone: 'America/New_York',
      currency: 'USD',
      regions: [
        { slug: 'us', name: 'United States', verticals: [paydayUs, autoUs, mortgageUs] },
        { slug: 'uk', name: 'United Kingdom', verticals: [paydayUk] },
      ],
      services: [
        {
          slug: 'acme-phones',
          name: 'Phone check',
          place: 'us/payday',
          simulated: 'phoneCheck',
          notes: 'Says whether a number can be called. Contract until June, 0.004 per question.',
        },
      ],
      publishers: acmePublishers,
      cards: acmeCards,
      landingPages: acmeLandingPages,
      abTests: acmeAbTests,
      processors: [{ place: 'us/payday', name: 'Cardwell', notes: 'Takes the fee of the membership that comes with a loan.' }],
      buyers: acmeBuyers(now),
      campaigns: acmeCampaigns,
    },
    {
      name: 'Brightside Media',
      subDomain: 'brightside',
      timeZone: 'Europe/London',
      currency: 'GBP',
      regions: [{ slug: 'uk', name: 'United Kingdom', verticals: [paydayUk, mortgageUk] }],
      publishers: brightsidePublishers,
      buyers: brightsideBuyers(now),
      campaigns: brightsideCampaigns,
    },
  ];
}
