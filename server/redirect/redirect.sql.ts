/** Links as they are kept: one row a sold lead whose publisher was given one, written with the lead's result (lead.sql.ts). */
import { sql } from 'kysely';
import { openJson } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { inTenant } from '#server/kit/tenant.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { markReport } from '#server/report/mark-report.sql.ts';

export const SEALED_AS = 'redirect.url';

/** Where a link leads at this moment. */
export type Followed = { found: 'address'; url: string } | { found: 'expired' | 'nothing' };

/** Counts one who follows it, unless `look` only asks; the first one is when the consumer was redirected. */
export async function followLink(db: Db, organization: OrganizationPlan, leadId: string, now: number, look: boolean): Promise<Followed> {
  const { organizationId, keys } = organization;
  const at = new Date(now);
  const row = await inTenant(db, organizationId, async (tx) => {
    const known = await tx
      .selectFrom('redirect')
      .select(['url', 'expires_at', 'followed_at'])
      .where('organization_id', '=', organizationId)
      .where('lead_id', '=', leadId)
      .executeTakeFirst();
    if (!known || known.expires_at <= at || look) return known;
    await tx
      .updateTable('redirect')
      .set({ followed_at: sql`coalesce(followed_at, ${at})`, follows: sql`follows + 1` })
      .where('organization_id', '=', organizationId)
      .where('lead_id', '=', leadId)
      .execute();
    if (!known.followed_at) await markReport(tx, organizationId, [leadId]);
    return known;
  });
  if (!row) return { found: 'nothing' };
  return row.expires_at > at ? { found: 'address', url: openJson<string>(keys, SEALED_AS, leadId, row.url) } : { found: 'expired' };
}

/** What became of the link of a lead; undefined where the publisher was given none. */
export function findRedirect(db: Db, organizationId: string, leadId: string) {
  return db
    .selectFrom('redirect')
    .select(['given_at', 'expires_at', 'followed_at', 'follows'])
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .executeTakeFirst();
}

/** Whose a sub-domain was that is held for an organization: its links go on leading where they did. */
export async function findFormerHolder(db: Db, subDomain: string): Promise<string | undefined> {
  const row = await db.selectFrom('former_sub_domain').select('held_for').where('sub_domain', '=', subDomain).executeTakeFirst();
  return row?.held_for;
}
