import { NativeSelect, Textarea } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { Cap } from '#contract/tier.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import type { RecordRow } from '../api/record.ts';
import { AccountCard } from '../ledger/AccountCard.tsx';
import { ReturnKeys } from './AccessKeys.tsx';
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
  billing: string;
  creditLimit: string;
}
const initial: Values = { name: '', status: 'active', notes: '', caps: [], billing: 'none', creditLimit: '' };
const toValues = (row: RecordRow): Values => ({
  name: String(row.name),
  status: String(row.status),
  notes: String(row.notes),
  caps: toCapTexts(row.caps as Cap[]),
  billing: String(row.billing),
  creditLimit: row.creditLimit === null ? '' : String(row.creditLimit),
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
            toData={({ caps, creditLimit, ...values }) => ({
              ...values,
              caps: toCaps(caps),
              creditLimit: values.billing === 'credit' && creditLimit !== '' ? creditLimit : null,
            })}
            validate={{ name: checkGiven, creditLimit: (text, { billing }) => (billing === 'credit' ? checkGiven(text) : null) }}
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
                <FormSection title="Billing" says="A buyer whose balance cannot pay for a lead is passed by, not one lead later.">
                  <div className="form-three">
                    <NativeSelect
                      {...form.getInputProps('billing')}
                      label="How it pays"
                      data={[
                        { value: 'none', label: 'Nobody counts' },
                        { value: 'prepaid', label: 'In advance' },
                        { value: 'credit', label: 'On credit, up to a limit' },
                      ]}
                    />
                    {form.values.billing === 'credit' && <AmountInput {...form.getInputProps('creditLimit')} label="It may owe up to" />}
                  </div>
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
              <AccountCard kind="buyer" id={row._id} mayEnter={row.mayEdit !== false} />
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
              {row.mayEdit !== false && row.status !== 'archived' && <ReturnKeys buyerId={row._id} />}
            </>
          )}
        </>
      )}
    </EditPage>
  );
}
