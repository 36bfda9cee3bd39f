import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TreeAnswer, TreeChanged, TreeTier } from '#contract/tree.ts';
import { IconPlus } from '#web/ui/icons.ts';
import { TimeAgo, useReporting } from '#web/ui/reporting.tsx';
import { toast } from '#web/ui/toast.ts';
import { tierChoices } from '../api/choices.ts';
import { ApiError } from '../api/client.ts';
import { discardDraft, flowQuery, publishDraft, rollBackTree, saveDraft, treeQuery } from '../api/tree.ts';
import { message } from '../message.ts';
import { StatusPill } from '../set-up/RecordList.tsx';
import { Checks, Ends, Posting, Warnings } from './FlowPicture.tsx';
import { GroupBox } from './GroupBox.tsx';
import { PublishDialog } from './PublishDialog.tsx';
import { ReplayLink } from './ReplayLink.tsx';
import { TreeConflict } from './TreeConflict.tsx';
import {
  addGroup,
  compareTrees,
  moveGroup,
  nameTier,
  removeGroup,
  seatTier,
  setGroup,
  setWeight,
  stepTier,
  unseatTier,
} from './tree-change.ts';
import { begunFrom, useTreeDraft } from './use-tree-draft.ts';
import { VersionsDialog } from './VersionsDialog.tsx';

/** The tree as it is drawn: changes go into the draft, and into the live tree only when they are published. */
export function FlowEditor({ read }: { read: TreeAnswer }) {
  const { answer, begun, tree, isChanged, moved, draw, tierOf, meet, take, keepMine } = useTreeDraft(read);
  const { campaign, live, draft } = answer;
  const [asks, setAsks] = useState<'publish' | 'versions' | null>(null);
  const { zone } = useReporting();
  const flow = useQuery(flowQuery(campaign._id, zone));
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (work: () => Promise<TreeChanged>) => work(),
    onSuccess: ({ msg, ...next }) => {
      setAsks(null);
      goOnFrom(next);
      void toast('success', msg);
    },
    onError: (error) => {
      setAsks(null);
      if (!isMisread(error)) void toast('error', error.message);
      if (error instanceof ApiError && error.code === 'tree_changed') void client.invalidateQueries({ queryKey: ['tree', campaign._id] });
    },
  });
  const goOnFrom = (next: TreeAnswer) => {
    take(next);
    client.setQueryData(treeQuery(campaign._id).queryKey, next);
    void client.invalidateQueries({ queryKey: ['flow', campaign._id] });
  };
  const nameOf = (id: string) => nameTier(tierOf(id));
  const differences = compareTrees(live, tree, nameOf);
  const seated = tree.flatMap((group) => group.members.map((member) => member.buyerTierId));
  const free = tierChoices(campaign.verticalId, seated);
  const save = () => change.mutate(() => saveDraft(campaign._id, tree, begun.state));
  const publish = (note: string) =>
    change.mutate(async () => {
      if (!isChanged && draft) return publishDraft(campaign._id, begun.state, note);
      // Saved it stays, should it not be published.
      const { msg: _, ...saved } = await saveDraft(campaign._id, tree, begun.state);
      goOnFrom(saved);
      return publishDraft(campaign._id, saved.state, note);
    });
  // What was drawn is kept for a while: a click on the wrong button is no loss.
  const discard = () => {
    const thrown = tree;
    const undo = { label: 'Undo', run: () => draw(thrown) };
    if (!draft) {
      draw(live);
      void toast('success', message('draftDiscarded'), undo);
    } else
      change.mutate(() => discardDraft(campaign._id, begun.state), {
        onSuccess: ({ msg }) => void toast('success', msg, undo),
      });
  };
  return (
    <>
      <div className="flow-bar card">
        <strong>{campaign.name}</strong> <StatusPill status={campaign.status} />
        <span className="muted small" role="status">
          {differences.length === 0
            ? 'As it is live.'
            : `${differences.length} ${differences.length === 1 ? 'change' : 'changes'} not published.`}{' '}
          {draft && (
            <>
              Draft saved by {draft.updatedBy} <TimeAgo at={draft.updatedAt} />.
            </>
          )}
        </span>
        <span className="row push">
          <Button size="xs" variant="default" onClick={() => setAsks('versions')}>
            Earlier trees
          </Button>
          <Button size="xs" variant="default" disabled={!isChanged && !draft} onClick={discard}>
            Discard
          </Button>
          <Button size="xs" variant="default" disabled={!isChanged || moved} loading={change.isPending} onClick={save}>
            Save draft
          </Button>
          <ReplayLink campaignId={campaign._id} />
          <Button size="xs" disabled={differences.length === 0 || moved} onClick={() => setAsks('publish')}>
            Publish…
          </Button>
        </span>
      </div>
      {isMisread(change.error) && (
        <p className="card card-pad bad" role="alert">
          {change.error?.message}
        </p>
      )}
      {moved && (
        <TreeConflict
          theirs={compareTrees(begun.groups, begunFrom(answer).groups, nameOf)}
          mine={compareTrees(begun.groups, tree, nameOf)}
          onKeep={keepMine}
          onTake={() => take(answer)}
        />
      )}
      <Warnings flow={flow.data} />
      <div className="flow">
        <Posting answer={answer} flow={flow.data} />
        <Checks flow={flow.data} />
        <section className="flow-column flow-tree" aria-label="Ping tree">
          <h2>Ping tree</h2>
          {tree.length === 0 && <p className="muted small">No group yet: every lead of this campaign ends unsold.</p>}
          <ol className="flow-groups">
            {tree.map((group, at) => (
              <GroupBox
                key={group._id ?? `new ${at}`}
                group={group}
                at={at}
                count={tree.length}
                tierOf={tierOf}
                flow={flow.data}
                free={free}
                onGroup={(part) => draw(setGroup(tree, at, part))}
                onMove={(from, to) => draw(moveGroup(tree, from, to))}
                onRemove={() => draw(removeGroup(tree, at))}
                onSeat={(id, place, tier) => {
                  if (tier) meet([tier]);
                  draw(seatTier(tree, id, at, place));
                }}
                onStep={(id, step) => draw(stepTier(tree, id, step))}
                onUnseat={(id) => draw(unseatTier(tree, id))}
                onWeight={(id, weight) => draw(setWeight(tree, id, weight))}
              />
            ))}
          </ol>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={15} aria-hidden />}
            disabled={tree.length >= 50}
            onClick={() => draw(addGroup(tree))}
          >
            Add a group
          </Button>
        </section>
        <Ends flow={flow.data} />
      </div>
      {asks === 'publish' && (
        <PublishDialog lines={differences} isPending={change.isPending} onPublish={publish} onClose={() => setAsks(null)} />
      )}
      {asks === 'versions' && (
        <VersionsDialog
          campaignId={campaign._id}
          versions={answer.versions}
          compare={({ groups, buyerTiers }) => compareTrees(live, groups, nameAmong([...buyerTiers, ...answer.buyerTiers]))}
          hasDraft={draft !== null}
          isPending={change.isPending}
          onRollBack={(id) => change.mutate(() => rollBackTree(campaign._id, id, answer.state))}
          onClose={() => setAsks(null)}
        />
      )}
    </>
  );
}

const nameAmong = (tiers: readonly TreeTier[]) => (id: string) => nameTier(tiers.find((tier) => tier._id === id));

/** A tier of the tree would misread a kept answer of its buyer: told until it is tried again, since there is something to mend. */
const isMisread = (error: Error | null): boolean => error instanceof ApiError && error.code === 'tree_sample_failed';
