import { ActionIcon, NativeSelect, TextInput } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import type { FlowAnswer, TreeGroup, TreeTier } from '#contract/tree.ts';
import { ChoiceSelect } from '#web/ui/ChoiceSelect.tsx';
import type { ChoiceSource } from '#web/ui/choices.ts';
import { formatCount, formatRate } from '#web/ui/format.ts';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconX } from '#web/ui/icons.ts';
import { WholeNumberInput } from '#web/ui/inputs/DigitsInput.tsx';
import type { TierChoice } from '../api/choices.ts';
import { Edge } from './Edge.tsx';
import { leadsWord } from './FlowPicture.tsx';
import { Seat } from './Seat.tsx';

const MODES = [
  { value: 'priority', label: 'Priority: one after another' },
  { value: 'highestPrice', label: 'Highest price first' },
  { value: 'auction', label: 'Auction: all bid, the best wins' },
  { value: 'roundRobin', label: 'Round robin: in turn' },
  { value: 'weighted', label: 'Weighted: by share' },
];

export interface GroupBoxProps {
  group: TreeGroup;
  at: number;
  count: number;
  tierOf: (id: string) => TreeTier | undefined;
  flow: FlowAnswer | undefined;
  /** Tiers that stand nowhere in the tree. */
  free: ChoiceSource<TierChoice>;
  onGroup: (part: Partial<TreeGroup>) => void;
  onMove: (from: number, to: number) => void;
  onRemove: () => void;
  /** `tier`: of one that did not stand in the tree. */
  onSeat: (tierId: string, place: number, tier?: TreeTier) => void;
  onStep: (tierId: string, step: -1 | 1) => void;
  onUnseat: (tierId: string) => void;
  onWeight: (tierId: string, weight: number | null) => void;
}

export const TIER_TYPE = 'application/x-sluice-tier';
const GROUP_TYPE = 'application/x-sluice-group';

/** One group of the tree: its mode, its time, and its tiers in their order. Everything that can be dragged has its keys. */
export function GroupBox(props: GroupBoxProps) {
  const { group, at, count, free, onGroup, onMove, onRemove, onSeat } = props;
  const [over, setOver] = useState<number | null>(null);
  const place = group.members.length;
  const dropAt = (index: number) => ({
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(TIER_TYPE)) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(index);
    },
    onDrop: (event: DragEvent) => {
      const id = event.dataTransfer.getData(TIER_TYPE);
      setOver(null);
      if (!id) return;
      event.preventDefault();
      event.stopPropagation();
      onSeat(id, index);
    },
  });
  const { flow } = props;
  const leads = flow?.groups.find((one) => one._id === group._id)?.leads ?? 0;
  const sold = group.members.reduce((all, member) => all + (flow?.buyerTiers.find((one) => one._id === member.buyerTierId)?.sold ?? 0), 0);
  const { isOver, ...dropGroup } = useGroupDrop(at, onMove);
  return (
    <li className="flow-place" {...dropGroup}>
      {at > 0 && (
        <Edge down says={`${leadsWord(leads)} offered to tiers of ${group.name} today.`}>
          {formatCount(leads)} asked
        </Edge>
      )}
      <section
        className="flow-group"
        aria-label={group.name}
        data-over={isOver || undefined}
        {...dropAt(place)}
        onDragLeave={() => setOver(null)}
      >
        <div className="flow-group-head">
          <span
            className="field-grip"
            draggable
            aria-hidden="true"
            title="Drag the group to another place"
            onDragStart={(event) => {
              event.dataTransfer.setData(GROUP_TYPE, String(at));
              event.dataTransfer.effectAllowed = 'move';
            }}
          >
            <IconGripVertical size={17} />
          </span>
          <span className="flow-number tabular">{at + 1}</span>
          <TextInput
            size="xs"
            aria-label={`Name of group ${at + 1}`}
            maxLength={120}
            value={group.name}
            onChange={(event) => onGroup({ name: event.currentTarget.value })}
          />
          <NativeSelect
            size="xs"
            aria-label={`Mode of ${group.name}`}
            data={MODES}
            value={group.mode}
            onChange={(event) => onGroup({ mode: event.currentTarget.value as TreeGroup['mode'] })}
          />
          <WholeNumberInput
            size="xs"
            className="flow-limit"
            aria-label={`Time limit of ${group.name} in ms`}
            placeholder="No limit"
            unit="ms"
            digits={6}
            value={group.timeLimitMs ?? ''}
            onChange={(limit) => onGroup({ timeLimitMs: limit === '' ? null : limit })}
          />
          <span className="row flow-tools">
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={`Move ${group.name} up`}
              disabled={at === 0}
              onClick={() => onMove(at, at - 1)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={`Move ${group.name} down`}
              disabled={at === count - 1}
              onClick={() => onMove(at, at + 1)}
            >
              <IconArrowDown size={16} />
            </ActionIcon>
            <ActionIcon variant="subtle" color="gray" size={28} aria-label={`Remove ${group.name}`} onClick={onRemove}>
              <IconX size={16} />
            </ActionIcon>
          </span>
        </div>
        <ol className="flow-members">
          {group.members.map((member, index) => (
            <li key={member.buyerTierId} className="flow-member" data-over={over === index || undefined} {...dropAt(index)}>
              <Seat {...props} tierId={member.buyerTierId} weight={member.weight} />
            </li>
          ))}
          <li className="flow-drop" data-over={over === place || undefined} {...dropAt(place)}>
            <ChoiceSelect
              size="xs"
              aria-label={`Add a buyer tier to ${group.name}`}
              placeholder="Add a buyer tier…"
              source={free}
              emptyText="Every buyer tier stands in the tree."
              value=""
              onChange={(id, one) => onSeat(id, place, one?.tier)}
            />
          </li>
        </ol>
      </section>
      <Edge
        share={leads > 0 ? formatRate(sold, leads) : undefined}
        says={`${group.name}: ${formatCount(sold)} sold of ${leadsWord(leads)}.`}
      >
        {formatCount(sold)} sold
      </Edge>
    </li>
  );
}

/** A group that is dropped on another takes its place; the others move up or down by one. */
function useGroupDrop(at: number, onMove: GroupBoxProps['onMove']) {
  const [isOver, setIsOver] = useState(false);
  return {
    isOver,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(GROUP_TYPE)) return;
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      setIsOver(false);
      const from = event.dataTransfer.getData(GROUP_TYPE);
      if (from === '') return;
      event.preventDefault();
      if (Number(from) !== at) onMove(Number(from), at);
    },
  };
}
