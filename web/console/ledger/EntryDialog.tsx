import { Modal, SegmentedControl, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { newKey } from '#web/ui/new-key.ts';
import { toast } from '#web/ui/toast.ts';
import { type Account, addEntry, ledgerKey } from '../api/ledger.ts';
import { errorsOf } from '../organization/RecordPage.tsx';
import { checkGiven } from '../set-up/check-given.ts';
import { isNothing, turned } from './signed.ts';

interface EntryDialogProps {
  party: Account;
  kind: 'payment' | 'adjustment';
  onClose: () => void;
}

/** Which way the money goes: `plus` is what the account gains. */
const ways = {
  'buyer payment': { plus: 'The buyer paid us', minus: 'We paid the buyer back' },
  'publisher payment': { minus: 'We paid the publisher', plus: 'The publisher paid us back' },
  'buyer adjustment': { plus: 'Credit the buyer', minus: 'Charge the buyer' },
  'publisher adjustment': { plus: 'Credit the publisher', minus: 'Charge the publisher' },
};

/** A payment or an adjustment, by hand. An entry stays; another one takes it back. */
export function EntryDialog({ party, kind, onClose }: EntryDialogProps) {
  const client = useQueryClient();
  const way = ways[`${party.partyKind} ${kind}`];
  const form = useForm({
    initialValues: { way: Object.keys(way)[0] as 'plus' | 'minus', amount: '', note: '' },
    validate: { amount: (text) => (text === '' || isNothing(text) ? 'Enter an amount.' : null), note: checkGiven },
    clearInputErrorOnChange: true,
  });
  // An answer may be lost on its way: what is sent again from here is the same entry.
  const [key] = useState(newKey);
  const save = useMutation({
    mutationFn: (values: typeof form.values) =>
      addEntry({
        ...party,
        key,
        kind,
        amount: values.way === 'plus' ? values.amount : turned(values.amount),
        note: values.note,
      }),
    onSuccess: ({ msg }) => {
      void toast('success', msg);
      void client.invalidateQueries({ queryKey: ledgerKey });
      onClose();
    },
    onError: (error) => form.setErrors(errorsOf(error)),
  });
  return (
    <Modal opened onClose={onClose} title={kind === 'payment' ? 'Enter a payment' : 'Enter an adjustment'}>
      <form
        noValidate
        className="form-stack"
        onSubmit={form.onSubmit((values) => void (save.isPending || save.mutate(values)), focusFirstError)}
      >
        <SegmentedControl
          {...form.getInputProps('way')}
          aria-label="Which way the money goes"
          fullWidth
          data={Object.entries(way).map(([value, label]) => ({ value, label }))}
        />
        <AmountInput {...form.getInputProps('amount')} label="Amount" data-autofocus />
        <TextInput
          {...form.getInputProps('note')}
          label="What for"
          description="Stands in the statement."
          placeholder={kind === 'payment' ? 'Bank transfer of 3 November' : 'Agreed on the phone with Ann'}
          maxLength={500}
        />
        {kind === 'adjustment' && (
          <p className="muted small">An adjustment is between this account and us: what one gains the other bears.</p>
        )}
        <DialogEnd
          label={kind === 'payment' ? 'Enter the payment' : 'Enter the adjustment'}
          isPending={save.isPending}
          onClose={onClose}
          error={save.error && Object.keys(errorsOf(save.error)).length === 0 ? save.error : null}
        />
      </form>
    </Modal>
  );
}
