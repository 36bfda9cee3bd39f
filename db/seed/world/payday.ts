/** Short-term loans: what a lender needs to decide and to pay out, in the us and in the uk. */
import { addressFields, asked, choice, consentFields, contactFields, dateOfBirth, field, required, shown } from './fields.ts';
import type { WorldVertical } from './world.ts';

const sensitive = { ...required, privacyClass: 'P3' } as const;

export const paydayUs: WorldVertical = {
  slug: 'payday',
  uid: 'PDL-US',
  name: 'Payday loans',
  primaryField: 'email',
  fields: [
    ...contactFields('us'),
    dateOfBirth(),
    field('ssn', 'Social security number', 'string', { ...sensitive, pattern: String.raw`\d{9}` }),
    ...addressFields('us'),
    choice('residence_type', 'Residence', ['own', 'rent', 'other'], required),
    field('loan_amount', 'Amount requested', 'money', { ...asked, min: 100, max: 5000 }),
    choice('income_source', 'Source of income', ['employment', 'self_employed', 'benefits', 'pension'], required),
    field('employer', 'Employer', 'string', { maxChar: 80 }),
    field('months_employed', 'Months employed', 'integer', { ...shown, min: 0, max: 600 }),
    field('monthly_income', 'Monthly income', 'money', { ...asked, min: 0, max: 50_000 }),
    choice('pay_frequency', 'Pay frequency', ['weekly', 'biweekly', 'semimonthly', 'monthly'], required),
    field('next_pay_date', 'Next pay date', 'date', required),
    field('direct_deposit', 'Paid by direct deposit', 'boolean', asked),
    field('bank_name', 'Bank', 'string', { ...required, privacyClass: 'P1', maxChar: 80 }),
    field('routing_number', 'Routing number (ABA)', 'routing', sensitive),
    field('account_number', 'Account number', 'string', { ...sensitive, pattern: String.raw`\d{4,17}` }),
    choice('account_type', 'Account type', ['checking', 'savings'], required),
    field('driver_license', "Driver's license", 'string', { privacyClass: 'P3', maxChar: 25 }),
    ...consentFields(),
  ],
};

export const paydayUk: WorldVertical = {
  slug: 'payday',
  uid: 'PDL-UK',
  name: 'Payday loans',
  primaryField: 'email',
  fields: [
    choice('title', 'Title', ['Mr', 'Mrs', 'Miss', 'Ms', 'Mx', 'Dr'], { inPing: false }),
    ...contactFields('uk'),
    dateOfBirth(),
    ...addressFields('uk'),
    choice('residential_status', 'Residential status', ['owner', 'private tenant', 'council tenant', 'living with family'], required),
    field('months_at_address', 'Months at address', 'integer', { ...shown, min: 0, max: 999 }),
    field('loan_amount', 'Amount requested', 'money', { ...asked, min: 50, max: 2500 }),
    field('loan_term_months', 'Term in months', 'integer', { ...shown, min: 1, max: 24 }),
    choice('employment_status', 'Employment status', ['full time', 'part time', 'self employed', 'benefits', 'retired'], required),
    field('employer', 'Employer', 'string', { maxChar: 80 }),
    field('monthly_income', 'Net monthly income', 'money', { ...asked, min: 0, max: 25_000 }),
    field('housing_costs', 'Monthly housing costs', 'money', { ...shown, min: 0, max: 10_000 }),
    choice('pay_frequency', 'Pay frequency', ['weekly', 'fortnightly', 'four weekly', 'monthly', 'last working day'], required),
    field('next_pay_date', 'Next pay date', 'date', required),
    field('bank_sort_code', 'Sort code', 'routing', sensitive),
    field('bank_account', 'Account number', 'string', { ...sensitive, pattern: String.raw`\d{8}` }),
    field('national_insurance', 'National Insurance number', 'string', { privacyClass: 'P3', pattern: String.raw`[A-Z]{2}\d{6}[A-D]` }),
    field('credit_search_consent', 'Agrees to a credit search', 'boolean', { ...required, privacyClass: 'P1' }),
    ...consentFields(),
  ],
};
