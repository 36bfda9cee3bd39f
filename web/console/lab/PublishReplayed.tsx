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
import { compareTrees } from '../flow/tree-change.ts';
import '../flow/flow.css';

type Replay = ReplayAnswer['replay'];

/** The tree as it was read for the question, and what publishing would change of it. */
interface Asking {
  tree: TreeAnswer;
  lines: string[];
}

const standing: Record<Exclude<Replay['draft'], 'same' | null>, string> = {
  changed: 'The draft was changed since. Replay it again before it is published.',
  gone: 'The draft was published or thrown away since.',
};

/** What was replayed goes live as from flow control: only while it is the draft still, and only if nobody changed the tree meanwhile. */
export function PublishReplayed({ place, replay }: { place: Place; replay: Replay }) {
  const { campaignId, tree, settings } = replay.asked;
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
      tree.kind === 'version' ? rollBackTree(campaignId, tree.versionId, state) : publishDraft(campaignId, state, note),
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: () => {
      setAsking(null);
      void client.invalidateQueries({ queryKey: ['tree', campaignId] });
      void renew();
    },
  });
  const flow = (
    <Link to="/setup/$region/$vertical/flow-control" params={place} search={{ campaign: campaignId } as never} className="link">
      Flow control
    </Link>
  );
  const why = !replay.mayPublish
    ? 'Who may set up this vertical can publish it.'
    : replay.draft && replay.draft !== 'same' && standing[replay.draft];
  return (
    <div className="row">
      {tree.kind !== 'live' && (
        <Button size="sm" disabled={Boolean(why)} loading={ask.isPending} onClick={() => ask.mutate()}>
          {tree.kind === 'draft' ? 'Publish the draft…' : 'Go back to this tree…'}
        </Button>
      )}
      {tree.kind !== 'live' && why && <span className="muted small">{why}</span>}
      {replay.mayPublish && flow}
      {Object.keys(settings).length > 0 && (
        <span className="muted small">The settings it was tried with are not published: change them in the campaign.</span>
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
async function readAsking({ _id, asked }: Replay): Promise<Asking | null> {
  const tree = await readTree(asked.campaignId);
  const nameOf = (id: string) => {
    const tier = tree.buyerTiers.find((one) => one._id === id);
    return tier ? `${tier.buyerName}, ${tier.name}` : 'A tier that is gone';
  };
  const { replay } = await readReplay(_id);
  if (replay.draft !== null && replay.draft !== 'same') return null;
  return { tree, lines: compareTrees(tree.live, replay.groups, nameOf) };
}
