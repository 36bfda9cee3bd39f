import { ActionIcon, NativeSelect, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type DragEvent, useState } from 'react';
import type { FlowAnswer, TreeAnswer, TreeGroup } from '#contract/tree.ts';
import { formatCount } from '#web/ui/format.ts';
import { IconAlertTriangle, IconArrowDown, IconArrowUp, IconGripVertical, IconX } from '#web/ui/icons.ts';
import { WholeNumberInput } from '#web/ui/inputs/DigitsInput.tsx';
import { MoneyText } from '#web/ui/reporting.tsx';
import { SelectSearch } from '#web/ui/SelectSearch.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { TryAgain } from '../set-up/TryAgain.tsx';

const MODES = [
  { value: 'priority', label: 'Priority: one after another' },
  { value: 'highestPrice', label: 'Highest price first' },
  { value: 'auction', label: 'Auction: all bid, the best wins' },
  { value: 'roundRobin', label: 'Round robin: in turn' },
  { value: 'weighted', label: 'Weighted: by share' },
];

type Tier = TreeAnswer['buyerTiers'][number];

interface GroupBoxProps {
  group: TreeGroup;
  at: number;
  count: number;
  tierOf: (id: string) => Tier | undefined;
  flow: FlowAnswer | undefined;
  /** Tiers that stand nowhere in the tree. */
  free: Tier[];
  onGroup: (part: Partial<TreeGroup>) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
  onSeat: (tierId: string, place: number) => void;
  onStep: (tierId: string, step: -1 | 1) => void;
  onUnseat: (tierId: string) => void;
  onWeight: (tierId: string, weight: number | null) => void;
}

const TYPE = 'application/x-sluice-tier';

/** One group of the tree: its mode, its time, and its tiers in their order. Everything that can be dragged has its keys. */
export function GroupBox(props: GroupBoxProps) {
  const { group, at, count, free, onGroup, onMove, onRemove, onSeat } = props;
  const [over, setOver] = useState<number | null>(null);
  const place = group.members.length;
  const dropAt = (index: number) => ({
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(TYPE)) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(index);
    },
    onDrop: (event: DragEvent) => {
      const id = event.dataTransfer.getData(TYPE);
      setOver(null);
      if (!id) return;
      event.preventDefault();
      event.stopPropagation();
      onSeat(id, index);
    },
  });
  return (
    <li className="flow-group" {...dropAt(place)} onDragLeave={() => setOver(null)}>
      <div className="flow-group-head">
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
            onClick={() => onMove(at - 1)}
          >
            <IconArrowUp size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={`Move ${group.name} down`}
            disabled={at === count - 1}
            onClick={() => onMove(at + 1)}
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
          <SelectSearch
            size="xs"
            aria-label={`Add a buyer tier to ${group.name}`}
            placeholder="Add a buyer tier…"
            options={free.map((tier) => ({ value: tier._id, label: `${tier.buyerName}, ${tier.name}` }))}
            emptyText="Every buyer tier stands in the tree."
            value={null}
            onChange={(id) => id && onSeat(id, place)}
          />
        </li>
      </ol>
    </li>
  );
}

function Seat({
  group,
  tierId,
  weight,
  tierOf,
  flow,
  onStep,
  onUnseat,
  onWeight,
}: GroupBoxProps & { tierId: string; weight: number | null }) {
  const { place } = usePlaceIds();
  const tier = tierOf(tierId);
  const name = tier ? `${tier.buyerName}, ${tier.name}` : 'A tier that is gone';
  const figures = flow?.buyerTiers.find((one) => one._id === tierId);
  const warnings = flow?.warnings.filter((one) => one.subjectId === tierId) ?? [];
  const isOff = tier !== undefined && (tier.status !== 'active' || tier.buyerStatus !== 'active');
  return (
    <>
      <span
        className="field-grip"
        draggable
        aria-hidden="true"
        onDragStart={(event) => {
          event.dataTransfer.setData(TYPE, tierId);
          event.dataTransfer.effectAllowed = 'move';
        }}
      >
        <IconGripVertical size={16} />
      </span>
      <span className="flow-seat">
        <Link
          to="/setup/$region/$vertical/tier/edit/$id"
          params={{ ...place, id: tierId } as never}
          search={{ of: 'buyer' } as never}
          className="link"
        >
          {name}
        </Link>
        <span className="muted small tabular">
          {formatCount(figures?.attempts ?? 0)} tried, {formatCount(figures?.sold ?? 0)} sold
          {figures && figures.sold > 0 && (
            <>
              , <MoneyText amount={figures.revenue} />
            </>
          )}
          {figures && figures.timeouts > 0 && `, ${formatCount(figures.timeouts)} timed out`}
        </span>
        {isOff && <span className="pill warn">{tier.status === 'active' ? 'Buyer paused' : 'Paused'}</span>}
        {warnings.map((one) => (
          <span key={one.text} className="small warn flow-why">
            <IconAlertTriangle size={14} aria-hidden /> {one.text}
          </span>
        ))}
        {warnings.some((one) => one.kind === 'breaker') && <TryAgain tierId={tierId} of={name} />}
      </span>
      {group.mode === 'weighted' && (
        <WholeNumberInput
          size="xs"
          className="flow-weight"
          aria-label={`Weight of ${name}`}
          placeholder="1"
          digits={6}
          value={weight ?? ''}
          onChange={(next) => onWeight(tierId, next || null)}
        />
      )}
      <span className="row flow-tools">
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={`Move ${name} up`} onClick={() => onStep(tierId, -1)}>
          <IconArrowUp size={15} />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={`Move ${name} down`} onClick={() => onStep(tierId, 1)}>
          <IconArrowDown size={15} />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={`Take ${name} out`} onClick={() => onUnseat(tierId)}>
          <IconX size={15} />
        </ActionIcon>
      </span>
    </>
  );
}
