import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ownValue } from '#contract/field-name.ts';
import type { LabField, SampleView } from '#contract/lab.ts';
import { IconPlus } from '#web/ui/icons.ts';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { addSample, labQuery, removeSample } from '../api/lab.ts';
import type { Place } from '../api/lead.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { LabFrame } from './LabFrame.tsx';
import { labPath } from './lab-path.ts';

const SHOWN_VALUES = 4;

/** Leads that are kept to try things with. */
export function SamplesPage() {
  const { place } = usePlaceIds();
  const lab = useQuery(labQuery(place));
  const add = (
    <Button size="sm" component={Link} to={`${labPath(place, '/samples')}/new` as '/'} leftSection={<IconPlus size={16} aria-hidden />}>
      Add a sample lead
    </Button>
  );
  return (
    <LabFrame title="Testing lab" tab="/samples" action={add}>
      <section className="card" aria-label="Sample leads">
        {lab.isPending && (
          <div className="card-body">
            <SkeletonLines count={4} height={24} />
          </div>
        )}
        {lab.isError && <ErrorState error={lab.error} onRetry={() => void lab.refetch()} />}
        {lab.data?.samples.length === 0 && (
          <EmptyState title="No sample leads yet." action={add}>
            A sample lead fills the form of the lab, so that the same case is tried again after each change: the one that must be sold, the
            one that must be refused.
          </EmptyState>
        )}
        {lab.data && lab.data.samples.length > 0 && <SampleTable place={place} samples={lab.data.samples} fields={lab.data.fields} />}
      </section>
    </LabFrame>
  );
}

function SampleTable({ place, samples, fields }: { place: Place; samples: SampleView[]; fields: LabField[] }) {
  const client = useQueryClient();
  const renew = () => client.invalidateQueries({ queryKey: ['lab', place] });
  const undo = useMutation({
    mutationFn: ({ name, fields: values }: SampleView) => addSample(place, { name, fields: values }),
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: renew,
  });
  const remove = useMutation({
    mutationFn: ({ _id, version }: SampleView) => removeSample(_id, version),
    onSuccess: ({ msg }, sample) => void toast('success', msg, { label: 'Undo', run: () => undo.mutate(sample) }),
    onError: (error) => void toast('error', error.message),
    onSettled: renew,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="scroll-x" aria-label="Table of sample leads" tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className="lab-sample-values">
              Values
            </th>
            <th scope="col">
              <span className="sr-only">What to do</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {samples.map((sample) => (
            <tr key={sample._id}>
              <td>
                <Link to={`${labPath(place, '/samples')}/${sample._id}` as '/'} className="link">
                  {sample.name}
                </Link>
              </td>
              <td className="muted small lab-values lab-sample-values">{valuesText(sample, fields)}</td>
              <td>
                <span className="row lab-actions">
                  <Button
                    size="compact-sm"
                    variant="default"
                    component={Link}
                    to={labPath(place) as '/'}
                    search={{ sample: sample._id } as never}
                    aria-label={`Send ${sample.name}`}
                  >
                    Send
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Remove ${sample.name}`}
                    loading={remove.isPending && remove.variables._id === sample._id}
                    onClick={() => remove.mutate(sample)}
                  >
                    Remove
                  </Button>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The first few, in the order of the fields. */
function valuesText({ fields: values }: SampleView, fields: LabField[]): string {
  const given = fields.filter(({ fieldName }) => ownValue(values, fieldName));
  const shown = given.slice(0, SHOWN_VALUES).map(({ fieldName, fieldHumanName }) => `${fieldHumanName || fieldName}: ${values[fieldName]}`);
  const more = given.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '') || 'Every field is empty.';
}
