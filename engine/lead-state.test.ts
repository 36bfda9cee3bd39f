import { expect, test } from 'vitest';
import { stateOfLead } from './lead-state.ts';
import type { FieldConfig, VerticalConfig } from './plan.ts';

const field = (fieldName: string, type: FieldConfig['type']): FieldConfig => ({
  ...{ fieldName, type, fieldHumanName: fieldName, required: false, privacyClass: 'P1', inPing: true },
});
const vertical = (country: 'us' | 'uk', ...fields: FieldConfig[]): VerticalConfig => ({
  ...{ id: 'v', slug: 'v', regionSlug: country, name: 'V', country, primaryField: 'email', fields },
});

test('console §3: the state or nation of a lead is what its field says, else what its ZIP code or postcode alone can mean', () => {
  const us = vertical('us', field('postal', 'zip'), field('home', 'state'));
  expect(stateOfLead(us, { home: 'NY', postal: '94105' })).toBe('NY');
  expect(stateOfLead(us, { postal: '94105' })).toBe('CA');
  expect(stateOfLead(us, { postal: '94105-1234' })).toBe('CA');
  // Two states share it.
  expect(stateOfLead(us, { postal: '06390' })).toBe('');
  expect(stateOfLead(us, {})).toBe('');
  expect(stateOfLead(vertical('us'), { home: 'NY' })).toBe('');
  const uk = vertical('uk', field('postcode', 'zip'), field('nation', 'state'));
  expect(stateOfLead(uk, { nation: 'SCT', postcode: 'EH1 1AA' })).toBe('SCT');
  expect(stateOfLead(uk, { nation: 'WLS', postcode: 'EH1 1AA' })).toBe('WLS');
  expect(stateOfLead(uk, { postcode: 'EH1 1AA' })).toBe('SCT');
  expect(stateOfLead(uk, { postcode: '94105' })).toBe('');
});
