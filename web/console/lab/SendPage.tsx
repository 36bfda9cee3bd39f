import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { LabAnswer, PastLeadAnswer } from '#contract/lab.ts';
import { formatInstant } from '#web/ui/format.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { SelectSearch } from '#web/ui/SelectSearch.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { labQuery, labTreeQuery, pastLeadQuery, sendLead } from '../api/lab.ts';
import type { Place } from '../api/lead.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { AskReal } from './AskReal.tsx';
import { FieldInputs, faultsOf } from './FieldInputs.tsx';
import { KeepSample } from './KeepSample.tsx';
import { LabFrame } from './LabFrame.tsx';
import { labPath } from './lab-path.ts';
import type { SendSearch } from './lab-routes.ts';
import { RadioLines } from './RadioLines.tsx';
import { SentLead } from './SentLead.tsx';
import { SimulatedBuyers } from './SimulatedBuyers.tsx';
import {
  hiddenOf,
  type Seat,
  sampleValues,
  seatName,
  seatsOf,
  shownOf,
  type Told,
  testValueLines,
  toAnswers,
  treeChoice,
  treeOptions,
} from './send-draft.ts';

/** testing-lab: one lead through the real engine, with real or simulated buyers, and every decision told. */
export function SendPage() {
  const { place } = usePlaceIds();
  const { lead = '' } = useSearch({ strict: false }) as SendSearch;
  const lab = useQuery(labQuery(place));
  const past = useQuery(pastLeadQuery(lead));
  const failed = lab.isError ? lab : past.isError ? past : undefined;
  const isReady = lab.data && (lead === '' || past.data);
  return (
    <LabFrame title="Testing lab" tab="">
      {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && !isReady && (
        <div className="card card-pad">
          <SkeletonLines count={8} height={24} />
        </div>
      )}
      {!failed && isReady && <Bench key={`${place.region}/${place.vertical}`} place={place} lab={lab.data!} past={past.data} />}
    </LabFrame>
  );
}

interface BenchProps {
  place: Place;
  lab: LabAnswer;
  past: PastLeadAnswer | undefined;
}

function Bench({ place, lab, past }: BenchProps) {
  const search = useSearch({ strict: false }) as SendSearch;
  const seats = seatsOf(lab.campaigns);
  const wanted = search.tier ?? past?.publisherTierId;
  const seat = seats.find(({ _id }) => _id === wanted) ?? seats.find(({ status }) => status === 'active') ?? seats[0];
  if (lab.fields.length === 0 || !seat)
    return (
      <div className="card">
        <EmptyState title={seat ? 'This vertical has no fields yet.' : 'Nobody can send here yet.'}>
          {seat
            ? 'Add the fields of a lead in the configuration of the vertical, then send one here.'
            : 'A lead comes in by a publisher tier of a campaign. Add one in the set-up, then send a lead here.'}
        </EmptyState>
      </div>
    );
  return <SendForm place={place} lab={lab} seats={seats} seat={seat} past={past} />;
}

function SendForm({ place, lab, seats, seat, past }: BenchProps & { seats: Seat[]; seat: Seat }) {
  const search = useSearch({ strict: false }) as SendSearch;
  const navigate = useNavigate();
  const { zone } = useReporting();
  const sample = lab.samples.find(({ _id }) => _id === search.sample);
  const source = search.lead ?? sample?._id ?? '';
  const given = past ? shownOf(past) : (sample?.fields ?? sampleValues(lab.fields));
  const [typed, setTyped] = useState<{ source: string; values: Record<string, string> }>();
  const values = typed?.source === source ? typed.values : given;
  const [tree, setTree] = useState('published');
  const [told, setTold] = useState<Readonly<Record<string, Told>>>({});
  const [services, setServices] = useState<'passed' | 'refused'>('passed');
  const [wantsReal, setWantsReal] = useState(false);
  const [asksReal, setAsksReal] = useState(false);
  const { campaign } = seat;
  const chosenTree = treeOptions(campaign, String).some(({ value, disabled }) => value === tree && !disabled) ? tree : 'published';
  const choice = treeChoice(chosenTree);
  const groups = useQuery(labTreeQuery(campaign._id, choice));
  // A past lead is a person's, who is not offered to anybody again.
  const isReal = wantsReal && !past;
  const send = useMutation({
    mutationFn: (fields: Record<string, string>) =>
      sendLead({
        publisherTierId: seat._id,
        fields,
        leadId: search.lead ?? null,
        change: choice,
        buyers: isReal ? 'real' : 'simulated',
        answers: isReal ? [] : toAnswers(groups.data?.groups ?? [], told),
        services,
      }),
    onSettled: () => setAsksReal(false),
  });
  const go = (next: SendSearch) => void navigate({ to: labPath(place) as '/', search: next as never, replace: true, resetScroll: false });
  return (
    <>
      <form
        className="form-stack"
        aria-label="Lead to send"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReal) setAsksReal(true);
          else send.mutate(values);
        }}
      >
        <Card title="Which way it goes">
          <div className="lab-choices">
            <SelectSearch
              label="Publisher tier"
              options={seats.map((one) => ({ value: one._id, label: seatName(one) }))}
              emptyText="No publisher tiers found."
              value={seat._id}
              onChange={(tier) => tier && go({ ...search, tier })}
            />
            <NativeSelect
              label="Ping tree"
              data={treeOptions(campaign, (at) => formatInstant(at, zone))}
              value={chosenTree}
              onChange={(event) => setTree(event.currentTarget.value)}
            />
          </div>
          {campaign.isTested && (
            <p className="muted small lab-lead-in">An A/B test splits this campaign now. The lab goes by the chosen tree alone.</p>
          )}
          <RadioLines
            label="Buyers"
            value={isReal ? 'real' : 'simulated'}
            onChange={(value) => setWantsReal(value === 'real')}
            options={[
              { value: 'simulated', label: 'Simulated', says: 'The real request is built, and nothing leaves. Nothing is kept.' },
              {
                value: 'real',
                label: 'Real',
                says: past
                  ? 'Not with a past lead: its person did not ask to be offered again.'
                  : 'Buyers are called. The lead is kept as a test, and counts in no cap, report or bill.',
                disabled: past !== undefined,
              },
            ]}
          />
          {!isReal && <SimulatedBuyers groups={groups} told={told} onTold={setTold} services={services} onServices={setServices} />}
        </Card>
        <Card title="What the consumer gives">
          <div className="lab-choices">
            <NativeSelect
              label="Filled from"
              data={[
                { value: '', label: 'Plausible values' },
                ...lab.samples.map(({ _id, name }) => ({ value: _id, label: `Sample: ${name}` })),
                ...(past ? [{ value: search.lead!, label: `Lead ${search.lead}` }] : []),
              ]}
              value={source}
              onChange={(event) => {
                const next = event.currentTarget.value;
                setTyped(undefined);
                go({ tier: seat._id, ...(next && { sample: next }) });
              }}
            />
          </div>
          {past && (
            <p className="muted small lab-lead-in">
              What is personal is used as it came and is not shown. What you type stands in its place; an empty field is sent as it came.
            </p>
          )}
          <FieldInputs
            fields={lab.fields}
            values={values}
            hidden={past ? hiddenOf(past) : {}}
            faults={faultsOf(send.data?.lead.errors, send.variables, values)}
            onChange={(next) => setTyped({ source, values: next })}
          />
          <TestValues
            lines={testValueLines(campaign.testValues)}
            onUse={(field, value) => setTyped({ source, values: { ...values, [field]: value } })}
          />
        </Card>
        {send.isError && (
          <div className="form-alert" role="alert">
            {send.error.message}
          </div>
        )}
        <div className="row">
          <Button type="submit" loading={send.isPending} disabled={groups.isPending}>
            {isReal ? 'Send to real buyers…' : 'Send the lead'}
          </Button>
          {!past && <KeepSample place={place} values={values} />}
        </div>
      </form>
      {asksReal && groups.data && (
        <AskReal
          groups={groups.data.groups}
          isSending={send.isPending}
          onSend={() => send.mutate(values)}
          onClose={() => setAsksReal(false)}
        />
      )}
      {send.data && <SentLead key={send.data.lead._id} place={place} sent={send.data} mayReadLeads={lab.mayReadLeads} />}
    </>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      <div className="card-body form-stack">{children}</div>
    </section>
  );
}

/** Values by which the campaign itself decides a test, each put in with a click. */
function TestValues({ lines, onUse }: { lines: ReturnType<typeof testValueLines>; onUse: (field: string, value: string) => void }) {
  if (lines.length === 0) return null;
  return (
    <fieldset className="lab-test-values row small" aria-label="Test values of the campaign">
      <span className="muted">Test values of the campaign:</span>
      {lines.map(({ field, value, does }) => (
        <button key={does} type="button" className="tool-button" onClick={() => onUse(field, value)}>
          <code className="mono">{value}</code> {does}
        </button>
      ))}
    </fieldset>
  );
}
