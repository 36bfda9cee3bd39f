/** Campaigns, buyers and tiers that leads of a vertical can be filtered by: out of the plan in memory, so that 10,000 of them cost no query. Variants and landing pages are few, and those that are over stand in no plan. */
import { CHOICES_AT_ONCE } from '#contract/choices.ts';
import type { LeadChoiceKind } from '#contract/lead.ts';
import type { CampaignPlan } from '#engine/compiled.ts';
import { listStartedVariants } from '#server/ab-test/ab-test.sql.ts';
import type { Db } from '#server/kit/database.ts';
import { listReportedPages } from '#server/landing-page/page-report.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';

interface Choice {
  _id: string;
  name: string;
}
interface Asked {
  of: LeadChoiceKind;
  q: string;
  id?: string | undefined;
}

/** The first of them by name, and how many there are in all. */
export async function findLeadChoices(own: Db, organization: OrganizationPlan, verticalId: string, { of, q, id }: Asked) {
  const wanted = q.trim().toLowerCase();
  const { organizationId } = organization;
  const all =
    of === 'variant'
      ? await listStartedVariants(own, organizationId, verticalId)
      : of === 'page'
        ? (await listReportedPages(own, { organizationId, verticalId }, {})).map((page) => ({ _id: page.id, name: page.name }))
        : listChoices(organization, verticalId, of);
  const found = all
    .filter((one) => (id === undefined ? one.name.toLowerCase().includes(wanted) : one._id === id))
    .map((one) => [one.name.toLowerCase(), one] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return { options: found.slice(0, CHOICES_AT_ONCE).map(([, one]) => one), total: found.length };
}

function listChoices(organization: OrganizationPlan, verticalId: string, of: Exclude<LeadChoiceKind, 'variant' | 'page'>): Choice[] {
  const campaigns = [...organization.plan.campaigns.values()].filter(({ config }) => config.verticalId === verticalId);
  switch (of) {
    case 'campaign':
      return campaigns.map(({ config }) => ({ _id: config.id, name: config.name }));
    case 'group':
      return campaigns.flatMap(({ config }) => config.groups.map(({ id, name }) => ({ _id: id, name: `${config.name}, ${name}` })));
    case 'publisher':
      return [
        ...new Map(
          seatsOf(organization, campaigns).map((seat) => [seat.publisherId, { _id: seat.publisherId, name: seat.publisherName }]),
        ).values(),
      ];
    case 'publisherTier':
      return seatsOf(organization, campaigns).map((seat) => ({ _id: seat.id, name: `${seat.publisherName}, ${seat.name}` }));
    case 'buyer':
      return [
        ...new Map(
          seatedTiers(organization, campaigns).map((tier) => [tier.buyerId, { _id: tier.buyerId, name: tier.buyerName }]),
        ).values(),
      ];
    case 'buyerTier':
      return seatedTiers(organization, campaigns).map(({ id, buyerName, name }) => ({ _id: id, name: `${buyerName}, ${name}` }));
  }
}

/** Publisher tiers of these campaigns. */
function seatsOf({ publisherSeats }: OrganizationPlan, campaigns: readonly CampaignPlan[]) {
  const ids = new Set(campaigns.map(({ config }) => config.id));
  return [...publisherSeats.values()].filter((seat) => ids.has(seat.campaignId));
}

/** Each tier that a tree seats, once. */
function seatedTiers({ buyerWires }: OrganizationPlan, campaigns: readonly CampaignPlan[]) {
  const seated = campaigns.flatMap(({ config }) => config.groups.flatMap((group) => group.members.map((one) => one.buyerTierId)));
  return [...new Set(seated)].flatMap((id) => buyerWires.get(id) ?? []);
}
