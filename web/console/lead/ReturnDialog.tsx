import { Modal, NativeSelect, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LeadView } from '#contract/lead.ts';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { ExactTime, MoneyText } from '#web/ui/reporting.tsx';
import { toast } from '#web/ui/toast.ts';
import { postJson } from '../api/client.ts';
import { ledgerKey } from '../api/ledger.ts';
import { errorsOf } from '../organization/RecordPage.tsx';

interface ReturnDialogProps {
  lead: LeadView;
  sale: LeadView['sales'][number];
  onClose: () => void;
}

/** The buyer gives the lead back, in whole or in part. A return stands: it is made once. */
export function ReturnDialog({ lead, sale, onClose }: ReturnDialogProps) {
  const client = useQueryClient();
  const form = useForm({
    initialValues: { reason: '', amount: sale.revenue, note: '' },
    validate: {
      reason: (reason) => (reason === '' ? 'Choose a reason.' : null),
      amount: (amount) => (Number(amount) > 0 && Number(amount) <= Number(sale.revenue) ? null : `Up to ${sale.revenue}.`),
    },
    clearInputErrorOnChange: true,
  });
  const giveBack = useMutation({
    mutationFn: (values: typeof form.values) =>
      postJson<{ msg: string }>(`/api/console/leads/${lead._id}/return`, { saleIndex: sale.saleIndex, ...values }),
    onSuccess: ({ msg }) => {
      void toast('success', msg);
      for (const queryKey of [['lead', lead._id], ['leads'], ['overview'], ledgerKey]) void client.invalidateQueries({ queryKey });
      onClose();
    },
    onError: (error) => form.setErrors(errorsOf(error)),
  });
  return (
    <Modal opened onClose={onClose} title={`Return this lead for ${sale.buyerName}`}>
      <form
        noValidate
        className="form-stack"
        onSubmit={form.onSubmit((values) => void (giveBack.isPending || giveBack.mutate(values)), focusFirstError)}
      >
        <p className="muted small">
          Sold for <MoneyText amount={sale.revenue} exact />
          {sale.returnableUntil && (
            <>
              ; may be returned until <ExactTime at={sale.returnableUntil} />
            </>
          )}
          . The publisher gives its part back where its tier says so. This is done once, and stays.
        </p>
        <NativeSelect
          {...form.getInputProps('reason')}
          label="Reason"
          data={[{ value: '', label: 'Choose…' }, ...lead.returnReasons]}
          data-autofocus
        />
        <AmountInput
          {...form.getInputProps('amount')}
          label="The buyer gets back"
          description="The whole price, or less if only a part was agreed on."
        />
        <Textarea {...form.getInputProps('note')} label="Note" autosize minRows={2} maxLength={500} />
        <DialogEnd
          label="Return the lead"
          isPending={giveBack.isPending}
          onClose={onClose}
          error={giveBack.error && Object.keys(errorsOf(giveBack.error)).length === 0 ? giveBack.error : null}
        />
      </form>
    </Modal>
  );
}
