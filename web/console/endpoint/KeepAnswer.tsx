import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { SAMPLE_LETTERS, type SampleAnswer, type SampleExpected } from '#contract/answer-sample.ts';
import type { Reading } from '#contract/endpoint-trial.ts';
import { toast } from '#web/ui/toast.ts';
import { addRecord } from '../api/record.ts';
import { message } from '../message.ts';
import { useRecordsChanged } from '../set-up/records-changed.ts';
import type { LegName } from './endpoint-draft.ts';
import { OUTCOME_WORD } from './reading-words.ts';
import { SampleDialog } from './SampleDialog.tsx';
import { type SampleDraft, sampleTitle, toAnswer, toExpected, toSampleDraft } from './sample-draft.ts';

interface KeepAnswerProps {
  tierId: string | null;
  leg: Exclude<LegName, 'lost'>;
  answer: SampleAnswer;
  reading: Reading;
}

/** A pasted answer becomes a sample of the tier. */
export function KeepAnswer({ tierId, leg, answer, reading }: KeepAnswerProps) {
  const [isOpen, setOpen] = useState(false);
  const changed = useRecordsChanged();
  const keep = useMutation({
    mutationFn: (draft: SampleDraft) =>
      addRecord('answerSample', {
        buyerTierId: tierId,
        leg,
        name: draft.name.trim(),
        answer: toAnswer(draft),
        expected: toExpected(draft),
      }),
    onSuccess: async () => {
      setOpen(false);
      void toast('success', message('sampleKept'));
      await changed('answerSample');
    },
  });
  const why =
    tierId === null
      ? 'Samples are kept with a tier: add it first.'
      : answer.body.length > SAMPLE_LETTERS
        ? 'It is too long to be kept.'
        : null;
  const expected = expectedOf(reading);
  return (
    <div className="row">
      <Button size="xs" variant="default" disabled={why !== null} onClick={() => setOpen(true)}>
        Keep as a sample
      </Button>
      {why && <span className="muted small">{why}</span>}
      {isOpen && (
        <SampleDialog
          title="Keep this answer as a sample"
          says="From now on the endpoint must read it like this. What is left empty may be read as anything. Write nothing of a real person into it."
          initial={toSampleDraft(sampleTitle(OUTCOME_WORD[reading.outcome] ?? '', expected), answer, expected)}
          read={expected}
          isPending={keep.isPending}
          error={keep.error}
          onSave={(draft) => keep.mutate(draft)}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

function expectedOf({ outcome, price, reasons, redirectUrl }: Reading): SampleExpected {
  const [reason] = reasons;
  return {
    outcome: outcome as SampleExpected['outcome'],
    ...(price !== null && !price.startsWith('-') && { price }),
    ...(reason && { reason }),
    ...(redirectUrl !== null && { redirectUrl }),
  };
}
