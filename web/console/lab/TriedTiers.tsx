import { ActionIcon, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TreeChoice } from '#contract/replay.ts';
import { IconX } from '#web/ui/icons.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { SelectSearch } from '#web/ui/SelectSearch.tsx';
import { labTreeQuery } from '../api/lab.ts';
import type { TriedTier } from './replay-draft.ts';

interface TriedTiersProps {
  campaignId: string;
  choice: TreeChoice;
  tiers: TriedTier[];
  onChange: (tiers: TriedTier[]) => void;
}

const statuses = [
  { value: '', label: 'as it is' },
  { value: 'active', label: 'active' },
  { value: 'paused', label: 'paused' },
];

/** Buyer tiers of the tree that are tried paused, at another price or with another floor. */
export function TriedTiers({ campaignId, choice, tiers, onChange }: TriedTiersProps) {
  const tree = useQuery(labTreeQuery(campaignId, choice));
  const seated = tree.data?.groups.flatMap(({ buyerTiers }) => buyerTiers) ?? [];
  const free = seated.filter(({ _id }) => !tiers.some(({ tier }) => tier._id === _id));
  const set = (id: string, part: Partial<TriedTier>) => onChange(tiers.map((one) => (one.tier._id === id ? { ...one, ...part } : one)));
  return (
    <div className="form-stack">
      {tiers.map(({ tier, status, price, floor }) => {
        const name = `${tier.buyerName}, ${tier.name}`;
        return (
          <fieldset key={tier._id} className="lab-tried" aria-label={name}>
            <strong>{name}</strong>
            <NativeSelect
              size="sm"
              label="Status"
              data={statuses}
              value={status}
              onChange={(event) => set(tier._id, { status: event.currentTarget.value as TriedTier['status'] })}
            />
            {tier.fixedPrice !== null && (
              <AmountInput
                size="sm"
                label="Price"
                placeholder={tier.fixedPrice}
                value={price}
                onChange={(next) => set(tier._id, { price: next })}
              />
            )}
            <AmountInput size="sm" label="Floor" placeholder="as it is" value={floor} onChange={(next) => set(tier._id, { floor: next })} />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={30}
              aria-label={`Leave ${name} as it is`}
              onClick={() => onChange(tiers.filter((one) => one.tier._id !== tier._id))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </fieldset>
        );
      })}
      <div className="lab-fields">
        <SelectSearch
          label="Set a buyer tier otherwise"
          options={free.map(({ _id, name, buyerName }) => ({ value: _id, label: `${buyerName}, ${name}` }))}
          emptyText={tree.isPending ? 'They are being read.' : 'No other buyer tier stands in this tree.'}
          value={null}
          onChange={(id) => {
            const tier = free.find(({ _id }) => _id === id);
            if (tier) onChange([...tiers, { tier, status: '', price: '', floor: '' }]);
          }}
        />
      </div>
    </div>
  );
}
