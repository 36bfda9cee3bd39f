import { Button, Modal, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { SelectSearch } from '#web/ui/SelectSearch.tsx';
import { toast } from '#web/ui/toast.ts';
import { ApiError } from '../api/client.ts';
import { addVertical } from '../api/vertical.ts';
import { message } from '../message.ts';
import { RegionDialog } from '../places/RegionDialog.tsx';
import { useRecordsChanged } from '../set-up/records-changed.ts';
import { UniqueInput } from '../set-up/UniqueInput.tsx';
import { useSetup } from '../shell/use-place.ts';
import { slugOf } from './slug-of.ts';

/** Console §2: the add-vertical modal of header and quick view; the new vertical opens at once, where its fields are set up. */
export function AddVertical({ regionId, onClose }: { regionId: string | undefined; onClose: () => void }) {
  const { places } = useSetup();
  const form = useForm({
    initialValues: { regionId: regionId ?? places.regions[0]?._id ?? '', name: '', slug: '', primaryField: 'email' },
    validate: {
      regionId: (id) => (id ? null : 'Choose a region.'),
      name: (name) => (name.trim() ? null : 'Enter a name.'),
      // Without a name there is one thing to say, and it is said there.
      slug: (slug, { name }) => (!name.trim() || slugOf(slug || name) ? null : 'Enter letters or digits.'),
      primaryField: (field) => (/^[A-Za-z_]\w{0,62}$/.test(field) ? null : 'Letters, digits and underscores; a letter comes first.'),
    },
    clearInputErrorOnChange: true,
  });
  const add = useAddVertical(onClose);
  const [regionIsOpen, setRegionIsOpen] = useState(false);
  const submit = ({ name, slug, ...rest }: typeof form.values) => {
    if (add.isPending) return;
    const vertical = { ...rest, name: name.trim(), slug: slugOf(slug || name) };
    add.mutate(vertical, { onError: (error) => form.setErrors(fieldErrors(error)) });
  };
  return (
    <Modal opened onClose={onClose} title="Add vertical" size="md" closeOnEscape={!regionIsOpen} trapFocus={!regionIsOpen}>
      {regionIsOpen && (
        <RegionDialog onSaved={(region) => form.setFieldValue('regionId', region._id)} onClose={() => setRegionIsOpen(false)} />
      )}
      <form noValidate className="form-stack" onSubmit={form.onSubmit(submit, focusFirstError)}>
        {add.error && Object.keys(fieldErrors(add.error)).length === 0 && (
          <div className="form-alert" role="alert">
            {add.error.message}
          </div>
        )}
        <UniqueInput
          {...form.getInputProps('name')}
          unique={{ model: 'vertical', field: 'name', within: { field: 'regionId', id: form.values.regionId } }}
          label="Name"
          maxLength={80}
          data-autofocus
        />
        <SelectSearch
          {...form.getInputProps('regionId')}
          label="Region"
          options={places.regions.map(({ _id, name }) => ({ value: _id, label: name }))}
          emptyText="No regions found."
        />
        <Button variant="subtle" size="compact-sm" className="new-region" onClick={() => setRegionIsOpen(true)}>
          New region
        </Button>
        <UniqueInput
          {...form.getInputProps('slug')}
          unique={{ model: 'vertical', field: 'slug', within: { field: 'regionId', id: form.values.regionId } }}
          label="Name in addresses"
          description="Left empty, it is made from the name."
          placeholder={slugOf(form.values.name)}
          maxLength={40}
        />
        <TextInput
          {...form.getInputProps('primaryField')}
          label="Primary field"
          description="The field of a lead that tells one consumer from another."
          maxLength={63}
        />
        <DialogEnd label="Add vertical" isPending={add.isPending} onClose={onClose} />
      </form>
    </Modal>
  );
}

function useAddVertical(onDone: () => void) {
  const { places } = useSetup();
  const changed = useRecordsChanged();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: addVertical,
    onSuccess: async (_answer, { regionId, slug }) => {
      void toast('success', message('moduleAdded', 'Vertical'));
      onDone();
      await changed('vertical');
      const region = places.regions.find((one) => one._id === regionId);
      // Its primary field does not exist yet: it is made there.
      if (region) await navigate({ to: '/setup/$region/$vertical/configuration', params: { region: region.slug, vertical: slug } });
    },
  });
}

const fieldErrors = (error: Error) =>
  error instanceof ApiError ? Object.fromEntries(error.fields.map((one) => [one.field, one.message])) : {};
