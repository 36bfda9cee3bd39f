import { Modal, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ChoiceSelect } from '#web/ui/ChoiceSelect.tsx';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { recordChoices } from '../api/choices.ts';
import { addRecord, recordsQuery } from '../api/record.ts';
import { message } from '../message.ts';
import { errorsOf } from '../organization/RecordPage.tsx';
import { checkGiven } from '../set-up/check-given.ts';
import { NEW_PRICE, PriceModelInputs, type PriceValues, toPriceModel } from '../set-up/PriceModelInputs.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { useRecordsChanged } from '../set-up/records-changed.ts';
import { slugOf } from '../vertical/slug-of.ts';

interface Values extends PriceValues {
  name: string;
  /** NEW for one that is added with the tier. */
  publisherId: string;
  publisherName: string;
  campaignId: string;
}

const NEW = 'new';
const FIRST = [{ value: NEW, label: 'A new publisher' }];

export interface LanderTierDialogProps {
  cardName: string;
  onAdded: (tierId: string) => void;
  onClose: () => void;
}

/** A publisher tier for landers, with the little that it cannot be without; the rest is set on its own page. */
export function LanderTierDialog(props: LanderTierDialogProps) {
  const { verticalId } = usePlaceIds();
  const publishers = useQuery(recordsQuery({ model: 'publisher', condition: {}, fields: ['name'], limit: 2 }));
  const campaigns = useQuery(recordsQuery({ model: 'campaign', condition: { verticalId }, fields: ['name'], limit: 2 }));
  const failed = [publishers, campaigns].find((one) => one.isError);
  /** Where there is only one there is nothing to choose. */
  const only = (rows: { _id: string }[]) => (rows.length === 1 ? rows[0]!._id : '');
  return (
    <Modal opened onClose={props.onClose} title="Add a publisher tier for landers" size="md">
      {failed?.error ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : !publishers.data || !campaigns.data ? (
        <SkeletonLines count={5} />
      ) : campaigns.data.total === 0 ? (
        <p>This vertical has no campaign yet, and so nobody to sell to. Add a campaign with its ping tree, then come back.</p>
      ) : (
        <TierForm
          {...props}
          publisherId={publishers.data.total === 0 ? NEW : only(publishers.data.data)}
          campaignId={only(campaigns.data.data)}
        />
      )}
    </Modal>
  );
}

function TierForm({ cardName, onAdded, onClose, ...known }: LanderTierDialogProps & Pick<Values, 'publisherId' | 'campaignId'>) {
  const { verticalId } = usePlaceIds();
  const changed = useRecordsChanged();
  const form = useForm<Values>({
    initialValues: {
      ...NEW_PRICE,
      ...known,
      name: cardName ? `Lander ${cardName}`.slice(0, 120) : 'Landers',
      publisherName: 'Own landers',
    },
    validate: {
      name: checkGiven,
      publisherId: (id) => (id === '' ? 'Choose a publisher.' : null),
      publisherName: (text, { publisherId }) => (publisherId === NEW ? checkGiven(text) : null),
      campaignId: (id) => (id === '' ? 'Choose a campaign.' : null),
      priceValue: checkGiven,
    },
    clearInputErrorOnChange: true,
  });
  const add = useMutation({
    async mutationFn(values: Values) {
      const { name, campaignId } = values;
      const publisherId = values.publisherId === NEW ? await addPublisher(values.publisherName) : values.publisherId;
      const data = { name, kind: 'lander', publisherId, campaignId, priceModel: toPriceModel(values) };
      return addRecord('publisherTier', data);
    },
    async onSuccess({ data }) {
      void toast('success', message('moduleAdded', 'Tier'));
      await changed('publisherTier');
      onAdded(data._id);
      onClose();
    },
    onError(error) {
      const { affiliateId, priceModel, ...errors } = errorsOf(error);
      const told = { ...errors, ...(affiliateId && { publisherName: affiliateId }), ...(priceModel && { priceValue: priceModel }) };
      form.setErrors(told);
      focusFirstError(told);
    },
  });
  /** Is there already when the tier is refused and sent again. */
  async function addPublisher(name: string): Promise<string> {
    const { data } = await addRecord('publisher', { name, affiliateId: slugOf(name) || 'landers' });
    form.setFieldValue('publisherId', data._id);
    await changed('publisher');
    return data._id;
  }
  const unplaced = add.error && Object.keys(errorsOf(add.error)).length === 0 ? add.error : null;
  return (
    <form
      noValidate
      className="form-stack"
      onSubmit={form.onSubmit((values) => void (add.isPending || add.mutate(values)), focusFirstError)}
    >
      <p className="muted">
        Leads of landers come to it, and to nobody’s posting key. Caps, hours, filters and the rest are set on its own page.
      </p>
      <TextInput {...form.getInputProps('name')} label="Name" maxLength={120} data-autofocus />
      <ChoiceSelect
        {...form.getInputProps('publisherId')}
        label="Publisher"
        source={recordChoices('publisher')}
        first={FIRST}
        emptyText="No publishers found."
      />
      {form.values.publisherId === NEW && (
        <TextInput {...form.getInputProps('publisherName')} label="Name of the publisher" maxLength={120} />
      )}
      <ChoiceSelect
        {...form.getInputProps('campaignId')}
        label="Campaign"
        source={recordChoices('campaign', { verticalId })}
        emptyText="No campaigns found."
      />
      <PriceModelInputs values={form.values} inputProps={form.getInputProps} />
      <DialogEnd label="Add the tier" isPending={add.isPending} onClose={onClose} error={unplaced} />
    </form>
  );
}
