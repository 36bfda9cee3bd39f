import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SAMPLES_MOST, type SampleJudgement, type SampleView } from '#contract/answer-sample.ts';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { editRecord, removeRecord } from '../api/record.ts';
import { judgeSamples, samplesQuery } from '../api/sample.ts';
import { failureText, message } from '../message.ts';
import { useRecordsChanged } from '../set-up/records-changed.ts';
import type { JsonObject } from './endpoint-draft.ts';
import { OUTCOME_WORD } from './reading-words.ts';
import { SampleDialog } from './SampleDialog.tsx';
import { type SampleDraft, toAnswer, toExpected, toSampleDraft } from './sample-draft.ts';

const judgeDelayMs = 300;

/** Answers of the buyer that are kept, judged anew at every change of the endpoint. */
export function SampleList({ endpoint, tierId }: { endpoint: JsonObject; tierId: string }) {
  const samples = useQuery(samplesQuery(tierId));
  const rows = samples.data?.data ?? [];
  const [asked] = useDebouncedValue(JSON.stringify({ endpoint, rows }), judgeDelayMs);
  const judged = useQuery({
    queryKey: ['endpoint-samples', asked],
    queryFn: async () => {
      const { endpoint, rows } = JSON.parse(asked) as { endpoint: JsonObject; rows: SampleView[] };
      const { judgements } = await judgeSamples(endpoint, rows);
      return new Map(rows.map((row, at) => [row._id, judgements[at]!]));
    },
    enabled: rows.length > 0,
    placeholderData: (before) => before,
    retry: false,
    staleTime: 60_000,
  });
  const failed = rows.filter((row) => (judged.data?.get(row._id)?.differences.length ?? 0) > 0).length;
  return (
    <section aria-label="Samples" className="samples">
      <h2>Samples</h2>
      <p className="muted small">
        Answers of the buyer that were kept, with what must be read in them. An endpoint that misreads one is not saved, nor is a tree with
        its tier published. A tier keeps up to {SAMPLES_MOST}.
      </p>
      {samples.isPending && <SkeletonLines count={2} />}
      {samples.isError && <ErrorState error={samples.error} onRetry={() => void samples.refetch()} />}
      {samples.data && rows.length === 0 && (
        <p className="small">None yet. Paste an answer above and keep it, or keep one from a lead’s page.</p>
      )}
      {judged.error && <p className="warn small">{judged.error.message}</p>}
      {failed > 0 && (
        <p className="bad small" role="status">
          {failed === 1 ? 'One sample is' : `${failed} samples are`} misread by the endpoint as it stands here.
        </p>
      )}
      {rows.length > 0 && (
        <ul className="sample-list">
          {rows.map((row) => (
            <SampleLine key={row._id} sample={row} judgement={judged.error ? undefined : judged.data?.get(row._id)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function SampleLine({ sample, judgement }: { sample: SampleView; judgement: SampleJudgement | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const changed = useRecordsChanged();
  const module = `Sample ${sample.name}`;
  const save = useMutation({
    mutationFn: (draft: SampleDraft) =>
      editRecord(
        'answerSample',
        sample._id,
        { name: draft.name.trim(), answer: toAnswer(draft), expected: toExpected(draft) },
        sample.version,
      ),
    onSuccess: () => {
      void toast('success', message('moduleSaved', module));
      setOpen(false);
    },
    onSettled: () => changed('answerSample'),
  });
  const restore = useMutation({
    mutationFn: () => editRecord('answerSample', sample._id, { status: 'active' }),
    onSuccess: () => void toast('success', message('moduleRestored', module)),
    onError: (error) => void toast('error', failureText(error, module)),
    onSettled: () => changed('answerSample'),
  });
  const remove = useMutation({
    mutationFn: () => removeRecord('answerSample', sample._id),
    onSuccess: () => void toast('success', message('moduleDeleted', module), { label: 'Undo', run: () => restore.mutate() }),
    onError: (error) => void toast('error', failureText(error, module)),
    onSettled: () => changed('answerSample'),
  });
  const { outcome, price } = sample.expected;
  return (
    <li className="sample-line">
      <div className="sample-head">
        {judgement && <span className={`pill ${passes(judgement) ? 'good' : 'bad'}`}>{passes(judgement) ? 'Passes' : 'Fails'}</span>}
        <span className="sample-name">{sample.name}</span>
        <span className="muted small">
          {sample.leg}, {OUTCOME_WORD[outcome]?.toLowerCase()}
          {price && ` at ${price}`}
        </span>
        <span className="row push">
          <Button size="compact-xs" variant="default" aria-label={`Edit sample ${sample.name}`} onClick={() => setOpen(true)}>
            Edit
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Remove sample ${sample.name}`}
            loading={remove.isPending}
            onClick={() => remove.mutate()}
          >
            Remove
          </Button>
        </span>
      </div>
      {judgement && !passes(judgement) && (
        <ul className="sample-differences bad small">
          {judgement.differences.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {isOpen && (
        <SampleDialog
          title="Sample"
          says="What is left empty may be read as anything."
          initial={toSampleDraft(sample.name, sample.answer, sample.expected)}
          read={judgement?.read ?? null}
          isPending={save.isPending}
          error={save.error}
          onSave={(draft) => save.mutate(draft)}
          onClose={() => setOpen(false)}
        />
      )}
    </li>
  );
}

const passes = ({ differences }: SampleJudgement): boolean => differences.length === 0;
