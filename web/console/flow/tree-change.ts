/** Changes of a tree as it is drawn: each gives a new tree, so that a draft can be compared and thrown away. */
import type { TreeGroup, TreeTier } from '#contract/tree.ts';

export type Tree = readonly TreeGroup[];

const without = (tree: Tree, tierId: string): TreeGroup[] =>
  tree.map((group) => ({ ...group, members: group.members.filter((member) => member.buyerTierId !== tierId) }));

/** Seats a tier in a group at a place; out of wherever it stood before. A place behind the end is the end. */
export function seatTier(tree: Tree, tierId: string, groupAt: number, place: number): TreeGroup[] {
  const old = tree.flatMap((group) => group.members).find((member) => member.buyerTierId === tierId);
  const member = old ?? { buyerTierId: tierId, weight: null };
  const before = tree[groupAt]?.members.findIndex((one) => one.buyerTierId === tierId) ?? -1;
  // Taking it out of the same group moves what stood behind it up by one.
  const target = before >= 0 && before < place ? place - 1 : place;
  return without(tree, tierId).map((group, at) =>
    at === groupAt ? { ...group, members: [...group.members.slice(0, target), member, ...group.members.slice(target)] } : group,
  );
}

export const unseatTier = (tree: Tree, tierId: string): TreeGroup[] => without(tree, tierId);

/** One place up or down; from the edge of a group into the next one. */
export function stepTier(tree: Tree, tierId: string, step: -1 | 1): TreeGroup[] {
  const groupAt = tree.findIndex((group) => group.members.some((member) => member.buyerTierId === tierId));
  const place = tree[groupAt]?.members.findIndex((member) => member.buyerTierId === tierId) ?? -1;
  if (groupAt < 0) return [...tree];
  const next = place + step;
  if (next >= 0 && next < tree[groupAt]!.members.length) return seatTier(tree, tierId, groupAt, step > 0 ? next + 1 : next);
  const neighbour = groupAt + step;
  if (!tree[neighbour]) return [...tree];
  return seatTier(tree, tierId, neighbour, step > 0 ? 0 : tree[neighbour].members.length);
}

export function moveGroup(tree: Tree, from: number, to: number): TreeGroup[] {
  const group = tree[from];
  if (!group || to < 0 || to >= tree.length) return [...tree];
  const rest = tree.filter((_, at) => at !== from);
  return [...rest.slice(0, to), group, ...rest.slice(to)];
}

export const setGroup = (tree: Tree, at: number, part: Partial<TreeGroup>): TreeGroup[] =>
  tree.map((group, index) => (index === at ? { ...group, ...part } : group));

export const setWeight = (tree: Tree, tierId: string, weight: number | null): TreeGroup[] =>
  tree.map((group) => ({
    ...group,
    members: group.members.map((member) => (member.buyerTierId === tierId ? { ...member, weight } : member)),
  }));

export function addGroup(tree: Tree): TreeGroup[] {
  const names = new Set(tree.map((group) => group.name.toLowerCase()));
  let number = tree.length + 1;
  while (names.has(`group ${number}`)) number += 1;
  return [...tree, { _id: null, name: `Group ${number}`, mode: 'priority', timeLimitMs: null, members: [] }];
}

export const removeGroup = (tree: Tree, at: number): TreeGroup[] => tree.filter((_, index) => index !== at);

export const isSame = (a: Tree, b: Tree): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What a draft would change, in sentences: read before publishing. */
export function compareTrees(live: Tree, draft: Tree, nameOf: (tierId: string) => string): string[] {
  const seats = (tree: Tree) =>
    new Map(
      tree.flatMap((group) => group.members.map((member, place) => [member.buyerTierId, { group, place, weight: member.weight }] as const)),
    );
  const [was, is] = [seats(live), seats(draft)];
  const groupKey = (group: TreeGroup) => group._id ?? group.name;
  const liveGroups = new Map(live.map((group) => [groupKey(group), group]));
  const lines: string[] = [];
  for (const group of draft) {
    const old = liveGroups.get(groupKey(group));
    if (!old) lines.push(`${sayGroup(group)} is new${group.members.length === 0 ? ', and empty: it asks nobody' : ''}.`);
    else {
      if (old.name !== group.name) lines.push(`${sayGroup(old)} is now called ${group.name}.`);
      if (old.mode !== group.mode) lines.push(`${sayGroup(group)} goes from ${modeWord[old.mode]} to ${modeWord[group.mode]}.`);
      if (old.timeLimitMs !== group.timeLimitMs)
        lines.push(`${sayGroup(group)} has ${sayLimit(group.timeLimitMs)} instead of ${sayLimit(old.timeLimitMs)}.`);
    }
  }
  const kept = new Set(draft.map(groupKey));
  for (const group of live) if (!kept.has(groupKey(group))) lines.push(`${sayGroup(group)} goes.`);
  const order = (tree: Tree) => tree.map(groupKey).filter((key) => liveGroups.has(key) && kept.has(key));
  if (order(live).join() !== order(draft).join()) lines.push('The groups stand in another order.');
  for (const [id, seat] of is) {
    const old = was.get(id);
    if (!old) lines.push(`${nameOf(id)} joins ${seat.group.name}, place ${seat.place + 1}.`);
    else if (groupKey(old.group) !== groupKey(seat.group)) lines.push(`${nameOf(id)} moves from ${old.group.name} to ${seat.group.name}.`);
    else if (old.place !== seat.place)
      lines.push(`${nameOf(id)} goes from place ${old.place + 1} to ${seat.place + 1} in ${seat.group.name}.`);
    if (old && old.weight !== seat.weight) lines.push(`${nameOf(id)} weighs ${seat.weight ?? 1} instead of ${old.weight ?? 1}.`);
  }
  for (const id of was.keys()) if (!is.has(id)) lines.push(`${nameOf(id)} leaves the tree.`);
  return lines;
}

export const nameTier = (tier: TreeTier | undefined): string => (tier ? `${tier.buyerName}, ${tier.name}` : 'A tier that is gone');

/** 'Group Main', and 'Group 2' as it is. */
const sayGroup = ({ name }: TreeGroup): string => (/^group\b/i.test(name) ? name : `Group ${name}`);

const sayLimit = (ms: number | null): string => (ms === null ? 'no time limit of its own' : `${ms} ms`);

export const modeWord: Record<TreeGroup['mode'], string> = {
  priority: 'priority',
  highestPrice: 'highest price',
  auction: 'auction',
  roundRobin: 'round robin',
  weighted: 'weighted',
};
