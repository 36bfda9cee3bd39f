import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useEffectEvent } from 'react';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { type TimeZone, timeZoneLabel, timeZonePlace, timeZones } from '#web/ui/zone.ts';
import { checkName } from '../registration/name-check.ts';
import { useSetup } from '../shell/use-place.ts';
import { errorsOf, RecordPage, SaveRefusal } from './RecordPage.tsx';
import { useRecord } from './use-record.ts';

interface Person {
  email: string;
  first_name: string;
  last_name: string;
  reportingTimeZone: TimeZone | null;
  requestMails: boolean;
}

/** Account §2: one's own names and reporting zone. */
export function Profile() {
  const { query, save } = useRecord<Person>('user', 'Profile');
  return (
    <RecordPage title="Your profile" tabs="person" query={query}>
      {(person) => <ProfileForm person={person} save={save} />}
    </RecordPage>
  );
}

function ProfileForm({ person, save }: { person: Person; save: ReturnType<typeof useRecord<Person>>['save'] }) {
  const isBound = Boolean(useSetup().session.permissionObj?.bound);
  const { first_name, last_name, requestMails } = person;
  const form = useForm({
    initialValues: { first_name, last_name, requestMails, reportingTimeZone: person.reportingTimeZone ?? '' },
    validate: { first_name: (name) => checkName(name, 'First name'), last_name: (name) => checkName(name, 'Last name') },
    clearInputErrorOnChange: true,
  });
  // Chosen in the header meanwhile; names that are being typed stay.
  const takeZone = useEffectEvent((zone: TimeZone | null) => form.setFieldValue('reportingTimeZone', zone ?? ''));
  useEffect(() => takeZone(person.reportingTimeZone), [person.reportingTimeZone]);
  const submit = ({ reportingTimeZone, ...values }: typeof form.values) => {
    if (save.isPending) return;
    const zone = timeZones.find((one) => one === reportingTimeZone) ?? null;
    save.mutate({ ...values, reportingTimeZone: zone }, { onError: (error) => form.setErrors(errorsOf(error)) });
  };
  return (
    <form noValidate className="card card-pad form-stack" onSubmit={form.onSubmit(submit, focusFirstError)}>
      <SaveRefusal error={save.error} />
      <div className="form-pair">
        <TextInput {...form.getInputProps('first_name')} label="First name" autoComplete="given-name" maxLength={80} />
        <TextInput {...form.getInputProps('last_name')} label="Last name" autoComplete="family-name" maxLength={80} />
      </div>
      <TextInput label="Email" value={person.email} readOnly description="You sign in with this address." />
      <Select
        {...form.getInputProps('reportingTimeZone')}
        label="Reporting time zone"
        description="Where a day begins in your reports."
        allowDeselect={false}
        data={[
          { value: '', label: 'As the organization' },
          ...timeZones.map((zone) => ({ value: zone, label: `${timeZoneLabel[zone]} (${timeZonePlace[zone]})` })),
        ]}
      />
      {!isBound && (
        <Checkbox
          {...form.getInputProps('requestMails', { type: 'checkbox' })}
          label="Mails about requests of portals"
          description="Where you may decide what buyers and publishers ask for, in any organization."
        />
      )}
      <div className="row">
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
