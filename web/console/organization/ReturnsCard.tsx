import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { returnReasons } from '#contract/lead-return.ts';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';
import { TextList } from '../set-up/rules/TextList.tsx';
import { REASON_LIST } from '../set-up/rules/value-list.ts';
import { errorsOf, SaveRefusal } from './RecordPage.tsx';
import type { useRecord } from './use-record.ts';

export interface ReturnTerms {
  returnReasons: string[];
  returnDays: number;
}

/** What buyers may give as a reason for a return, and how long they have. */
export function ReturnsCard({ record, save }: { record: ReturnTerms; save: ReturnType<typeof useRecord<ReturnTerms>>['save'] }) {
  const form = useForm({
    initialValues: { returnReasons: record.returnReasons, returnDays: String(record.returnDays) },
    validate: {
      returnReasons: (reasons) => returnReasons.safeParse(reasons).error?.issues[0]?.message ?? null,
      returnDays: (days) => (days !== '' && Number(days) <= 365 ? null : 'Enter 0 to 365 days.'),
    },
    clearInputErrorOnChange: true,
  });
  const submit = ({ returnReasons: reasons, returnDays }: typeof form.values) => {
    if (save.isPending) return;
    save.mutate({ returnReasons: reasons, returnDays: Number(returnDays) }, { onError: (error) => form.setErrors(errorsOf(error)) });
  };
  return (
    <form noValidate className="card card-pad form-stack" aria-label="Returns" onSubmit={form.onSubmit(submit, focusFirstError)}>
      <strong>Returns</strong>
      <SaveRefusal error={save.error} />
      <TextList
        {...form.getInputProps('returnReasons')}
        label="Reasons a buyer may give"
        description="A return must give one of them, by hand, in a file or by the API."
        limits={REASON_LIST}
      />
      <DigitsInput
        {...form.getInputProps('returnDays')}
        label="A lead may be returned for"
        description="From when it was sold; a buyer tier may have days of its own."
        unit="days"
        digits={3}
        style={{ maxWidth: 420 }}
      />
      <div className="row">
        <Button type="submit" loading={save.isPending}>
          Save the terms
        </Button>
      </div>
    </form>
  );
}
