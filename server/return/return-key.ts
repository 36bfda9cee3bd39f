/** Keys with which a buyer returns leads. A key names its organization, so that it is looked for in one place only. */
import { randomBytes } from 'node:crypto';
import { sha256 } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';

const MARK = 'rk_';
const ORGANIZATION_BYTES = 16;
const SECRET_BYTES = 24;

export function makeReturnKey(organizationId: string): string {
  const organization = Buffer.from(organizationId.replaceAll('-', ''), 'hex');
  return MARK + Buffer.concat([organization, randomBytes(SECRET_BYTES)]).toString('base64url');
}

export interface KeyBuyer {
  organizationId: string;
  buyerId: string;
  buyerName: string;
}

/** The buyer whose key it is, or 401 with what is wrong with the key. */
export async function requireKeyBuyer(db: Db, authorization: string | undefined, now: number): Promise<KeyBuyer> {
  const key = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (!key) throw new HttpError(401, 'key_missing', 'Send your return key as "Authorization: Bearer <key>".');
  const organizationId = organizationOf(key);
  const row = organizationId
    ? await db
        .selectFrom('return_key as k')
        .innerJoin('buyer as b', (join) => join.onRef('b.organization_id', '=', 'k.organization_id').onRef('b.id', '=', 'k.buyer_id'))
        .innerJoin('organization as o', 'o.id', 'k.organization_id')
        .select(['k.buyer_id', 'k.revoked_at', 'k.expires_at', 'b.name', 'o.status'])
        .where('k.organization_id', '=', organizationId)
        .where('k.key_hash', '=', sha256(key))
        .executeTakeFirst()
    : undefined;
  if (!row || !organizationId) throw new HttpError(401, 'key_unknown', 'This return key is not known. Ask for it again.');
  if (row.revoked_at) throw new HttpError(401, 'key_revoked', 'This return key was revoked. Ask for a new one.');
  if (row.expires_at && row.expires_at.getTime() <= now)
    throw new HttpError(401, 'key_expired', 'This return key has expired. Ask for a new one.');
  if (row.status === 'suspended') throw new HttpError(403, 'organization_suspended', 'This organization takes no returns at the moment.');
  return { organizationId, buyerId: row.buyer_id, buyerName: row.name };
}

function organizationOf(key: string): string | undefined {
  const bytes = key.startsWith(MARK) ? Buffer.from(key.slice(MARK.length), 'base64url') : Buffer.alloc(0);
  if (bytes.length !== ORGANIZATION_BYTES + SECRET_BYTES) return undefined;
  const hex = bytes.subarray(0, ORGANIZATION_BYTES).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
