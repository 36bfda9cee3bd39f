import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatCount, formatRate } from '#web/ui/format.ts';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconX } from '#web/ui/icons.ts';
import { WholeNumberInput } from '#web/ui/inputs/DigitsInput.tsx';
import { MoneyText } from '#web/ui/reporting.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { TryAgain } from '../set-up/TryAgain.tsx';
import { Marks } from './FlowPicture.tsx';
import { type GroupBoxProps, TIER_TYPE } from './GroupBox.tsx';
import { nameTier } from './tree-change.ts';
import '../set-up/vertical-page.css';

/** A buyer tier at its place in a group: its figures of today, what is wrong with it in a few words, and its keys. */
export function Seat({
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
  const name = nameTier(tier);
  const figures = flow?.buyerTiers.find((one) => one._id === tierId);
  const isWrong = (what: string) => flow?.warnings.some(({ kind, subjectId }) => kind === what && subjectId === tierId);
  return (
    <>
      <span
        className="field-grip"
        draggable
        aria-hidden="true"
        onDragStart={(event) => {
          event.dataTransfer.setData(TIER_TYPE, tierId);
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
          {formatCount(figures?.leads ?? 0)} in, {formatCount(figures?.sold ?? 0)} sold
          {figures && figures.leads > 0 && `, ${formatRate(figures.sold, figures.leads)}`}
          {figures && figures.sold > 0 && (
            <>
              , <MoneyText amount={figures.revenue} />
            </>
          )}
          {figures && figures.timeouts > 0 && `, ${formatCount(figures.timeouts)} timed out`}
        </span>
        {tier && <Marks flow={flow} tierId={tierId} status={tier.status === 'active' ? tier.buyerStatus : tier.status} />}
        {isWrong('breaker') && <TryAgain tierId={tierId} of={name} />}
        {isWrong('resting') && <TryAgain tierId={tierId} of={name} ends="rest" />}
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
