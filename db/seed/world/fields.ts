/** Fields that every vertical asks for: who the consumer is, and how consent can be proven. */
import type { Country, WorldField } from './world.ts';

type More = Partial<Omit<WorldField, 'fieldName' | 'fieldHumanName' | 'type'>>;

/** Optional, personal and never shown before a sale, unless said otherwise. */
export function field(fieldName: string, fieldHumanName: string, type: WorldField['type'], more: More = {}): WorldField {
  return { fieldName, fieldHumanName, type, required: false, privacyClass: 'P2', inPing: false, ...more };
}

export const required = { required: true } as const;
/** Tells nothing of who somebody is. */
export const shown = { inPing: true, privacyClass: 'P1' } as const;
export const asked = { ...required, ...shown } as const;

export function choice(fieldName: string, fieldHumanName: string, options: string[], more: More = {}): WorldField {
  return field(fieldName, fieldHumanName, 'choice', { ...shown, ...more, options });
}

export function nameFields(): WorldField[] {
  const name = { ...required, minChar: 2, maxChar: 50, pattern: String.raw`[\p{L}\p{M}' .-]+` };
  return [field('first_name', 'First name', 'string', name), field('last_name', 'Last name', 'string', name)];
}

export function contactFields(country: Country): WorldField[] {
  return [
    ...nameFields(),
    field('email', 'Email', 'email', { ...required, maxChar: 254, searchable: true }),
    field('phone', country === 'us' ? 'Phone' : 'Mobile phone', 'phone', { ...required, minChar: 10, maxChar: 15, searchable: true }),
  ];
}

export function addressFields(country: Country): WorldField[] {
  const us = country === 'us';
  return [
    field('address', us ? 'Street address' : 'House and street', 'string', { ...required, minChar: 4, maxChar: 100 }),
    field('city', us ? 'City' : 'Town', 'string', { ...required, minChar: 2, maxChar: 60 }),
    field('state', us ? 'State' : 'Nation', 'state', { ...asked, required: us, privacyClass: 'P0' }),
    field('zip', us ? 'ZIP code' : 'Postcode', 'zip', asked),
  ];
}

export function dateOfBirth(): WorldField {
  return field('date_of_birth', 'Date of birth', 'date', { ...required, privacyClass: 'P3' });
}

export function consentFields(): WorldField[] {
  return [
    field('trustedform_cert_url', 'TrustedForm certificate', 'url', { pattern: String.raw`https://cert\.trustedform\.com/[0-9a-f]{40}` }),
    field('jornaya_leadid', 'Jornaya LeadiD token', 'string', { pattern: '[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}' }),
    field('tcpa_text', 'Consent wording', 'string', { privacyClass: 'P1', minChar: 10, maxChar: 1000 }),
    field('ip_address', 'IP address', 'ip', required),
    field('user_agent', 'Browser', 'string', { maxChar: 500 }),
    field('landing_page', 'Landing page', 'url', { privacyClass: 'P0', maxChar: 500 }),
  ];
}
