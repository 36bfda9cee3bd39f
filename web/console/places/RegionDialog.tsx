import { Modal, NativeSelect, TextInput } from '@mantine/core';
import type { RecordRow } from '../api/record.ts';
import { checkGiven } from '../set-up/check-given.ts';
import { COUNTRY } from '../set-up/country.ts';
import { RecordForm } from '../set-up/RecordForm.tsx';
import { UniqueInput } from '../set-up/UniqueInput.tsx';
import { slugOf } from '../vertical/slug-of.ts';

interface Values {
  name: string;
  slug: string;
  country: keyof typeof COUNTRY;
}
const initial: Values = { name: '', slug: '', country: 'us' };
const toValues = (row: RecordRow): Values => ({
  name: String(row.name),
  slug: String(row.slug),
  country: row.country as Values['country'],
});
const countries = Object.entries(COUNTRY).map(([value, label]) => ({ value, label }));

/** A region: a new one, or its name. Its addresses and the country whose rules its leads follow stay. */
export function RegionDialog({
  row,
  onSaved,
  onClose,
}: {
  row?: RecordRow | undefined;
  onSaved?: (row: RecordRow) => void;
  onClose: () => void;
}) {
  const toData = ({ name, slug, country }: Values) => (row ? { name } : { name, slug: slugOf(slug || name), country });
  return (
    <Modal opened onClose={onClose} title={row ? `Edit the region ${row.name}` : 'Add a region'} size="md">
      <RecordForm
        model="region"
        one="region"
        row={row}
        toValues={toValues}
        initial={initial}
        toData={toData}
        validate={{
          name: checkGiven,
          slug: (slug, { name }) => (!name.trim() || slugOf(slug || name) ? null : 'Enter letters or digits.'),
        }}
        onSaved={(saved) => {
          onSaved?.(saved);
          onClose();
        }}
        onCancel={onClose}
      >
        {(form) => (
          <>
            <UniqueInput
              {...form.getInputProps('name')}
              unique={{ model: 'region', field: 'name', id: row?._id }}
              label="Name"
              maxLength={120}
              autoComplete="off"
              data-autofocus
            />
            {row ? (
              <TextInput
                label="Name in addresses"
                value={form.values.slug}
                readOnly
                description="It stays, so that addresses keep leading here."
              />
            ) : (
              <UniqueInput
                {...form.getInputProps('slug')}
                unique={{ model: 'region', field: 'slug' }}
                label="Name in addresses"
                description="Left empty, it is made from the name."
                placeholder={slugOf(form.values.name)}
                maxLength={40}
              />
            )}
            {row ? (
              <TextInput
                label="Country"
                value={COUNTRY[form.values.country]}
                readOnly
                description="Its rules for states, postcodes and phones hold for all leads; it stays."
              />
            ) : (
              <NativeSelect
                {...form.getInputProps('country')}
                label="Country"
                data={countries}
                description="Whose rules for states, postcodes and phones its leads follow; it stays."
              />
            )}
          </>
        )}
      </RecordForm>
    </Modal>
  );
}
