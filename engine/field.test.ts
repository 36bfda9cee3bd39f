import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseLead } from './field.ts';
import type { FieldConfig, FieldType, VerticalConfig } from './plan.ts';
import { US_STATES } from './state.ts';

function vertical(country: 'us' | 'uk', ...fields: (Partial<FieldConfig> & { type: FieldType })[]): VerticalConfig {
  const full = fields.map(
    (field): FieldConfig => ({
      fieldName: field.type,
      fieldHumanName: 'Field',
      required: false,
      privacyClass: 'P1',
      inPing: true,
      ...field,
    }),
  );
  return { id: 'v', slug: 's', regionSlug: country, name: 'V', country, primaryField: full[0]!.fieldName, fields: full };
}

/** The normal value, or the message. */
function read(country: 'us' | 'uk', field: Partial<FieldConfig> & { type: FieldType }, value: unknown): string | undefined {
  const { fields, errors } = normaliseLead(vertical(country, { fieldName: 'x', ...field }), { x: value });
  return errors[0]?.message ?? fields.x;
}

const BAD_EMAIL = 'Please enter a valid email address (e.g., name@example.com)';
const BAD_PHONE = 'Please enter a valid phone number (10-15 digits, numbers only)';
const BAD = 'Please enter a valid Field';

describe('document 1 §5, D8: the type of a field', () => {
  test.each<['us' | 'uk', FieldType, unknown, string]>([
    ['us', 'email', '  Ann.O+x@Example.COM ', 'ann.o+x@example.com'],
    ['us', 'email', 'josé@müller.de', 'josé@müller.de'],
    ['us', 'email', 'a@b', BAD_EMAIL],
    ['us', 'email', 'a@@b.co', BAD_EMAIL],
    ['us', 'email', '.a@b.co', BAD_EMAIL],
    ['us', 'email', 'a..b@c.co', BAD_EMAIL],
    ['us', 'email', 'a b@c.co', BAD_EMAIL],
    ['us', 'email', 'a@-b.co', BAD_EMAIL],
    ['us', 'email', `${'a'.repeat(65)}@b.co`, BAD_EMAIL],
    ['us', 'email', 'a@b.co\r\nBcc: c@d.co', BAD_EMAIL],
    ['us', 'phone', '+1 (555) 123-4567', '+15551234567'],
    ['us', 'phone', '5551234567', '+15551234567'],
    ['us', 'phone', 5551234567, '+15551234567'],
    ['us', 'phone', '555-1234', BAD_PHONE],
    ['us', 'phone', 'call me', BAD_PHONE],
    ['us', 'phone', '1'.repeat(16), BAD_PHONE],
    ['uk', 'phone', '07700 900123', '+447700900123'],
    ['uk', 'phone', '+1 212 555 0100', '+12125550100'],
    ['us', 'routing', '021000021', '021000021'],
    ['us', 'routing', ' 0210-0002-1 ', '021000021'],
    ['us', 'routing', 21000021, '021000021'],
    ['us', 'routing', '021000022', 'Please enter a valid Field'],
    ['us', 'routing', '000000000', 'Please enter a valid Field'],
    ['us', 'routing', '12-34-56', 'Please enter a valid Field'],
    ['uk', 'routing', '12-34-56', '123456'],
    ['uk', 'routing', 4005, '004005'],
    ['uk', 'routing', '021000021', 'Please enter a valid Field'],
    ['us', 'bin', '457173', '457173'],
    ['us', 'bin', 45717360, '45717360'],
    ['us', 'bin', '4571 7360 1234 5678', '45717360'],
    ['us', 'bin', '4571-7360-1234-5678-901', '45717360'],
    ['us', 'bin', '45717', 'Please enter a valid Field'],
    ['us', 'bin', '457173601', 'Please enter a valid Field'],
    ['us', 'bin', '4571736012345678x', 'Please enter a valid Field'],
    ['us', 'url', 'HTTPS://Example.com/a?b=ü', 'HTTPS://Example.com/a?b=ü'],
    ['us', 'url', 'javascript:alert(1)', 'Please enter a valid URL (e.g., https://example.com)'],
    ['us', 'url', 'example.com', 'Please enter a valid URL (e.g., https://example.com)'],
    ['us', 'number', '1,250.50', '1250.5'],
    ['us', 'number', '12,50', 'Please enter numbers only'],
    ['us', 'number', '007', '7'],
    ['us', 'number', '-0', '0'],
    ['us', 'number', 1e21, 'Please enter numbers only'],
    ['us', 'number', 'NaN', 'Please enter numbers only'],
    ['us', 'integer', '42.0', '42'],
    ['us', 'integer', '42.5', 'Please enter numbers only'],
    ['us', 'money', '$2,500', '2500.00'],
    ['us', 'money', 12.5, '12.50'],
    ['us', 'money', '1.23456', BAD],
    ['us', 'date', '02/29/2024', '2024-02-29'],
    ['us', 'date', '2/9/1990', '1990-02-09'],
    ['us', 'date', '02/29/2023', BAD],
    ['us', 'date', '31/12/1990', BAD],
    ['uk', 'date', '31/12/1990', '1990-12-31'],
    ['uk', 'date', '12/31/1990', BAD],
    ['uk', 'date', '1990-12-31', '1990-12-31'],
    ['us', 'date', '9999-01-01', BAD],
    ['us', 'boolean', 'Yes', 'true'],
    ['us', 'boolean', true, 'true'],
    ['us', 'boolean', 0, 'false'],
    ['us', 'boolean', 'maybe', BAD],
    ['us', 'state', 'new york', 'NY'],
    ['us', 'state', 'd.c.', 'DC'],
    ['us', 'state', 'Puerto Rico', 'PR'],
    ['us', 'state', 'Ontario', BAD],
    ['uk', 'state', 'scotland', 'SCT'],
    ['us', 'zip', '01234', '01234'],
    ['us', 'zip', 1234, '01234'],
    ['us', 'zip', '012345678', '01234-5678'],
    ['us', 'zip', '1234', BAD],
    ['uk', 'zip', 'sw1a1aa', 'SW1A 1AA'],
    ['uk', 'zip', '12345', BAD],
    ['us', 'ip', '192.168.0.1', '192.168.0.1'],
    ['us', 'ip', '0177.0.0.1', BAD],
    ['us', 'ip', '2001:DB8:0:0::1', '2001:db8::1'],
    ['us', 'string', '  Zoë 👩‍🚀 שלום  ', 'Zoë 👩‍🚀 שלום'],
    ['us', 'string', 'e\u0301', 'é'],
    ['us', 'string', 'a\0b', BAD],
    ['us', 'string', '\ud83d', BAD],
    ['us', 'string', {}, 'Field must be a single value'],
    ['us', 'string', ['a'], 'Field must be a single value'],
  ])('%s %s %j reads as %j', (country, type, value, result) => expect(read(country, { type }, value)).toBe(result));

  test('a choice is compared without case and kept as the option is written', () => {
    expect(read('us', { type: 'choice', options: ['Own', 'Rent'] }, ' rENT ')).toBe('Rent');
    expect(read('us', { type: 'choice', options: ['Own', 'Rent'] }, 'Squat')).toBe(BAD);
  });
});

describe('document 1 §5: required, lengths, bounds and patterns', () => {
  test.each([[undefined], [null], [''], ['   ']])('%j is missing', (value) => {
    expect(read('us', { type: 'string', required: true }, value)).toBe('Field is required');
    expect(read('us', { type: 'string' }, value)).toBeUndefined();
  });

  test('length counts characters as people do', () => {
    expect(read('us', { type: 'string', minChar: 2 }, '👍')).toBe('Field must be at least 2 characters');
    expect(read('us', { type: 'string', maxChar: 2 }, '👍👍')).toBe('👍👍');
    expect(read('us', { type: 'string', maxChar: 1 }, '👍👍')).toBe('Field must not exceed 1 characters');
    expect(read('us', { type: 'phone', minChar: 10, maxChar: 10 }, '(212) 555-0100')).toBe('+12125550100');
  });

  test('bounds are in units, for money too', () => {
    expect(read('us', { type: 'money', min: 12.5 }, '12.49')).toBe('Field must be at least 12.5');
    expect(read('us', { type: 'money', min: 12.5 }, '12.5')).toBe('12.50');
    expect(read('us', { type: 'integer', max: 99 }, '100')).toBe('Field must not exceed 99');
  });

  test('a pattern must match the whole value, in linear time', () => {
    expect(read('us', { type: 'string', pattern: '[A-Z]{3}' }, 'ABC')).toBe('ABC');
    expect(read('us', { type: 'string', pattern: '[A-Z]{3}' }, 'ABCD')).toBe(BAD);
    const began = performance.now();
    expect(read('us', { type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(20_000)}!`)).toBe(BAD);
    expect(performance.now() - began).toBeLessThan(500);
  });

  test('a name with a dollar sign in it is told as it is', () => {
    expect(read('us', { type: 'string', required: true, fieldHumanName: "$& $' Income" }, '')).toBe("$& $' Income is required");
  });
});

test('engine, C6: unknown fields are named, not refused; names of the language are only names', () => {
  const raw = JSON.parse('{"string":"a","other":1,"__proto__":{"polluted":true},"constructor":2}') as Record<string, unknown>;
  const lead = normaliseLead(vertical('us', { type: 'string' }), raw);
  expect(lead).toMatchObject({ fields: { string: 'a' }, errors: [], unknown: ['other', '__proto__', 'constructor'] });
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('engine: a ping requires only what goes into a ping', () => {
  const both = vertical('us', { type: 'email', required: true, inPing: false }, { type: 'state', required: true });
  expect(normaliseLead(both, {}, true).errors.map((error) => error.field)).toEqual(['state']);
});

test('console §3: 50 states, DC and the territories', () => {
  expect(Object.keys(US_STATES)).toHaveLength(56);
});

test('D8: whatever a publisher sends, reading it never throws and reads the same twice', () => {
  const types: FieldType[] = [
    'string',
    'email',
    'phone',
    'url',
    'number',
    'integer',
    'date',
    'boolean',
    'choice',
    'state',
    'zip',
    'ip',
    'money',
    'routing',
    'bin',
  ];
  const all = vertical('us', ...types.map((type) => ({ type, options: ['Own', 'Rent'] })));
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.anything(),
    fc.double(),
    fc.constantFrom('12125550100', 'a@b.co', '1990-01-01', 'own', '01234'),
  );
  fc.assert(
    fc.property(fc.record(Object.fromEntries(types.map((type) => [type, value]))), (raw) => {
      const once = normaliseLead(all, raw);
      const twice = normaliseLead(all, once.fields);
      expect(twice.errors).toEqual([]);
      expect({ ...twice.fields }).toEqual({ ...once.fields });
    }),
    { numRuns: 500 },
  );
});
