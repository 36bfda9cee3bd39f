/** The lead that a processor means, and whose it was. */
import { sql } from 'kysely';
import type { Db } from '#server/kit/database.ts';
import { isId } from '#server/kit/ids.ts';
import { maskingOf } from '#server/lead/lead.view.ts';
import { lookupHashes } from '#server/lead/lead-list.sql.ts';
import { withoutWords } from '#server/lead/person-gone.sql.ts';
import { openIfSound } from '#server/lead/stored-fields.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { NOBODY } from './payment-hour.sql.ts';
import { readBin } from './payment-text.ts';

export interface PaidLead {
  leadId: string;
  test: boolean;
  campaignId: string;
  publisherId: string;
  publisherTierId: string;
  /** All zeros where nobody bought it. */
  buyerId: string;
  buyerTierId: string;
  /** Of its own field for one; empty without. */
  bin: string;
  /** A text of the processor without what is known of the consumer; of a lead that cannot be opened nothing is left. */
  hide(text: string): string;
}

const MOST = 20;

/** Not even the letter that a mask leaves. */
const withoutMasked = (text: string): string => text.replace(/\S*•••\S*/g, '•••');

/**
 * By our id, by what a buyer calls it, or by the value of a field that leads are found by; of several the only one that was sold. Of several buyers
 * the one whose reference it is, else the first.
 */
export async function findPaidLead(
  db: Db,
  organization: OrganizationPlan,
  verticalId: string,
  text: string,
): Promise<PaidLead | 'unknown' | 'several'> {
  const { organizationId } = organization;
  const ids = isId(text.toLowerCase()) ? [text.toLowerCase()] : await listCandidates(db, organization, verticalId, text);
  if (ids.length === 0) return 'unknown';
  const { rows } = await sql<{
    id: string;
    test: boolean;
    campaign_id: string;
    publisher_id: string;
    publisher_tier_id: string;
    buyer_id: string | null;
    buyer_tier_id: string | null;
    fields: Buffer;
  }>`
    select l.id, l.test, l.campaign_id, l.publisher_id, l.publisher_tier_id, s.buyer_id, s.buyer_tier_id, l.fields from lead l
      left join lateral (select s.buyer_id, s.buyer_tier_id from sale s where s.organization_id = l.organization_id and s.lead_id = l.id
        order by s.buyer_ref = ${text} desc nulls last, s.sale_index limit 1) as s on true
      where l.organization_id = ${organizationId}::uuid and l.id = any(${ids}::uuid[]) and l.vertical_id = ${verticalId}::uuid and l.mode <> 'ping'`.execute(
    db,
  );
  const sold = rows.filter(({ buyer_id }) => buyer_id !== null);
  const row = rows.length === 1 ? rows[0] : sold.length === 1 ? sold[0] : undefined;
  if (!row) return rows.length === 0 ? 'unknown' : 'several';
  const fields = organization.plan.verticals.get(verticalId)?.config.fields ?? [];
  const binField = fields.find(({ type }) => type === 'bin')?.fieldName;
  const stored = openIfSound(organization.keys, row.id, row.fields);
  const masking = stored && maskingOf(fields, stored);
  return {
    ...{ leadId: row.id, test: row.test, campaignId: row.campaign_id, publisherId: row.publisher_id },
    ...{ publisherTierId: row.publisher_tier_id, buyerId: row.buyer_id ?? NOBODY, buyerTierId: row.buyer_tier_id ?? NOBODY },
    bin: (binField && stored && readBin(stored.fields[binField] ?? '')) || '',
    hide: (text) => (masking ? withoutMasked(masking.text(text)) : withoutWords(text)),
  };
}

async function listCandidates(db: Db, organization: OrganizationPlan, verticalId: string, text: string): Promise<string[]> {
  const buyers = [...new Set([...organization.buyerWires.values()].map(({ buyerId }) => buyerId))];
  const { rows } = await sql<{ lead_id: string }>`
    (select lead_id from sale where organization_id = ${organization.organizationId}::uuid and buyer_id = any(${buyers}::uuid[]) and buyer_ref = ${text}
      limit ${MOST})
    union (select lead_id from lead_lookup where organization_id = ${organization.organizationId}::uuid
      and value_hash = any(${lookupHashes(organization, verticalId, text)}::uuid[]) order by lead_id desc limit ${MOST})`.execute(db);
  return rows.map(({ lead_id }) => lead_id);
}
