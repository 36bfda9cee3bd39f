/** A lead to try things with: plausible, never anybody's, the same each time. */
export interface SampledField {
  fieldName: string;
  type: string;
  options?: readonly string[] | null | undefined;
  min?: number | null | undefined;
  max?: number | null | undefined;
}

const BY_NAME: Record<string, string> = {
  first_name: 'Sample',
  last_name: 'Person',
  city: 'New York',
  address: '1 Example Street',
  street: '1 Example Street',
  employer: 'Example Works',
  gender: 'f',
};

/** By type, for a country's ways of writing. */
export function sampleValue({ fieldName, type, options, min, max }: SampledField, country: 'us' | 'uk'): string {
  const isUs = country === 'us';
  const number = String(Math.min(max ?? Number.POSITIVE_INFINITY, Math.max(min ?? 0, 2500)));
  switch (type) {
    case 'email':
      return 'sample.person@example.com';
    case 'phone':
      return isUs ? '2125550123' : '02079460123';
    case 'url':
      return 'https://example.com/';
    case 'number':
    case 'integer':
      return number;
    case 'money':
      return number;
    case 'date':
      return /birth|dob/i.test(fieldName) ? '1985-06-15' : '2026-01-15';
    case 'boolean':
      return 'true';
    case 'choice':
      return options?.[0] ?? '';
    case 'state':
      return isUs ? 'NY' : '';
    case 'zip':
      return isUs ? '10001' : 'SW1A 1AA';
    case 'ip':
      return '203.0.113.7';
    case 'routing':
      return isUs ? '021000021' : '123456';
    case 'bin':
      return '45717360';
    default:
      return BY_NAME[fieldName.toLowerCase()] ?? 'Sample';
  }
}

export const sampleLead = (fields: readonly SampledField[], country: 'us' | 'uk'): Record<string, string> =>
  Object.fromEntries(fields.map((field) => [field.fieldName, sampleValue(field, country)]).filter(([, value]) => value !== ''));
