import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChoiceSelect } from '#web/ui/ChoiceSelect.tsx';
import { IconPlus } from '#web/ui/icons.ts';
import { publisherTierChoices } from '../api/choices.ts';
import { recordQuery } from '../api/record.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';

interface LanderTierProps {
  value?: string;
  error?: ReactNode;
  onChange: (value: string) => void;
  'data-path'?: string;
  /** Opens the form of a new tier. */
  onAdd: () => void;
}

/** Whose leads the lander's are: a publisher tier for landers, or a new one, which is added on the spot. */
export function LanderTier({ value = '', onAdd, ...input }: LanderTierProps) {
  const { place, verticalId } = usePlaceIds();
  const tier = useQuery({ ...recordQuery('publisherTier', value), enabled: value !== '', retry: false }).data;
  return (
    <div className="lander-tier">
      <ChoiceSelect
        {...input}
        value={value}
        label="Publisher tier"
        source={publisherTierChoices(verticalId, 'lander')}
        emptyText="No publisher tier takes leads from landers yet: add one."
      />
      <Button variant="default" size="sm" leftSection={<IconPlus size={15} aria-hidden />} onClick={onAdd}>
        Add a tier
      </Button>
      {tier?.kind === 'api' && (
        <p className="muted small">
          {String(tier.name)} takes posted leads as well. The lander goes on with it; once you choose a tier for landers, it is for them
          alone.
        </p>
      )}
      {tier?.kind === 'lander' && (
        <p className="muted small">
          Its price, caps, hours, filters and duplicates are those of{' '}
          <Link
            to="/setup/$region/$vertical/tier/edit/$id"
            params={{ ...place, id: value } as never}
            search={{ of: 'publisher' } as never}
            className="link"
          >
            {String(tier.publisherName)}, {String(tier.name)}
          </Link>
          .
        </p>
      )}
    </div>
  );
}
