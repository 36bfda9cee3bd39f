import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { LabField, SampleView } from '#contract/lab.ts';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { ApiError } from '../api/client.ts';
import { addSample, editSample, labQuery } from '../api/lab.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { FieldInputs } from './FieldInputs.tsx';
import { LabFrame } from './LabFrame.tsx';
import { labPath } from './lab-path.ts';
import { sampleValues } from './send-draft.ts';

/** One sample lead, new or kept. */
export function SamplePage() {
  const { id } = useParams({ strict: false }) as { id?: string };
  const { place } = usePlaceIds();
  const lab = useQuery(labQuery(place));
  // What is typed stays, whatever comes in meanwhile: the form begins anew only when somebody asks for it.
  const [round, setRound] = useState(0);
  const sample = lab.data?.samples.find(({ _id }) => _id === id);
  return (
    <LabFrame title={sample?.name ?? (id ? 'Sample lead' : 'New sample lead')} tab="/samples" isInner>
      {lab.isPending && <SkeletonLines count={6} height={30} />}
      {lab.isError && <ErrorState error={lab.error} onRetry={() => void lab.refetch()} />}
      {lab.data && id && !sample && (
        <div className="card">
          <EmptyState title="There is no such sample lead.">It was removed, or it is of another vertical.</EmptyState>
        </div>
      )}
      {lab.data && (!id || sample) && (
        <SampleForm key={`${id} ${round}`} read={sample} fields={lab.data.fields} onAnew={() => setRound(round + 1)} />
      )}
    </LabFrame>
  );
}

interface SampleFormProps {
  /** As it is known now; undefined for a new one. */
  read: SampleView | undefined;
  fields: LabField[];
  onAnew: () => void;
}

function SampleForm({ read, fields, onAnew }: SampleFormProps) {
  const [sample] = useState(read);
  const { place } = usePlaceIds();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [name, setName] = useState(sample?.name ?? '');
  const [values, setValues] = useState<Record<string, string>>(() => sample?.fields ?? sampleValues(fields));
  const renew = () => client.invalidateQueries({ queryKey: ['lab', place] });
  const save = useMutation({
    mutationFn: () => {
      const kept = { name: name.trim(), fields: values };
      return sample ? editSample(sample._id, sample.version, kept) : addSample(place, kept);
    },
    onSuccess: async ({ msg }) => {
      void toast('success', msg);
      await renew();
      void navigate({ to: labPath(place, '/samples') as '/' });
    },
    onError: () => focusFirstError({ name: true }),
  });
  const isTaken = save.error instanceof ApiError && save.error.code === 'sample_name_taken';
  const isChanged = save.error instanceof ApiError && save.error.code === 'sample_changed';
  return (
    <form
      className="card card-pad form-stack lab-sample"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === '') focusFirstError({ name: true });
        else save.mutate();
      }}
    >
      <TextInput
        label="Name"
        description="Do not name a person: the change log keeps it."
        data-path="name"
        withAsterisk
        maxLength={120}
        value={name}
        error={isTaken ? save.error?.message : undefined}
        onChange={(event) => {
          save.reset();
          setName(event.currentTarget.value);
        }}
      />
      <FieldInputs fields={fields} values={values} onChange={setValues} />
      <p className="muted small lab-lead-in">Values are kept sealed, and stand in no log. Invent them: a person’s do not belong here.</p>
      {save.isError && !isTaken && (
        <div className="form-alert row" role="alert">
          {save.error.message}
          {isChanged && (
            <Button size="xs" variant="default" onClick={() => void renew().then(onAnew)}>
              Show it as it is now
            </Button>
          )}
        </div>
      )}
      <div className="row">
        <Button type="submit" loading={save.isPending}>
          {sample ? 'Save' : 'Add the sample lead'}
        </Button>
      </div>
    </form>
  );
}
