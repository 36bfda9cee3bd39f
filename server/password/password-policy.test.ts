import { describe, expect, it } from 'vitest';
import { COMMON_PASSWORDS } from './guessed-passwords.ts';
import { passwordProblem } from './password-policy.ts';

describe('account §5, §9, A6: a password has 8 to 20 characters', () => {
  it.each([
    ['seven77', 'passwordLength'],
    ['eight-ok', undefined],
    ['t'.padEnd(12, 'wenty-ok-x8').padEnd(20, 'mzq4rkw9'), undefined],
    ['twenty-one-is-too-much', 'passwordLength'],
    ['', 'passwordLength'],
    // Characters as people count them, not bytes.
    ['日本語の合言葉です', undefined],
    ['🦊🐻🐼🐨🐯🦁🐮🐷', undefined],
  ])('%s', (password, problem) => {
    expect(passwordProblem(password)).toBe(problem);
  });
});

describe('A6: what attackers try first is refused with a reason', () => {
  it.each([
    'password',
    'Password1',
    'P@ssw0rd!',
    'passw0rd2026',
    'letmein123',
    'Welcome1!',
    'qwertyuiop',
    'qwerty1234',
    '12345678',
    '87654321',
  ])('%s', (password) => expect(passwordProblem(password)).toBe('passwordCommon'));
  it.each(['aaaaaaaa', 'abababab', 'abcabcabc', '1qaz2wsx', 'iloveyou', 'Summer2026', 'admin12345', 'abcd1234', 'zxcvbnm123', '11112222'])(
    '%s',
    (password) => expect(passwordProblem(password)).toBe('passwordCommon'),
  );
  it('the 3,000 commonest of 8 to 20 characters, however their letters are cased', () => {
    const commonest = [...COMMON_PASSWORDS].filter((one) => one.length >= 8 && one.length <= 20).slice(0, 3_000);
    expect(commonest).toHaveLength(3_000);
    expect(commonest.slice(0, 3)).toEqual(['password', '12345678', '123456789']);
    for (const one of commonest) {
      expect([one, passwordProblem(one)]).toEqual([one, 'passwordCommon']);
      expect(passwordProblem(one[0]!.toUpperCase() + one.slice(1))).toBe('passwordCommon');
    }
  });
  it.each(['correct-horse-1', 'Mow the lawn', 'tr0ub4dor&3', 'blue-kettle-7', 'zugvogel.im.mai'])('%s is fine', (password) => {
    expect(passwordProblem(password)).toBeUndefined();
  });
  it('one built from the own name, address or organization is refused', () => {
    const about = { email: 'lovelace@example.com', names: ['Ada', 'Lovelace', 'Harbour Leads'] };
    for (const password of ['Lovelace1', 'lovelace!!', 'L0velace99', 'AdaLovelace', 'harbourleads1'])
      expect(passwordProblem(password, about)).toBe('passwordHoldsName');
    expect(passwordProblem('lovelace wrote notes', about)).toBeUndefined();
  });
});
