/** Tests that have run since the first day: of a campaign that was new then, so that nothing was planned from a month before. */
import type { Transaction } from 'kysely';
import type { TreeGroup } from '#contract/tree.ts';
import type { Database } from '#db/types.ts';
import { newId } from '#server/kit/ids.ts';
import type { InsertedOrganization } from './insert-world.ts';
import type { WorldGroup } from './world/world.ts';

export async function insertAbTests(tx: Transaction<Database>, inserted: InsertedOrganization, startedAt: Date): Promise<void> {
  const organization_id = inserted.id;
  for (const { campaign, variants, startedBy, ...test } of inserted.world.abTests ?? []) {
    const ab_test_id = newId();
    const started = { status: 'running', started_at: startedAt, started_by: startedBy, effect_scale: '1' };
    await tx
      .insertInto('ab_test')
      .values({ organization_id, id: ab_test_id, campaign_id: inserted.campaigns.get(campaign)!, ...test, ...started })
      .execute();
    const rows = variants.map(({ name, sharePercent, tree }, position) => ({
      ...{ organization_id, id: newId(), ab_test_id, position, name, share_percent: sharePercent },
      ...(tree && { groups: JSON.stringify(tree.map((group) => treeGroup(inserted, group))), groups_from: 'A draft' }),
    }));
    await tx.insertInto('ab_variant').values(rows).execute();
  }
}

function treeGroup({ buyerTiers }: InsertedOrganization, { name, mode, timeLimitMs, members }: WorldGroup): TreeGroup {
  const seated = members.map(({ tier, weight }) => ({ buyerTierId: buyerTiers.get(tier)!, weight: weight ?? null }));
  return { _id: newId(), name, mode, timeLimitMs: timeLimitMs ?? null, members: seated };
}
