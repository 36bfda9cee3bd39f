import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { formatCount } from '#web/ui/format.ts';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';
import type { RecordRow } from '../api/record.ts';
import { checkGiven } from '../set-up/check-given.ts';
import { COUNTRY } from '../set-up/country.ts';
import { EditPage } from '../set-up/EditPage.tsx';
import { FormSection } from '../set-up/FormSection.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { RecordForm } from '../set-up/RecordForm.tsx';
import { UniqueInput } from '../set-up/UniqueInput.tsx';
import { usePermissionHere } from '../shell/use-place.ts';
import { JobHistory } from './JobHistory.tsx';
import { ListsPage } from './ListsPage.tsx';
import { entryWords, FORMS, HOLDS } from './list-words.ts';

interface Values {
  name: string;
  holds: string;
  fieldName: string;
  form: string;
  country: string;
  entryDays: string;
  notes: string;
}

const toValues = (row: RecordRow): Values => ({
  name: String(row.name),
  holds: String(row.holds),
  fieldName: String(row.fieldName ?? ''),
  form: String(row.form),
  country: String(row.country),
  entryDays: row.entryDays === null ? '' : String(row.entryDays),
  notes: String(row.notes),
});

function toData(values: Values, isNew: boolean): Record<string, unknown> {
  const { name, holds, fieldName, form, country, entryDays, notes } = values;
  return {
    ...{ name, notes, entryDays: entryDays === '' ? null : Number(entryDays) },
    ...(holds === 'text' && { fieldName }),
    ...(isNew && { holds, form, country }),
  };
}

/** A suppression list: what it holds, which tiers use it, and what was imported. */
export function SuppressionListPage() {
  const { id } = useParams({ strict: false });
  const { place, country } = usePlaceIds();
  const navigate = useNavigate();
  const path = `/setup/${place.region}/${place.vertical}/data-mgmt/configuration`;
  const initial: Values = { name: '', holds: 'email', fieldName: '', form: 'plain', country, entryDays: '', notes: '' };
  return (
    <EditPage
      model="suppressionList"
      label="Suppression list"
      id={id}
      list={{ path: 'data-mgmt/configuration', label: 'Suppression lists' }}
      Frame={ListsPage}
    >
      {({ row, toList }) => (
        <>
          <RecordForm
            key={row?._id}
            model="suppressionList"
            one="suppression list"
            row={row}
            toValues={toValues}
            initial={initial}
            toData={(values) => toData(values, !row)}
            validate={{
              name: checkGiven,
              fieldName: (text, { holds }) => (holds === 'text' ? checkGiven(text) : null),
            }}
            // A new list is filled next.
            onSaved={(saved) => (row ? toList() : void navigate({ href: `${path}/${saved._id}` }))}
            onCancel={toList}
          >
            {(form) => (
              <FormSection title="Suppression list">
                <div className="form-three">
                  <UniqueInput
                    {...form.getInputProps('name')}
                    unique={{ model: 'suppressionList', field: 'name', id: row?._id }}
                    label="Name"
                    description="Told where it refuses a lead."
                    maxLength={120}
                    autoComplete="off"
                  />
                  {row ? (
                    <TextInput
                      label="Holds"
                      value={entryWords(row)}
                      readOnly
                      description="It stays: entries cannot be read as anything else."
                    />
                  ) : (
                    <>
                      <NativeSelect {...form.getInputProps('holds')} label="Holds" data={HOLDS} />
                      <NativeSelect
                        {...form.getInputProps('form')}
                        label="Written"
                        data={FORMS}
                        description="Either way only hashes are kept, never a value."
                      />
                    </>
                  )}
                  {form.values.holds === 'text' && (
                    <TextInput
                      {...form.getInputProps('fieldName')}
                      label="Field"
                      description="The name of the field of a lead that is compared, such as ssn."
                      maxLength={63}
                      spellCheck={false}
                    />
                  )}
                  {form.values.holds === 'phone' && form.values.form === 'plain' && !row && (
                    <NativeSelect
                      {...form.getInputProps('country')}
                      label="Numbers without a country are of"
                      data={Object.entries(COUNTRY).map(([value, label]) => ({ value, label }))}
                    />
                  )}
                  <DigitsInput
                    {...form.getInputProps('entryDays')}
                    label="An entry ends after"
                    unit="days"
                    placeholder="Never"
                    description="Unless the file gives it a day of its own."
                  />
                </div>
                <Textarea {...form.getInputProps('notes')} label="Notes" autosize minRows={2} maxLength={500} />
              </FormSection>
            )}
          </RecordForm>
          {row && <Contents row={row} />}
          {row && <UsedBy row={row} />}
        </>
      )}
    </EditPage>
  );
}

function Contents({ row }: { row: RecordRow }) {
  const { place } = usePlaceIds();
  const mayImport = usePermissionHere()?.pageStatePermission['dataMgmt-Inbound'];
  const count = Number(row.entryCount);
  return (
    <section className="belongings print-alone" aria-labelledby="entries">
      <div className="set-up-head">
        <h2 id="entries">{count === 0 ? 'No entries yet' : `${formatCount(count)} ${count === 1 ? 'entry' : 'entries'}`}</h2>
        {mayImport && row.status !== 'archived' && (
          <Button
            component={Link}
            to={`/setup/${place.region}/${place.vertical}/data-mgmt/inbound` as '/'}
            search={{ list: row._id } as never}
            size="xs"
            variant="default"
            className="no-print"
          >
            Import
          </Button>
        )}
      </div>
      {mayImport && <JobHistory kind="suppressionImport" subjectId={row._id} />}
    </section>
  );
}

function UsedBy({ row }: { row: RecordRow }) {
  const uses = row.usedBy as string[];
  return (
    <section className="belongings" aria-labelledby="used-by">
      <h2 id="used-by">Used by</h2>
      {uses.length === 0 ? (
        <p className="muted">No tier uses it yet. Name it in a publisher tier or a buyer tier under “Suppression lists”.</p>
      ) : (
        <ul className="asked-by">
          {[...new Set(uses)].map((one) => (
            <li key={one}>
              {one}
              {uses.filter((other) => other === one).length > 1 && (
                <span className="muted"> × {uses.filter((other) => other === one).length}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
