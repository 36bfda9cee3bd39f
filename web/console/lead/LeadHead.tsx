import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CAME_BY_WORDS } from '#contract/came-by.ts';
import type { LeadView } from '#contract/lead.ts';
import { CopyButton, CopyTextButton } from '#web/ui/CopyButton.tsx';
import { formatElapsed } from '#web/ui/format.ts';
import { IconAlertTriangle, IconCoinOff, IconHistory, IconInfoCircle } from '#web/ui/icons.ts';
import { ExactTime, MoneyText, Sentence, TimeAgo, useReporting } from '#web/ui/reporting.tsx';
import type { Place } from '../api/lead.ts';
import { statusWord } from './lead-words.ts';
import { publisherAnswer } from './publisher-answer.ts';
import { StatusPill } from './StatusText.tsx';
import { isBeforeTree, isUnanswered, sumVerdicts } from './verdict-sum.ts';

interface LeadHeadProps {
  lead: LeadView;
  heading: 'h1' | 'h2';
  isKept: boolean;
}

/** The answer first: what became of the lead, and why, in one sentence. */
export function LeadHead({ lead, heading: Heading, isKept }: LeadHeadProps) {
  const { zone } = useReporting();
  return (
    <section className={`card lead-head lead-tone-${statusWord[lead.status].tone}`} aria-labelledby="lead-why">
      <div className="lead-overline">
        <StatusPill status={lead.status} />
        {lead.reasonLabel && lead.status !== 'sold' && lead.reasonLabel !== statusWord[lead.status].label && (
          <span className="lead-reason">
            {isUnanswered(lead.verdicts) && 'told to the publisher as '}
            {lead.reasonLabel}
          </span>
        )}
        {lead.returned && <span className="pill bad">Returned</span>}
        {lead.test && <span className="pill warn">Test lead: counts in no cap, no report and no bill</span>}
        {isKept && (
          <span className="push lead-id">
            <span className="muted small">Lead</span>
            <code className="mono lead-full-id">{lead._id}</code>
            <CopyButton text={lead._id} label="Copy the lead id" />
          </span>
        )}
      </div>
      <Heading id="lead-why">
        <Sentence text={lead.why || statusWord[lead.status].meaning} />
      </Heading>
      <VerdictSum lead={lead} />
      <dl className="lead-facts">
        <Fact name="Received">
          <ExactTime at={lead.receivedAt} />
          <small className="muted">
            <TimeAgo at={lead.receivedAt} />
          </small>
        </Fact>
        <Fact name="Publisher">
          {lead.publisherName}
          <small className="muted">
            {lead.publisherTierName}
            {lead.subId && ` · sub id ${lead.subId}`}
          </small>
        </Fact>
        {isKept && (
          <Fact name="Came by">
            {CAME_BY_WORDS[lead.cameBy.kind]}
            <small className="muted">{lead.cameBy.name}</small>
          </Fact>
        )}
        <Fact name="Campaign">{lead.campaignName}</Fact>
        <Fact name="Buyer">
          {lead.buyers.length === 0 ? (
            <span className="muted">{lead.test ? 'none: a test is not sent' : 'none'}</span>
          ) : (
            lead.buyers.map((one) => one.buyerName).join(', ')
          )}
          <small className="muted">{lead.buyers.map((one) => one.buyerTierName).join(', ')}</small>
        </Fact>
        <Fact name="Revenue">
          <MoneyText amount={lead.revenue} exact />
          <small className="muted">
            <MoneyText amount={lead.payout} exact /> to the publisher
            {lead.returned && (
              <>
                ; <MoneyText amount={lead.returned.revenue} exact /> returned
              </>
            )}
          </small>
        </Fact>
        <Fact name="Answered in">
          <span className="tabular">{formatElapsed(lead.elapsedMs)}</span>
          <small className="muted">{formatElapsed(lead.ownMs)} of it our own</small>
        </Fact>
      </dl>
      {isKept && (
        <div className="no-print">
          <CopyTextButton text={() => publisherAnswer(lead, zone)} label="Copy the answer for the publisher" />
        </div>
      )}
    </section>
  );
}

/** The short of "why not": how many buyer tiers fell to which rule. */
function VerdictSum({ lead }: { lead: LeadView }) {
  if (lead.status === 'sold' || isBeforeTree(lead.verdicts)) return null;
  return (
    <p className="lead-sum">
      <span className="muted">{lead.verdicts.length === 1 ? 'One buyer tier:' : `${lead.verdicts.length} buyer tiers:`}</span>
      {sumVerdicts(lead.verdicts).map(({ label, tone, count }) => (
        <span key={label} className={`pill ${tone}`}>
          <span className="tabular">{count}</span> {label}
        </span>
      ))}
    </p>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const ERASED_WHY = {
  request: 'At their wish',
  retention: 'As this vertical keeps nobody for longer',
  refused: 'They had been erased at their wish before this lead came',
};

/** What needs saying before any table: wrong fields, the earlier lead, oddities met on the way. */
export function LeadNotices({ lead, place }: { lead: LeadView; place: Place }) {
  const { errors, warnings, duplicateOfLeadId, isToSettle, erasedAt, erasedBy } = lead;
  if (errors.length === 0 && warnings.length === 0 && !duplicateOfLeadId && !isToSettle && !erasedAt) return null;
  return (
    <div className="lead-notices">
      {errors.length > 0 && (
        <section className="card notice notice-bad" aria-labelledby="errors-title">
          <h2 id="errors-title">
            <IconAlertTriangle size={17} aria-hidden /> {errors.length === 1 ? 'One field is wrong' : `${errors.length} fields are wrong`}
          </h2>
          <dl className="error-lines">
            {errors.map(({ field, message }) => (
              <div key={field + message}>
                <dt className="mono">{field}</dt>
                <dd>{message}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {erasedAt && (
        <section className="card notice notice-warn" aria-labelledby="erased-title">
          <h2 id="erased-title">
            <IconInfoCircle size={17} aria-hidden /> {erasedBy === 'refused' ? 'Nothing of the person was kept' : 'The person was erased'}
          </h2>
          <p>
            {ERASED_WHY[erasedBy ?? 'request']}, <ExactTime at={erasedAt} />.{' '}
            {erasedBy !== 'refused' && 'What is no person stays, so that figures are what they were.'}
          </p>
        </section>
      )}
      {isToSettle && (
        <section className="card notice notice-warn" aria-labelledby="settle-title">
          <h2 id="settle-title">
            <IconCoinOff size={17} aria-hidden /> Waits to be settled
          </h2>
          <p>
            A buyer may have bought this lead.{' '}
            <Link to="/setup/$region/$vertical/leads/to-settle" params={place} className="link">
              Say what became of it
            </Link>
          </p>
        </section>
      )}
      {duplicateOfLeadId && (
        <section className="card notice notice-violet" aria-labelledby="duplicate-title">
          <h2 id="duplicate-title">
            <IconHistory size={17} aria-hidden /> The same consumer came earlier
          </h2>
          <p>
            <Link to="/setup/$region/$vertical/leads/$leadId" params={{ ...place, leadId: duplicateOfLeadId }} className="link">
              Open the earlier lead <code className="mono">{duplicateOfLeadId}</code>
            </Link>
          </p>
        </section>
      )}
      {warnings.length > 0 && (
        <section className="card notice notice-warn" aria-labelledby="warnings-title">
          <h2 id="warnings-title">
            <IconAlertTriangle size={17} aria-hidden /> Worth a look
          </h2>
          <ul>
            {warnings.map((text) => (
              <li key={text}>
                <Sentence text={text} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
