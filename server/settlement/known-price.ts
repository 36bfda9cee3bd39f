import { parseMoney } from '#engine/money.ts';
import type { Money } from '#engine/plan.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { OpenLead } from './settlement.sql.ts';

/** What the buyer would pay, as far as is known: what it named last, else what its tier pays for every lead. */
export function knownPrice(organization: OrganizationPlan, { buyer_tier_id, price }: OpenLead): Money | undefined {
  const named = price === null ? undefined : parseMoney(price);
  if (named !== undefined && named > 0) return named;
  const terms = organization.buyerTierConfigs.get(buyer_tier_id)?.price;
  return terms?.kind === 'fixed' ? terms.price : undefined;
}
