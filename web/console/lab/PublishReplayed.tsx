import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReplayAnswer } from '#contract/replay.ts';
import type { TreeAnswer } from '#contract/tree.ts';
import { toast } from '#web/ui/toast.ts';
import type { Place } from '../api/lead.ts';
import { readReplay } from '../api/replay.ts';
import { publishDraft, readTree, rollBackTree } from '../api/tree.ts';
import { PublishDialog } from '../flow/PublishDialog.tsx';
import { compareTrees, nameTier } from '../flow/tree-change.ts';
import { isAnySetting } from './replay-draft.ts';
import '../flow/flow.css';

/** The tree as it was read for the question, and what publishing would change of it. */
interface Asking {
  tree: TreeAnswer;
  lines: string[];
}

const standing: Record<Exclude<ReplayAnswer['draft'], 'same' | null>, string> = {
  changed: 'The draft was changed since. Replay it again before it is published.',
  gone: 'The draft was published or thrown away since.',
};

/** What was replayed goes live as from flow control: only while it is the draft still, and only if nobody changed the tree meanwhile. */
export function PublishReplayed({ place, answer: { replay, draft, mayPublish } }: { place: Place; answer: ReplayAnswer }) {
  const { campaign, change, settings } = replay;
  const [asking, setAsking] = useState<Asking | null>(null);
  const client = useQueryClient();
  const renew = () => client.invalidateQueries({ queryKey: ['replay', replay._id] });
  const ask = useMutation({
    mutationFn: () => readAsking(replay),
    onSuccess: (found) => {
      setAsking(found);
      if (!found) void renew();
    },
    onError: (error) => void toast('error', error.message),
  });
  const publish = useMutation({
    mutationFn: ({ note, state }: { note: string; state: string }) =>
      change.tree === 'version' ? rollBackTree(campaign._id, change.versionId, state) : publishDraft(campaign._id, state, note),
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: () => {
      setAsking(null);
      void client.invalidateQueries({ queryKey: ['tree', campaign._id] });
      void renew();
    },
  });
  const why = !mayPublish ? 'Who may set up this vertical can publish it.' : draft && draft !== 'same' && standing[draft];
  return (
    <div className="row">
      {change.tree !== 'published' && (
        <Button size="sm" disabled={Boolean(why)} loading={ask.isPending} onClick={() => ask.mutate()}>
          {change.tree === 'draft' ? 'Publish the draft…' : 'Go back to this tree…'}
        </Button>
      )}
      {change.tree !== 'published' && why && <span className="muted small">{why}</span>}
      {mayPublish && (
        <Link to="/setup/$region/$vertical/flow-control" params={place} search={{ campaign: campaign._id } as never} className="link">
          Flow control
        </Link>
      )}
      {isAnySetting(settings) && (
        <span className="muted small">The settings it was tried with are not published: change them where they are set.</span>
      )}
      {asking && (
        <PublishDialog
          lines={asking.lines}
          isPending={publish.isPending}
          onPublish={(note) => publish.mutate({ note, state: asking.tree.state })}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}

/** The tree first, the replay after it: a draft that changes between or later is refused by its state. Null where it is not the same any more. */
async function readAsking({ _id, campaign }: ReplayAnswer['replay']): Promise<Asking | null> {
  const tree = await readTree(campaign._id);
  const { draft, changed } = await readReplay(_id);
  if (draft !== null && draft !== 'same') return null;
  const nameOf = (id: string) => nameTier(tree.buyerTiers.find((tier) => tier._id === id));
  return { tree, lines: compareTrees(tree.live, changed, nameOf) };
}
