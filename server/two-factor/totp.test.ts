import { Secret, TOTP } from 'otpauth';
import { expect, it } from 'vitest';
import { matchingStep, newTotpSecret, qrCodeOf } from './totp.ts';

// RFC 6238 appendix B, SHA-1, the last six of its eight digits.
const RFC_SECRET = Secret.fromLatin1('12345678901234567890').base32;

it.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
  [20_000_000_000, '353130', 666_666_666],
])('account §4, A1: at %i s the code of RFC 6238 is %s', (seconds, code, step) => {
  expect(matchingStep(RFC_SECRET, code, seconds * 1000)).toBe(step);
});

it('account §4, A1: a code is good in its own step and one on either side, and in no other', () => {
  const secret = newTotpSecret();
  const now = 1_800_000_015_000;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now });
  const steps = [-60, -30, 0, 30, 60].map((seconds) => matchingStep(secret, code, now + seconds * 1000));
  expect(steps).toEqual([undefined, 60_000_000, 60_000_000, 60_000_000, undefined]);
});

it('A1: what is no six digits is no code', () => {
  for (const wrong of ['', '12345', '1234567', 'abcdef', '12 456', '１２３４５６', '٢٨٧٠٨٢', '287082 ', '+87082', '2870.2'])
    expect(matchingStep(RFC_SECRET, wrong, 59_000)).toBeUndefined();
});

it('the picture holds an address of ours that authenticators read', () => {
  expect(qrCodeOf(RFC_SECRET, 'una@example.com')).toMatch(/^data:image\/svg\+xml;base64,/);
});
