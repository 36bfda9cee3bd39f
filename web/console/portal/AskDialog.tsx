import { Modal, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PortalAnswer, PortalContact, PortalTier } from '#contract/portal.ts';
import type { HoursRule, PauseDatesRule } from '#contract/tier.ts';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { toast } from '#web/ui/toast.ts';
import { ApiError } from '../api/client.ts';
import { askChange, portalKey } from '../api/portal.ts';
import { CapsEditor, type CapText, toCaps, toCapTexts } from '../set-up/rules/CapsEditor.tsx';
import { HoursEditor } from '../set-up/rules/HoursEditor.tsx';
import { PauseEditor } from '../set-up/rules/PauseEditor.tsx';
import { TextList } from '../set-up/rules/TextList.tsx';
import { ADDRESS_LIST } from '../set-up/rules/value-list.ts';
import '../set-up/record-form.css';

/** What is asked about. */
export type Asked =
  | { model: 'buyer'; record: PortalAnswer }
  | { model: 'buyerTier' | 'publisherTier'; record: PortalTier }
  | { model: 'contact'; record: PortalContact };

interface Values {
  status: string;
  price: string;
  caps: CapText[];
  hours: HoursRule | null;
  pauseDates: PauseDatesRule | null;
  ipAllow: string[];
  firstName: string;
  lastName: string;
  job: string;
  email: string;
  phone: string;
  note: string;
}

const NONE: Values = {
  ...{ status: '', price: '', caps: [], hours: null, pauseDates: null, ipAllow: [] },
  ...{ firstName: '', lastName: '', job: '', email: '', phone: '', note: '' },
};

function valuesOf({ model, record }: Asked): Values {
  if (model === 'buyer') return { ...NONE, caps: toCapTexts(record.caps) };
  if (model === 'contact') {
    const { firstName, lastName, job, email, phone } = record;
    return { ...NONE, firstName, lastName, job, email, phone };
  }
  const { status, price, caps, hours, pauseDates, ipAllow } = record;
  return { ...NONE, ...{ status, price: price ?? '', caps: toCapTexts(caps), hours, pauseDates, ipAllow } };
}

/** Only what is another value than now is asked for. */
function changesOf({ model, record }: Asked, now: Values): Record<string, unknown> {
  const was = valuesOf({ model, record } as Asked);
  const names: readonly (keyof Values)[] =
    model === 'buyer'
      ? ['caps']
      : model === 'contact'
        ? ['firstName', 'lastName', 'job', 'email', 'phone']
        : model === 'buyerTier'
          ? ['status', 'price', 'caps', 'hours', 'pauseDates']
          : ['status', 'caps', 'pauseDates', 'ipAllow'];
  const changed = names.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(now[name]));
  return Object.fromEntries(changed.map((name) => [name, sent(name, now)]));
}

function sent(name: keyof Values, now: Values): unknown {
  if (name === 'caps') return toCaps(now.caps);
  return name === 'price' ? { kind: 'fixed', price: now.price } : now[name];
}

const nameOf = ({ model, record }: Asked): string => {
  if (model === 'buyer') return record.company.name;
  return model === 'contact' ? `${record.firstName} ${record.lastName}`.trim() : record.name;
};
const zoneOf = (caps: readonly { timeZone: string }[]): string => caps[0]?.timeZone ?? 'America/New_York';

interface AskDialogProps {
  asked: Asked;
  organizationName: string;
  onClose: () => void;
}

/** A change that somebody else decides about: the fields as they are, to be made as they are wanted. */
export function AskDialog({ asked, organizationName, onClose }: AskDialogProps) {
  const client = useQueryClient();
  const form = useForm<Values>({
    initialValues: valuesOf(asked),
    validate: {
      caps: (caps) => (caps.some((cap) => cap.limit === '') ? 'Say how much at most, or remove the cap.' : null),
      firstName: (name) => (asked.model === 'contact' && name.trim() === '' ? 'First name is required' : null),
      price: (price) => (asked.model === 'buyerTier' && asked.record.price !== null && price === '' ? 'Price is required' : null),
    },
    clearInputErrorOnChange: true,
  });
  const send = useMutation({
    mutationFn: (values: Values) =>
      askChange({
        model: asked.model,
        _id: asked.model === 'buyer' ? asked.record.company._id : asked.record._id,
        data: changesOf(asked, values),
        note: values.note.trim(),
      }),
    onSuccess: ({ msg }) => {
      void toast('success', msg);
      onClose();
    },
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(Object.fromEntries(error.fields.map((one) => [one.field.split('.')[0]!, one.message])));
    },
    onSettled: () => client.invalidateQueries({ queryKey: portalKey }),
  });
  const isSame = Object.keys(changesOf(asked, form.values)).length === 0;
  return (
    <Modal opened onClose={onClose} title={`Ask for a change of ${nameOf(asked)}`} size="lg">
      <form
        noValidate
        className="form-stack"
        onSubmit={form.onSubmit((values) => void (send.isPending || send.mutate(values)), focusFirstError)}
      >
        <p className="muted small portal-lead-in">{`${organizationName} decides about it. Until then all stays as it is.`}</p>
        <Fields asked={asked} form={form} />
        <Textarea {...form.getInputProps('note')} label="Why" maxLength={500} autosize minRows={2} description="Read by who decides." />
        <DialogEnd label="Send the request" isPending={send.isPending} isBarred={isSame} onClose={onClose} error={send.error} />
      </form>
    </Modal>
  );
}

type Form = Pick<ReturnType<typeof useForm<Values>>, 'values' | 'errors' | 'getInputProps' | 'setFieldValue'>;

function Fields({ asked, form }: { asked: Asked; form: Form }) {
  const caps = (
    <fieldset className="portal-rule">
      <legend>Caps</legend>
      <CapsEditor
        value={form.values.caps}
        onChange={(value) => form.setFieldValue('caps', value)}
        timeZone={zoneOf(form.values.caps)}
        error={form.errors.caps}
      />
    </fieldset>
  );
  if (asked.model === 'buyer') return caps;
  if (asked.model === 'contact')
    return (
      <>
        <div className="form-pair">
          <TextInput {...form.getInputProps('firstName')} label="First name" maxLength={80} data-autofocus />
          <TextInput {...form.getInputProps('lastName')} label="Last name" maxLength={80} />
        </div>
        <TextInput {...form.getInputProps('job')} label="Job" maxLength={120} />
        <div className="form-pair">
          <TextInput {...form.getInputProps('email')} label="Email" type="email" maxLength={254} />
          <TextInput {...form.getInputProps('phone')} label="Phone" maxLength={30} />
        </div>
      </>
    );
  const { price } = asked.record;
  return (
    <>
      <div className="form-pair">
        <NativeSelect
          {...form.getInputProps('status')}
          label="Status"
          data={[
            { value: 'active', label: 'Active' },
            { value: 'paused', label: 'Paused' },
          ]}
          data-autofocus
        />
        {asked.model === 'buyerTier' && price !== null && <AmountInput {...form.getInputProps('price')} label="Price" />}
      </div>
      {caps}
      {asked.model === 'buyerTier' && (
        <fieldset className="portal-rule">
          <legend>Hours</legend>
          <HoursEditor
            value={form.values.hours}
            onChange={(value) => form.setFieldValue('hours', value)}
            timeZone={zoneOf(form.values.caps)}
          />
          <Wrong error={form.errors.hours} />
        </fieldset>
      )}
      <fieldset className="portal-rule">
        <legend>Pause days</legend>
        <PauseEditor
          value={form.values.pauseDates}
          onChange={(value) => form.setFieldValue('pauseDates', value)}
          timeZone={zoneOf(form.values.caps)}
        />
        <Wrong error={form.errors.pauseDates} />
      </fieldset>
      {asked.model === 'publisherTier' && (
        <TextList
          {...form.getInputProps('ipAllow')}
          label="Addresses that may post"
          description="Single addresses or ranges such as 203.0.113.0/24; none lets all."
          limits={ADDRESS_LIST}
          splitChars={[',', ' ', ';']}
        />
      )}
    </>
  );
}

const Wrong = ({ error }: { error: React.ReactNode }) =>
  error ? (
    <p className="bad small" role="alert">
      {error}
    </p>
  ) : null;
