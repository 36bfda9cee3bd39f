import { Link } from '@tanstack/react-router';
import type { SendAnswer } from '#contract/lab.ts';
import type { Place } from '../api/lead.ts';
import { LeadReport } from '../lead/LeadReport.tsx';

const ID = 'sent-lead';

/** Once it is drawn. */
export const goToSent = () =>
  void requestAnimationFrame(() => {
    const sent = document.getElementById(ID);
    sent?.focus({ preventScroll: true });
    sent?.scrollIntoView({ block: 'start', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
  });

interface SentLeadProps {
  place: Place;
  sent: SendAnswer;
  mayReadLeads: boolean;
}

/** What came of the lead, told as on the page of a lead. */
export function SentLead({ place, sent: { lead, isStored }, mayReadLeads }: SentLeadProps) {
  return (
    <section className="lab-result" aria-label="What came of it" id={ID} tabIndex={-1}>
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
