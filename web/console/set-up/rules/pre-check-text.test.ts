import { expect, it } from 'vitest';
import type { PreCheckRule } from '#contract/pre-check.ts';
import { checkDraftFault, newCheck, toCheckDraft, toPreCheck } from './pre-check-text.ts';

const FIELDS = [
  { fieldName: 'cell', fieldHumanName: 'Cell', type: 'phone' },
  { fieldName: 'mail', fieldHumanName: 'Mail', type: 'email' },
  { fieldName: 'st', fieldHumanName: 'State', type: 'state' },
  { fieldName: 'postal', fieldHumanName: 'ZIP', type: 'zip' },
  { fieldName: 'trusted_form', fieldHumanName: 'Certificate', type: 'string' },
] as never[];

it('a new check looks at the fields that fit it, and an e-mail check begins with the throw-away domains there are', () => {
  expect(toPreCheck(newCheck('phone', FIELDS, 'us'))).toEqual({ kind: 'phone', field: 'cell', countries: ['us'], whenEmpty: 'refuse' });
  expect(toPreCheck(newCheck('address', FIELDS, 'us'))).toMatchObject({ stateField: 'st', zipField: 'postal' });
  expect(toPreCheck(newCheck('consent', FIELDS, 'us'))).toEqual({ kind: 'consent', field: 'trusted_form', hosts: [] });
  const email = toPreCheck(newCheck('email', FIELDS, 'us')) as Extract<PreCheckRule, { kind: 'email' }>;
  expect(email.field).toBe('mail');
  expect(email.disposable).toContain('mailinator.com');
  for (const kind of ['phone', 'email', 'address', 'consent'] as const) expect(checkDraftFault(newCheck(kind, FIELDS, 'us'))).toBeNull();
});

it('is the same after it was shown', () => {
  const checks: PreCheckRule[] = [
    { kind: 'phone', field: 'cell', countries: ['us', 'uk'], whenEmpty: 'pass' },
    { kind: 'email', field: 'mail', disposable: ['a.example', 'b.example'], whenEmpty: 'refuse' },
    { kind: 'address', stateField: 'st', zipField: 'postal', whenEmpty: 'pass' },
    { kind: 'consent', field: 'trusted_form', hosts: ['cert.example'], age: { dateField: 'given', mostDays: 0 } },
    { kind: 'consent', field: 'trusted_form', hosts: [] },
  ];
  for (const check of checks) expect(toPreCheck(toCheckDraft(check))).toEqual(check);
});

it('says what is missing or wrong, by the line that it is', () => {
  expect(checkDraftFault({ ...newCheck('phone', [], 'us') })).toBe('Choose the field that is looked at.');
  expect(checkDraftFault({ ...newCheck('email', FIELDS, 'us'), disposable: 'Good.example\nnot a domain' })).toBe(
    '"not" is no domain; write mailinator.com, one a line.',
  );
  expect(checkDraftFault({ ...newCheck('consent', FIELDS, 'us'), dateField: 'given', mostDays: '' })).toContain('3650 at most');
});
