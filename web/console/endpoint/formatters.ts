/** The changes a value can take on its way out, as the editor offers them. Their meaning stands in contract/endpoint.ts. */
import { type JsonObject, type MappingLine, objectAt } from './endpoint-draft.ts';

export interface FormatterParameter {
  name: string;
  label: string;
  kind: 'text' | 'number' | { choices: readonly { value: string; label: string }[] };
  optional?: boolean;
  placeholder?: string;
}

interface FormatterOffer {
  kind: string;
  label: string;
  begin: JsonObject;
  parameters: readonly FormatterParameter[];
}

const decimals: FormatterParameter = { name: 'decimals', label: 'Decimals', kind: 'number' };
const choices = (...words: [string, string][]) => ({ choices: words.map(([value, label]) => ({ value, label })) });

export const formatterOffers: readonly FormatterOffer[] = [
  { kind: 'trim', label: 'Trim blanks', begin: {}, parameters: [] },
  {
    kind: 'case',
    label: 'Upper and lower case',
    begin: { to: 'upper' },
    parameters: [
      { name: 'to', label: 'Letters', kind: choices(['upper', 'UPPER CASE'], ['lower', 'lower case'], ['title', 'Each Word Begins']) },
    ],
  },
  {
    kind: 'date',
    label: 'Date',
    begin: { pattern: 'YYYY-MM-DD' },
    parameters: [
      { name: 'pattern', label: 'Pattern', kind: 'text', placeholder: 'MM/DD/YYYY' },
      { name: 'timeZone', label: 'Time zone', kind: 'text', optional: true, placeholder: 'America/New_York' },
    ],
  },
  {
    kind: 'phone',
    label: 'Phone',
    begin: { pattern: 'national' },
    parameters: [{ name: 'pattern', label: 'Pattern', kind: 'text', placeholder: 'e164, digits, national or (###) ###-####' }],
  },
  { kind: 'digits', label: 'Digits only', begin: {}, parameters: [] },
  { kind: 'number', label: 'Number', begin: { decimals: 0 }, parameters: [decimals] },
  { kind: 'price', label: 'Price', begin: { decimals: 2 }, parameters: [decimals] },
  { kind: 'cents', label: 'Cents', begin: {}, parameters: [] },
  {
    kind: 'boolean',
    label: 'Yes and no',
    begin: { yes: 'true', no: 'false' },
    parameters: [
      { name: 'yes', label: 'Yes is sent as', kind: 'text' },
      { name: 'no', label: 'No is sent as', kind: 'text' },
    ],
  },
  { kind: 'range', label: 'Bands of a number', begin: { bands: [{ label: '' }] }, parameters: [] },
  {
    kind: 'slice',
    label: 'A part of the text',
    begin: { from: 0, length: 10 },
    parameters: [
      { name: 'from', label: 'From position', kind: 'number' },
      { name: 'length', label: 'Length', kind: 'number', optional: true },
    ],
  },
  { kind: 'ascii', label: 'ASCII letters', begin: {}, parameters: [] },
  {
    kind: 'hash',
    label: 'Hash',
    begin: { algorithm: 'sha256' },
    parameters: [{ name: 'algorithm', label: 'Algorithm', kind: choices(['md5', 'MD5'], ['sha1', 'SHA-1'], ['sha256', 'SHA-256']) }],
  },
];

export const offerOf = (kind: unknown): FormatterOffer | undefined => formatterOffers.find((offer) => offer.kind === kind);
export const beginFormatter = (kind: string): JsonObject => ({ kind, ...offerOf(kind)?.begin });

/**
 * The formatter with one parameter as it was typed: an emptied optional one goes. A number stays a text while it is typed (`1.` may become `1.5`)
 * and until the field is `left`; what is no number then is left for the save to refuse.
 */
export function setParameter(formatter: JsonObject, { name, kind, optional }: FormatterParameter, typed: string, left = false): JsonObject {
  const { [name]: _, ...rest } = formatter;
  if (typed === '' && optional) return rest;
  const number = Number(typed);
  const isNumber = kind === 'number' && typed.trim() !== '' && Number.isFinite(number) && (left || String(number) === typed);
  return { ...formatter, [name]: isNumber ? number : typed };
}

/** What happens to a row's value before it is sent, in a few words; '' where nothing does. */
export function formatSummary(row: MappingLine): string {
  const formats = Array.isArray(row.format) ? row.format.map((one) => offerOf(objectAt(one).kind)?.label ?? 'Unknown') : [];
  const mapped = Object.keys(objectAt(objectAt(row.map).values)).length;
  const map = row.map === undefined ? [] : [mapped === 1 ? '1 value mapped' : `${mapped} values mapped`];
  const type = row.type === undefined || row.type === 'string' ? [] : [String(row.type)];
  const omits = row.omitWhenEmpty === true ? ['left out when empty'] : [];
  return [...formats, ...map, ...type, ...omits].join(', ');
}

/** A row without the parts that say nothing. */
export function tidyRow(row: MappingLine): MappingLine {
  const { format, map, type, omitWhenEmpty, ...rest } = row;
  return {
    ...rest,
    ...(Array.isArray(format) && format.length > 0 ? { format } : {}),
    ...(map === undefined ? {} : { map }),
    ...(type === undefined || type === 'string' ? {} : { type }),
    ...(omitWhenEmpty === true ? { omitWhenEmpty } : {}),
  } as MappingLine;
}
