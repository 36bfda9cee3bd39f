/** engine §5: ready-made checks say at once what is wrong with a lead, and never the value itself. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { judgePreCheck, type PreCheck } from './pre-check.ts';
import { US_STATES } from './state.ts';
import { statesOfZip } from './zip-state.ts';

const NOW = Date.parse('2026-11-28T15:00:00Z');
const reason = (check: PreCheck, fields: Record<string, string>) => {
  const { outcome, reason: said } = judgePreCheck(check, fields, NOW);
  return outcome === 'passed' ? outcome : said;
};

describe('engine §5: phone', () => {
  const check: PreCheck = { kind: 'phone', field: 'phone', countries: ['us'], whenEmpty: 'refuse' };
  test.each([
    ['+12128675309', 'passed'],
    ['(212) 867-5309', 'passed'],
    ['+12125550123', 'the phone number is kept for films and books'],
    ['+12122222222', 'the phone number is one digit over and over'],
    ['+11112345678', 'no such phone number can be given out'],
    ['+12121112345', 'no such phone number can be given out'],
    ['+442079460958', 'the phone number is of another country (+44)'],
    ['call me', 'the phone number cannot be read'],
    ['', 'there is no phone number'],
  ])('%s: %s', (phone, said) => expect(reason(check, { phone })).toBe(said));

  it('is taken from where it is allowed, and missed only where it must be there', () => {
    expect(reason({ ...check, countries: ['us', 'uk'] }, { phone: '+442083661177' })).toBe('passed');
    expect(reason({ ...check, countries: [] }, { phone: '+33142685300' })).toBe('passed');
    expect(reason({ ...check, whenEmpty: 'pass' }, {})).toBe('passed');
  });
});

describe('engine §5: e-mail', () => {
  const check: PreCheck = { kind: 'email', field: 'email', disposable: ['mailinator.com', 'trash.co.uk'], whenEmpty: 'refuse' };
  test.each([
    ['ada@example.com', 'passed'],
    ['a.da+tag@sub.example.co.uk', 'passed'],
    ['ada@mailinator.com', 'mailinator.com gives out addresses that are thrown away'],
    ['ada@EU.Mailinator.com', 'mailinator.com gives out addresses that are thrown away'],
    ['ada@notmailinator.com', 'passed'],
    ['ada@x.trash.co.uk', 'trash.co.uk gives out addresses that are thrown away'],
    ['ada@co.uk', 'passed'],
    ['.ada@example.com', 'the e-mail address is not one'],
    ['ada@example', 'the e-mail address is not one'],
    ['ada@-example.com', 'the e-mail address is not one'],
    ['a da@example.com', 'the e-mail address is not one'],
    [`${'a'.repeat(65)}@example.com`, 'the e-mail address is not one'],
    ['', 'there is no e-mail address'],
  ])('%s: %s', (email, said) => expect(reason(check, { email })).toBe(said));

  it('takes no longer for an address that is made to take long', () => {
    const began = performance.now();
    for (const email of [`${'a.'.repeat(5_000)}@x`, `${'a'.repeat(9_000)}@${'a-'.repeat(5_000)}`, `a@${'a.'.repeat(5_000)}`])
      reason(check, { email });
    expect(performance.now() - began).toBeLessThan(100);
  });
});

describe('engine §5: address', () => {
  const check: PreCheck = { kind: 'address', stateField: 'state', zipField: 'zip', whenEmpty: 'refuse' };
  test.each([
    ['NY', '10001', 'passed'],
    ['NY', '10001-1234', 'passed'],
    ['NY', '00501', 'passed'],
    ['CA', '10001', 'the ZIP code lies in NY, not in CA'],
    ['CT', '06390', 'passed'],
    ['NY', '06390', 'passed'],
    ['TN', '42223', 'passed'],
    ['PR', '00901', 'passed'],
    ['NY', '00001', 'no place has this ZIP code'],
    ['NY', '09012', 'no place has this ZIP code'],
    ['', '10001', 'there is no state'],
    ['NY', '', 'there is no ZIP code'],
  ])('%s %s: %s', (state, zip, said) => expect(reason(check, { state, zip })).toBe(said));

  it('every state and territory has ZIP codes, and no ZIP code lies in a state that there is not', () => {
    const found = new Set(Array.from({ length: 100_000 }, (_, at) => statesOfZip(String(at).padStart(5, '0'))).flat());
    expect([...found].sort()).toEqual(Object.keys(US_STATES).sort());
  });

  // Capitals, from the table of post offices.
  test.each(
    `AL 36104,AK 99801,AZ 85007,AR 72201,CA 95814,CO 80202,CT 06103,DE 19901,DC 20001,FL 32301,GA 30303,HI 96813,ID 83702,IL 62701,IN 46225,IA 50309,
KS 66603,KY 40601,LA 70802,ME 04330,MD 21401,MA 02201,MI 48933,MN 55102,MS 39205,MO 65101,MT 59623,NE 68502,NV 89701,NH 03301,NJ 08608,NM 87501,NY 12207,
NC 27601,ND 58501,OH 43215,OK 73102,OR 97301,PA 17101,RI 02903,SC 29217,SD 57501,TN 37219,TX 78701,UT 84111,VT 05602,VA 23219,WA 98507,WV 25301,WI 53703,WY 82001`
      .split(',')
      .map((entry) => entry.trim().split(' ') as [string, string]),
  )('the capital of %s has %s', (state, zip) => expect(statesOfZip(zip)).toContain(state));
});

describe('engine §5: consent', () => {
  const check: PreCheck = { kind: 'consent', field: 'cert', hosts: [], age: { dateField: 'given', mostDays: 30 } };
  const hosted: PreCheck = { kind: 'consent', field: 'cert', hosts: ['cert.example'] };
  test.each([
    [check, { cert: 'abc', given: '2026-11-01' }, 'passed'],
    [check, { cert: 'abc', given: '2026-10-29' }, 'passed'],
    [check, { cert: 'abc', given: '2026-10-28' }, 'consent is 31 days old, and may be 30'],
    [check, { cert: 'abc', given: '2026-11-28T14:59:59Z' }, 'passed'],
    [check, { cert: 'abc', given: '2026-11-29' }, 'passed'],
    [check, { cert: 'abc', given: '2026-12-01' }, 'consent was given in the future'],
    [check, { cert: 'abc', given: 'yesterday' }, 'it is not said when consent was given'],
    [check, { cert: 'abc' }, 'it is not said when consent was given'],
    [check, { given: '2026-11-01' }, 'there is no consent certificate'],
    [hosted, { cert: 'https://cert.example/abc' }, 'passed'],
    [hosted, { cert: 'https://eu.cert.example/abc' }, 'passed'],
    [hosted, { cert: 'https://cert.example.evil.com/abc' }, 'the consent certificate is not of cert.example'],
    [hosted, { cert: 'https://evil.com/#cert.example' }, 'the consent certificate is not of cert.example'],
    [hosted, { cert: 'https://cert.example@evil.com/' }, 'the consent certificate is not of cert.example'],
    [hosted, { cert: 'https://cert.example./abc' }, 'passed'],
    [{ ...hosted, hosts: ['zertifikat-münchen.de'] }, { cert: 'https://zertifikat-münchen.de/abc' }, 'passed'],
    [hosted, { cert: 'cert.example/abc' }, 'the consent certificate is not of cert.example'],
  ] as [PreCheck, Record<string, string>, string][])('%o %o: %s', (one, fields, said) => expect(reason(one, fields)).toBe(said));
});

it('whatever a lead brings, a check answers, and its reason never holds the value', () => {
  const checks: PreCheck[] = [
    { kind: 'phone', field: 'a', countries: ['us'], whenEmpty: 'refuse' },
    { kind: 'email', field: 'a', disposable: [], whenEmpty: 'refuse' },
    { kind: 'consent', field: 'a', hosts: ['cert.example'], age: { dateField: 'b', mostDays: 3 } },
  ];
  fc.assert(
    fc.property(fc.constantFrom(...checks), fc.string({ maxLength: 60 }), fc.string({ maxLength: 40 }), (check, a, b) => {
      const { outcome, reason: said } = judgePreCheck(check, { a, b }, NOW);
      expect(['passed', 'refused']).toContain(outcome);
      if (a.trim().length > 8) expect(said ?? '').not.toContain(a.trim());
    }),
  );
});
