import { TextInput } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { RecordRow } from '../api/record.ts';
import { checkGiven } from '../set-up/check-given.ts';
import { EditPage } from '../set-up/EditPage.tsx';
import { FormSection } from '../set-up/FormSection.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { RecordForm } from '../set-up/RecordForm.tsx';
import { BinMoves } from './BinMoves.tsx';
import { ListsPage } from './ListsPage.tsx';

const TEXTS = ['issuer', 'scheme', 'type', 'category', 'country'] as const;
const LABELS = { issuer: 'Issuer', scheme: 'Scheme', type: 'Type', category: 'Category', country: 'Country' };
type Values = Record<(typeof TEXTS)[number] | 'first' | 'last', string>;

const toValues = (row: RecordRow): Values =>
  Object.fromEntries(['first', 'last', ...TEXTS].map((name) => [name, String(row[name] ?? '')])) as Values;
const initial: Values = { first: '', last: '', issuer: '', scheme: '', type: '', category: '', country: '' };

function toData({ first, last, ...texts }: Values, isNew: boolean): Record<string, unknown> {
  return { ...texts, ...(isNew && { first, last: last || first }) };
}

/** A BIN range, and its moves for the combinations of campaign and affiliate. */
export function BinRangePage() {
  const { id } = useParams({ strict: false });
  const { place } = usePlaceIds();
  const navigate = useNavigate();
  return (
    <EditPage
      model="binRange"
      label="BIN range"
      id={id}
      list={{ path: 'bin-mgmt', label: 'BIN ranges' }}
      nameOf={(row) => `BIN range ${row.range}`}
      Frame={ListsPage}
    >
      {({ row, toList }) => (
        <>
          <RecordForm
            key={row?._id}
            model="binRange"
            one="BIN range"
            row={row}
            toValues={toValues}
            initial={initial}
            toData={(values) => toData(values, !row)}
            validate={{ first: checkGiven }}
            // A new range is given its moves next.
            onSaved={(saved) =>
              row ? toList() : void navigate({ href: `/setup/${place.region}/${place.vertical}/bin-mgmt/${saved._id}` })
            }
            onCancel={toList}
          >
            {(form) => (
              <FormSection title="BIN range" says="Six to eight digits. A shorter one stands for all that begin with it.">
                <div className="form-three">
                  <TextInput
                    {...form.getInputProps('first')}
                    label="First BIN"
                    inputMode="numeric"
                    maxLength={8}
                    readOnly={row !== undefined}
                  />
                  <TextInput
                    {...form.getInputProps('last')}
                    label="Last BIN"
                    placeholder={form.values.first || 'The same'}
                    inputMode="numeric"
                    maxLength={8}
                    readOnly={row !== undefined}
                  />
                  {TEXTS.map((name) => (
                    <TextInput key={name} {...form.getInputProps(name)} label={LABELS[name]} maxLength={name === 'issuer' ? 120 : 30} />
                  ))}
                </div>
              </FormSection>
            )}
          </RecordForm>
          {row && <BinMoves range={row} />}
        </>
      )}
    </EditPage>
  );
}
