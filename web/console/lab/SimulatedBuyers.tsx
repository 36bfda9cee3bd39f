import { NativeSelect } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { LabTier, LabTreeAnswer, SimulatedSays } from '#contract/lab.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { groupModeWord } from '../lead/lead-words.ts';
import { SAYS, type Told, toldOf } from './send-draft.ts';

interface SimulatedBuyersProps {
  groups: UseQueryResult<LabTreeAnswer>;
  told: Readonly<Record<string, Told>>;
  onTold: (told: Readonly<Record<string, Told>>) => void;
  services: 'passed' | 'refused';
  onServices: (services: 'passed' | 'refused') => void;
}

const says = Object.entries(SAYS).map(([value, label]) => ({ value, label }));

/** What each buyer tier of the tree is told to say, in the order in which they are asked. */
export function SimulatedBuyers({ groups, told, onTold, services, onServices }: SimulatedBuyersProps) {
  if (groups.isPending) return <SkeletonLines count={4} height={26} />;
  if (groups.isError) return <ErrorState error={groups.error} onRetry={() => void groups.refetch()} />;
  const all = groups.data.groups;
  const set = (tier: LabTier, part: Partial<Told>) => onTold({ ...told, [tier._id]: { ...toldOf(tier, told), ...part } });
  const setAll = (word: SimulatedSays) =>
    onTold(Object.fromEntries(all.flatMap(({ buyerTiers }) => buyerTiers.map((tier) => [tier._id, { says: word, price: '' }]))));
  return (
    <div className="form-stack">
      {all.every(({ buyerTiers }) => buyerTiers.length === 0) && (
        <p className="muted">Nobody stands in this tree: every lead of the campaign ends unsold.</p>
      )}
      {all.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups stay where they are, and two may be called the same
        <div key={at} className="lab-group">
          <h3 className="small">
            {group.name} <span className="muted">{groupModeWord(group.mode)}</span>
          </h3>
          <ul>
            {group.buyerTiers.map((tier) => (
              <TierAnswer key={tier._id} tier={tier} told={toldOf(tier, told)} onChange={(part) => set(tier, part)} />
            ))}
          </ul>
        </div>
      ))}
      <div className="row">
        <button type="button" className="tool-button" onClick={() => setAll('buys')}>
          All buy
        </button>
        <button type="button" className="tool-button" onClick={() => setAll('rejects')}>
          All decline
        </button>
        <button type="button" className="tool-button" onClick={() => setAll('recorded')}>
          All say what they said last
        </button>
      </div>
      <div className="lab-fields">
        <NativeSelect
          label="Third-party services"
          data={[
            { value: 'passed', label: 'let the lead pass' },
            { value: 'refused', label: 'refuse it' },
          ]}
          value={services}
          onChange={(event) => onServices(event.currentTarget.value === 'refused' ? 'refused' : 'passed')}
        />
      </div>
    </div>
  );
}

interface TierAnswerProps {
  tier: LabTier;
  told: Told;
  onChange: (part: Partial<Told>) => void;
}

function TierAnswer({ tier, told, onChange }: TierAnswerProps) {
  const name = `${tier.buyerName}, ${tier.name}`;
  return (
    <li className="lab-tier-answer">
      <span className="lab-tier-name">
        {name}
        {tier.status !== 'active' && <span className="pill muted">{tier.status}</span>}
      </span>
      <NativeSelect
        size="sm"
        aria-label={`What ${name} says`}
        data={says}
        value={told.says}
        onChange={(event) => onChange({ says: event.currentTarget.value as SimulatedSays })}
      />
      {told.says === 'buys' ? (
        <AmountInput
          size="sm"
          aria-label={`What ${name} pays`}
          placeholder={tier.fixedPrice ?? 'its minimum'}
          value={told.price}
          onChange={(price) => onChange({ price })}
        />
      ) : (
        <span />
      )}
    </li>
  );
}
