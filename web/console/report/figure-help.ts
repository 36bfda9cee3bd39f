/** How each figure of a report is computed, as server/report, server/landing-page, server/payment and server/portal count it. */

const WITHOUT = 'Test leads and bare pings are left out.';
const GROSS = 'What was given back since is not taken off; it stands in columns of its own.';
const WITHIN = 'Within 4.5%.';

/** Of leads, by when they came (`leadFacts`). */
export const OF_LEADS = {
  attempts: `Leads that came in the span, whatever became of them; those under way count too. ${WITHOUT}`,
  sold: `Leads that at least one buyer took. A lead counts once, however many bought it. ${WITHOUT}`,
  acceptRate: 'Accepts divided by attempts.',
  revenue: `What buyers pay for these leads, added up. ${GROSS}`,
  payout: `What publishers are paid for these leads, promotions included. ${GROSS}`,
  margin: `Revenue less payout. ${GROSS}`,
  epl: 'Revenue divided by attempts: what a lead brings, sold or not.',
} as const;

/** Of buyer tiers, by when their lead came (`attemptFacts`). */
export const OF_TIERS = {
  attempts:
    'Buyer tiers that were tried: each that accepted, declined, failed, timed out or was filtered, once a lead. One that was only asked for a bid, or not reached, is none. The list of leads behind it has each lead once, however many tiers were tried for it.',
  sold: 'Tiers that took a lead. A lead that several bought counts once for each.',
  acceptRate: 'Accepts divided by attempts, filtered ones among them.',
  revenue: `What buyers pay for what they took, added up. ${GROSS}`,
  margin: `Revenue less what publishers are paid for the same sales. ${GROSS}`,
  timeouts: 'Time-outs divided by attempts that were not filtered: of a buyer that is not asked, none is expected.',
  p90: `Nine of ten calls, pings and posts, were over in this time; those that timed out are among them. ${WITHIN}`,
} as const;

/** Of reasons (`readReasons`). */
export const OF_REASONS = {
  notSold:
    'Leads with a reason, added up over the list below. One that waits for settlement has a reason too. Whichever buyer is chosen, leads are counted.',
  notSoldShare: 'Leads with a reason divided by all attempts.',
  tiersFiltered: 'Buyer tiers that were passed by for a filter reason, each once a lead: one lead may have several.',
} as const;

/** Of links to buyers (`attemptFacts`, its links and follows). */
export const OF_LINKS = {
  links:
    'Sales for which the publisher was given a link of ours. Where it was given the buyer’s own address nothing is known, and nothing counts.',
  followed: 'Links that the consumer opened, each once, whenever that was.',
  followedShare: 'Redirected divided by links given.',
  lost: 'Links given less those redirected.',
  half: `Half of the consumers who were redirected opened the link within this time of its being given. ${WITHIN}`,
  nine: `Nine of ten of the consumers who were redirected opened the link within this time of its being given. ${WITHIN}`,
} as const;

/** Of calls to buyers (`readTimeouts`). */
export const OF_CALLS = {
  calls: 'Pings and posts to buyers, by when their lead came. A call of which nobody knows how long it took is left out.',
  timeouts: 'Calls that had no answer within the time limit of their tier.',
  share: 'Time-outs divided by calls.',
} as const;

/** Of landing pages and landers (`pageFacts`). */
export const OF_PAGES = {
  views: 'Times that a page was loaded, by the hour in which they were counted. Programs that say what they are do not count.',
  submits: 'Times that a form was sent, once for each time that its page was loaded, by the hour in which they were counted.',
  leads: `Leads that name a page, by when they came. ${WITHOUT}`,
  sold: 'Of these leads, those that at least one buyer took.',
  conversion: 'Accepts divided by views.',
} as const;

/** Of payments that processors report, by when they were attempted. */
export const OF_PAYMENTS = {
  attempts:
    'Payments that processors reported, by when they were attempted; several reports of one payment count once. Test payments are left out.',
  approved: 'Payments that were not declined. One that was refunded or charged back later was approved.',
  declined: 'Payments whose last word is declined.',
  rate: 'Approved divided by attempts.',
  amount: 'What approved payments come to, before refunds and chargebacks. Payments in other currencies are in no sum.',
  refunds: 'Payments that were refunded, in part or whole, each once.',
  chargebacks: 'Payments that were charged back, each once.',
} as const;

/** Of a publisher’s own leads, as its portal tells them. */
export const OF_PUBLISHER = {
  attempts: OF_LEADS.attempts,
  sold: OF_LEADS.sold,
  acceptRate: OF_LEADS.acceptRate,
  rejected: 'Attempts that were not accepted and are not under way, whatever the reason.',
  payout: 'What you are paid for these leads. What was taken back since is not taken off; it stands in a column of its own.',
  epl: 'Payout divided by attempts: what a lead brings you, sold or not.',
} as const;

/** What a buyer was offered, as its portal tells it. */
export const OF_BUYER = {
  offered:
    'Times that one of your tiers was asked for a lead and answered, timed out or failed. Leads that your filters kept away are left out.',
  sold: 'Leads that you took, once for each tier that took them.',
  acceptRate: 'Accepts divided by leads offered.',
  timeouts: 'Offers that had no answer within the time limit.',
  spent: 'What you pay for the leads that you took. What was given back since is not taken off; it stands in a column of its own.',
  median: `Half of your answers came within this time, time-outs among them. ${WITHIN}`,
} as const;
