import { Button, JsonInput, NativeSelect, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { SAMPLE_ADDRESS } from '#contract/endpoint.sample-address.ts';
import type { FieldRow } from '../set-up/rules/filter-words.ts';
import { AnswerValues } from './AnswerValues.tsx';
import { Authentication } from './Authentication.tsx';
import { addressProblem, isNoAddress } from './check-endpoint.ts';
import { type EndpointHolder, EndpointTrial } from './EndpointTrial.tsx';
import {
  capturePaths,
  formatOf,
  type Leg,
  type LegName,
  legOf,
  newLeg,
  newNotice,
  objectAt,
  readEndpoint,
  responseOf,
  setCapturePaths,
  setFormat,
  setHeaders,
  setLeg,
  setRead,
  setResponse,
  setSwitch,
  writeEndpoint,
} from './endpoint-draft.ts';
import { OutcomeRows } from './OutcomeRows.tsx';
import { PairRows } from './PairRows.tsx';
import { SentBody } from './SentBody.tsx';
import { Signature } from './Signature.tsx';
import '@mantine/core/styles/FloatingIndicator.css';
import '@mantine/core/styles/SegmentedControl.css';
import './endpoint.css';

interface EndpointEditorProps {
  /** JSON text, as the form holds it. */
  value: string;
  onChange: (text: string) => void;
  fields: readonly FieldRow[];
  /** Who is spoken to: a buyer also names prices and redirects, a service only says yes or no. */
  who: EndpointHolder;
  verticalId: string;
  /** Names of the secrets that are stored or being written. */
  secretNames: readonly string[];
  /** Those that are being written, with their values. */
  secrets: Record<string, string>;
  pings?: boolean;
  /** What the tier says of its loss notice beside the call itself. */
  noticeRule?: React.ReactNode;
  /** How long the tier waits, for the test call; a service is given a time by each tier that asks it. */
  timeLimitMs?: number;
  error?: React.ReactNode;
}

/** How a buyer or a service is spoken to: address, rows and rules on screen, the whole as JSON for what the screen does not know, and a trial beside it. */
export function EndpointEditor({
  value,
  onChange,
  fields,
  who,
  verticalId,
  secretNames,
  secrets,
  pings = false,
  noticeRule,
  timeLimitMs,
  error,
}: EndpointEditorProps) {
  const [view, setView] = useState<'rows' | 'json'>('rows');
  const [name, setName] = useState<LegName>('post');
  const endpoint = readEndpoint(value);
  const leg = endpoint && legOf(endpoint, name);
  const set = (next: Leg) => endpoint && onChange(writeEndpoint(setLeg(endpoint, name, next)));
  // What is wrong is said, and the cursor put, where it can be mended.
  const isUnaddressed =
    Boolean(error) && view === 'rows' && leg !== undefined && (isNoAddress(leg.url) || addressProblem(leg) !== undefined);
  return (
    <div className="endpoint" {...(!isUnaddressed && { 'data-path': 'endpoint' })}>
      <div className="row">
        <SegmentedControl
          aria-label="How to edit"
          data={[
            { value: 'rows', label: 'Rows' },
            { value: 'json', label: 'JSON' },
          ]}
          value={view}
          onChange={(next) => setView(next as 'rows' | 'json')}
        />
        {(pings || (endpoint && legOf(endpoint, 'ping'))) && (
          <SegmentedControl
            aria-label="Which call"
            data={[
              { value: 'ping', label: 'Ping' },
              { value: 'post', label: 'Post' },
              ...(noticeRule ? [{ value: 'lost', label: 'Loss notice' }] : []),
            ]}
            value={name}
            onChange={(next) => setName(next as LegName)}
          />
        )}
      </div>
      {error && !isUnaddressed && (
        <p className="bad small" role="alert">
          {error}
        </p>
      )}
      {view === 'json' || !endpoint ? (
        <JsonInput
          aria-label="Endpoint as JSON"
          autosize
          minRows={12}
          maxRows={32}
          formatOnBlur
          spellCheck={false}
          value={value}
          onChange={onChange}
          error={endpoint ? undefined : 'This is not JSON yet.'}
          styles={{ input: { fontFamily: 'var(--s-font-mono)', fontSize: 12.5 } }}
        />
      ) : leg ? (
        <>
          {name === 'lost' && (
            <>
              <p className="muted small">
                Sent after the sale, once, to a buyer that bid and was outbid. No lead waits for it; any code of 2xx is taken as heard, and
                whatever else comes of it counts in no cap and no breaker. The buyer is told no more of the lead than at its ping.
              </p>
              {noticeRule}
            </>
          )}
          <LegEditor
            key={name}
            leg={leg}
            name={name}
            onChange={set}
            fields={fields}
            secretNames={secretNames}
            kind={who.kind}
            addressError={isUnaddressed && error}
          />
          {name === 'lost' && (
            <div>
              <Button size="xs" variant="default" onClick={() => onChange(writeEndpoint(setLeg(endpoint, 'lost', undefined)))}>
                Remove the loss notice
              </Button>
            </div>
          )}
        </>
      ) : (
        <div className="row">
          <span className="muted">{name === 'lost' ? 'The buyer is not told when it is outbid.' : `No ${name} is set up yet.`}</span>
          <Button size="xs" variant="default" onClick={() => set(name === 'lost' ? newNotice() : newLeg())}>
            Set the {name === 'lost' ? 'loss notice' : name} up
          </Button>
        </div>
      )}
      {endpoint && leg && (
        <EndpointTrial
          endpoint={endpoint}
          name={name}
          fields={fields}
          who={who}
          verticalId={verticalId}
          timeLimitMs={timeLimitMs}
          secrets={secrets}
        />
      )}
    </div>
  );
}

const FORMATS = [
  { value: 'json', label: 'JSON' },
  { value: 'xml', label: 'XML' },
  { value: 'soap', label: 'SOAP' },
  { value: 'form', label: 'Form' },
  { value: 'query', label: 'Query' },
  { value: 'text', label: 'Free text' },
];
/** Brings no bid and no verdict: only a buyer's post. */
const MAIL = { value: 'mail', label: 'E-mail' };
const READS = [
  { value: 'auto', label: 'whatever it looks like' },
  { value: 'json', label: 'JSON' },
  { value: 'xml', label: 'XML' },
  { value: 'form', label: 'a form: a=1&b=2' },
  { value: 'delimited', label: 'separated values' },
  { value: 'text', label: 'plain text' },
];
const OTHERWISE = [
  { value: 'error', label: 'an error' },
  { value: 'rejected', label: 'declined' },
  { value: 'accepted', label: 'accepted' },
  { value: 'duplicate', label: 'a duplicate' },
  { value: 'pending', label: 'pending' },
];

function LegEditor({
  leg,
  name,
  onChange,
  fields,
  secretNames,
  kind,
  addressError,
}: {
  leg: Leg;
  name: LegName;
  onChange: (leg: Leg) => void;
  fields: readonly FieldRow[];
  secretNames: readonly string[];
  kind: EndpointHolder['kind'];
  addressError: React.ReactNode;
}) {
  const format = formatOf(leg);
  const isMail = format === 'mail';
  const url = String(leg.url ?? '');
  const formats = kind === 'buyer' && name === 'post' ? [...FORMATS, MAIL] : FORMATS;
  const isNotice = name === 'lost';
  return (
    <>
      <div className="endpoint-address">
        {isMail ? (
          <TextInput label="Method" value="Mail" disabled />
        ) : (
          <NativeSelect
            label="Method"
            data={['POST', 'GET', 'PUT', 'PATCH']}
            value={String(leg.method ?? 'POST')}
            onChange={(event) => onChange({ ...leg, method: event.currentTarget.value })}
          />
        )}
        <TextInput
          label="Address"
          placeholder={isMail ? 'leads@buyer.example' : kind === 'buyer' ? SAMPLE_ADDRESS : 'https://service.example/check'}
          spellCheck={false}
          autoComplete="off"
          maxLength={4000}
          // A sample is shown as one: as what stands there while nothing does.
          value={isMail ? url.replace(/^mailto:/i, '') : isNoAddress(url) ? '' : url}
          error={addressError}
          {...(addressError && { 'data-path': 'endpoint' })}
          onChange={(event) => onChange({ ...leg, url: `${isMail ? 'mailto:' : ''}${event.currentTarget.value.trim()}` })}
        />
        <NativeSelect
          label="Sent as"
          data={formats}
          value={format}
          onChange={(event) => onChange(setFormat(leg, event.currentTarget.value))}
        />
      </div>
      {!isMail && (
        <>
          <Authentication leg={leg} onChange={onChange} fields={fields} secretNames={secretNames} />
          <details>
            <summary>Headers</summary>
            <PairRows
              word="header"
              value={objectAt(leg.headers) as Record<string, string>}
              onChange={(headers) => onChange(setHeaders(leg, headers))}
              left={{ label: 'Header', placeholder: 'x-partner', maxLength: 100 }}
              right={{ label: 'Value', placeholder: 'acme-{{system.subId}}', maxLength: 4000 }}
              most={50}
            />
          </details>
          {format !== 'query' && <Signature leg={leg} onChange={onChange} secretNames={secretNames} />}
        </>
      )}
      <SentBody leg={leg} onChange={onChange} fields={fields} secretNames={secretNames} isNotice={isNotice} />
      {!isNotice && <AnswerReading leg={leg} name={name} onChange={onChange} kind={kind} />}
      <Switch
        label="ASCII only"
        description="Accents become plain letters, for those that cannot read them."
        checked={leg.asciiOnly === true}
        onChange={(event) => onChange(setSwitch(leg, 'asciiOnly', event.currentTarget.checked))}
      />
      {!isMail && (
        <>
          <Switch
            label="Try again when nothing was sent"
            description="Once more, within the time limit, where no connection came about. What may have arrived is never sent twice."
            checked={leg.retryUnsent === true}
            onChange={(event) => onChange(setSwitch(leg, 'retryUnsent', event.currentTarget.checked))}
          />
          <Switch
            label="Follow redirects"
            description="An answer 301, 302, 303, 307 or 308 leads on, three times at most and within the time limit; without this it is an error. Another server is sent no password, no header of your own and no secret: what needs one goes nowhere."
            checked={leg.followRedirects === true}
            onChange={(event) => onChange(setSwitch(leg, 'followRedirects', event.currentTarget.checked))}
          />
        </>
      )}
    </>
  );
}

/** What the answer means, and what is taken of it. */
function AnswerReading({
  leg,
  name,
  onChange,
  kind,
}: {
  leg: Leg;
  name: LegName;
  onChange: (leg: Leg) => void;
  kind: EndpointHolder['kind'];
}) {
  return (
    <>
      <h2>How the answer is read</h2>
      {kind === 'service' && (
        <p className="muted small">
          Accepted lets the lead go on; declined and duplicate refuse it, with the reason. Pending and error are failures of the service:
          what they mean is up to each tier that asks.
        </p>
      )}
      <OutcomeRows leg={leg} onChange={onChange} />
      <div className="form-three">
        <NativeSelect
          label="Anything else is"
          data={OTHERWISE}
          value={String(responseOf(leg).otherwise ?? 'error')}
          onChange={(event) => onChange(setResponse(leg, { otherwise: event.currentTarget.value }))}
        />
        <NativeSelect
          label="The answer is"
          data={READS}
          value={String(responseOf(leg).read ?? 'auto')}
          onChange={(event) => onChange(setRead(leg, event.currentTarget.value))}
        />
        {responseOf(leg).read === 'delimited' && (
          <TextInput
            label="Separated by"
            placeholder=","
            maxLength={5}
            value={String(responseOf(leg).delimiter ?? '')}
            onChange={(event) => onChange(setResponse(leg, { delimiter: event.currentTarget.value || ',' }))}
          />
        )}
      </div>
      <AnswerValues leg={leg} name={name} onChange={onChange} kind={kind} />
      {kind === 'buyer' && (
        <details>
          <summary>Captures: more of the answer that later steps use</summary>
          <PairRows
            word="capture"
            value={capturePaths(leg)}
            onChange={(paths) => onChange(setCapturePaths(leg, paths))}
            left={{ label: 'Name', placeholder: 'pingId', maxLength: 64 }}
            right={{ label: 'Path', placeholder: 'result.ping_id', maxLength: 300 }}
            most={50}
          />
        </details>
      )}
    </>
  );
}
