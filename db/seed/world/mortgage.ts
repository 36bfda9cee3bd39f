/** Home loans: the property, the loan that is there and the one that is wanted, in the us and in the uk. */
import { addressFields, asked, choice, consentFields, contactFields, field, required, shown } from './fields.ts';
import type { WorldVertical } from './world.ts';

export const mortgageUs: WorldVertical = {
  slug: 'mortgage',
  uid: 'MTG-US',
  name: 'Mortgage',
  primaryField: 'email',
  fields: [
    ...contactFields('us'),
    ...addressFields('us'),
    choice('loan_purpose', 'Purpose', ['purchase', 'refinance', 'cash out', 'home equity', 'reverse'], required),
    choice('property_type', 'Property', ['single family', 'condo', 'townhouse', 'multi family', 'manufactured'], required),
    choice('property_use', 'Use', ['primary residence', 'second home', 'investment'], required),
    field('property_value', 'Value of the property', 'money', { ...asked, min: 30_000, max: 10_000_000 }),
    field('mortgage_balance', 'Mortgage balance', 'money', { ...asked, min: 0, max: 10_000_000 }),
    field('loan_amount', 'Loan amount', 'money', { ...asked, min: 10_000, max: 10_000_000 }),
    field('current_rate', 'Current rate in percent', 'number', { ...shown, min: 0, max: 25 }),
    field('down_payment', 'Down payment', 'money', { ...shown, min: 0, max: 5_000_000 }),
    choice('credit_rating', 'Credit', ['excellent', 'good', 'fair', 'poor'], required),
    field('annual_income', 'Annual income', 'money', { ...shown, min: 0, max: 5_000_000 }),
    choice('employment', 'Employment', ['employed', 'self employed', 'retired', 'not employed']),
    field('veteran', 'Served in the military', 'boolean', shown),
    field('first_time_buyer', 'First-time buyer', 'boolean', shown),
    field('late_payments', 'Late payments in a year', 'integer', { ...shown, min: 0, max: 12 }),
    ...consentFields(),
  ],
};

export const mortgageUk: WorldVertical = {
  slug: 'mortgage',
  uid: 'MTG-UK',
  name: 'Mortgage',
  primaryField: 'email',
  fields: [
    ...contactFields('uk'),
    field('date_of_birth', 'Date of birth', 'date', { privacyClass: 'P3' }),
    ...addressFields('uk'),
    choice('mortgage_type', 'Mortgage', ['first time buyer', 'home mover', 'remortgage', 'buy to let', 'equity release'], required),
    choice('property_type', 'Property', ['detached', 'semi-detached', 'terraced', 'flat', 'bungalow'], required),
    field('property_value', 'Value of the property', 'money', { ...asked, min: 30_000, max: 10_000_000 }),
    field('mortgage_balance', 'Mortgage balance', 'money', { ...asked, min: 0, max: 10_000_000 }),
    field('loan_amount', 'Loan amount', 'money', { ...asked, min: 10_000, max: 10_000_000 }),
    field('deposit', 'Deposit', 'money', { ...shown, min: 0, max: 5_000_000 }),
    field('term_years', 'Term in years', 'integer', { ...shown, min: 1, max: 40 }),
    choice('credit_rating', 'Credit history', ['excellent', 'good', 'fair', 'poor'], required),
    field('household_income', 'Household income', 'money', { ...shown, min: 0, max: 2_000_000 }),
    choice('employment', 'Employment', ['employed', 'self employed', 'retired', 'not employed']),
    field('fixed_rate_ends_on', 'Fixed rate ends', 'date', shown),
    ...consentFields(),
  ],
};
