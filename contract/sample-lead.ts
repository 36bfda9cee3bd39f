/** A lead to try things with: plausible, never anybody's. */
export interface SampledField {
  fieldName: string;
  type: string;
  options?: readonly string[] | null | undefined;
  min?: number | null | undefined;
  max?: number | null | undefined;
}

type Country = 'us' | 'uk';

/** What texts of these names are like. */
const TEXT_BY_NAME: readonly [RegExp, string][] = [
  [/first_?name/i, 'Sample'],
  [/last_?name|surname/i, 'Person'],
  [/account/i, '000123456789'],
  [/employer|company/i, 'Example Works'],
  [/bank/i, 'Example Bank'],
  [/name/i, 'Sample Person'],
  [/city|town/i, 'New York'],
  [/address|street/i, '1 Example Street'],
  [/gender|sex/i, 'f'],
  [/ssn|social/i, '900121234'],
  [/consent|wording|tcpa/i, 'By sending this form I agree to be called about my request.'],
];
/** What any text may turn out to have to be. */
const TEXTS: readonly string[] = [
  'Sample',
  '000123456789',
  '900121234',
  '12345678',
  '1234567',
  '12345',
  '1234',
  'A1B2C3D4-0000-4000-8000-A1B2C3D4E5F6',
  'a1b2c3d4-0000-4000-8000-a1b2c3d4e5f6',
  'a1b2c3d4e5f6a7b8c9d0a1b2c3d4e5f6a7b8c9d0',
  'AB123456C',
  'Sample text that says enough.',
];

/** What numbers of these names are like, the first that lies within the field's bounds. */
const NUMBER_BY_NAME: readonly [RegExp, number][] = [
  [/month(?!ly)/i, 24],
  [/year/i, 2020],
  [/age\b/i, 40],
  [/score/i, 680],
  [/number|count|children|dependents/i, 2],
];

const DAY_MS = 86_400_000;
const AHEAD_DAYS = 14;

/** Values that the field may take, the likeliest first; a pattern of the field may rule out some. `now` in ms: what is to come is dated from it. */
export function sampleCandidates({ fieldName, type, options, min, max }: SampledField, country: Country, now = Date.now()): string[] {
  const isUs = country === 'us';
  switch (type) {
    case 'email':
      return ['sample.person@example.com'];
    case 'phone':
      return [isUs ? '2125550123' : '02079460123'];
    case 'url':
      return ['https://example.com/', `https://cert.trustedform.com/${'a1b2c3d4e5'.repeat(4)}`];
    case 'number':
    case 'integer':
    case 'money': {
      const likely = NUMBER_BY_NAME.find(([name]) => name.test(fieldName))?.[1] ?? 2500;
      return [String(Math.min(max ?? Number.POSITIVE_INFINITY, Math.max(min ?? 0, likely)))];
    }
    case 'date':
      if (/birth|dob/i.test(fieldName)) return ['1985-06-15'];
      return [/next|due|move|pay/i.test(fieldName) ? new Date(now + AHEAD_DAYS * DAY_MS).toISOString().slice(0, 10) : '2026-01-15'];
    case 'boolean':
      return ['true'];
    case 'choice':
      return [options?.[0] ?? ''];
    case 'state':
      return [isUs ? 'NY' : ''];
    case 'zip':
      return [isUs ? '10001' : 'SW1A 1AA'];
    case 'ip':
      return ['203.0.113.7'];
    case 'routing':
      return [isUs ? '021000021' : '123456'];
    case 'bin':
      return ['45717360'];
    default:
      return [...TEXT_BY_NAME.filter(([name]) => name.test(fieldName)).map(([, text]) => text), ...TEXTS];
  }
}

/** The likeliest, by type, name and a country's ways of writing. */
export const sampleValue = (field: SampledField, country: Country): string => sampleCandidates(field, country)[0]!;

export const sampleLead = (fields: readonly SampledField[], country: Country): Record<string, string> =>
  Object.fromEntries(fields.map((field) => [field.fieldName, sampleValue(field, country)]).filter(([, value]) => value !== ''));
