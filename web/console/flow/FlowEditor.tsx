import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { FlowAnswer, TreeAnswer, TreeChanged } from '#contract/tree.ts';
import { formatCount } from '#web/ui/format.ts';
import { IconAlertTriangle, IconPlus } from '#web/ui/icons.ts';
import { ExactTime, MoneyText, TimeAgo, useReporting } from '#web/ui/reporting.tsx';
import { toast } from '#web/ui/toast.ts';
import { ApiError } from '../api/client.ts';
import { discardDraft, flowQuery, publishDraft, rollBackTree, saveDraft, treeQuery } from '../api/tree.ts';
import { message } from '../message.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { StatusPill } from '../set-up/RecordList.tsx';
import { GroupBox } from './GroupBox.tsx';
import { TreeConflict } from './TreeConflict.tsx';
import { addGroup, compareTrees, moveGroup, removeGroup, seatTier, setGroup, setWeight, stepTier, unseatTier } from './tree-change.ts';
import { begunFrom, useTreeDraft } from './use-tree-draft.ts';

/** The tree as it is drawn: changes go into the draft, and into the live tree only when they are published. */
export function FlowEditor({ read }: { read: TreeAnswer }) {
  const { answer, begun, tree, isChanged, moved, draw, take, keepMine } = useTreeDraft(read);
  const { campaign, live, draft, buyerTiers } = answer;
  const [asks, setAsks] = useState<'publish' | 'versions' | null>(null);
  const { zone } = useReporting();
  const flow = useQuery(flowQuery(campaign._id, zone));
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (work: () => Promise<TreeChanged>) => work(),
    onSuccess: ({ msg, ...next }) => {
      setAsks(null);
      take(next);
      client.setQueryData(treeQuery(campaign._id).queryKey, next);
      void toast('success', msg);
    },
    onError: (error) => {
      setAsks(null);
      void toast('error', error.message);
      if (error instanceof ApiError && error.code === 'tree_changed') void client.invalidateQueries({ queryKey: ['tree', campaign._id] });
    },
  });
  const tierOf = (id: string) => buyerTiers.find((tier) => tier._id === id);
  const nameOf = (id: string) => {
    const tier = tierOf(id);
    return tier ? `${tier.buyerName}, ${tier.name}` : 'A tier that is gone';
  };
  const differences = compareTrees(live, tree, nameOf);
  const free = buyerTiers.filter((tier) => !tree.some((group) => group.members.some((member) => member.buyerTierId === tier._id)));
  const save = () => change.mutate(() => saveDraft(campaign._id, tree, begun.state));
  const publish = (note: string) =>
    change.mutate(async () => {
      const { state } = isChanged || !draft ? await saveDraft(campaign._id, tree, begun.state) : begun;
      return publishDraft(campaign._id, state, note);
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
          <Button size="xs" disabled={differences.length === 0 || moved} onClick={() => setAsks('publish')}>
            Publish…
          </Button>
        </span>
      </div>
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
                key={group._id ?? group.name}
                group={group}
                at={at}
                count={tree.length}
                tierOf={tierOf}
                flow={flow.data}
                free={free}
                onGroup={(part) => draw(setGroup(tree, at, part))}
                onMove={(to) => draw(moveGroup(tree, at, to))}
                onRemove={() => draw(removeGroup(tree, at))}
                onSeat={(id, place) => draw(seatTier(tree, id, at, place))}
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
          versions={answer.versions}
          isPending={change.isPending}
          onRollBack={(id) => change.mutate(() => rollBackTree(campaign._id, id, answer.state))}
          onClose={() => setAsks(null)}
        />
      )}
    </>
  );
}

function Warnings({ flow }: { flow: FlowAnswer | undefined }) {
  if (!flow || flow.warnings.length === 0) return null;
  return (
    <ul className="flow-warnings card" aria-label="What is wrong now">
      {flow.warnings.map((one) => (
        <li key={`${one.kind} ${one.subjectId} ${one.text}`} className="small">
          <IconAlertTriangle size={15} aria-hidden className="warn" /> {one.text}
        </li>
      ))}
    </ul>
  );
}

const sum = (flow: FlowAnswer | undefined, ...ends: string[]): number => ends.reduce((all, end) => all + (flow?.ends[end] ?? 0), 0);

function Posting({ answer, flow }: { answer: TreeAnswer; flow: FlowAnswer | undefined }) {
  const { place } = usePlaceIds();
  const leadsOf = (id: string) => flow?.publisherTiers.find((one) => one._id === id);
  return (
    <section className="flow-column" aria-label="Publisher tiers">
      <h2>Publisher tiers</h2>
      <ul className="flow-cards">
        {answer.publisherTiers.map((tier) => (
          <li key={tier._id} className="flow-card">
            <Link
              to="/setup/$region/$vertical/tier/edit/$id"
              params={{ ...place, id: tier._id } as never}
              search={{ of: 'publisher' } as never}
              className="link"
            >
              {tier.publisherName}, {tier.name}
            </Link>
            <span className="flow-figures small tabular">
              {formatCount(leadsOf(tier._id)?.leads ?? 0)} {leadsOf(tier._id)?.leads === 1 ? 'lead' : 'leads'} today,{' '}
              {formatCount(leadsOf(tier._id)?.sold ?? 0)} sold
            </span>
            {tier.status !== 'active' && <StatusPill status={tier.status} />}
          </li>
        ))}
      </ul>
      {answer.publisherTiers.length === 0 && <p className="muted small">Nobody posts to this campaign yet.</p>}
      <Edge label={`${formatCount(Object.values(flow?.ends ?? {}).reduce((all, one) => all + one, 0))} in`} />
    </section>
  );
}

function Checks({ flow }: { flow: FlowAnswer | undefined }) {
  const checks = [
    { label: 'Fields', says: 'Missing or wrong fields', count: sum(flow, 'invalid') },
    { label: 'Duplicates', says: 'The same consumer again', count: sum(flow, 'duplicate') },
    { label: 'Rules', says: 'Filter, hours, caps of the publisher tier', count: sum(flow, 'rejected') },
  ];
  const passed = sum(flow, 'sold', 'unsold', 'held', 'error', 'received');
  return (
    <section className="flow-column" aria-label="Checks">
      <h2>Checks</h2>
      <ul className="flow-cards">
        {checks.map((check) => (
          <li key={check.label} className="flow-card">
            <strong>{check.label}</strong>
            <span className="muted small">{check.says}</span>
            <span className="flow-figures small tabular">{formatCount(check.count)} stopped today</span>
          </li>
        ))}
      </ul>
      <Edge label={`${formatCount(passed)} on`} />
    </section>
  );
}

function Ends({ flow }: { flow: FlowAnswer | undefined }) {
  const revenue = (flow?.buyerTiers ?? []).reduce((all, tier) => all + Math.round(Number(tier.revenue) * 10_000), 0);
  return (
    <section className="flow-column flow-ends" aria-label="How leads end">
      <h2>Today</h2>
      <ul className="flow-cards">
        <li className="flow-card">
          <strong className="good">Sold</strong>
          <span className="flow-figures tabular">{formatCount(sum(flow, 'sold'))}</span>
          <MoneyText amount={(revenue / 10_000).toFixed(2)} />
        </li>
        <li className="flow-card">
          <strong className="warn">Unsold</strong>
          <span className="flow-figures tabular">{formatCount(sum(flow, 'unsold'))}</span>
        </li>
        {sum(flow, 'held', 'error') > 0 && (
          <li className="flow-card">
            <strong className="bad">Held or failed</strong>
            <span className="flow-figures tabular">{formatCount(sum(flow, 'held', 'error'))}</span>
          </li>
        )}
      </ul>
    </section>
  );
}

/** What goes on from here, as an arrow with its figure. */
function Edge({ label }: { label: string }) {
  return <span className="flow-edge small tabular">{label}</span>;
}

function PublishDialog({
  lines,
  isPending,
  onPublish,
  onClose,
}: {
  lines: string[];
  isPending: boolean;
  onPublish: (note: string) => void;
  onClose: () => void;
}) {
  const [note, setNote] = useState('');
  return (
    <Modal opened onClose={onClose} title="Publish this tree?" size="lg">
      <form
        className="form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          onPublish(note);
        }}
      >
        <p>From the next lead on:</p>
        <ul className="flow-lines">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <TextInput
          label="Note"
          description="Why, for who reads the change log."
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          data-autofocus
        />
        <span className="row">
          <Button type="submit" loading={isPending}>
            Publish
          </Button>
          <Button variant="default" onClick={onClose}>
            Not yet
          </Button>
        </span>
      </form>
    </Modal>
  );
}

interface VersionsProps {
  versions: TreeAnswer['versions'];
  isPending: boolean;
  onRollBack: (id: string) => void;
  onClose: () => void;
}

function VersionsDialog({ versions, isPending, onRollBack, onClose }: VersionsProps) {
  return (
    <Modal opened onClose={onClose} title="Earlier trees" size="lg">
      {versions.length === 0 && (
        <p className="muted">Nothing was published from here yet. The first publishing keeps the tree of before as well.</p>
      )}
      <ol className="flow-versions">
        {versions.map((version, at) => (
          <li key={version._id}>
            <span>
              <strong>
                <ExactTime at={version.publishedAt} />
              </strong>{' '}
              by {version.publishedBy}
              {version.note && <span className="muted small"> {version.note}</span>}
            </span>
            {at === 0 ? (
              <span className="pill good">Live</span>
            ) : (
              <Button size="xs" variant="default" loading={isPending} onClick={() => onRollBack(version._id)}>
                Roll back to this
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Modal>
  );
}
