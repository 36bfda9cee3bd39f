import type { LeadView } from '#contract/lead.ts';
import type { Place } from '../api/lead.ts';
import { AttemptList } from './AttemptList.tsx';
import { CheckList } from './CheckList.tsx';
import { ConsumerFields, InboundCall, MoneyLines } from './LeadFacts.tsx';
import { LeadHead, LeadNotices } from './LeadHead.tsx';
import { Story } from './Story.tsx';
import { TimeSpent } from './TimeSpent.tsx';
import { useOpenCalls } from './use-open-calls.ts';
import { Verdicts } from './Verdicts.tsx';
import './lead.css';

interface LeadReportProps {
  lead: LeadView;
  place: Place;
  /** h2 where the page is about something else. */
  heading?: 'h1' | 'h2';
  /** Whether there is anything to find it by afterwards. */
  isKept?: boolean;
}

/** In the order of the question "why was my lead rejected?": the answer, buyer by buyer, the clock, the wire, the rest. */
export function LeadReport({ lead, place, heading = 'h1', isKept = true }: LeadReportProps) {
  const calls = useOpenCalls([...lead.checks, ...lead.attemptList]);
  return (
    <>
      <LeadHead lead={lead} heading={heading} isKept={isKept} />
      <LeadNotices lead={lead} place={place} />
      <div className="lead-grid">
        <div className="lead-column">
          <Verdicts lead={lead} onOpen={calls.openTier} />
          <TimeSpent lead={lead} onOpen={calls.open} />
          <CheckList checks={lead.checks} control={calls} />
          <AttemptList leadId={isKept ? lead._id : undefined} attempts={lead.attemptList} control={calls} />
          <InboundCall lead={lead} />
        </div>
        <div className="lead-column">
          <Story lead={lead} />
          <MoneyLines lead={lead} />
          <ConsumerFields fields={lead.fields} />
        </div>
      </div>
    </>
  );
}
