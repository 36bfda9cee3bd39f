/** A ready-made check as it is typed: fields by name, lists a line each, days as a text. */
import { DISPOSABLE_DOMAINS } from '#contract/disposable-domains.ts';
import { DISPOSABLE_MOST, type PreCheckRule, preCheck } from '#contract/pre-check.ts';
import type { FieldRow } from './filter-words.ts';

export type CheckKind = PreCheckRule['kind'];

export const CHECK_KINDS: { value: CheckKind; label: string; says: string }[] = [
  { value: 'phone', label: 'Phone number: can it exist?', says: 'Whether such a number can be given out at all, and in which country.' },
  {
    value: 'email',
    label: 'E-mail address: form and throw-away domains',
    says: 'Whether it has the form of an address, and none of the domains below.',
  },
  { value: 'address', label: 'Address: ZIP code in its state', says: 'Whether the ZIP code lies in the state the lead names.' },
  {
    value: 'consent',
    label: 'Consent certificate: there, and not too old',
    says: 'Whether the lead brings proof of consent, from where it should, and of when.',
  },
];

export interface CheckDraft {
  kind: CheckKind;
  field: string;
  countries: ('us' | 'uk')[];
  whenEmpty: 'pass' | 'refuse';
  /** A domain a line. */
  disposable: string;
  stateField: string;
  zipField: string;
  hosts: string;
  dateField: string;
  mostDays: string;
}

/** With the vertical's fields of the fitting types filled in. */
export function newCheck(kind: CheckKind, fields: readonly FieldRow[], country: 'us' | 'uk'): CheckDraft {
  const first = (type: string, name?: RegExp) =>
    fields.find((one) => one.type === type && (!name || name.test(one.fieldName)))?.fieldName ?? '';
  const own = {
    phone: first('phone'),
    email: first('email'),
    address: '',
    consent: first('url') || first('string', /cert|consent|jornaya|trusted/i),
  };
  return {
    kind,
    field: own[kind],
    countries: [country],
    whenEmpty: 'refuse',
    disposable: DISPOSABLE_DOMAINS.join('\n'),
    stateField: first('state'),
    zipField: first('zip'),
    hosts: '',
    dateField: '',
    mostDays: '30',
  };
}

export function toCheckDraft(check: PreCheckRule): CheckDraft {
  const base = { ...newCheck(check.kind, [], 'us'), countries: [], disposable: '' };
  switch (check.kind) {
    case 'phone':
      return { ...base, ...check };
    case 'email':
      return { ...base, ...check, disposable: check.disposable.join('\n') };
    case 'address':
      return { ...base, ...check };
    case 'consent': {
      const { dateField = '', mostDays = 30 } = check.age ?? {};
      return { ...base, field: check.field, hosts: check.hosts.join('\n'), dateField, mostDays: String(mostDays) };
    }
  }
}

const lines = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
];

export function toPreCheck(draft: CheckDraft): PreCheckRule {
  const { kind, field, whenEmpty, stateField, zipField } = draft;
  switch (kind) {
    case 'phone':
      return { kind, field, countries: draft.countries, whenEmpty };
    case 'email':
      return { kind, field, disposable: lines(draft.disposable), whenEmpty };
    case 'address':
      return { kind, stateField, zipField, whenEmpty };
    case 'consent': {
      const age = draft.dateField === '' ? {} : { age: { dateField: draft.dateField, mostDays: Number(draft.mostDays) } };
      return { kind, field, hosts: lines(draft.hosts), ...age };
    }
  }
}

/** What is wrong with it, in a sentence; null where nothing is. */
export function checkDraftFault(draft: CheckDraft): string | null {
  const needed = draft.kind === 'address' ? [draft.stateField, draft.zipField] : [draft.field];
  if (needed.includes('')) return 'Choose the field that is looked at.';
  if (draft.kind === 'consent' && draft.dateField !== '' && !(draft.mostDays !== '' && Number(draft.mostDays) <= 3650))
    return 'Say how many days old consent may be, 3650 at most.';
  const read = preCheck.safeParse(toPreCheck(draft));
  if (read.success) return null;
  const [issue] = read.error.issues;
  const list = draft.kind === 'email' ? lines(draft.disposable) : lines(draft.hosts);
  const wrong = typeof issue?.path[1] === 'number' ? list[issue.path[1]] : undefined;
  if (wrong !== undefined) return `"${wrong}" is no domain; write mailinator.com, one a line.`;
  return list.length > DISPOSABLE_MOST ? `At most ${DISPOSABLE_MOST} domains.` : (issue?.message ?? null);
}
