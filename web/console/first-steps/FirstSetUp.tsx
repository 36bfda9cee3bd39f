import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RegionView, VerticalView } from '#contract/session.ts';
import { CopyButton, CopyTextButton } from '#web/ui/CopyButton.tsx';
import { toCurl } from '#web/ui/curl.ts';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { IconCheck } from '#web/ui/icons.ts';
import { AmountInput } from '#web/ui/inputs/AmountInput.tsx';
import { MoneyText } from '#web/ui/reporting.tsx';
import { placesQuery } from '../api/session.ts';
import { errorsOf } from '../organization/RecordPage.tsx';
import { queryClient } from '../query-client.ts';
import { checkGiven } from '../set-up/check-given.ts';
import { FormSection } from '../set-up/FormSection.tsx';
import { slugOf } from '../vertical/slug-of.ts';
import { type Starter, starters } from './starter-fields.ts';
import { type FirstSteps, type Made, type StepName, stepNames, takeSteps } from './take-steps.ts';
import '../set-up/record-form.css';
import './first-set-up.css';

interface FirstSetUpProps {
  /** The region that is there already, when there is one. */
  region: RegionView | undefined;
  /** The vertical that is there already, where an earlier try ended in the middle. */
  vertical?: VerticalView | undefined;
}

/** From nothing to a sold test lead: region, vertical, buyer, publisher, and one lead to see it work. */
export function FirstSetUp({ region, vertical }: FirstSetUpProps) {
  const [made, setMade] = useState<Made>({
    ...(region && { regionId: region._id, regionSlug: region.slug }),
    ...(vertical && { verticalId: vertical._id, verticalSlug: vertical.slug }),
  });
  const [done, setDone] = useState<StepName[]>([]);
  const form = useForm<FirstSteps>({
    initialValues: {
      country: region?.country ?? 'us',
      vertical: vertical?.name ?? '',
      starter: 'contact',
      buyer: '',
      buyerUrl: '',
      price: '10.00',
      publisher: '',
      share: '70',
    },
    validate: {
      vertical: (text) => (slugOf(text) === '' ? 'This is required.' : null),
      buyer: checkGiven,
      publisher: checkGiven,
      price: (text) => (Number(text) > 0 ? null : 'Say what the buyer pays.'),
      share: (text) => (Number(text) >= 0 && Number(text) <= 100 && text !== '' ? null : 'A share is 0 to 100 percent.'),
      buyerUrl: (text) => (text === '' || /^https?:\/\/\S+$/.test(text) ? null : 'An address begins with https://'),
    },
  });
  const take = useMutation({
    mutationFn: (values: FirstSteps) =>
      takeSteps(values, made, (now, name) => {
        setMade(now);
        setDone((names) => [...names.filter((one) => one !== name), name]);
      }),
    // Whatever page is opened next knows the vertical; this one stays, with the key that is shown once.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: placesQuery.queryKey, refetchType: 'none' }),
    onError: (error) => form.setErrors(errorsOf(error)),
  });
  if (made.lead) return <Finished made={made} terms={form.values} />;
  return (
    <form
      noValidate
      className="form-stack record-form"
      onSubmit={form.onSubmit((values) => void (take.isPending || take.mutate(values)), focusFirstError)}
    >
      <p>
        A few names are enough to begin with: everything can be changed afterwards. At the end a test lead runs through, without touching a
        buyer.
      </p>
      <FormSection
        title="1. Region and vertical"
        says="A region is a country, a vertical a product in it. The vertical owns the fields of its leads."
      >
        <div className="form-three">
          {!region && (
            <NativeSelect
              {...form.getInputProps('country')}
              label="Region"
              data={[
                { value: 'us', label: 'United States' },
                { value: 'uk', label: 'United Kingdom' },
              ]}
            />
          )}
          <TextInput
            {...form.getInputProps('vertical')}
            disabled={vertical !== undefined}
            label="Vertical"
            placeholder="Payday loans"
            maxLength={60}
            data-autofocus
          />
          <NativeSelect
            {...form.getInputProps('starter')}
            label="Fields to begin with"
            description={vertical && 'A vertical that has fields of its own keeps them.'}
            data={Object.entries(starters).map(([value, { label }]) => ({ value, label }))}
            onChange={(event) => form.setFieldValue('starter', event.currentTarget.value as Starter)}
          />
        </div>
      </FormSection>
      <FormSection title="2. Buyer" says="Who takes your leads. Without an address the buyer stays paused until you know it.">
        <div className="form-three">
          <TextInput {...form.getInputProps('buyer')} label="Name of the buyer" maxLength={120} />
          <AmountInput {...form.getInputProps('price')} label="It pays for a lead" />
          <TextInput
            {...form.getInputProps('buyerUrl')}
            label="Where leads are sent"
            placeholder="https://… (optional)"
            maxLength={2000}
            spellCheck={false}
          />
        </div>
      </FormSection>
      <FormSection title="3. Publisher" says="Who sends you leads. It gets a posting key, which you see at the end.">
        <div className="form-pair">
          <TextInput {...form.getInputProps('publisher')} label="Name of the publisher" maxLength={120} />
          <AmountInput {...form.getInputProps('share')} label="Its share of what the buyer pays" unit="%" />
        </div>
      </FormSection>
      {(take.isPending || done.length > 0) && (
        <ol className="first-steps" aria-label="Steps">
          {stepNames.map((name) => (
            <li key={name} data-done={done.includes(name) || undefined}>
              {done.includes(name) && <IconCheck size={15} aria-hidden />} {name}
            </li>
          ))}
        </ol>
      )}
      {take.error && (
        <div className="form-alert" role="alert">
          {take.error.message} What was made so far stays; the next try goes on from there.
        </div>
      )}
      <div className="row">
        <Button type="submit" loading={take.isPending}>
          Set up and send a test lead
        </Button>
      </div>
    </form>
  );
}

/** The call that made the test lead, to be handed to the publisher. */
const curlOf = ({ key, posted }: Made): string =>
  toCurl({
    method: 'POST',
    url: `${location.origin}/api/v1/leads`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...posted, test: true }),
  });

function Finished({ made, terms: { price, share } }: { made: Made; terms: FirstSteps }) {
  const navigate = useNavigate();
  const base = `/setup/${made.regionSlug}/${made.verticalSlug}`;
  // The guard reads the places anew before one goes on: the vertical was not there when the page was opened.
  const goOn = async (page: string) => {
    await queryClient.invalidateQueries({ queryKey: placesQuery.queryKey, refetchType: 'none' });
    await navigate({ href: `${base}/${page}` });
  };
  return (
    <section className="card card-pad form-stack" aria-label="Done">
      <h2>It works.</h2>
      <p role="status">
        The test lead ended as <span className="pill good">{made.lead!.status === 'test' ? 'Sold, as a test' : made.lead!.status}</span>. No
        buyer was called.
      </p>
      <p>
        A real lead is billed at <MoneyText amount={price} exact />, of which the publisher gets {share}%. Both can be changed: on the page
        of the buyer’s tier and of the publisher’s.
      </p>
      {made.isPaused && (
        <p className="form-note">
          Real leads are not sold yet: the buyer is paused until you give its tier an address. The test lead carried the address{' '}
          <code>sold@example.com</code>, a test value of the campaign that is always sold.
        </p>
      )}
      <div className="form-note">
        <p>
          <strong>The publisher’s posting key. Copy it now: it is not shown again.</strong>
        </p>
        <span className="row">
          <code className="mono">{made.key}</code> <CopyButton text={made.key!} label="Copy the key" />
        </span>
        <p>The publisher posts like this; without “test” the lead is real:</p>
        <pre className="mono first-call">{curlOf(made)}</pre>
        <CopyTextButton text={() => curlOf(made)} label="Copy the call" />
      </div>
      <span className="row">
        <Button onClick={() => void goOn('flow-control')}>See the flow</Button>
        <Button variant="default" onClick={() => void goOn(`leads/${made.lead!.leadId}`)}>
          Read the test lead
        </Button>
      </span>
    </section>
  );
}
