/** A consumer's data as a file: JSON with all of it, or CSV with a line for each value. */
import { CSV_MARK, csvLine } from '#contract/csv.ts';
import type { WholeCall, WholeSample } from './beside.view.ts';
import type { wholeLead } from './held-lead.view.ts';

export type WholeLead = ReturnType<typeof wholeLead>;

/** All that is held of a consumer. */
export interface WholePerson {
  leads: WholeLead[];
  samples: WholeSample[];
  refusedCalls: WholeCall[];
  /** How far back calls were looked through, where that is not all of them. */
  refusedCallsSearchedTo: Date | null;
}

export const asJson = (person: WholePerson, madeAt: Date): string =>
  `${JSON.stringify({ madeAt: madeAt.toISOString(), ...person }, null, 2)}\n`;

export const CSV_HEADER = ['Lead id', 'Received (UTC)', 'Vertical', 'Publisher', 'Status', 'Field', 'Value', 'Sent to'];

export const asCsv = (person: WholePerson): string => CSV_MARK + [CSV_HEADER, ...csvRows(person)].map(csvLine).join('');

/** A line for each value. */
export function csvRows({ leads, samples, refusedCalls, refusedCallsSearchedTo }: WholePerson): string[][] {
  return [
    ...leads.flatMap(linesOfLead),
    ...samples.flatMap(({ madeAt, vertical, name, fields }) => linesOf(['', madeAt, vertical, '', `sample lead: ${name}`], fields)),
    ...refusedCalls.flatMap(({ receivedAt, vertical, publisher, fields, body, address }) =>
      linesOf(['', receivedAt, vertical, publisher, 'refused call'], { ...fields, ...(body !== undefined && { body }), address }),
    ),
    ...(refusedCallsSearchedTo
      ? [['', refusedCallsSearchedTo.toISOString(), '', '', 'refused calls from before this were not looked through', '', '', '']]
      : []),
  ];
}

function linesOfLead(lead: WholeLead): string[][] {
  const base = [lead.leadId, lead.receivedAt, lead.vertical, lead.publisher, lead.status];
  const sentTo = (name: string) =>
    [...new Set(lead.seenBy.filter(({ fieldNames }) => fieldNames.includes(name)).map(({ who }) => who))].join('; ');
  if (lead.couldNotBeRead) return [[...base, '', 'could not be read', '']];
  return linesOf(base, { ...lead.refusedFields, ...lead.unknownFields, ...lead.fields }, sentTo);
}

const linesOf = (base: string[], fields: Record<string, unknown>, sentTo = (_name: string) => ''): string[][] =>
  Object.entries(fields).map(([name, value]) => [
    ...base,
    name,
    typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''),
    sentTo(name),
  ]);
