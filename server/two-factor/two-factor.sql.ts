/** A person's second factor: the sealed secret, the last step that opened, and recovery codes of which only hashes are kept. */
import { randomInt } from 'node:crypto';
import { type MasterKey, openUnder, sealUnder, sha256 } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { hashShortSecret } from '#server/password/password.ts';
import { matchingStep, newTotpSecret } from './totp.ts';

const RECOVERY_CODES = 10;
/** A code has two parts. */
const PART_LENGTH = 5;
/** Without letters and digits that look alike; ten of these are 49 bits, behind a limit of tries. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

export function boundTo(userId: string): string {
  return `app_user.mfa_secret|${userId}`;
}

/** A secret to be scanned, new at every sign-in: what somebody saw of an earlier one is worth nothing. Never that of a factor in force. */
export async function beginSecret(db: Db, masterKey: MasterKey, userId: string): Promise<string> {
  const secret = newTotpSecret();
  const begun = await db
    .updateTable('app_user')
    .set({ mfa_secret: sealUnder(masterKey, boundTo(userId), secret), mfa_last_step: 0 })
    .where('id', '=', userId)
    .where('mfa_enabled_at', 'is', null)
    .executeTakeFirst();
  if (begun.numUpdatedRows === 0n) throw new Error('A second factor that is in force shows no secret.');
  return secret;
}

/**
 * True when the code is right and has not opened anything before: the step moves on in one statement, so that of two who send
 * one code at once a single one is let in (RFC 6238 §5.2).
 */
export async function takeCode(db: Db, masterKey: MasterKey, userId: string, code: string, now = Date.now()): Promise<boolean> {
  const row = await db.selectFrom('app_user').select('mfa_secret').where('id', '=', userId).executeTakeFirst();
  if (!row?.mfa_secret) return false;
  const step = matchingStep(openUnder(masterKey, boundTo(userId), row.mfa_secret).toString('utf8'), code, now);
  if (step === undefined) return false;
  const moved = await db
    .updateTable('app_user')
    .set({ mfa_last_step: step })
    .where('id', '=', userId)
    .where('mfa_secret', '=', row.mfa_secret)
    .where('mfa_last_step', '<', step)
    .executeTakeFirst();
  return moved.numUpdatedRows === 1n;
}

/** Throws GateFull when too many are being hashed already. */
export async function takeRecoveryCode(db: Db, userId: string, text: string): Promise<boolean> {
  const code = plainRecoveryCode(text);
  if (code.length !== 2 * PART_LENGTH) return false;
  const used = await db
    .updateTable('recovery_code')
    .set({ used_at: new Date() })
    .where('user_id', '=', userId)
    // The second is how codes were kept by earlier versions.
    .where('code_hash', 'in', [await hashOf(userId, code), sha256(userId + code)])
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return used.numUpdatedRows === 1n;
}

/** False when it was in force already: another sign-in was quicker. Whoever else was about to set one up begins again. */
export async function enableTwoFactor(db: Db, userId: string): Promise<boolean> {
  const enabled = await db
    .updateTable('app_user')
    .set({ mfa_enabled_at: new Date() })
    .where('id', '=', userId)
    .where('mfa_enabled_at', 'is', null)
    .executeTakeFirst();
  if (enabled.numUpdatedRows === 0n) return false;
  await db.deleteFrom('session').where('user_id', '=', userId).where('stage', '=', 'mfa-setup').execute();
  return true;
}

/** Takes the second factor away: the next sign-in sets up a new one. */
export async function removeTwoFactor(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('app_user')
    .set((eb) => ({ mfa_secret: null, mfa_enabled_at: null, credential_epoch: eb('credential_epoch', '+', 1) }))
    .where('id', '=', userId)
    .execute();
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
}

export interface RecoveryCodes {
  /** To be shown once. */
  codes: string[];
  hashes: Buffer[];
}

/** Codes that are not in force yet. It takes a while: not to be done within a transaction. Throws GateFull. */
export async function makeRecoveryCodes(userId: string): Promise<RecoveryCodes> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  const hashes: Buffer[] = [];
  // One by one: they take one place of those that sign-ins share.
  for (const code of codes) hashes.push(await hashOf(userId, plainRecoveryCode(code)));
  return { codes, hashes };
}

/** Puts new codes in the place of all old ones. */
export async function renewRecoveryCodes(db: Db, userId: string, { hashes }: RecoveryCodes): Promise<void> {
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
  await db
    .insertInto('recovery_code')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
}

function newRecoveryCode(): string {
  const part = () => Array.from({ length: PART_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${part()}-${part()}`;
}

const plainRecoveryCode = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Codes are short: whoever reads the database tries them as slowly as passwords, for each person anew. */
function hashOf(userId: string, code: string): Promise<Buffer> {
  return hashShortSecret(code, sha256(`recovery code ${userId}`).subarray(0, 16));
}

/** The other owners of the teams that a person is on: they are told when somebody's second factor is taken away. */
export function listOwnersOf(db: Db, userId: string) {
  return db
    .selectFrom('team_member as m')
    .innerJoin('organization as g', 'g.id', 'm.organization_id')
    .innerJoin('team_member as o', (join) => join.onRef('o.organization_id', '=', 'm.organization_id').on('o.role', '=', 'owner'))
    .innerJoin('app_user as u', 'u.id', 'o.user_id')
    .select(['u.email', 'g.name as organization'])
    .where('m.user_id', '=', userId)
    .where('m.status', '=', 'active')
    .where('o.status', '=', 'active')
    .where('u.status', '=', 'active')
    .where('u.id', '<>', userId)
    .execute();
}
