/** Car insurance: the driver, the car and the policy that is to be replaced. */
import { addressFields, asked, choice, consentFields, contactFields, dateOfBirth, field, required, shown } from './fields.ts';
import type { WorldVertical } from './world.ts';

export const autoUs: WorldVertical = {
  slug: 'auto',
  uid: 'AUTO-US',
  name: 'Auto insurance',
  primaryField: 'phone',
  fields: [
    ...contactFields('us'),
    dateOfBirth(),
    ...addressFields('us'),
    choice('license_status', 'License status', ['active', 'suspended', 'expired', 'learner'], required),
    field('vehicle_year', 'Vehicle year', 'integer', { ...asked, min: 1981, max: 2030 }),
    field('vehicle_make', 'Vehicle make', 'string', { ...asked, maxChar: 40 }),
    field('vehicle_model', 'Vehicle model', 'string', { ...required, privacyClass: 'P1', maxChar: 60 }),
    choice('vehicle_ownership', 'Ownership', ['owned', 'financed', 'leased'], required),
    field('annual_miles', 'Miles a year', 'integer', { ...shown, min: 0, max: 100_000 }),
    choice('primary_use', 'Primary use', ['commute', 'pleasure', 'business']),
    field('insured', 'Insured now', 'boolean', asked),
    field('current_insurer', 'Current insurer', 'string', { privacyClass: 'P1', maxChar: 60 }),
    field('months_insured', 'Months insured without a gap', 'integer', { ...shown, min: 0, max: 600 }),
    choice('coverage', 'Coverage wanted', ['state minimum', 'standard', 'full'], required),
    field('accidents', 'Accidents in three years', 'integer', { ...asked, min: 0, max: 20 }),
    field('sr22_required', 'SR-22 required', 'boolean', shown),
    choice('credit_rating', 'Credit', ['excellent', 'good', 'fair', 'poor']),
    field('homeowner', 'Owns a home', 'boolean', shown),
    ...consentFields(),
  ],
};
