/**
 * Links and hand-overs that are good once (reliability §4.2): 256 random bits, of which only the hash is kept. Taking one is a
 * single statement, so that of two people who open it at the same moment one wins.
 */
import { randomBytes } from 'node:crypto';
import { sha256 } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { NO_PROOF, type Proof, readProof } from '#server/session/proof.ts';

export type TokenPurpose = 'activation' | 'password-reset' | 'mfa-reset' | 'invitation' | 'hand-over';

export interface TokenFor {
  userId: string;
  organizationId?: string;
  teamMemberId?: string;
  /** Of a hand-over: the credentials it was made with. */
  credentialEpoch?: number;
  /** Of a hand-over that goes on with a session: it ends with that one, and so does what it opens. */
  session?: LivingSession | null;
  /** Of a hand-over: how the person was known. */
  proof?: Proof;
}

export interface LivingSession {
  id: string;
  expiresAt: Date;
}

export interface TokenRow {
  userId: string;
  organizationId: string | null;
  teamMemberId: string | null;
  expiresAt: Date;
  usedAt: Date | null;
  credentialEpoch: number | null;
  sessionExpiresAt: Date | null;
  proof: Proof;
}

const MINUTE_MS = 60_000;
export const TOKEN_LASTS_MS: Record<TokenPurpose, number> = {
  activation: 3 * 24 * 60 * MINUTE_MS,
  'password-reset': 30 * MINUTE_MS,
  'mfa-reset': 30 * MINUTE_MS,
  invitation: 7 * 24 * 60 * MINUTE_MS,
  'hand-over': MINUTE_MS,
};

/** Makes a token and returns its text, which is kept nowhere. */
export async function issueToken(
  db: Db,
  purpose: TokenPurpose,
  { userId, organizationId, teamMemberId, credentialEpoch, session, proof = NO_PROOF }: TokenFor,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('one_time_token')
    .values({
      token_hash: sha256(token),
      purpose,
      user_id: userId,
      organization_id: organizationId ?? null,
      team_member_id: teamMemberId ?? null,
      credential_epoch: credentialEpoch ?? null,
      session_id: session?.id ?? null,
      session_expires_at: session?.expiresAt ?? null,
      proof: JSON.stringify(proof),
      expires_at: new Date(Date.now() + TOKEN_LASTS_MS[purpose]),
    })
    .execute();
  return token;
}

/** The token's row, used or expired ones too; undefined when there is no such token of this purpose. */
export async function findToken(db: Db, purpose: TokenPurpose, token: string): Promise<TokenRow | undefined> {
  const row = await db
    .selectFrom('one_time_token')
    .selectAll()
    .where('token_hash', '=', sha256(token))
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  return row && viewToken(row);
}

/** Uses the token up; undefined when it is unknown, of another purpose, expired, or was used before. */
export async function takeToken(db: Db, purpose: TokenPurpose, token: string): Promise<TokenRow | undefined> {
  const row = await db
    .updateTable('one_time_token')
    .set({ used_at: new Date() })
    .where('token_hash', '=', sha256(token))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date())
    .returningAll()
    .executeTakeFirst();
  return row && viewToken(row);
}

/** Ends every token of this purpose that a user still has: a new one replaces the old ones. */
export async function endTokens(db: Db, purpose: TokenPurpose, userId: string): Promise<void> {
  await db
    .updateTable('one_time_token')
    .set({ expires_at: new Date() })
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute();
}

function viewToken(row: {
  user_id: string;
  organization_id: string | null;
  team_member_id: string | null;
  expires_at: Date;
  used_at: Date | null;
  credential_epoch: number | null;
  session_expires_at: Date | null;
  proof: unknown;
}): TokenRow {
  return {
    userId: row.user_id,
    organizationId: row.organization_id,
    teamMemberId: row.team_member_id,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
    credentialEpoch: row.credential_epoch,
    sessionExpiresAt: row.session_expires_at,
    proof: readProof(row.proof),
  };
}
