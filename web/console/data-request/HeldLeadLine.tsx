import { Link } from '@tanstack/react-router';
import type { HeldLead, SeenBy } from '#contract/data-request.ts';
import { ExactTime } from '#web/ui/reporting.tsx';
import { StatusPill } from '../lead/StatusText.tsx';

const whatWord: Record<SeenBy['what'], string> = { ping: 'at a ping', post: 'at a post', lost: 'in a loss notice', check: 'as a check' };

type Beside = NonNullable<HeldLead['held']>;

const DAMAGED =
  'What is kept of this lead was damaged and cannot be opened: who was sent what of it, nobody can tell. Erasing takes it out all the same.';

/** One lead: what is held of it, and who has seen it. */
export function HeldLeadLine({ held }: { held: HeldLead }) {
  const { lead, verticalName, regionSlug, verticalSlug, erasedAt } = held;
  return (
    <li className="card card-pad held-lead">
      <div className="held-head">
        <StatusPill status={lead.status} />
        {lead.test && <span className="pill warn">Test</span>}
        {erasedAt && <span className="pill muted">Erased</span>}
        <strong>
          <ExactTime at={lead.receivedAt} />
        </strong>
        <span className="muted small">
          {verticalName} · {lead.publisherName}, {lead.publisherTierName}
        </span>
        <Link
          to="/setup/$region/$vertical/leads/$leadId"
          params={{ region: regionSlug, vertical: verticalSlug, leadId: lead._id }}
          className="link small push"
        >
          Open the lead
        </Link>
      </div>
      {held.held === null ? <p>{DAMAGED}</p> : <Kept held={held} beside={held.held} />}
    </li>
  );
}

function Kept({ held: { fields, seenBy }, beside }: { held: HeldLead; beside: Beside }) {
  return (
    <>
      <dl className="attempt-facts">
        {fields.map(({ fieldName, label, value }) => (
          <div key={fieldName}>
            <dt>{label}</dt>
            <dd>{value || 'empty'}</dd>
          </div>
        ))}
      </dl>
      {seenBy.length === 0 ? (
        <p className="muted small">Nobody was sent anything of it.</p>
      ) : (
        <table className="seen-by">
          <caption className="sr-only">Who was sent which field</caption>
          <thead>
            <tr>
              <th scope="col">Sent to</th>
              <th scope="col">When</th>
              <th scope="col">What</th>
            </tr>
          </thead>
          <tbody>
            {seenBy.map((one) => (
              <tr key={`${one.who} ${one.what} ${one.at}`}>
                <td>
                  {one.who} <span className="muted">{whatWord[one.what]}</span>
                </td>
                <td>
                  <ExactTime at={one.at} />
                </td>
                <td>{one.fields.join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="muted small held-beside">{sayHeld(beside)}</p>
    </>
  );
}

function sayHeld({ attempts, checks, lateAnswers, notices, calls, link }: Beside): string {
  const count = (number: number, one: string, many: string) => (number === 0 ? [] : [`${number} ${number === 1 ? one : many}`]);
  const parts = [
    'the publisher’s call',
    ...count(attempts, 'call to a buyer', 'calls to buyers'),
    ...count(checks, 'question to a service', 'questions to services'),
    ...count(lateAnswers, 'late answer', 'late answers'),
    ...count(notices, 'loss notice', 'loss notices'),
    ...count(calls, 'repeated call', 'repeated calls'),
    ...(link ? ['the link of the consumer'] : []),
  ];
  return `Kept with it: ${parts.join(', ')}.`;
}
