import type { LeadView } from '#contract/lead.ts';
import { formatInstant } from '#web/ui/format.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import { statusWord } from './lead-words.ts';

/** What a publisher may be told: the outcome, the reason and its own mistakes; no buyer's name and no price but its own. */
export function publisherAnswer(lead: LeadView, zone: TimeZone): string {
  const lines = [
    `Lead ${lead._id}`,
    `Received: ${formatInstant(lead.receivedAt, zone)}`,
    `Posted by: ${lead.publisherTierName}${lead.subId ? `, sub id ${lead.subId}` : ''}`,
    `Outcome: ${statusWord[lead.status].label}${lead.reasonLabel ? ` (${lead.reasonLabel})` : ''}`,
    ...lead.errors.map((error) => `Field ${error.field}: ${error.message}`),
    ...(lead.status === 'sold' ? [`Payout: ${lead.payout}`] : []),
    ...(lead.duplicateOfLeadId ? [`Earlier lead: ${lead.duplicateOfLeadId}`] : []),
  ];
  return lines.join('\n');
}
