import { expect, it } from 'vitest';
import { sampleValue } from './sample-lead.ts';

it.each([
  ['monthly_income', 'money', '2500'],
  ['months_employed', 'integer', '24'],
  ['first_name', 'text', 'Sample'],
  ['full_name', 'text', 'Sample Person'],
  ['bank_name', 'text', 'Example Bank'],
  ['bank_account_number', 'text', '000123456789'],
  ['employer_name', 'text', 'Example Works'],
])('a sample of %s is what a person would write there', (fieldName, type, value) => {
  expect(sampleValue({ fieldName, type }, 'us')).toBe(value);
});

it('a sample lies within the bounds of its field', () => {
  expect(sampleValue({ fieldName: 'months_employed', type: 'integer', min: 36 }, 'us')).toBe('36');
  expect(sampleValue({ fieldName: 'monthly_income', type: 'money', max: 900 }, 'us')).toBe('900');
});
