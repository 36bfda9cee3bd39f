import { Checkbox, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ExportContent, FeedDestination, FeedSchedule } from '#contract/export.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { timeZoneLabel, timeZonePlace, timeZones } from '#web/ui/zone.ts';
import type { RecordRow } from '../api/record.ts';
import { checkGiven } from '../set-up/check-given.ts';
import { EditPage } from '../set-up/EditPage.tsx';
import { FormSection } from '../set-up/FormSection.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { RecordForm, type RecordFormState } from '../set-up/RecordForm.tsx';
import { statusOptionsOf } from '../set-up/status-options.ts';
import { UniqueInput } from '../set-up/UniqueInput.tsx';
import { ContentFields } from './ContentFields.tsx';
import { startContent } from './ExportForm.tsx';
import { DESTINATIONS, EVERY, WEEKDAYS } from './export-words.ts';
import { FeedFrame } from './FeedFrame.tsx';
import { FeedRuns } from './FeedRuns.tsx';
import { FeedTest } from './FeedTest.tsx';
import '@mantine/core/styles/PasswordInput.css';
import './export.css';

interface Values {
  name: string;
  status: string;
  schedule: { every: FeedSchedule['every']; minute: string; at: string; weekday: string; day: string; timeZone: ExportContent['timeZone'] };
  content: ExportContent;
  destination: {
    kind: FeedDestination['kind'];
    url: string;
    host: string;
    port: string;
    user: string;
    folder: string;
    hostKey: string;
    to: string;
  };
  secrets: { password: string; privateKey: string; passphrase: string };
  sendEmpty: boolean;
  sendChanges: boolean;
  notes: string;
}

/** Names of the secrets that are kept. */
const keptOf = (row: RecordRow | undefined) => (row?.secrets as string[] | undefined) ?? [];

const NO_SECRETS = { password: '', privateKey: '', passphrase: '' };
const NOWHERE: Values['destination'] = { kind: 'http', url: '', host: '', port: '22', user: '', folder: '', hostKey: '', to: '' };
const startSchedule = (timeZone: ExportContent['timeZone']): Values['schedule'] => ({
  ...{ every: 'day', minute: '0', at: '06:00', weekday: '0', day: '1', timeZone },
});

function toValues(row: RecordRow): Values {
  const schedule = row.schedule as FeedSchedule;
  const destination = row.destination as FeedDestination;
  const plain = Object.fromEntries(Object.entries(schedule).map(([key, value]) => [key, String(value)]));
  const where = Object.fromEntries(Object.entries(destination).map(([key, value]) => [key, value === null ? '' : String(value)]));
  return {
    ...{ name: String(row.name), status: String(row.status), notes: String(row.notes), content: row.content as ExportContent },
    schedule: { ...startSchedule((row.content as ExportContent).timeZone), ...plain } as Values['schedule'],
    destination: { ...NOWHERE, ...where, ...(destination.kind === 'mail' && { to: destination.to.join(', ') }) } as Values['destination'],
    secrets: NO_SECRETS,
    ...{ sendEmpty: row.sendEmpty === true, sendChanges: row.sendChanges === true },
  };
}

function scheduleOf({ every, minute, at, weekday, day, timeZone }: Values['schedule']): FeedSchedule {
  if (every === 'hour') return { every, minute: Number(minute) };
  if (every === 'day') return { every, at, timeZone };
  return every === 'week' ? { every, weekday: Number(weekday), at, timeZone } : { every, day: Number(day), at, timeZone };
}

function destinationOf({ kind, url, host, port, user, folder, hostKey, to }: Values['destination']): FeedDestination {
  if (kind === 'http') return { kind, url: url.trim() };
  if (kind === 'mail') return { kind, to: addressesOf(to) };
  return {
    kind,
    host: host.trim().toLowerCase(),
    port: Number(port),
    user: user.trim(),
    folder: folder.trim(),
    hostKey: hostKey.trim() || null,
  };
}
const addressesOf = (text: string) => text.split(/[\s,;]+/).filter(Boolean);

function toData({ schedule, destination, secrets, status: _status, ...rest }: Values): Record<string, unknown> {
  const given = Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ''));
  return {
    ...rest,
    schedule: scheduleOf(schedule),
    destination: destinationOf(destination),
    ...(destination.kind === 'sftp' && Object.keys(given).length > 0 && { secrets: given }),
  };
}

const isKind = (values: Values, kind: FeedDestination['kind']) => values.destination.kind === kind;
const wholeBetween = (least: number, most: number, says: string) => (text: string) =>
  /^\d{1,5}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most ? null : says;

/** One feed: what, when and where to; a test of that, and its runs. */
export function FeedPage() {
  const { id } = useParams({ strict: false }) as { id?: string };
  const { place, verticalId } = usePlaceIds();
  const { zone } = useReporting();
  const navigate = useNavigate();
  const path = `/setup/${place.region}/${place.vertical}/data-mgmt/outbound/feeds`;
  const initial: Values = {
    ...{ name: '', status: 'active', schedule: startSchedule(zone), content: startContent(zone), destination: NOWHERE },
    ...{ secrets: NO_SECRETS, sendEmpty: false, sendChanges: false, notes: '' },
  };
  return (
    <EditPage
      model="exportFeed"
      label="Feed of leads"
      id={id}
      list={{ path: 'data-mgmt/outbound/feeds', label: 'Feeds of leads' }}
      Frame={FeedFrame}
    >
      {({ row, toList }) => (
        <>
          <RecordForm<Values>
            key={`${row?._id} ${row?.version}`}
            model="exportFeed"
            one="feed of leads"
            row={row}
            toValues={toValues}
            initial={initial}
            toData={(values) => ({
              ...toData(values),
              ...(row ? { status: values.status } : { verticalId }),
              // Nothing of the server before stays where files go elsewhere.
              ...(!isKind(values, 'sftp') && keptOf(row).length > 0 && { secrets: { password: null, privateKey: null, passphrase: null } }),
            })}
            validate={{
              name: checkGiven,
              schedule: {
                minute: (text, values) => (values.schedule.every === 'hour' ? wholeBetween(0, 59, 'A minute from 0 to 59.')(text) : null),
                at: (text, values) =>
                  values.schedule.every === 'hour' || /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? null : 'A time like 06:30.',
                day: (text, values) => (values.schedule.every === 'month' ? wholeBetween(1, 31, 'A day from 1 to 31.')(text) : null),
              },
              content: (content) => (content.columns.length === 0 ? 'Choose at least one column.' : null),
              destination: {
                url: (text, values) =>
                  !isKind(values, 'http') || /^https?:\/\/[^\s@]+$/i.test(text.trim())
                    ? null
                    : 'An address that begins with https://, without a name or password in it.',
                host: (text, values) =>
                  !isKind(values, 'sftp') || /^[^\s/@]+$/.test(text.trim()) ? null : 'The name of a server, such as files.example.com.',
                port: (text, values) => (isKind(values, 'sftp') ? wholeBetween(1, 65_535, 'A port, usually 22.')(text) : null),
                user: (text, values) => (isKind(values, 'sftp') ? checkGiven(text) : null),
                hostKey: (text, values) =>
                  !isKind(values, 'sftp') || text.trim() === '' || /^SHA256:[A-Za-z0-9+/]{43}$/.test(text.trim())
                    ? null
                    : 'A fingerprint that begins with SHA256:, or nothing.',
                to: (text, values) =>
                  !isKind(values, 'mail') ||
                  (addressesOf(text).length > 0 && addressesOf(text).every((one) => /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(one)))
                    ? null
                    : 'E-mail addresses, with commas between.',
              },
            }}
            onSaved={(saved) => (row ? undefined : void navigate({ href: `${path}/${saved._id}` }))}
            onCancel={toList}
          >
            {(form) => (
              <>
                <FormSection
                  title="Feed"
                  says="Each run sends the leads that came since the one before. A lead that has not ended yet waits for the next."
                >
                  <div className="form-three">
                    <UniqueInput
                      {...form.getInputProps('name')}
                      unique={{ model: 'exportFeed', field: 'name', id: row?._id, within: { field: 'verticalId', id: verticalId } }}
                      label="Name"
                      maxLength={120}
                      autoComplete="off"
                    />
                    {row && <NativeSelect {...form.getInputProps('status')} label="Status" data={statusOptionsOf(row)} />}
                  </div>
                  <Schedule form={form} />
                </FormSection>
                <Destination form={form} row={row} />
                <ContentFields
                  value={form.values.content}
                  onChange={(next) => form.setFieldValue('content', next)}
                  columnsError={form.errors.content ?? form.errors['content.columns']}
                />
                <FormSection title="Besides">
                  <Checkbox
                    {...form.getInputProps('sendEmpty', { type: 'checkbox' })}
                    label="Send a file without leads, too"
                    description="Otherwise a run that finds nothing sends nothing."
                  />
                  <Checkbox
                    {...form.getInputProps('sendChanges', { type: 'checkbox' })}
                    label="Send leads again that are settled or given back later"
                    description="The file then has a first column that says new or changed."
                  />
                  <Textarea {...form.getInputProps('notes')} label="Notes" autosize minRows={2} maxLength={500} />
                </FormSection>
              </>
            )}
          </RecordForm>
          {row && row.status !== 'archived' && <FeedTest row={row} />}
          {row && row.status !== 'archived' && <FeedRuns row={row} />}
        </>
      )}
    </EditPage>
  );
}

function Schedule({ form }: { form: RecordFormState<Values> }) {
  const { every } = form.values.schedule;
  return (
    <div className="form-three">
      <NativeSelect {...form.getInputProps('schedule.every')} label="Runs" data={EVERY} />
      {every === 'hour' && <TextInput {...form.getInputProps('schedule.minute')} label="At minute" inputMode="numeric" maxLength={2} />}
      {every === 'week' && (
        <NativeSelect
          {...form.getInputProps('schedule.weekday')}
          label="On"
          data={WEEKDAYS.map((label, value) => ({ value: String(value), label }))}
        />
      )}
      {every === 'month' && (
        <TextInput
          {...form.getInputProps('schedule.day')}
          label="On day"
          description="A month that has no such day takes its last."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="numeric"
          maxLength={2}
        />
      )}
      {every !== 'hour' && <TextInput {...form.getInputProps('schedule.at')} label="At" placeholder="06:30" maxLength={5} />}
      {every !== 'hour' && (
        <NativeSelect
          {...form.getInputProps('schedule.timeZone')}
          label="Time of"
          data={timeZones.map((zone) => ({ value: zone, label: `${timeZonePlace[zone]} (${timeZoneLabel[zone]})` }))}
        />
      )}
    </div>
  );
}

function Destination({ form, row }: { form: RecordFormState<Values>; row: RecordRow | undefined }) {
  const { kind } = form.values.destination;
  const kept = keptOf(row);
  const hint = (name: string) => (kept.includes(name) ? 'Kept. Type another to replace it.' : undefined);
  const input = (name: keyof Values['destination']) => ({
    ...form.getInputProps(`destination.${name}`),
    spellCheck: false,
    autoComplete: 'off',
  });
  const secret = (name: keyof Values['secrets']) => ({
    ...form.getInputProps(`secrets.${name}`),
    description: hint(name),
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
    autoComplete: 'new-password',
  });
  return (
    <FormSection title="Where to">
      <div className="form-three">
        <NativeSelect {...form.getInputProps('destination.kind')} label="By" data={DESTINATIONS} />
      </div>
      {kind === 'http' && (
        <TextInput
          {...input('url')}
          label="Address"
          placeholder="https://crm.example.com/leads"
          maxLength={2000}
          description="The file is posted there, signed."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      )}
      {kind === 'mail' && (
        <TextInput
          {...input('to')}
          label="To"
          placeholder="leads@example.com, office@example.com"
          maxLength={2600}
          description="At most ten addresses, and files of at most 10 MB."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      )}
      {kind === 'sftp' && (
        <>
          <div className="form-three">
            <TextInput {...input('host')} label="Server" placeholder="files.example.com" maxLength={253} />
            <TextInput {...input('port')} label="Port" inputMode="numeric" maxLength={5} />
            <TextInput {...input('user')} label="User" maxLength={120} />
            <TextInput {...input('folder')} label="Folder" placeholder="inbox" maxLength={500} />
            <PasswordInput {...secret('password')} label="Password" maxLength={1000} />
          </div>
          <Textarea
            {...secret('privateKey')}
            label="Or a private key"
            placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
            autosize
            minRows={2}
            maxRows={6}
            spellCheck={false}
          />
          <div className="form-three">
            <PasswordInput {...secret('passphrase')} label="Passphrase of the key" maxLength={1000} />
          </div>
          <TextInput
            {...input('hostKey')}
            label="Key of the server"
            placeholder="SHA256:…"
            description="Its fingerprint. Left empty, the first test pins the one that the server shows; nothing is sent to a server with another."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            maxLength={60}
          />
          {form.errors.secrets && (
            <p className="bad small export-note" role="alert">
              {form.errors.secrets}
            </p>
          )}
        </>
      )}
    </FormSection>
  );
}
