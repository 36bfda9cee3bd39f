import type { HeldBeside, HeldCall, HeldSample } from '#contract/data-request.ts';
import { ExactTime } from '#web/ui/reporting.tsx';

/** What is held of a consumer beside their leads: sample leads of the testing lab, and calls that made no lead. */
export function HeldBesideList({ beside: { samples, calls, searchedTo } }: { beside: HeldBeside }) {
  return (
    <>
      {samples.length > 0 && (
        <section aria-labelledby="held-samples">
          <h2 id="held-samples">Sample leads</h2>
          <ol className="held-leads">
            {samples.map((sample) => (
              <SampleLine key={sample._id} sample={sample} />
            ))}
          </ol>
        </section>
      )}
      {calls.length > 0 && (
        <section aria-labelledby="held-calls">
          <h2 id="held-calls">Refused calls</h2>
          <ol className="held-leads">
            {calls.map((call) => (
              <CallLine key={call._id} call={call} />
            ))}
          </ol>
        </section>
      )}
      {searchedTo && (
        <p className="muted small">
          Refused calls were looked through back to <ExactTime at={searchedTo} />. Older ones may hold the person too: erasing looks through
          all of them.
        </p>
      )}
    </>
  );
}

function SampleLine({ sample: { name, verticalName, fields } }: { sample: HeldSample }) {
  return (
    <li className="card card-pad held-lead">
      <div className="held-head">
        <strong>{name}</strong>
        <span className="muted small">{verticalName} · in the testing lab</span>
      </div>
      <Fields fields={fields} />
    </li>
  );
}

function CallLine({ call: { at, code, verticalName, publisherName, publisherTierName, fields } }: { call: HeldCall }) {
  return (
    <li className="card card-pad held-lead">
      <div className="held-head">
        <strong>
          <ExactTime at={at} />
        </strong>
        <span className="muted small">
          {verticalName} · {publisherName}, {publisherTierName} · {code}
        </span>
      </div>
      {fields.length > 0 ? <Fields fields={fields} /> : <p>Its body cannot be read as a lead. A value of the person stands in it.</p>}
    </li>
  );
}

/** Two may be called the same: fields that the vertical does not know have masked names. */
function Fields({ fields }: { fields: HeldSample['fields'] }) {
  return (
    <dl className="attempt-facts">
      {fields.map(({ fieldName, label, value }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they stand in the order in which they came
        <div key={`${position} ${fieldName}`}>
          <dt>{label}</dt>
          <dd>{value || 'empty'}</dd>
        </div>
      ))}
    </dl>
  );
}
