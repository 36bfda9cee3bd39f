import { Textarea, TextInput } from '@mantine/core';
import { useParams, useSearch } from '@tanstack/react-router';
import { ChoiceSelect } from '#web/ui/ChoiceSelect.tsx';
import { companyChoices } from '../api/choices.ts';
import type { RecordRow } from '../api/record.ts';
import { checkGiven } from './check-given.ts';
import { EditPage } from './EditPage.tsx';
import { FormSection } from './FormSection.tsx';
import { RecordForm } from './RecordForm.tsx';

const TEXTS = ['firstName', 'lastName', 'job', 'email', 'phone', 'notes'] as const;
type Values = Record<(typeof TEXTS)[number], string> & { company: string };
const empty = (company: string): Values => ({ firstName: '', lastName: '', job: '', email: '', phone: '', notes: '', company });
const companyOf = (row: RecordRow): string => (row.publisherId ? `publisher ${row.publisherId}` : `buyer ${row.buyerId}`);
const toValues = (row: RecordRow): Values => ({
  ...(Object.fromEntries(TEXTS.map((name) => [name, String(row[name])])) as Record<(typeof TEXTS)[number], string>),
  company: companyOf(row),
});

/** A company stands in the form as one choice; the call names it as a publisher or a buyer. */
function toData({ company, ...texts }: Values, isNew: boolean): Record<string, unknown> {
  const [kind, id] = company.split(' ');
  return { ...texts, ...(isNew && id && { [`${kind}Id`]: id }) };
}

export function ContactPage() {
  const { id } = useParams({ strict: false });
  const search = useSearch({ strict: false }) as { publisherId?: string; buyerId?: string };
  const company = search.publisherId ? `publisher ${search.publisherId}` : search.buyerId ? `buyer ${search.buyerId}` : '';
  return (
    <EditPage
      model="contact"
      label="Contact"
      id={id}
      list={{ path: 'contact', label: 'Contacts' }}
      nameOf={(row) => `${row.firstName} ${row.lastName}`.trim()}
    >
      {({ row, like, toList }) => (
        <RecordForm
          key={row?._id ?? like?._id}
          model="contact"
          one="contact"
          row={row}
          isCopy={like !== undefined}
          toValues={toValues}
          initial={like ? { ...toValues(like), ...(like.mayEdit === false && { company: '' }) } : empty(company)}
          toData={(values) => toData(values, !row)}
          inputOf={{ publisherId: 'company', buyerId: 'company' }}
          validate={{ firstName: checkGiven, company: (text) => (text === '' ? 'Choose a publisher or a buyer.' : null) }}
          onSaved={toList}
          onCancel={toList}
        >
          {(form) => (
            <FormSection title="Contact">
              <ChoiceSelect
                {...form.getInputProps('company')}
                label="Works at"
                source={companyChoices}
                emptyText="No publishers or buyers found."
                disabled={row !== undefined}
              />
              <div className="form-three">
                <TextInput {...form.getInputProps('firstName')} label="First name" maxLength={80} />
                <TextInput {...form.getInputProps('lastName')} label="Last name" maxLength={80} />
                <TextInput {...form.getInputProps('job')} label="Job" maxLength={120} />
                <TextInput {...form.getInputProps('email')} label="E-mail" maxLength={254} inputMode="email" />
                <TextInput {...form.getInputProps('phone')} label="Phone" maxLength={30} inputMode="tel" />
              </div>
              <Textarea {...form.getInputProps('notes')} label="Notes" autosize minRows={2} maxLength={500} />
            </FormSection>
          )}
        </RecordForm>
      )}
    </EditPage>
  );
}
