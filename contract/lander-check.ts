/** What the form of a lander takes, and what it says (account §5). Nothing but plain code: the public page loads it. */

/** The types of fields as a form knows them. */
export type LanderInput = 'string' | 'email' | 'phone' | 'url' | 'number' | 'integer' | 'date' | 'boolean' | 'choice' | 'state';

export interface LanderField {
  fieldName: string;
  fieldHumanName: string;
  type: LanderInput;
  required: boolean;
  minChar: number | null;
  maxChar: number | null;
  /** Of a choice or a state: value and what is shown. */
  options: { value: string; label: string }[];
}

/** Where a lander sends its form (account §7). */
export const LANDER_PATH = '/api/v1/drawcard/submit-lander';

export const PHONE_DIGITS = { min: 10, max: 15 } as const;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;
const PROTOCOL = /^https?:\/\//i;

/** What a submission calls its card by, beside the values of its fields (account §3): a field of that name could not be told from it. */
const OWN_MEMBER = 'rolodexId';

/** Fields that no form shows: those whose name begins with dc_ (account §3), and one that is called as a part of the submission itself. */
export const isHiddenField = (fieldName: string): boolean => fieldName.startsWith('dc_') || fieldName === OWN_MEMBER;

export const CONSENT_NEEDED = 'Please agree, so that you may be called back';
export const CONSENT_CHANGED = 'These words have changed since you opened the page. Please read them and agree once more';

/**
 * What remains of what is typed: of a phone nothing but digits, all of them, so that too many are told and not cut off. An extension, which
 * stands behind a whole number that is pasted, is none of its digits. A number is left as it is and told: without its dot, 12.50 would be 1250.
 */
export function keepTyped(type: LanderInput, text: string): string {
  if (type !== 'phone') return text;
  const number = digitsOf(text.split(/ext|x|#/i, 1)[0]!);
  return number.length >= PHONE_DIGITS.min ? number : digitsOf(text);
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** E-mails are trimmed and in small letters when they are sent. */
export const readTyped = (type: LanderInput, text: string): string => (type === 'email' ? text.trim().toLowerCase() : text.trim());

/** One sentence about what is wrong; undefined when nothing is. */
export function landerProblem(field: LanderField, typed: string): string | undefined {
  const { fieldHumanName: name, type, minChar, maxChar } = field;
  const text = readTyped(type, typed);
  if (text === '') return field.required ? `${name} is required` : undefined;
  const length = [...text].length;
  if (minChar !== null && length < minChar) return `${name} must be at least ${minChar} characters`;
  if (maxChar !== null && length > maxChar) return `${name} must not exceed ${maxChar} characters`;
  return shapeProblem(field, text);
}

function shapeProblem({ fieldHumanName: name, type, options }: LanderField, text: string): string | undefined {
  switch (type) {
    case 'email':
      return EMAIL.test(text) ? undefined : 'Please enter a valid email address (e.g., name@example.com)';
    case 'phone':
      return /^\d{10,15}$/.test(text) ? undefined : 'Please enter a valid phone number (10-15 digits, numbers only)';
    case 'url':
      return isWebAddress(text) ? undefined : 'Please enter a valid URL (e.g., https://example.com)';
    case 'number':
    case 'integer':
      return /^\d+$/.test(text) ? undefined : 'Please enter numbers only';
    case 'choice':
    case 'state':
      return options.some(({ value }) => value === text) ? undefined : `Please enter a valid ${name}`;
    default:
      return undefined;
  }
}

/** One that a browser can open, at a host with a dot. */
export function isWebAddress(text: string): boolean {
  return PROTOCOL.test(text) && !/\s/.test(text) && URL.canParse(text) && new URL(text).hostname.includes('.');
}

/** Account §5: a website without a scheme is one of https. What stands before a port is a host. */
export const withScheme = (website: string): string =>
  website === '' || /^[a-z][a-z0-9+.-]*:(?!\d+([/?#]|$))/i.test(website) ? website : `https://${website}`;
