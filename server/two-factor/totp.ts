/** Time-based codes (RFC 6238): SHA-1, six digits, steps of 30 s, one step of drift on either side. */
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';

const PERIOD_S = 30;
const SECRET_BYTES = 20;

/** A new secret, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The time step that `code` belongs to, or undefined when it is no code of now, the step before or the one after. */
export function matchingStep(secret: string, code: string, now: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_S) + delta;
}

/** What an authenticator scans, as an address that an image can show. */
export function qrCodeOf(secret: string, account: string): string {
  const svg = renderSVG(totpOf(secret, account).toString(), { ecc: 'M', border: 2 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: 'Sluice', label, algorithm: 'SHA1', digits: 6, period: PERIOD_S, secret: Secret.fromBase32(secret) });
}
