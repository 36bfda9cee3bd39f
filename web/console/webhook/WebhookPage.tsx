import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { EVENT_LABELS } from '#contract/webhook-words.ts';
import type { RecordRow } from '../api/record.ts';
import { checkGiven } from '../set-up/check-given.ts';
import { EditPage } from '../set-up/EditPage.tsx';
import { FormSection } from '../set-up/FormSection.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { RecordForm } from '../set-up/RecordForm.tsx';
import { statusOptionsOf } from '../set-up/status-options.ts';
import { UniqueInput } from '../set-up/UniqueInput.tsx';
import { WebhookCalls } from './WebhookCalls.tsx';
import { WebhookFrame } from './WebhookFrame.tsx';
import { WebhookSecret } from './WebhookSecret.tsx';
import './webhook.css';

interface Values {
  name: string;
  status: string;
  url: string;
  events: string[];
  notes: string;
}

const INITIAL: Values = { name: '', status: 'active', url: '', events: ['lead.sold', 'lead.settled', 'lead.returned'], notes: '' };
const toValues = (row: RecordRow): Values => ({
  ...{ name: String(row.name), status: String(row.status), url: String(row.url), notes: String(row.notes) },
  events: row.events as string[],
});

/** One webhook: where it is told, of what, with which secret, and what it was told. */
export function WebhookPage() {
  const { id } = useParams({ strict: false }) as { id?: string };
  const { place, verticalId } = usePlaceIds();
  const navigate = useNavigate();
  const path = `/setup/${place.region}/${place.vertical}/features-api/webhooks`;
  return (
    <EditPage model="webhook" label="Webhook" id={id} list={{ path: 'features-api/webhooks', label: 'Webhooks' }} Frame={WebhookFrame}>
      {({ row, toList }) => (
        <>
          <RecordForm<Values>
            key={row?._id}
            model="webhook"
            one="webhook"
            row={row}
            toValues={toValues}
            initial={INITIAL}
            toData={({ status, ...values }) => ({ ...values, ...(row ? { status } : { verticalId }) })}
            validate={{
              name: checkGiven,
              url: (text) =>
                /^https?:\/\/[^\s@]+$/i.test(text) ? null : 'An address that begins with https://, without a name or password in it.',
              events: (events) => (events.length === 0 ? 'Choose at least one.' : null),
            }}
            // The secret of a new one is needed next.
            onSaved={(saved) => (row ? toList() : void navigate({ href: `${path}/${saved._id}` }))}
            onCancel={toList}
          >
            {(form) => (
              <FormSection
                title="Webhook"
                says="What becomes of leads of this vertical is posted as JSON to the address, as it happens. Tests and pings are not told."
              >
                <div className="form-three">
                  <UniqueInput
                    {...form.getInputProps('name')}
                    unique={{ model: 'webhook', field: 'name', id: row?._id, within: { field: 'verticalId', id: verticalId } }}
                    label="Name"
                    maxLength={120}
                    autoComplete="off"
                  />
                  {row && <NativeSelect {...form.getInputProps('status')} label="Status" data={statusOptionsOf(row)} />}
                </div>
                <TextInput
                  {...form.getInputProps('url')}
                  label="Address"
                  placeholder="https://crm.example.com/sluice"
                  maxLength={2000}
                  spellCheck={false}
                  autoComplete="off"
                />
                <Checkbox.Group {...form.getInputProps('events')} label="Is told of">
                  <div className="webhook-events">
                    {Object.entries(EVENT_LABELS).map(([event, label]) => (
                      <Checkbox key={event} value={event} label={`${label[0]!.toUpperCase()}${label.slice(1)} (${event})`} />
                    ))}
                  </div>
                </Checkbox.Group>
                <Textarea {...form.getInputProps('notes')} label="Notes" autosize minRows={2} maxLength={500} />
              </FormSection>
            )}
          </RecordForm>
          {row && <WebhookSecret row={row} />}
          {row && <WebhookCalls row={row} />}
        </>
      )}
    </EditPage>
  );
}
