import { Modal, NativeSelect, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BuyerLead, PortalAnswer } from '#contract/portal.ts';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { MoneyText } from '#web/ui/reporting.tsx';
import { toast } from '#web/ui/toast.ts';
import { askReturn, portalKey } from '../api/portal.ts';

interface ReturnDialogProps {
  portal: PortalAnswer;
  lead: BuyerLead;
  onClose: () => void;
}

const NOTE_MOST = 500;

/** A lead goes back, with a reason: at once where its tier allows it, and else when somebody has said yes. */
export function ReturnDialog({ portal, lead, onClose }: ReturnDialogProps) {
  const client = useQueryClient();
  const isAtOnce = portal.tiers.find((tier) => tier.name === lead.tierName)?.returnsAtOnce ?? false;
  const form = useForm({
    initialValues: { reason: '', amount: '', note: '' },
    validate: { reason: (reason) => (reason === '' ? 'Choose a reason.' : null) },
    clearInputErrorOnChange: true,
  });
  const send = useMutation({
    mutationFn: ({ reason, amount, note }: typeof form.values) =>
      askReturn({ leadId: lead.leadId, saleIndex: lead.saleIndex, reason, note: note.trim(), ...(amount !== '' && { amount }) }),
    onSuccess: ({ msg }) => {
      void toast('success', msg);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: portalKey }),
  });
  return (
    <Modal opened onClose={onClose} title="Give this lead back">
      <form
        noValidate
        className="form-stack"
        onSubmit={form.onSubmit((values) => void (send.isPending || send.mutate(values)), focusFirstError)}
      >
        <p className="muted small portal-lead-in">
          You bought it for <MoneyText amount={lead.price} exact />.{' '}
          {isAtOnce ? 'It is given back at once.' : `${portal.organizationName} decides about it, and you hear by mail.`}
        </p>
        <NativeSelect
          {...form.getInputProps('reason')}
          label="Reason"
          data={[{ value: '', label: 'Choose…' }, ...portal.returnReasons.map((one) => ({ value: one, label: one }))]}
          data-autofocus
        />
        <AmountInput {...form.getInputProps('amount')} label="Amount" description="Left empty, the whole price." />
        <Textarea
          {...form.getInputProps('note')}
          label="Note"
          maxLength={NOTE_MOST}
          autosize
          minRows={2}
          description="What happened. Name no person."
        />
        <DialogEnd label={isAtOnce ? 'Give it back' : 'Ask for it'} isPending={send.isPending} onClose={onClose} error={send.error} />
      </form>
    </Modal>
  );
}
