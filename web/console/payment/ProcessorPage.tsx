import { NativeSelect, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { RecordRow } from '../api/record.ts';
import { checkGiven } from '../set-up/check-given.ts';
import { EditPage } from '../set-up/EditPage.tsx';
import { FormSection } from '../set-up/FormSection.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { RecordForm } from '../set-up/RecordForm.tsx';
import { statusOptionsOf } from '../set-up/status-options.ts';
import { UniqueInput } from '../set-up/UniqueInput.tsx';
import { usePermissionHere } from '../shell/use-place.ts';
import { PaymentFrame } from './PaymentFrame.tsx';
import { ProcessorAddress } from './ProcessorAddress.tsx';

interface Values {
  name: string;
  status: string;
  notes: string;
}

const INITIAL: Values = { name: '', status: 'active', notes: '' };
const toValues = (row: RecordRow): Values => ({ name: String(row.name), status: String(row.status), notes: String(row.notes) });

/** One payment processor, and the address that it reports to. */
export function ProcessorPage() {
  const { id } = useParams({ strict: false }) as { id?: string };
  const maySetUp = usePermissionHere()?.pageStatePermission.setup;
  const list = { path: 'payment-processor-stats/processors', label: 'Payment processors' };
  return (
    <EditPage model="paymentProcessor" label="Payment processor" id={id} list={list} Frame={PaymentFrame}>
      {({ row, toList }) => (
        <>
          {maySetUp && row && row.status !== 'archived' && (
            <section className="embed-part" aria-label="How it reports">
              <div className="set-up-head">
                <h2>How it reports</h2>
              </div>
              <div className="card card-pad">
                <ProcessorAddress id={row._id} />
              </div>
            </section>
          )}
          {maySetUp ? <ProcessorForm row={row} toList={toList} /> : row && <p className="muted">{String(row.notes) || 'No notes.'}</p>}
        </>
      )}
    </EditPage>
  );
}

function ProcessorForm({ row, toList }: { row: RecordRow | undefined; toList: () => void }) {
  const { place, verticalId } = usePlaceIds();
  const navigate = useNavigate();
  const client = useQueryClient();
  const base = `/setup/${place.region}/${place.vertical}/payment-processor-stats/processors`;
  return (
    <RecordForm<Values>
      key={row?._id}
      model="paymentProcessor"
      one="payment processor"
      row={row}
      toValues={toValues}
      initial={INITIAL}
      toData={({ status, ...values }) => ({ ...values, ...(row ? { status } : { verticalId }) })}
      validate={{ name: checkGiven }}
      // The address of a new one is needed next.
      onSaved={(saved) => {
        // The report tells of its processors too.
        void client.invalidateQueries({ queryKey: ['report'] });
        if (row) toList();
        else void navigate({ href: `${base}/${saved._id}` });
      }}
      onCancel={toList}
    >
      {(form) => (
        <FormSection title="Payment processor" says="A company that carries out card payments, and reports back whether each was approved.">
          <div className="form-three">
            <UniqueInput
              {...form.getInputProps('name')}
              unique={{ model: 'paymentProcessor', field: 'name', id: row?._id, within: { field: 'verticalId', id: verticalId } }}
              label="Name"
              maxLength={120}
              autoComplete="off"
            />
            {row && (
              <NativeSelect
                {...form.getInputProps('status')}
                label="Status"
                description="While it is paused its reports are refused, and it sends them again later."
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                data={statusOptionsOf(row)}
              />
            )}
          </div>
          <Textarea {...form.getInputProps('notes')} label="Notes" autosize minRows={2} maxLength={500} />
        </FormSection>
      )}
    </RecordForm>
  );
}
