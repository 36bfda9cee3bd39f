/** What of a personal value may be seen without asking for more: enough to recognise it, not to use it. */
import type { FieldConfig } from '#engine/plan.ts';

export const DOTS = '•••';

export type MaskedField = Pick<FieldConfig, 'privacyClass' | 'type'> | undefined;

/** A field that the vertical does not know may hold anything, so it is personal. */
export function isMasked(field: Pick<FieldConfig, 'privacyClass'> | undefined): boolean {
  return field === undefined || field.privacyClass === 'P2' || field.privacyClass === 'P3';
}

/** The value as its class allows it: P0 and P1 as they are, all others through `maskPersonal`. */
export function maskValue(field: MaskedField, value: string): string {
  return isMasked(field) ? maskPersonal(field, value) : value;
}

/** Sensitive values keep at most their last four characters, e-mails their domain, others their first letter; what is short keeps nothing. */
export function maskPersonal(field: MaskedField, value: string): string {
  if (value === '') return '';
  const signs = [...value.matchAll(SHOWN)].map(String);
  if (field?.type === 'email') return maskEmail(value);
  if (field?.type === 'phone') return digitCount(value) < 7 ? DOTS : `${DOTS}${value.replace(/\D/g, '').slice(-4)}`;
  if (field?.type === 'date' || signs.length < 3) return DOTS;
  if (field?.privacyClass === 'P3') return signs.length > 7 ? `${DOTS}${signs.slice(-4).join('')}` : DOTS;
  return `${signs[0]}${DOTS}`;
}

/** A mask stands inside JSON, XML and addresses: no quote, angle or ampersand may come from a value. */
const SHOWN = /[\p{L}\p{N}]/gu;

function maskEmail(value: string): string {
  const at = value.lastIndexOf('@');
  const domain = value.slice(at + 1);
  return at > 0 && /^[a-z0-9.-]+\.[a-z]{2,}$/i.test(domain) ? `${value.match(SHOWN)?.[0] ?? ''}${DOTS}@${domain}` : DOTS;
}

function digitCount(value: string): number {
  return value.replace(/\D/g, '').length;
}

/** One value of a lead that must not be read off its page, and the field it came in; no field for one the vertical does not know. */
export interface PersonalValue {
  field: MaskedField;
  value: string;
}

/** Every text and number of a value, however deep it is nested. */
export function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}
