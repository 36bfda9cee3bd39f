import { useQuery } from '@tanstack/react-query';
import { combinationLabel, EVERY_AFFILIATE, EVERY_CAMPAIGN } from '#contract/move.ts';
import { SelectSearch } from '#web/ui/SelectSearch.tsx';
import { binChoicesQuery, type MovePlace } from '../api/bin.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';

const ALL = 'all';

/** Console §3: whom a move is for, by a campaign of the vertical at hand and an affiliate, each or all. */
export function CombinationSelects({ value, onChange }: { value: MovePlace; onChange: (value: MovePlace) => void }) {
  const { place } = usePlaceIds();
  const choices = useQuery(binChoicesQuery(place));
  const options = (rows: { _id: string; name: string }[] = [], all: string) => [
    { value: ALL, label: all },
    ...rows.map((row) => ({ value: row._id, label: row.name })),
  ];
  const read = (id: string | null) => (id === ALL ? null : id);
  return (
    <>
      <SelectSearch
        label="Campaign"
        options={options(choices.data?.campaigns, EVERY_CAMPAIGN)}
        emptyText="No campaigns found."
        value={value.campaignId ?? ALL}
        onChange={(id) => onChange({ ...value, campaignId: read(id) })}
      />
      <SelectSearch
        label="Affiliate"
        options={options(choices.data?.publishers, EVERY_AFFILIATE)}
        emptyText="No publishers found."
        value={value.publisherId ?? ALL}
        onChange={(id) => onChange({ ...value, publisherId: read(id) })}
      />
    </>
  );
}

/** Which of the four it is. */
export function CombinationNote({ campaignId, publisherId }: MovePlace) {
  const combination = (campaignId ? 0 : 2) + (publisherId ? 1 : 2);
  return (
    <p className="muted small">
      Combination {combination}: {combinationLabel(combination).toLowerCase()}.
    </p>
  );
}
