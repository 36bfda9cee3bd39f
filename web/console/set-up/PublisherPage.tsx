import { NativeSelect, Textarea } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { RecordRow } from '../api/record.ts';
import { AccountCard } from '../ledger/AccountCard.tsx';
import { Belongings } from './Belongings.tsx';
import { checkGiven } from './check-given.ts';
import { EditPage } from './EditPage.tsx';
import { FormSection } from './FormSection.tsx';
import { usePlaceIds } from './place-ids.ts';
import { RecordForm } from './RecordForm.tsx';
import { contacts, tiersOfPublisher } from './specs.tsx';
import { statusOptionsOf } from './status-options.ts';
import { UniqueInput } from './UniqueInput.tsx';

interface Values {
  name: string;
  affiliateId: string;
  status: string;
  notes: string;
}
const initial: Values = { name: '', affiliateId: '', status: 'active', notes: '' };
const toValues = (row: RecordRow): Values => ({
  name: String(row.name),
  affiliateId: String(row.affiliateId),
  status: String(row.status),
  notes: String(row.notes),
});

/** A publisher, with its tiers and its people. */
export function PublisherPage() {
  const { id } = useParams({ strict: false });
  const { place } = usePlaceIds();
  const navigate = useNavigate();
  return (
    <EditPage model="publisher" label="Publisher" id={id} list={{ path: 'publishers', label: 'Publishers' }}>
      {({ row, like, toList }) => (
        <>
          <RecordForm
            key={row?._id ?? like?._id}
            model="publisher"
            one="publisher"
            row={row}
            isCopy={like !== undefined}
            toValues={toValues}
            initial={like ? { ...toValues(like), name: `${like.name} copy`, affiliateId: '' } : initial}
            toData={(values) => ({ ...values })}
            validate={{ name: checkGiven, affiliateId: checkGiven }}
            onSaved={(saved) =>
              row ? toList() : void navigate({ href: `/setup/${place.region}/${place.vertical}/publishers/${saved._id}` })
            }
            onCancel={toList}
          >
            {(form) => (
              <FormSection title="Publisher">
                <div className="form-three">
                  <UniqueInput
                    {...form.getInputProps('name')}
                    unique={{ model: 'publisher', field: 'name', id: row?._id }}
                    label="Name"
                    maxLength={120}
                    required
                    withAsterisk={false}
                  />
                  <UniqueInput
                    {...form.getInputProps('affiliateId')}
                    unique={{ model: 'publisher', field: 'affiliateId', id: row?._id }}
                    label="Affiliate id"
                    description="What the publisher is called in reports and mappings."
                    maxLength={60}
                    autoComplete="off"
                  />
                  <NativeSelect {...form.getInputProps('status')} label="Status" data={statusOptionsOf(row)} />
                </div>
                <Textarea {...form.getInputProps('notes')} label="Notes" autosize minRows={2} maxLength={500} />
              </FormSection>
            )}
          </RecordForm>
          {row && (
            <>
              <AccountCard kind="publisher" id={row._id} mayEnter={row.mayEdit !== false} />
              <Belongings
                list="tiers"
                title="Tiers"
                spec={tiersOfPublisher}
                condition={{ publisherId: row._id }}
                add={row.status === 'archived' ? undefined : `tier/add?publisherId=${row._id}`}
                edit="tier/edit"
                suffix="?of=publisher"
              />
              <Belongings
                list="contacts"
                title="Contacts"
                spec={contacts}
                condition={{ publisherId: row._id }}
                add={row.mayEdit === false || row.status === 'archived' ? undefined : `contact/add?publisherId=${row._id}`}
                edit="contact/edit"
              />
            </>
          )}
        </>
      )}
    </EditPage>
  );
}
