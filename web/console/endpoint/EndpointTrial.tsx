import { Button, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PreviewAnswer, Reading, TestCallAnswer } from '#contract/endpoint-trial.ts';
import { ownValue } from '#contract/field-name.ts';
import { sampleLead } from '#contract/sample-lead.ts';
import { formatCount, formatElapsed, formatInstant, formatMoney } from '#web/ui/format.ts';
import { WholeNumberInput } from '#web/ui/inputs/DigitsInput.tsx';
import { useReporting } from '#web/ui/reporting.tsx';
import { postJson } from '../api/client.ts';
import type { RecordRow } from '../api/record.ts';
import { Hops } from '../lead/Hops.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import type { FieldRow } from '../set-up/rules/filter-words.ts';
import { readHeaders } from './answer-rules.ts';
import { isNoAddress, withSampleAddresses } from './check-endpoint.ts';
import { type JsonObject, type LegName, legOf } from './endpoint-draft.ts';
import { KeepAnswer } from './KeepAnswer.tsx';
import { OUTCOME_TONE, OUTCOME_WORD } from './reading-words.ts';
import { SampleList } from './SampleList.tsx';
import { TrialText } from './TrialText.tsx';
import './sample.css';

const previewDelayMs = 300;

/** Whose endpoint it is; `id` is null while it is not saved yet. */
export interface EndpointHolder {
  kind: 'buyer' | 'service';
  id: string | null;
}

interface EndpointTrialProps {
  endpoint: JsonObject;
  name: LegName;
  fields: readonly FieldRow[];
  who: EndpointHolder;
  verticalId: string;
  timeLimitMs: number | undefined;
  secrets: Record<string, string>;
}

/** Beside the editor: what would be sent for a sample lead, what a pasted answer would mean, and one real call. */
export function EndpointTrial({ endpoint, name, fields, who, verticalId, timeLimitMs, secrets }: EndpointTrialProps) {
  const { country } = usePlaceIds();
  const samples = fields as unknown as (RecordRow & FieldRow & { min: number | null; max: number | null })[];
  const [changed, setChanged] = useState<Record<string, string>>({});
  const lead = { ...sampleLead(samples, country), ...changed };
  const shown = withSampleAddresses(endpoint);
  const [asked] = useDebouncedValue({ endpoint: shown, leg: name, verticalId, lead }, previewDelayMs);
  const preview = useQuery({
    queryKey: ['endpoint-preview', JSON.stringify(asked)],
    queryFn: () => postJson<PreviewAnswer>('/api/console/endpoint/preview', asked),
    placeholderData: (before) => before,
    retry: false,
    staleTime: 60_000,
  });
  return (
    <div className="trial">
      <details>
        <summary>Sample lead</summary>
        <div className="form-three">
          {fields.map((field) => (
            <TextInput
              key={field.fieldName}
              size="xs"
              label={field.fieldHumanName}
              value={ownValue(lead, field.fieldName) ?? ''}
              maxLength={500}
              onChange={(event) => setChanged({ ...changed, [field.fieldName]: event.currentTarget.value })}
            />
          ))}
        </div>
      </details>
      <section aria-label="Preview">
        <h2>Preview</h2>
        {preview.error ? (
          <p className="warn small" role="status">
            {preview.error.message}
          </p>
        ) : (
          preview.data && <Request answer={preview.data} />
        )}
      </section>
      {name !== 'lost' && <PastedAnswer endpoint={shown} name={name} who={who} />}
      {who.kind === 'buyer' && who.id !== null && <SampleList endpoint={endpoint} tierId={who.id} />}
      {/* What stands on the screen now, not what the preview last asked about. */}
      <TestCall
        asked={{ endpoint, leg: name, verticalId, lead, secrets, ...(isTimeLimit(timeLimitMs) && { timeLimitMs }) }}
        who={who}
        isAddressed={!isNoAddress(legOf(endpoint, name)?.url)}
      />
    </div>
  );
}

/** While it is typed it may be none. */
const isTimeLimit = (ms: number | undefined): ms is number => ms !== undefined && Number.isInteger(ms) && ms >= 50 && ms <= 300_000;

function Request({ answer: { request, warnings } }: { answer: PreviewAnswer }) {
  return (
    <>
      <TrialText
        label="What is sent"
        text={`${request.method} ${request.url}\n${Object.entries(request.headers)
          .map(([key, value]) => `${key}: ${value}`)
          .join('\n')}${request.body === null ? '' : `\n\n${request.body}`}`}
      />
      <Warnings warnings={warnings} />
    </>
  );
}

function Warnings({ warnings }: { warnings: Reading['warnings'] }) {
  if (warnings.length === 0) return null;
  return <p className="warn small">{warnings.map(({ code, at }) => `${code.replaceAll('-', ' ')}${at ? ` (${at})` : ''}`).join('; ')}</p>;
}

function PastedAnswer({ endpoint, name, who }: { endpoint: JsonObject; name: Exclude<LegName, 'lost'>; who: EndpointHolder }) {
  const { kind, id } = who;
  const [body, setBody] = useState('');
  const [headerText, setHeaderText] = useState('');
  const [statusCode, setStatusCode] = useState<number | ''>(200);
  const headers = readHeaders(headerText);
  const given = { endpoint, leg: name, body, headers, statusCode: statusCode || 200 };
  const [asked] = useDebouncedValue(given, previewDelayMs);
  // An answer may be nothing but its code, or a header.
  const isGiven = asked.body.trim() !== '' || Object.keys(asked.headers).length > 0 || asked.statusCode !== 200;
  const isCode = (code: number) => code >= 100 && code <= 599;
  const read = useQuery({
    queryKey: ['endpoint-read', JSON.stringify(asked)],
    queryFn: () => postJson<{ reading: Reading }>('/api/console/endpoint/read', asked),
    enabled: isGiven && isCode(asked.statusCode),
    placeholderData: (before) => before,
    retry: false,
    staleTime: 60_000,
  });
  return (
    <section aria-label="A pasted answer">
      <h2>Paste an answer of the {kind}</h2>
      <div className="trial-answer">
        <Textarea
          label={`Answer of the ${kind}`}
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
          maxLength={500_000}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
        />
        <Textarea
          label="Headers of the answer"
          description="One a line."
          placeholder="content-type: text/xml"
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          maxLength={20_000}
          value={headerText}
          onChange={(event) => setHeaderText(event.currentTarget.value)}
        />
        <WholeNumberInput
          label="HTTP code"
          digits={3}
          value={statusCode}
          onChange={setStatusCode}
          error={isCode(statusCode || 200) ? null : '100 to 599'}
        />
      </div>
      {isGiven && read.data && <ReadingText reading={read.data.reading} kind={kind} />}
      {isGiven && read.data && !read.isPlaceholderData && kind === 'buyer' && (
        <KeepAnswer
          tierId={id}
          leg={name}
          answer={{ statusCode: asked.statusCode, headers: asked.headers, body: asked.body }}
          reading={read.data.reading}
        />
      )}
      {read.error && <p className="warn small">{read.error.message}</p>}
    </section>
  );
}

/** What a service's answer means for the lead. */
const MEANS: Record<string, string> = { accepted: 'Passed', rejected: 'Refused', duplicate: 'Refused', timeout: 'Timed out' };
const FAILED = 'Failure of the service';

function ReadingText({ reading, kind }: { reading: Reading; kind: EndpointHolder['kind'] }) {
  const { zone, currency, currencyDisplay } = useReporting();
  const word = kind === 'buyer' ? (OUTCOME_WORD[reading.outcome] ?? reading.outcome) : (MEANS[reading.outcome] ?? FAILED);
  const facts = [
    reading.price !== null && `price ${formatMoney(reading.price, currency, currencyDisplay)}`,
    reading.rule !== null && `by rule ${reading.rule}`,
    reading.rule === null && reading.readAs !== null && 'by no rule',
    reading.reasons.length > 0 && `reason: ${reading.reasons.join(', ')}`,
    reading.redirectUrl !== null && `redirect to ${reading.redirectUrl}`,
    reading.expiresAt !== null && `holds until ${formatInstant(reading.expiresAt, zone)}`,
    ...Object.entries(reading.captures).map(([key, value]) => `${key} = ${value}`),
  ].filter((one): one is string => typeof one === 'string');
  return (
    <div role="status">
      <span className={`pill ${OUTCOME_TONE[reading.outcome] ?? 'muted'}`}>{word}</span> <span className="small">{facts.join('; ')}</span>
      <Warnings warnings={reading.warnings} />
    </div>
  );
}

interface TestCallProps {
  asked: {
    endpoint: JsonObject;
    leg: LegName;
    verticalId: string;
    lead: Record<string, string>;
    secrets: Record<string, string>;
    timeLimitMs?: number;
  };
  who: EndpointHolder;
  isAddressed: boolean;
}

function TestCall({ asked, who: { kind, id }, isAddressed }: TestCallProps) {
  const body = { ...asked, [kind === 'buyer' ? 'tierId' : 'serviceId']: id };
  const call = useMutation({ mutationFn: () => postJson<TestCallAnswer>('/api/console/endpoint/test-call', body) });
  const { data } = call;
  return (
    <section aria-label="A test call">
      <h2>Test call</h2>
      <p className="muted small">
        Really sends the sample lead to the address above, marked as a test where the mapping says so
        {id === null
          ? ', with the secrets written below.'
          : `, with the secrets written below and, at the addresses the ${kind === 'buyer' ? 'tier' : 'service'} is saved with, those that are stored.`}{' '}
        It waits {asked.timeLimitMs === undefined ? '10 s' : `as long as the tier does, ${formatCount(asked.timeLimitMs)} ms`}.
      </p>
      <div className="row">
        <Button size="xs" variant="default" loading={call.isPending} disabled={!isAddressed} onClick={() => call.mutate()}>
          Call the {kind}
        </Button>
        {!isAddressed && <span className="muted small">Write the address above first.</span>}
      </div>
      {call.error && (
        <p className="bad small" role="alert">
          {call.error.message}
        </p>
      )}
      {data && (
        <div className="form-stack" role="status">
          <span className="small tabular">
            {data.response ? `HTTP ${data.response.statusCode}` : `No answer: ${data.failure}`} after {formatElapsed(data.elapsedMs)}
          </span>
          {data.firstTry !== null && <span className="warn small">Tried twice; at first: {data.firstTry}.</span>}
          <Hops hops={data.hops} />
          {data.isTimedOut && (
            <span className="bad small">
              The time limit of {formatCount(data.timeLimitMs)} ms was passed
              {kind === 'buyer' && asked.leg !== 'lost' && ': a lead would have gone on without this buyer'}.
            </span>
          )}
          {data.reading && asked.leg !== 'lost' && <ReadingText reading={data.reading} kind={kind} />}
          {data.reading && asked.leg === 'lost' && (
            <span className={`pill ${data.reading.outcome === 'accepted' ? 'good' : 'bad'}`}>
              {data.reading.outcome === 'accepted' ? 'Heard' : 'Not heard'}
            </span>
          )}
          {data.response && <TrialText label="The answer of the buyer" text={data.response.body || '(empty)'} />}
        </div>
      )}
    </section>
  );
}
