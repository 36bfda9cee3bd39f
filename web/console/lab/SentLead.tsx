import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { SendAnswer } from '#contract/lab.ts';
import type { Place } from '../api/lead.ts';
import { LeadReport } from '../lead/LeadReport.tsx';

interface SentLeadProps {
  place: Place;
  sent: SendAnswer;
  mayReadLeads: boolean;
}

/** What came of the lead, told as on the page of a lead. Each that is shown is gone to as soon as it stands there, however long drawing it took. */
export function SentLead({ place, sent: { lead, isStored }, mayReadLeads }: SentLeadProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.focus({ preventScroll: true });
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
    section.current?.scrollIntoView({ block: 'start', behavior });
  }, []);
  return (
    <section className="lab-result" aria-label="What came of it" ref={section} tabIndex={-1}>
      <p className="muted" role="status">
        {isStored
          ? 'The lead was sent to real buyers and is kept as a test. '
          : 'The lead went to simulated buyers. Nothing of it is kept. '}
        {isStored && mayReadLeads && (
          <Link to="/setup/$region/$vertical/leads/$leadId" params={{ ...place, leadId: lead._id }} className="link">
            Open its page
          </Link>
        )}
      </p>
      <LeadReport lead={lead} place={place} heading="h2" isKept={isStored} />
    </section>
  );
}
