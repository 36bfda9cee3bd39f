/** Where a lead stands in its campaign's A/B test: the same consumer always in the same variant, on every node, for as long as the test runs. */
import type { VariantTaken } from '#engine/decision.ts';
import type { RouteLead } from '#engine/lead.ts';
import { BUCKETS, takeVariant } from '#engine/split.ts';
import { keyedHash } from '#server/kit/crypto.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { VariantTerms } from './intake.ts';

export interface Consumer {
  /** Keyed hash. */
  consumer: string;
  bucket: number;
}

/**
 * Whose lead it is, and the bucket of the consumer, by the vertical's primary field and the organization's key; another one in every test, so that two tests do not
 * share their luck. A lead without the field, such as a ping, falls by its own id, and its post goes by the ping's variant.
 */
export function consumerOf(
  organization: OrganizationPlan,
  publisherTierId: string,
  fields: Readonly<Record<string, string>>,
  ownId: string,
): Consumer | undefined {
  const seat = organization.plan.publisherTiers.get(publisherTierId);
  if (!seat?.split) return undefined;
  const value = fields[seat.campaign.vertical.config.primaryField];
  const consumer = keyedHash(
    organization.keys,
    'ab-test',
    JSON.stringify([seat.split.testId, value ? 'consumer' : 'lead', value || ownId]),
  );
  return { consumer, bucket: Number.parseInt(consumer.slice(0, 8), 16) % BUCKETS };
}

/** For whoever settles the lead: by then a test may be over, and prices others. */
export function variantTermsOf(
  organization: OrganizationPlan,
  publisherTierId: string,
  taken: VariantTaken | undefined,
): { variantTerms?: VariantTerms } {
  const seat = organization.plan.publisherTiers.get(publisherTierId);
  if (!seat) return {};
  const { campaign, config } = taken ? takeVariant(seat, { variantId: taken.variantId }).tier : seat;
  const { margin, floor } = campaign.config;
  return { variantTerms: { priceModel: config.priceModel, margin, ...(floor !== undefined && { floor }) } };
}

/** The group of a buyer tier in the tree that the lead is routed by. */
export function groupOfTier(
  organization: OrganizationPlan,
  publisherTierId: string,
  lead: RouteLead,
): (buyerTierId: string) => string | undefined {
  const seat = organization.plan.publisherTiers.get(publisherTierId);
  const campaign = seat && takeVariant(seat, lead).tier.campaign;
  const groups = new Map(campaign?.groups.flatMap(({ config, members }) => members.map(({ tier }) => [tier.config.id, config.id])));
  return (buyerTierId) => groups.get(buyerTierId);
}
