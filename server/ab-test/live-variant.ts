/** Variants that sell just as the live campaign does: a test of one finds nothing, and there is nothing of it to promote. */
import { isDeepStrictEqual } from 'node:util';
import type { TreeGroup } from '#contract/tree.ts';
import { listGroups } from '#server/campaign/tree.sql.ts';
import type { Tx } from '#server/record/record-model.ts';
import type { VariantRow } from './ab-test.sql.ts';

export async function findLiveVariants(
  tx: Tx,
  organizationId: string,
  campaignId: string,
  variants: readonly VariantRow[],
): Promise<Set<string>> {
  const { margin, floor } = await tx
    .selectFrom('campaign')
    .select(['margin', 'floor'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow();
  const tree = sellingPart(await listGroups(tx, organizationId, campaignId));
  const isLive = (variant: VariantRow) =>
    (variant.groups === null || isDeepStrictEqual(sellingPart(variant.groups as TreeGroup[]), tree)) &&
    (variant.margin === null || isDeepStrictEqual(variant.margin, margin)) &&
    (variant.floor === null || Number(variant.floor) === Number(floor ?? 0)) &&
    (variant.price_percent === null || Number(variant.price_percent) === 100);
  return new Set(variants.filter(isLive).map(({ id }) => id));
}

/** What a group is called, and by what id, sells nothing. */
const sellingPart = (groups: readonly TreeGroup[]) =>
  groups.map(({ mode, timeLimitMs, members }) => ({
    mode,
    timeLimitMs: timeLimitMs ?? null,
    members: members.map(({ buyerTierId, weight }) => ({ buyerTierId, weight: weight ?? null })),
  }));
