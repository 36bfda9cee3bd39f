/** A consumer's data as a file: JSON with all of it, or CSV with a line for each value. */
import { CSV_MARK, csvLine } from '#contract/csv.ts';
import type { wholeLead } from './held-lead.view.ts';

export type WholeLead = ReturnType<typeof wholeLead>;

export const asJson = (leads: readonly WholeLead[], madeAt: Date): string =>
  `${JSON.stringify({ madeAt: madeAt.toISOString(), leads }, null, 2)}\n`;

const HEADER = ['Lead id', 'Received (UTC)', 'Vertical', 'Publisher', 'Status', 'Field', 'Value', 'Sent to'];

export function asCsv(leads: readonly WholeLead[]): string {
  const lines = leads.flatMap((lead) => {
    const base = [lead.leadId, lead.receivedAt, lead.vertical, lead.publisher, lead.status];
    const sentTo = (name: string) =>
      [...new Set(lead.seenBy.filter(({ fieldNames }) => fieldNames.includes(name)).map(({ who }) => who))].join('; ');
    const values = Object.entries({ ...lead.refusedFields, ...lead.unknownFields, ...lead.fields });
    return values.map(([name, value]) => [
      ...base,
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''),
      sentTo(name),
    ]);
  });
  return CSV_MARK + [HEADER, ...lines].map(csvLine).join('');
}
