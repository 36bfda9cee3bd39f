/** Landers that are shown and take nothing: whoever opens one is told so, and nobody else would be. */
import type { Warning } from '#contract/warning.ts';
import { whyClosed } from '#server/card/lander.view.ts';
import type { Db } from '#server/kit/database.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { WarningScope } from './watched.ts';

/** Of one campaign only the landers of its tiers; of a vertical all of its own. */
export async function listClosedLanders(
  db: Db,
  organization: OrganizationPlan,
  { verticalId, campaign }: WarningScope,
): Promise<Warning[]> {
  const rows = await db
    .selectFrom('card')
    .select(['id', 'name', 'publisher_tier_id'])
    .where('organization_id', '=', organization.organizationId)
    .where('vertical_id', '=', verticalId)
    .where('status', '=', 'active')
    .where('has_lander', '=', true)
    .orderBy('name')
    .execute();
  return rows.flatMap(({ id, name, publisher_tier_id: publisherTierId }): Warning[] => {
    const seat = publisherTierId === null ? undefined : organization.publisherSeats.get(publisherTierId);
    if (campaign && seat?.campaignId !== campaign.id) return [];
    const why = whyClosed(organization, { publisherTierId, verticalId });
    if (why === undefined) return [];
    const text = `The lander of card ${name} takes no requests: ${why}.`;
    return [{ kind: 'landerClosed', subjectId: id, tierIds: seat ? [seat.id] : [], mark: 'Lander closed', text }];
  });
}
