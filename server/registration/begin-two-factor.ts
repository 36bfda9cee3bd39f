/** The first step of two-factor: a secret of the person's own and the picture an authenticator reads (RFC 6238). */
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import { seal } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';

const SECRET_BYTES = 20;

export interface TwoFactorStart {
  Qrstatus: '1';
  /** An SVG picture as a data: address. */
  qrCode: string;
}

/** Keeps a new secret, sealed and bound to the user; two-factor is on only once a code of it was shown. */
export async function beginTwoFactor(db: Db, masterKey: Buffer, user: { id: string; email: string }): Promise<TwoFactorStart> {
  const secret = new Secret({ size: SECRET_BYTES });
  await db
    .updateTable('app_user')
    .set({
      mfa_secret: seal(masterKey, `app_user.mfa_secret|${user.id}`, Buffer.from(secret.bytes)),
      mfa_enabled_at: null,
      mfa_last_step: 0,
    })
    .where('id', '=', user.id)
    .execute();
  const address = new TOTP({ issuer: 'Sluice', label: user.email, secret }).toString();
  return { Qrstatus: '1', qrCode: `data:image/svg+xml;base64,${Buffer.from(renderSVG(address)).toString('base64')}` };
}
