import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AttemptView } from '#contract/lead.ts';
import { toast } from '#web/ui/toast.ts';
import { attemptSampleQuery, keepAttempt } from '../api/sample.ts';
import { OUTCOME_WORD } from '../endpoint/reading-words.ts';
import { SampleDialog } from '../endpoint/SampleDialog.tsx';
import { type SampleDraft, sampleTitle, toExpected, toSampleDraft } from '../endpoint/sample-draft.ts';
import { useRecordsChanged } from '../set-up/records-changed.ts';
import { usePermissionHere } from '../shell/use-place.ts';
import '../endpoint/sample.css';

/** What the buyer answered becomes a sample of its tier, for who may set it up; nothing of the person is kept. */
export function KeepAttempt({ leadId, attempt }: { leadId: string; attempt: AttemptView }) {
  const maySetUp = usePermissionHere()?.pageStatePermission.setup;
  const [isOpen, setOpen] = useState(false);
  const changed = useRecordsChanged();
  const index = Number(attempt._id.split('-').at(-1));
  const found = useQuery({ ...attemptSampleQuery(leadId, index), enabled: isOpen });
  const keep = useMutation({
    mutationFn: (draft: SampleDraft) => keepAttempt(leadId, index, { name: draft.name.trim(), expected: toExpected(draft) }),
    onSuccess: async ({ msg }) => {
      setOpen(false);
      void toast('success', msg);
      await changed('answerSample');
    },
  });
  if (!maySetUp || attempt.wire?.statusCode == null) return null;
  return (
    <div className="row no-print">
      <Button size="xs" variant="default" loading={isOpen && found.isPending} onClick={() => setOpen(true)}>
        Keep the answer as a sample
      </Button>
      {isOpen && found.error && (
        <span className="bad small" role="alert">
          {found.error.message}
        </span>
      )}
      {isOpen && found.data && (
        <SampleDialog
          title={`Keep this answer as a sample of ${attempt.buyerTierName}`}
          says="What tells who the person is has been masked. From now on the endpoint of the tier must read the answer like this; what is left empty may be read as anything."
          initial={toSampleDraft(
            sampleTitle(OUTCOME_WORD[found.data.expected.outcome] ?? '', found.data.expected),
            found.data.answer,
            found.data.expected,
          )}
          isAnswerFixed
          isPending={keep.isPending}
          error={keep.error}
          onSave={(draft) => keep.mutate(draft)}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
