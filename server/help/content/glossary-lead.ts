/** Words about a lead and what becomes of it. */
import { term } from './write-help.ts';

export const leadTerms = [
  term(
    ['Lead'],
    ['overview', 'leads', 'lead', 'home', 'learn'],
    'What a consumer wrote into a form, sent to us by the publisher on whose site the form stands. We offer it to buyers and sell it to one of them, or to several where the campaign allows that.',
  ),
  term(
    ['Attempt', 'Attempts'],
    ['lead', 'overview', 'lead-flow.inbound', 'lead-flow.outbound', 'server-logs'],
    'One buyer tier that was tried for one lead, with its request, its answer and the time it took. One lead may have many attempts.',
  ),
  term(
    ['Outcome', 'Accepts', 'Declines', 'Error', 'Timed out', 'Filtered'],
    ['lead', 'leads', 'lead-flow.inbound', 'lead-flow.outbound', 'lead-flow.reason-report'],
    'How an attempt ended. The buyer accepted or declined; its answer was no answer (error); it did not answer in time; or our own rules kept the lead from it, so that it was not asked at all (filtered).',
  ),
  term(
    ['Held lead'],
    ['to-settle', 'leads', 'lead'],
    'A lead whose sale is not decided: a buyer said that it would decide later, or the answer was lost on the way. What it may cost stays reserved until somebody, or the buyer itself, says how it ended.',
  ),
  term(
    ['Late accept'],
    ['to-settle', 'lead-flow.buyer-timeout-track'],
    'A buyer that says yes after its time is over. The lead may have gone on to somebody else by then, so it is never counted as a sale by itself: it waits under “To settle”.',
  ),
  term(
    ['Duplicate', 'Duplicate window'],
    ['tier', 'leads', 'lead-flow.reason-report'],
    'The same consumer again within some days. A publisher tier can refuse such a lead, a buyer tier can be passed by. Which fields make a consumer the same is set on the tier; empty fields never match each other.',
  ),
  term(
    ['Return'],
    ['lead', 'buyer', 'statement', 'organization-edit'],
    'A sold lead that the buyer gives back, with a reason, in whole or in part. The money follows in the books; what happened stays on the lead.',
  ),
  term(['Test lead'], ['testing-lab', 'features-api', 'lead'], 'A lead that is only tried: it counts in no cap, no report and no bill.'),
  term(
    ['Redirect'],
    ['lead-flow.redirect-report', 'lead', 'preferences'],
    'The consumer of a sold lead is sent on to the buyer. The publisher gets a link of ours that leads there, so that we know whether and when the consumer went.',
  ),
  term(
    ['Masked'],
    ['lead', 'server-logs'],
    'Personal values are shown in part only, wherever they come back: in the fields of a lead, in requests and in answers of buyers.',
  ),
  term(
    ['Test value'],
    ['campaign', 'testing-lab'],
    'A value, named in the campaign, with which a lead always sells, is rejected, times out or fails, without a buyer hearing of it. Publishers use it to try their own side.',
  ),
];
