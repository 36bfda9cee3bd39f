import { useCallback, useEffect, useState } from 'react';
import type { TreeAnswer, TreeGroup, TreeTier } from '#contract/tree.ts';
import { useFormDraft } from '../set-up/use-form-draft.ts';
import { isSame } from './tree-change.ts';

/** What a drawing began from: the draft, or the live tree where there is none, and the state it was read in. */
interface Begun {
  groups: TreeGroup[];
  state: string;
}
export const begunFrom = ({ draft, live, state }: TreeAnswer): Begun => ({ groups: draft?.groups ?? live, state });

/**
 * The tree as it is drawn in this tab. What was not saved yet outlives the page; what somebody else changed meanwhile is taken over while
 * nothing was drawn here, and otherwise told as `moved` and left to the person.
 */
export function useTreeDraft(read: TreeAnswer) {
  const { draft: kept, keep, drop } = useFormDraft(`tree ${read.campaign._id}`);
  const drawn = kept?.values as { tree: TreeGroup[]; begun: Begun; picked: TreeTier[] } | undefined;
  const [answer, setAnswer] = useState(read);
  const [begun, setBegun] = useState(drawn?.begun ?? begunFrom(read));
  const [tree, setTree] = useState(drawn?.tree ?? begun.groups);
  // The answer knows the tiers of the live tree and the draft: those that were seated here, or stood there before, are known from then.
  const [met, setMet] = useState(() => byId([...(drawn?.picked ?? []), ...read.buyerTiers]));
  const meet = useCallback((tiers: readonly TreeTier[]) => setMet((known) => new Map([...known, ...byId(tiers)])), []);
  const isChanged = !isSame(tree, begun.groups);
  const isMoved = answer.state !== begun.state;
  useEffect(() => {
    setAnswer(read);
    meet(read.buyerTiers);
  }, [read, meet]);
  const begin = useCallback((next: TreeAnswer) => {
    setBegun(begunFrom(next));
    setTree(begunFrom(next).groups);
  }, []);
  useEffect(() => {
    if (isMoved && !isChanged) begin(answer);
  }, [answer, isMoved, isChanged, begin]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: written when what is drawn is another, not when the writers are
  useEffect(() => {
    if (isChanged) keep({ tree, begun, picked: tiersOf(tree, met) }, undefined);
    else drop();
  }, [tree, begun, isChanged]);
  return {
    answer,
    begun,
    tree,
    isChanged,
    moved: isMoved && isChanged,
    draw: setTree,
    /** A buyer tier as it was last told; undefined for one that is gone. */
    tierOf: (id: string) => met.get(id),
    meet,
    /** The answer to a change of one's own, or theirs in place of what was drawn. */
    take: (next: TreeAnswer) => {
      setAnswer(next);
      meet(next.buyerTiers);
      begin(next);
    },
    /** What was drawn stays, on top of what others did meanwhile. */
    keepMine: () => setBegun(begunFrom(answer)),
  };
}

const byId = (tiers: readonly TreeTier[]) => new Map(tiers.map((tier) => [tier._id, tier]));
const tiersOf = (tree: readonly TreeGroup[], met: ReadonlyMap<string, TreeTier>): TreeTier[] =>
  tree.flatMap((group) => group.members.flatMap((member) => met.get(member.buyerTierId) ?? []));
