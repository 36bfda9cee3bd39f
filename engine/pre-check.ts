/**
 * Checks of a lead that need nobody else: a service of one of these kinds answers at once, by the rules it is set up with. Pure. A reason says
 * what is wrong and never the value itself.
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { OutsideVerdict } from './effect.ts';
import type { Fields } from './filter.ts';
import type { Instant } from './plan.ts';
import { statesOfZip } from './zip-state.ts';
import { parseLocalDate } from './zone.ts';

/** `whenEmpty`: what it means that the lead brings no value. */
export type PreCheck =
  | { kind: 'phone'; field: string; countries: ('us' | 'uk')[]; whenEmpty: 'pass' | 'refuse' }
  /** Domains, each with all that lies under it. */
  | { kind: 'email'; field: string; disposable: string[]; whenEmpty: 'pass' | 'refuse' }
  | { kind: 'address'; stateField: string; zipField: string; whenEmpty: 'pass' | 'refuse' }
  /** `hosts`: where a certificate that is an address must lie; none: anywhere. The date is a day or an instant in ISO 8601. */
  | { kind: 'consent'; field: string; hosts: string[]; age?: { dateField: string; mostDays: number } | undefined };

export function judgePreCheck(check: PreCheck, fields: Fields, now: Instant): OutsideVerdict {
  const reason = reasonAgainst(check, fields, now);
  return reason === undefined ? { outcome: 'passed' } : { outcome: 'refused', reason };
}

function reasonAgainst(check: PreCheck, fields: Fields, now: Instant): string | undefined {
  switch (check.kind) {
    case 'phone':
      return phoneReason(check, textAt(fields, check.field));
    case 'email':
      return emailReason(check, textAt(fields, check.field));
    case 'address':
      return addressReason(check, textAt(fields, check.stateField), textAt(fields, check.zipField));
    case 'consent':
      return consentReason(check, fields, now);
  }
}

const textAt = (fields: Fields, name: string): string => String(fields[name] ?? '').trim();

type Kind<K extends PreCheck['kind']> = Extract<PreCheck, { kind: K }>;

const REGIONS = { us: 'US', uk: 'GB' } as const;

/** North American numbers that films use: 555-0100 to 555-0199. */
const FICTIONAL = /^\+1\d{3}55501\d{2}$/;

function phoneReason({ countries, whenEmpty }: Kind<'phone'>, text: string): string | undefined {
  if (text === '') return whenEmpty === 'refuse' ? 'there is no phone number' : undefined;
  const phone = parsePhoneNumberFromString(text, { defaultCountry: REGIONS[countries[0] ?? 'us'], extract: false });
  if (!phone) return 'the phone number cannot be read';
  // Canada and the Caribbean share the code of the US, the islands that of the UK.
  const codes: string[] = countries.map((country) => (country === 'us' ? '1' : '44'));
  if (codes.length > 0 && !codes.includes(phone.countryCallingCode))
    return `the phone number is of another country (+${phone.countryCallingCode})`;
  if (!phone.isValid()) return 'no such phone number can be given out';
  if (FICTIONAL.test(phone.number)) return 'the phone number is kept for films and books';
  return /(\d)\1{6}$/.test(phone.number) ? 'the phone number is one digit over and over' : undefined;
}

function emailReason({ disposable, whenEmpty }: Kind<'email'>, text: string): string | undefined {
  if (text === '') return whenEmpty === 'refuse' ? 'there is no e-mail address' : undefined;
  const [, local = '', domain = ''] = /^(.+)@([^@]+)$/.exec(text.toLowerCase()) ?? [];
  if (!isLocalPart(local) || !isDomain(domain)) return 'the e-mail address is not one';
  const listed = setOf(disposable);
  const labels = asciiHost(domain).split('.');
  const found = labels.map((_, at) => labels.slice(at).join('.')).find((one) => listed.has(one));
  return found === undefined ? undefined : `${found} gives out addresses that are thrown away`;
}

/** As it is asked of the name servers: letters of other scripts in their ASCII form, no dot at the end. */
function asciiHost(host: string): string {
  const plain = host.replace(/\.$/, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is ASCII already is left alone
  return /^[\x00-\x7f]*$/.test(plain) ? plain : (URL.parse(`https://${plain}`)?.hostname ?? plain);
}

const sets = new WeakMap<readonly string[], Set<string>>();

/** Made once for each list, which may be long. */
function setOf(list: readonly string[]): Set<string> {
  const known = sets.get(list);
  if (known) return known;
  const made = new Set(list.map(asciiHost));
  sets.set(list, made);
  return made;
}

/** RFC 5321 §4.1.2, unquoted; no mailbox is longer than 64 characters. */
const isLocalPart = (text: string): boolean =>
  text.length <= 64 && /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u.test(text);
const isDomain = (text: string): boolean =>
  text.length <= 253 && /^([\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(\p{L}{2,63}|xn--[a-z0-9-]{1,59})$/u.test(text);

function addressReason({ whenEmpty }: Kind<'address'>, state: string, zip: string): string | undefined {
  if (state === '' || zip === '') {
    if (whenEmpty === 'pass') return undefined;
    return zip === '' ? 'there is no ZIP code' : 'there is no state';
  }
  const states = statesOfZip(zip.slice(0, 5));
  if (states.length === 0) return 'no place has this ZIP code';
  return states.includes(state) ? undefined : `the ZIP code lies in ${states.join(' or ')}, not in ${state}`;
}

const DAY_MS = 86_400_000;

function consentReason({ field, hosts, age }: Kind<'consent'>, fields: Fields, now: Instant): string | undefined {
  const certificate = textAt(fields, field);
  if (certificate === '') return 'there is no consent certificate';
  if (hosts.length > 0 && !isAt(certificate, hosts)) return `the consent certificate is not of ${hosts.join(' or ')}`;
  if (!age) return undefined;
  const given = instantOf(textAt(fields, age.dateField));
  if (given === undefined) return 'it is not said when consent was given';
  // A day begins somewhere up to 14 hours before it does in UTC.
  if (given > now + DAY_MS) return 'consent was given in the future';
  const days = Math.floor((now - given) / DAY_MS);
  return days <= age.mostDays ? undefined : `consent is ${days} days old, and may be ${age.mostDays}`;
}

function isAt(certificate: string, hosts: readonly string[]): boolean {
  if (!/^https?:\/\//i.test(certificate) || !URL.canParse(certificate)) return false;
  const hostname = asciiHost(new URL(certificate).hostname);
  return hosts.map(asciiHost).some((host) => hostname === host || hostname.endsWith(`.${host}`));
}

/** A day counts from its beginning in UTC. */
function instantOf(text: string): Instant | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const day = parseLocalDate(text);
    return day === undefined ? undefined : Date.parse(`${text}T00:00:00Z`);
  }
  const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(instant) ? instant : undefined;
}
