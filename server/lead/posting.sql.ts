/** What intake reads back: earlier answers and pings, always within one publisher tier. */
import type { BidOffer } from '#engine/decision.ts';
import { openJson } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { Explained } from './intake.ts';
import { pingFingerprint } from './new-lead.ts';
import type { GivenAnswer } from './posting.answer.ts';
import { openStoredFields } from './stored-fields.ts';

/** What a lead of this tier was answered; undefined while it is under way, or when there is none. */
export async function findAnswer(
  db: Db,
  organization: OrganizationPlan,
  publisherTierId: string,
  leadId: string,
): Promise<GivenAnswer | undefined> {
  const row = await db
    .selectFrom('lead_result')
    .select('explained')
    .where('organization_id', '=', organization.organizationId)
    .where('lead_id', '=', leadId)
    .where('publisher_tier_id', '=', publisherTierId)
    .executeTakeFirst();
  return row && openJson<Explained>(organization.keys, 'lead_result.explained', leadId, row.explained).given;
}

/** The answer a lead of this tier got; status queued while it is under way. */
export async function findStoredAnswer(
  db: Db,
  organization: OrganizationPlan,
  publisherTierId: string,
  leadId: string,
): Promise<GivenAnswer | undefined> {
  const row = await db
    .selectFrom('lead as l')
    .leftJoin('lead_result as r', (join) => join.onRef('r.organization_id', '=', 'l.organization_id').onRef('r.lead_id', '=', 'l.id'))
    .select(['r.explained'])
    .where('l.organization_id', '=', organization.organizationId)
    .where('l.id', '=', leadId)
    .where('l.publisher_tier_id', '=', publisherTierId)
    .executeTakeFirst();
  if (!row) return undefined;
  if (!row.explained) return { statusCode: 202, answer: { status: 'queued', code: 'lead_under_way', leadId } };
  const { given, settled } = openJson<Explained>(organization.keys, 'lead_result.explained', leadId, row.explained);
  return { statusCode: 200, answer: settled ?? given.answer };
}

/** Whether there is a lead already that was posted to this ping, at whatever stage. */
export async function wasPosted(db: Db, organizationId: string, publisherTierId: string, pingId: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('idempotency')
    .select('lead_id')
    .where('organization_id', '=', organizationId)
    .where('publisher_tier_id', '=', publisherTierId)
    .where('fingerprint', '=', pingFingerprint(pingId))
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst();
  return row !== undefined;
}

/** The offers and fields of a ping that was given a bid. */
export async function findPing(
  db: Db,
  organization: OrganizationPlan,
  publisherTierId: string,
  pingId: string,
): Promise<{ offers: BidOffer[]; variantId?: string; fields: Record<string, string>; test: boolean } | undefined> {
  const row = await db
    .selectFrom('lead as l')
    .innerJoin('lead_result as r', (join) => join.onRef('r.organization_id', '=', 'l.organization_id').onRef('r.lead_id', '=', 'l.id'))
    .select(['l.fields', 'l.test', 'r.explained'])
    .where('l.organization_id', '=', organization.organizationId)
    .where('l.id', '=', pingId)
    .where('l.publisher_tier_id', '=', publisherTierId)
    .where('l.mode', '=', 'ping')
    .where('r.status', '=', 'bid')
    .executeTakeFirst();
  if (!row) return undefined;
  const { offers, variant } = openJson<Explained>(organization.keys, 'lead_result.explained', pingId, row.explained);
  const { fields } = openStoredFields(organization.keys, pingId, row.fields);
  return { offers, fields, test: row.test, ...(variant && { variantId: variant.variantId }) };
}
