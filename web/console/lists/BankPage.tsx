import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { MOVES, moveText } from '#contract/move.ts';
import type { RecordRow } from '../api/record.ts';
import { checkGiven } from '../set-up/check-given.ts';
import { COUNTRY } from '../set-up/country.ts';
import { EditPage } from '../set-up/EditPage.tsx';
import { FormSection } from '../set-up/FormSection.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { RecordForm } from '../set-up/RecordForm.tsx';
import { ListsPage } from './ListsPage.tsx';

interface Values {
  country: string;
  code: string;
  name: string;
  move: string;
  notes: string;
}

const toValues = (row: RecordRow): Values => ({
  country: String(row.country),
  code: String(row.code),
  name: String(row.name),
  move: String(row.move),
  notes: String(row.notes),
});

const toData = ({ country, code, name, move, notes }: Values, isNew: boolean) => ({
  ...{ name, move: Number(move), notes },
  ...(isNew && { country, code }),
});

export const moveOptions = MOVES.map(({ move }) => ({ value: String(move), label: moveText(move) }));

/** A bank and its move. */
export function BankPage() {
  const { id } = useParams({ strict: false });
  const { country } = usePlaceIds();
  const initial: Values = { country, code: '', name: '', move: '4', notes: '' };
  return (
    <EditPage model="bank" label="Bank" id={id} list={{ path: 'bank-mgmt', label: 'Banks' }} Frame={ListsPage}>
      {({ row, toList }) => (
        <RecordForm
          key={row?._id}
          model="bank"
          one="bank"
          row={row}
          toValues={toValues}
          initial={initial}
          toData={(values) => toData(values, !row)}
          validate={{ name: checkGiven, code: checkGiven }}
          onSaved={toList}
          onCancel={toList}
        >
          {(form) => (
            <FormSection title="Bank">
              <div className="form-three">
                <TextInput {...form.getInputProps('name')} label="Name" maxLength={120} />
                <NativeSelect
                  {...form.getInputProps('country')}
                  label="Country"
                  data={Object.entries(COUNTRY).map(([value, label]) => ({ value, label }))}
                  disabled={row !== undefined}
                />
                <TextInput
                  {...form.getInputProps('code')}
                  label={form.values.country === 'us' ? 'Routing number' : 'Sort code'}
                  maxLength={20}
                  inputMode="numeric"
                  readOnly={row !== undefined}
                />
                <NativeSelect
                  {...form.getInputProps('move')}
                  label="Move"
                  description="BLOCK refuses leads that name the bank; the others are for filters."
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                  data={moveOptions}
                />
              </div>
              <Textarea {...form.getInputProps('notes')} label="Notes" autosize minRows={2} maxLength={500} />
            </FormSection>
          )}
        </RecordForm>
      )}
    </EditPage>
  );
}
