import { Alert, Checkbox, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ExportColumnsAnswer, ExportContent } from '#contract/export.ts';
import type { LeadChoiceKind } from '#contract/lead.ts';
import { ChoiceSelect } from '#web/ui/ChoiceSelect.tsx';
import { IconLock } from '#web/ui/icons.ts';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { timeZoneLabel, timeZonePlace, timeZones } from '#web/ui/zone.ts';
import { leadChoices } from '../api/choices.ts';
import { exportColumnsQuery } from '../api/export.ts';
import { FormSection } from '../set-up/FormSection.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { FIELD_COLUMN, FORMATS, OUTCOMES } from './export-words.ts';
import '@mantine/core/styles/Alert.css';
import './export.css';

interface ContentFieldsProps {
  value: ExportContent;
  onChange: (next: ExportContent) => void;
  /** What is wrong with the columns. */
  columnsError?: React.ReactNode;
}

type FilterKey = 'publisherId' | 'publisherTierId' | 'campaignId' | 'buyerId' | 'buyerTierId';
const FILTERS: { key: FilterKey; of: LeadChoiceKind; label: string; none: string }[] = [
  { key: 'publisherId', of: 'publisher', label: 'Publisher', none: 'All publishers' },
  { key: 'publisherTierId', of: 'publisherTier', label: 'Publisher tier', none: 'All publisher tiers' },
  { key: 'campaignId', of: 'campaign', label: 'Campaign', none: 'All campaigns' },
  { key: 'buyerId', of: 'buyer', label: 'Bought by', none: 'Any buyer, or none' },
  { key: 'buyerTierId', of: 'buyerTier', label: 'Bought by the tier', none: 'Any tier, or none' },
];

/** Which leads a file has, and what of each. */
export function ContentFields({ value, onChange, columnsError }: ContentFieldsProps) {
  const { place } = usePlaceIds();
  const change = (next: Partial<ExportContent>) => onChange({ ...value, ...next });
  const filters = FILTERS.filter(({ key }) => value.outcome !== 'unsold' || !key.startsWith('buyer'));
  return (
    <>
      <FormSection title="Which leads" says="Tests are never in a file, nor calls that only asked for a price.">
        <div className="form-three">
          <NativeSelect
            label="Result"
            data={OUTCOMES}
            value={value.outcome}
            onChange={(event) => {
              const outcome = event.currentTarget.value as ExportContent['outcome'];
              change({ outcome, ...(outcome === 'unsold' && { buyerId: null, buyerTierId: null }) });
            }}
          />
          {filters.map(({ key, of, label, none }) => (
            <ChoiceSelect
              key={key}
              label={label}
              source={leadChoices(place, of)}
              value={value[key] ?? ''}
              onChange={(id) => change({ [key]: id === '' ? null : id })}
              first={[{ value: '', label: none }]}
              emptyText="Nothing is called so."
            />
          ))}
        </div>
      </FormSection>
      <FormSection title="The file">
        <div className="form-three">
          <NativeSelect
            label="Format"
            data={FORMATS}
            value={value.format}
            onChange={(event) => change({ format: event.currentTarget.value as ExportContent['format'] })}
          />
          <NativeSelect
            label="Times in"
            data={timeZones.map((zone) => ({ value: zone, label: `${timeZonePlace[zone]} (${timeZoneLabel[zone]})` }))}
            value={value.timeZone}
            onChange={(event) => change({ timeZone: event.currentTarget.value as ExportContent['timeZone'] })}
          />
        </div>
        <Columns value={value} change={change} error={columnsError} />
      </FormSection>
    </>
  );
}

interface ColumnsProps {
  value: ExportContent;
  change: (next: Partial<ExportContent>) => void;
  error: React.ReactNode;
}

function Columns({ value, change, error }: ColumnsProps) {
  const { place } = usePlaceIds();
  const offered = useQuery(exportColumnsQuery(place));
  if (offered.isPending) return <SkeletonLines count={4} />;
  if (!offered.data) return <ErrorState error={offered.error} onRetry={() => void offered.refetch()} />;
  const { columns, mayUnmask } = offered.data;
  const chosen = new Set(value.columns);
  const known = columns.map((column) => column.value);
  // What a vertical has no longer stays until it is taken out by hand.
  const gone = value.columns.filter((one) => !known.includes(one));
  const choose = (next: string[]) =>
    change({ columns: [...known.filter((one) => next.includes(one)), ...gone.filter((one) => next.includes(one))] });
  const isPersonal = columns.some((column) => column.personal && chosen.has(column.value));
  return (
    <>
      <Checkbox.Group label="Columns" value={value.columns} onChange={choose} error={error}>
        <div className="export-columns">
          <Group title="Of the lead" columns={columns.filter((one) => !one.value.startsWith(FIELD_COLUMN))} />
          <Group
            title="Fields of the vertical"
            columns={[
              ...columns.filter((one) => one.value.startsWith(FIELD_COLUMN)),
              ...gone.map((one) => ({ value: one, label: `${one.slice(FIELD_COLUMN.length)} (not there any more)`, personal: false })),
            ]}
          />
        </div>
      </Checkbox.Group>
      {isPersonal && (mayUnmask || value.unmasked) && (
        <Checkbox
          label="Show values of persons as they are"
          description="Otherwise they are masked, as everywhere. The change log says who took how many."
          checked={value.unmasked}
          disabled={!mayUnmask}
          onChange={(event) => change({ unmasked: event.currentTarget.checked })}
        />
      )}
      {isPersonal && !value.unmasked && <p className="muted small export-note">Values marked with a lock are masked: A•••, •••0123.</p>}
      {isPersonal && value.unmasked && (
        <Alert color="orange" variant="light" className="export-note">
          The file holds persons. Hand it only to those who may have them, and by a safe way.
        </Alert>
      )}
    </>
  );
}

const Masked = ({ label }: { label: string }) => (
  <span className="export-personal">
    {label} <IconLock size={13} aria-hidden />
    <span className="sr-only">(of the person)</span>
  </span>
);

function Group({ title, columns }: { title: string; columns: ExportColumnsAnswer['columns'] }) {
  if (columns.length === 0) return null;
  return (
    <fieldset className="export-group">
      <legend>{title}</legend>
      <div className="export-grid">
        {columns.map((column) => (
          <Checkbox key={column.value} value={column.value} label={column.personal ? <Masked label={column.label} /> : column.label} />
        ))}
      </div>
    </fieldset>
  );
}
