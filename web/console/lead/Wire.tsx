import type { ReactNode } from 'react';
import type { AttemptView, CheckView } from '#contract/lead.ts';
import { CopyTextButton } from '#web/ui/CopyButton.tsx';
import { toCurl } from '#web/ui/curl.ts';
import { formatElapsed } from '#web/ui/format.ts';
import { PrettyView } from '#web/ui/PrettyView.tsx';
import { Hops } from './Hops.tsx';

export const Fact = ({ name, value }: { name: string; value: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className="tabular">{value}</dd>
  </div>
);

/** When it began on the lead's own clock, and how its time was spent. */
export const CallTimes = ({ call }: { call: AttemptView | CheckView }) => (
  <>
    <Fact name="Began after" value={formatElapsed(call.offsetMs)} />
    <Fact name="Took" value={formatElapsed(call.elapsedMs)} />
    {call.connectMs !== null && <Fact name="Connect" value={formatElapsed(call.connectMs)} />}
    {call.waitMs !== null && <Fact name="Wait" value={formatElapsed(call.waitMs)} />}
    {call.readMs !== null && <Fact name="Read" value={formatElapsed(call.readMs)} />}
  </>
);

/** One conversation as it went over the wire. */
export function Wire({ wire }: { wire: NonNullable<AttemptView['wire']> }) {
  const curl = () => toCurl({ method: wire.method, url: wire.url, headers: wire.requestHeaders, body: wire.requestBody });
  return (
    <>
      <div className="wire-line">
        <code className="mono">
          <strong>{wire.method}</strong> {wire.url}
        </code>
        <CopyTextButton text={curl} label="Copy as curl" />
      </div>
      <Hops hops={wire.hops} />
      {wire.warnings.map((text) => (
        <p key={text} className="small warn wire-warning">
          {text}
        </p>
      ))}
      <div className="wire-pair">
        <div>
          <PrettyView label="Request" body={wire.requestBody} />
          <Headers label="Request headers" headers={wire.requestHeaders} />
        </div>
        <div>
          <PrettyView label={wire.statusCode === null ? 'No answer came' : `Response ${wire.statusCode}`} body={wire.responseBody} />
          <Headers label="Response headers" headers={wire.responseHeaders} />
        </div>
      </div>
    </>
  );
}

function Headers({ label, headers }: { label: string; headers: Record<string, string> }) {
  const lines = Object.entries(headers);
  if (lines.length === 0) return null;
  return (
    <details className="wire-headers">
      <summary>
        {label} ({lines.length})
      </summary>
      <dl>
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt className="mono">{name}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
