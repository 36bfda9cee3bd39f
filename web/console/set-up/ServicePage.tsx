import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ServiceEndpoint } from '#contract/service.ts';
import type { RecordRow } from '../api/record.ts';
import { checkEndpoint } from '../endpoint/check-endpoint.ts';
import { EndpointEditor } from '../endpoint/EndpointEditor.tsx';
import { readEndpoint, writeEndpoint } from '../endpoint/endpoint-draft.ts';
import { AskedBy } from './AskedBy.tsx';
import { checkGiven } from './check-given.ts';
import { DuplicateNote } from './DuplicateNote.tsx';
import { EditPage } from './EditPage.tsx';
import { FormSection } from './FormSection.tsx';
import { fieldsQuery } from './fields-query.ts';
import { usePlaceIds } from './place-ids.ts';
import { RecordForm } from './RecordForm.tsx';
import { CheckTrial } from './rules/CheckTrial.tsx';
import { PreCheckEditor } from './rules/PreCheckEditor.tsx';
import {
  CHECK_KINDS,
  type CheckDraft,
  type CheckKind,
  checkDraftFault,
  newCheck,
  toCheckDraft,
  toPreCheck,
} from './rules/pre-check-text.ts';
import { checkSecrets, SecretsEditor, type SecretText, toSecrets, toWriteAnew, writtenSecrets } from './rules/SecretsEditor.tsx';
import { statusOptionsOf } from './status-options.ts';

interface Values {
  name: string;
  status: string;
  notes: string;
  /** Of a call; kept while another kind is looked at. */
  endpoint: string;
  /** A ready-made check instead. */
  check: CheckDraft | null;
  secrets: SecretText[];
}

const ruleOf = (row: RecordRow) => row.endpoint as ServiceEndpoint | null;
const toValues = (row: RecordRow): Values => ({
  name: String(row.name),
  status: String(row.status),
  notes: String(row.notes),
  endpoint: ruleOf(row)?.check ? writeEndpoint(ENDPOINT) : JSON.stringify(row.endpoint, null, 2),
  check: ruleOf(row)?.check ? toCheckDraft(ruleOf(row)!.check!) : null,
  secrets: (row.secrets as string[]).map((name) => ({ name, value: null })),
});

const CALL = 'call';

/** Where a service gets the e-mail address as JSON and answers {"valid": true} or {"valid": false, "reason": ...}: a beginning to be changed. */
const ENDPOINT = {
  post: {
    url: '',
    method: 'POST',
    body: { format: 'json', mapping: [{ to: 'email', from: { kind: 'field', field: 'email' } }] },
    response: {
      outcomes: [
        { outcome: 'accepted', when: [{ at: { path: 'valid' }, is: 'true' }] },
        { outcome: 'rejected', when: [{ at: { path: 'valid' }, is: 'false' }] },
      ],
      otherwise: 'error',
      reasons: [{ path: 'reason' }],
    },
  },
};
const initial: Values = { name: '', status: 'active', notes: '', endpoint: writeEndpoint(ENDPOINT), check: null, secrets: [] };

function toData(values: Values, isNew: boolean, verticalId: string): Record<string, unknown> {
  const { name, status, notes } = values;
  const secrets = toSecrets(values.secrets);
  return {
    ...{ name, status, notes, endpoint: values.check ? { check: toPreCheck(values.check) } : (readEndpoint(values.endpoint) ?? null) },
    ...(Object.keys(secrets).length > 0 && { secrets }),
    ...(isNew && { verticalId }),
  };
}

/** A third-party service: how it is asked about a lead, and what its answers mean. */
export function ServicePage() {
  const { id } = useParams({ strict: false });
  const { verticalId, country } = usePlaceIds();
  const fields = useQuery(fieldsQuery(verticalId));
  return (
    <EditPage model="service" label="Third-party service" id={id} list={{ path: 'third-party-service', label: 'Third-party services' }}>
      {({ row, like, toList }) => (
        <>
          <RecordForm
            key={row?._id ?? like?._id}
            model="service"
            one="third-party service"
            row={row}
            toValues={toValues}
            initial={like ? { ...toValues(like), name: `${like.name} copy`, secrets: toWriteAnew(like) } : initial}
            toData={(values) => toData(values, !row, verticalId)}
            validate={{
              name: checkGiven,
              endpoint: (text, { check }) => (check ? null : checkEndpoint(text, { legs: ['post'], isActive: true })),
              check: (draft) => draft && checkDraftFault(draft),
              secrets: (list, { endpoint, check }) => (check ? null : checkSecrets(list, row?.endpoint, readEndpoint(endpoint))),
            }}
            onSaved={toList}
            onCancel={toList}
          >
            {(form) => (
              <>
                {like && (
                  <DuplicateNote>
                    Secrets are not copied{(like.secrets as string[]).length > 0 && ': write them anew under Endpoint'}. No tier asks the
                    new service yet.
                  </DuplicateNote>
                )}
                <FormSection title="Service">
                  <div className="form-three">
                    <TextInput {...form.getInputProps('name')} label="Name" maxLength={120} />
                    <NativeSelect
                      {...form.getInputProps('status')}
                      label="Status"
                      description="While it is paused nobody is asked; each tier’s rule for failures decides."
                      inputWrapperOrder={['label', 'input', 'description', 'error']}
                      data={statusOptionsOf(row)}
                    />
                  </div>
                  <NativeSelect
                    label="Kind"
                    data={[
                      { value: CALL, label: 'A call to a service' },
                      ...CHECK_KINDS.filter(({ value }) => value !== 'address' || country === 'us'),
                    ]}
                    value={form.values.check?.kind ?? CALL}
                    onChange={(event) => {
                      const kind = event.currentTarget.value;
                      form.setFieldValue('check', kind === CALL ? null : newCheck(kind as CheckKind, fields.data?.data ?? [], country));
                    }}
                  />
                  <Textarea {...form.getInputProps('notes')} label="Notes" autosize minRows={2} maxLength={500} />
                </FormSection>
                {form.values.check ? (
                  <FormSection
                    title="Check"
                    says={`${CHECK_KINDS.find(({ value }) => value === form.values.check?.kind)?.says} It calls nobody, and answers at once.`}
                  >
                    <PreCheckEditor
                      value={form.values.check}
                      onChange={(check) => form.setFieldValue('check', check)}
                      fields={fields.data?.data ?? []}
                      error={form.errors.check ?? form.errors.endpoint}
                    />
                    <CheckTrial draft={form.values.check} fields={fields.data?.data ?? []} verticalId={verticalId} />
                  </FormSection>
                ) : (
                  <FormSection title="Endpoint" says="What is sent of a lead, and how the answer is read.">
                    <EndpointEditor
                      value={form.values.endpoint}
                      onChange={(text) => form.setFieldValue('endpoint', text)}
                      fields={fields.data?.data ?? []}
                      who={{ kind: 'service', id: row?._id ?? null }}
                      verticalId={verticalId}
                      secretNames={form.values.secrets.flatMap((one) => (one.gone ? [] : [one.name]))}
                      secrets={writtenSecrets(form.values.secrets)}
                      error={form.errors.endpoint}
                    />
                    <SecretsEditor
                      value={form.values.secrets}
                      onChange={(secrets) => form.setFieldValue('secrets', secrets)}
                      needed={checkSecrets(form.values.secrets, row?.endpoint, readEndpoint(form.values.endpoint))}
                    />
                  </FormSection>
                )}
              </>
            )}
          </RecordForm>
          {row && <AskedBy serviceId={row._id} />}
        </>
      )}
    </EditPage>
  );
}
