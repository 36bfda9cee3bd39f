import { Button, Checkbox, Switch, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { RetentionPreview } from '#contract/retention.ts';
import { formatCount } from '#web/ui/format.ts';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';
import { ExactTime } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { postJson } from '../api/client.ts';
import { type RecordRow, recordsQuery } from '../api/record.ts';
import { FormSection } from '../set-up/FormSection.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { RecordForm } from '../set-up/RecordForm.tsx';
import { usePlaceName } from '../shell/use-place.ts';
import { ListsPage } from './ListsPage.tsx';

interface Values {
  unsoldDays: string;
  soldDays: string;
  wireDays: string;
  onHold: boolean;
  holdReason: string;
  isUnderstood: boolean;
}

const NOTHING: Values = { unsoldDays: '', soldDays: '', wireDays: '', onHold: false, holdReason: '', isUnderstood: false };
/** What those who must not keep people for longer than they need do. */
const USUAL = { unsoldDays: '90', soldDays: '730', wireDays: '30' };

const textOf = (days: unknown) => (days === null ? '' : String(days));
const daysOf = (text: string) => (text === '' ? null : Number(text));
const toValues = (row: RecordRow): Values => ({
  ...{ unsoldDays: textOf(row.unsoldDays), soldDays: textOf(row.soldDays), wireDays: textOf(row.wireDays) },
  ...{ onHold: row.onHold === true, holdReason: String(row.holdReason), isUnderstood: false },
});
const toDays = ({ unsoldDays, soldDays, wireDays }: Pick<Values, 'unsoldDays' | 'soldDays' | 'wireDays'>) => ({
  ...{ unsoldDays: daysOf(unsoldDays), soldDays: daysOf(soldDays), wireDays: daysOf(wireDays) },
});

/** Whether something goes that would stay as the rules are now. */
function takesMore(values: Values, row: RecordRow | undefined): boolean {
  if (values.onHold) return false;
  const before = row && row.onHold !== true ? toDays(toValues(row)) : toDays(NOTHING);
  const sooner = (now: number | null, was: number | null) => now !== null && (was === null || now < was);
  const now = toDays(values);
  return (Object.keys(now) as (keyof typeof now)[]).some((rule) => sooner(now[rule], before[rule]));
}

/** How long the vertical keeps the people in its leads. */
export function RetentionPage() {
  const { verticalId } = usePlaceIds();
  const records = useQuery(recordsQuery({ model: 'retention', condition: { verticalId } }));
  return (
    <ListsPage title="Retention" reach={`For ${usePlaceName()}`}>
      {records.isPending && <SkeletonLines count={5} height={30} />}
      {records.isError && <ErrorState error={records.error} onRetry={() => void records.refetch()} />}
      {records.data && (
        <RetentionForm
          key={`${verticalId} ${records.data.data[0]?.version}`}
          row={records.data.data[0]}
          verticalId={verticalId}
          onSaved={() => void records.refetch()}
        />
      )}
    </ListsPage>
  );
}

function RetentionForm({ row, verticalId, onSaved }: { row: RecordRow | undefined; verticalId: string; onSaved: () => void }) {
  return (
    <RecordForm<Values>
      model="retention"
      one="rules"
      row={row}
      toValues={toValues}
      initial={NOTHING}
      toData={(values) => ({ ...(!row && { verticalId }), ...toDays(values), onHold: values.onHold, holdReason: values.holdReason })}
      validate={{
        soldDays: (sold, { unsoldDays }) =>
          sold !== '' && unsoldDays !== '' && Number(sold) < Number(unsoldDays) ? 'At least as long as unsold ones.' : null,
        isUnderstood: (isUnderstood, values) => (takesMore(values, row) && !isUnderstood ? 'Tick this, or keep more.' : null),
        holdReason: (reason, { onHold }) => (onHold && reason.trim() === '' ? 'Say why, for whoever asks later.' : null),
      }}
      onSaved={onSaved}
      onCancel={() => {}}
    >
      {(form) => (
        <>
          <FormSection
            title="What is kept, and for how long"
            says="After that the person is taken out of a lead: names, addresses, numbers, and the links of consumers. The lead, its outcome, its price and every figure stay as they are. A refused post goes with unsold leads, or with requests and answers where that is sooner. Empty keeps for ever."
          >
            <div className="form-three">
              <DigitsInput
                {...form.getInputProps('unsoldDays')}
                label="People in unsold leads"
                unit="days"
                digits={4}
                placeholder="For ever"
              />
              <DigitsInput
                {...form.getInputProps('soldDays')}
                label="People in sold and held leads"
                unit="days"
                digits={4}
                placeholder="For ever"
              />
              <DigitsInput
                {...form.getInputProps('wireDays')}
                label="Requests and answers"
                description="What publishers, buyers and services said on the wire."
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                unit="days"
                digits={4}
                placeholder="For ever"
              />
            </div>
            <div>
              <Button size="compact-sm" variant="default" onClick={() => form.setValues(USUAL)}>
                Take the usual: {USUAL.unsoldDays}, {USUAL.soldDays} and {USUAL.wireDays} days
              </Button>
            </div>
          </FormSection>
          <FormSection
            title="Legal hold"
            says="For as long as a court or an authority may ask for leads, none of this vertical loses anything."
          >
            <Switch {...form.getInputProps('onHold', { type: 'checkbox' })} label="Nothing is deleted" />
            {form.values.onHold && <Textarea {...form.getInputProps('holdReason')} label="Why" autosize minRows={2} maxLength={500} />}
          </FormSection>
          {row && <SoFar row={row} />}
          {takesMore(form.values, row) && (
            <FormSection title="What saving does">
              <Consequence verticalId={verticalId} values={form.values} />
              <Checkbox {...form.getInputProps('isUnderstood', { type: 'checkbox' })} label="It cannot be taken back, and I want it" />
            </FormSection>
          )}
        </>
      )}
    </RecordForm>
  );
}

function Consequence({ verticalId, values }: { verticalId: string; values: Values }) {
  const { unsoldDays, soldDays, wireDays } = values;
  const [asked] = useDebouncedValue(JSON.stringify({ verticalId, ...toDays({ unsoldDays, soldDays, wireDays }) }), 300);
  const preview = useQuery({
    queryKey: ['retention-preview', asked],
    queryFn: () => postJson<RetentionPreview>('/api/console/retention/preview', JSON.parse(asked)),
    staleTime: 60_000,
  });
  if (preview.isError)
    return <p>How many leads are older than that could not be counted. Whatever is goes within minutes of saving, for good.</p>;
  if (!preview.data) return <p>Counting what is older than that …</p>;
  const { unsold, sold, wires, refused, isMore } = preview.data;
  const count = (leads: number) => `${formatCount(leads)}${isMore ? ' or more' : ''}`;
  const people = unsold + sold;
  if (people + wires + refused === 0) return <p>Nothing is older than that today. From now on it goes the day it is, for good.</p>;
  return (
    <p>
      Within minutes of saving, {count(people)} {people === 1 ? 'lead loses' : 'leads lose'} the person, and {count(wires)}{' '}
      {wires === 1 ? 'loses' : 'lose'} what was sent and answered, as {refused === 1 ? 'does' : 'do'} {count(refused)}{' '}
      {refused === 1 ? 'refused post' : 'refused posts'}, for good. Data requests, disputes and replays can no longer look into them.
    </p>
  );
}

function SoFar({ row }: { row: RecordRow }) {
  const { ranAt } = row as RecordRow & { ranAt: string | null };
  const [people, calls, refused] = [row.erasedLeads, row.emptiedLeads, row.emptiedCalls].map((so) => formatCount(Number(so)));
  if (!ranAt) return <p className="muted small">The rules have not been applied yet; they are within a minute, and each day after.</p>;
  return (
    <p className="muted small">
      So far {people} leads have lost the person, and {calls} leads and {refused} refused posts what was sent and answered; last looked at{' '}
      <ExactTime at={ranAt} />.
    </p>
  );
}
