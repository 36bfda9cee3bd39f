import { NativeSelect, Textarea } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { Cap } from '#contract/tier.ts';
import type { RecordRow } from '../api/record.ts';
import { Belongings } from './Belongings.tsx';
import { checkGiven } from './check-given.ts';
import { EditPage } from './EditPage.tsx';
import { FormSection } from './FormSection.tsx';
import { usePlaceIds } from './place-ids.ts';
import { RecordForm } from './RecordForm.tsx';
import { CapsEditor, type CapText, toCaps, toCapTexts } from './rules/CapsEditor.tsx';
import { contacts, tiersOfBuyer } from './specs.tsx';
import { statusOptionsOf } from './status-options.ts';
import { UniqueInput } from './UniqueInput.tsx';

interface Values {
  name: string;
  status: string;
  notes: string;
  caps: CapText[];
}
const initial: Values = { name: '', status: 'active', notes: '', caps: [] };
const toValues = (row: RecordRow): Values => ({
  name: String(row.name),
  status: String(row.status),
  notes: String(row.notes),
  caps: toCapTexts(row.caps as Cap[]),
});

/** A buyer, with its tiers and its people. */
export function BuyerPage() {
  const { id } = useParams({ strict: false });
  const { place, timeZone } = usePlaceIds();
  const navigate = useNavigate();
  return (
    <EditPage model="buyer" label="Buyer" id={id} list={{ path: 'buyers', label: 'Buyers' }}>
      {({ row, like, toList }) => (
        <>
          <RecordForm
            key={row?._id ?? like?._id}
            model="buyer"
            one="buyer"
            row={row}
            isCopy={like !== undefined}
            toValues={toValues}
            initial={like ? { ...toValues(like), name: `${like.name} copy` } : initial}
            toData={({ caps, ...values }) => ({ ...values, caps: toCaps(caps) })}
            validate={{ name: checkGiven }}
            onSaved={(saved) => (row ? toList() : void navigate({ href: `/setup/${place.region}/${place.vertical}/buyers/${saved._id}` }))}
            onCancel={toList}
          >
            {(form) => (
              <>
                <FormSection title="Buyer">
                  <div className="form-three">
                    <UniqueInput
                      {...form.getInputProps('name')}
                      unique={{ model: 'buyer', field: 'name', id: row?._id }}
                      label="Name"
                      maxLength={120}
                    />
                    <NativeSelect {...form.getInputProps('status')} label="Status" data={statusOptionsOf(row)} />
                  </div>
                  <Textarea {...form.getInputProps('notes')} label="Notes" autosize minRows={2} maxLength={500} />
                </FormSection>
                <FormSection title="Caps over all tiers" says="Counted together for everything this buyer takes, in whatever tier.">
                  <CapsEditor
                    value={form.values.caps}
                    onChange={(caps) => form.setFieldValue('caps', caps)}
                    timeZone={timeZone}
                    error={form.errors.caps}
                  />
                </FormSection>
              </>
            )}
          </RecordForm>
          {row && (
            <>
              <Belongings
                list="tiers"
                title="Tiers"
                spec={tiersOfBuyer}
                condition={{ buyerId: row._id }}
                add={row.status === 'archived' ? undefined : `tier/add?buyerId=${row._id}`}
                edit="tier/edit"
                suffix="?of=buyer"
              />
              <Belongings
                list="contacts"
                title="Contacts"
                spec={contacts}
                condition={{ buyerId: row._id }}
                add={row.mayEdit === false || row.status === 'archived' ? undefined : `contact/add?buyerId=${row._id}`}
                edit="contact/edit"
              />
            </>
          )}
        </>
      )}
    </EditPage>
  );
}
