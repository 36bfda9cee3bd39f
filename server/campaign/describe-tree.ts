/** A tree in words, for who reads the change log: what changed is found group by group. */
import type { TreeGroup } from '#contract/tree.ts';
import type { Tx } from '#server/record/record-model.ts';
import { listTierNames } from './tree.sql.ts';

/** 'Group 2' -> 'Bids, auction, 300 ms: Harbour, Night; Beacon, Main (weight 2)'. */
export type TreeWords = Record<string, string>;

export async function describeTrees<Names extends string>(
  tx: Tx,
  organizationId: string,
  trees: Record<Names, readonly TreeGroup[]>,
): Promise<Record<Names, TreeWords>> {
  const all = Object.entries(trees) as [Names, readonly TreeGroup[]][];
  const ids = all.flatMap(([, groups]) => groups.flatMap(({ members }) => members.map(({ buyerTierId }) => buyerTierId)));
  const names = await listTierNames(tx, organizationId, ids);
  return Object.fromEntries(all.map(([name, groups]) => [name, describeTree(groups, names)])) as Record<Names, TreeWords>;
}

function describeTree(groups: readonly TreeGroup[], names: ReadonlyMap<string, string>): TreeWords {
  return Object.fromEntries(groups.map((group, at) => [`Group ${at + 1}`, describeGroup(group, names)]));
}

function describeGroup({ name, mode, timeLimitMs, members }: TreeGroup, names: ReadonlyMap<string, string>): string {
  const head = [name, MODES[mode] ?? mode, timeLimitMs !== null && `${timeLimitMs} ms`].filter(Boolean).join(', ');
  const tiers = members.map(
    ({ buyerTierId, weight }) => `${names.get(buyerTierId) ?? buyerTierId}${weight === null ? '' : ` (weight ${weight})`}`,
  );
  return `${head}: ${tiers.join('; ') || 'nobody'}`;
}

const MODES: Partial<Record<string, string>> = {
  ...{ priority: 'priority', highestPrice: 'highest price', auction: 'auction', roundRobin: 'round robin', weighted: 'weighted' },
};
