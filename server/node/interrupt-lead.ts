/**
 * Ends one lead that nobody is working on any more as `error: interrupted`; where a buyer may have been handed it, the attempt is marked unknown and
 * its caps stay reserved until somebody settles it.
 */
import type pg from 'pg';
import type { PostingAnswer } from '#contract/posting.ts';
import { takeVariant } from '#engine/split.ts';
import { openJsonIfSound, sealJson } from '#server/kit/crypto.ts';
import type { Explained } from '#server/lead/intake.ts';
import { openIfSound } from '#server/lead/stored-fields.ts';
import { consumerOf, variantTermsOf } from '#server/lead/variant.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';

export interface OpenLead {
  organization_id: string;
  id: string;
  vertical_id: string;
  campaign_id: string;
  publisher_tier_id: string;
  test: boolean;
  fields: Buffer;
  ping_id: string | null;
  /** What is kept of its ping. */
  ping_explained: Buffer | null;
  /**
   * Buyer tiers that may hold the lead. A refusal takes its booking back at once, so whatever is still booked is in doubt. Notes stay
   * until the lead ends: of those only the last is, since posts go one at a time, unless the lead may be sold several times.
   */
  posts: string[];
}

const IN_DOUBT = `array(select v.subject_id from reservation v where v.organization_id = l.organization_id and v.lead_id = l.id and v.purpose = 'post'
  and (v.claims <> '[]' or v.fingerprints <> '{}'
    or exists (select from campaign c where c.organization_id = l.organization_id and c.id = l.campaign_id and c.max_sales > 1)
    or v.reserved_at = (select max(w.reserved_at) from reservation w where w.organization_id = l.organization_id and w.lead_id = l.id and w.purpose = 'post')))`;

const OPEN = `l.organization_id, l.id, l.vertical_id, l.campaign_id, l.publisher_tier_id, l.test, l.fields, l.ping_id,
  (select p.explained from lead_result p where p.organization_id = l.organization_id and p.lead_id = l.ping_id) as ping_explained, ${IN_DOUBT} as posts`;

/** Those of the leads that have no result still, with what is known of them; in the order of their ids. */
export async function readOpen(client: pg.ClientBase, organizationId: string, ids: readonly string[]): Promise<OpenLead[]> {
  const { rows } = await client.query<OpenLead>(
    `select ${OPEN} from lead l
      where l.organization_id = $1 and l.id = any($2)
        and not exists (select from lead_result r where r.organization_id = l.organization_id and r.lead_id = l.id)
      order by l.id`,
    [organizationId, ids],
  );
  return rows;
}

/** False where it has its result after all, by the node that was slow or by another that tidies up: then nothing of it is touched. */
export async function interruptLead(client: pg.PoolClient, organization: OrganizationPlan, lead: OpenLead): Promise<boolean> {
  const answer: PostingAnswer = {
    status: 'error',
    code: 'lead_interrupted',
    reason: 'interrupted',
    leadId: lead.id,
    msg: 'This lead was interrupted by a failure on our side. It is not sold twice; ask us before you offer it elsewhere.',
  };
  const now = Date.now();
  const why = { code: 'interrupted', params: {} } as const;
  const explained: Explained = {
    why,
    errors: [],
    steps: [{ at: now, ...why }],
    unreached: [],
    sales: [],
    offers: [],
    warnings: [],
    given: { statusCode: 500, answer },
    ...variantOf(organization, lead),
  };
  const { organizationId, keys } = organization;
  const ended = await client.query(
    `insert into lead_result (organization_id, lead_id, vertical_id, campaign_id, publisher_tier_id, test, status, reason, revenue, payout, margin,
        sale_count, attempt_count, elapsed_ms, buyers_ms, store_ms, finished_at, verdicts, explained)
      values ($1, $2, $3, $4, $5, $6, 'error', 'interrupted', 0, 0, 0, 0, $7, 0, 0, 0, $8, '[]', $9) on conflict do nothing`,
    [
      organizationId,
      lead.id,
      lead.vertical_id,
      lead.campaign_id,
      lead.publisher_tier_id,
      lead.test,
      lead.posts.length,
      new Date(now),
      sealJson(keys, 'lead_result.explained', lead.id, explained),
    ],
  );
  if (ended.rowCount === 0) return false;
  for (const [index, buyerTierId] of lead.posts.entries()) await insertUnknown(client, organization, lead, index, buyerTierId);
  await client.query('select mark_report($1, $2)', [organizationId, [lead.id]]);
  await client.query('select queue_webhooks($1, $2, $3, $4)', [organizationId, lead.id, 'lead.notSold', new Date(now)]);
  await client.query(
    `update reservation set unknown_since = now() where organization_id = $1 and lead_id = $2 and purpose = 'post' and subject_id = any($3)`,
    [organizationId, lead.id, lead.posts],
  );
  await endBookings(client, organizationId, lead);
  return true;
}

/** By which terms a lead in doubt went, its variant of a test that still runs among them: for whoever settles it. */
function variantOf(organization: OrganizationPlan, lead: OpenLead): Pick<Explained, 'variant' | 'variantTerms'> {
  const { keys, plan } = organization;
  const seat = plan.publisherTiers.get(lead.publisher_tier_id);
  if (!seat || lead.posts.length === 0) return {};
  if (!seat.split) return variantTermsOf(organization, lead.publisher_tier_id, undefined);
  const ping = lead.ping_explained
    ? openJsonIfSound<Explained>(keys, 'lead_result.explained', lead.ping_id!, lead.ping_explained)
    : undefined;
  const stored = openIfSound(keys, lead.id, lead.fields);
  const bucket = stored && consumerOf(organization, lead.publisher_tier_id, stored.fields, lead.ping_id ?? lead.id)?.bucket;
  const { variant, split } = takeVariant(seat, {
    ...(ping?.variant && { variantId: ping.variant.variantId }),
    ...(bucket !== undefined && { bucket }),
  });
  if (!variant || !split) return {};
  const taken = { testId: split.testId, variantId: variant.variantId };
  return { variant: taken, ...variantTermsOf(organization, lead.publisher_tier_id, taken) };
}

/**
 * What the lead had booked besides, but for what came on top of a post that is in doubt, which ends with that: notes of clear refusals, and its
 * admission; that of a lead which no buyer saw frees its consumer again.
 */
async function endBookings(client: pg.PoolClient, organizationId: string, lead: OpenLead): Promise<void> {
  const over = await client.query(
    // A post that its node, alive after all, has booked meanwhile is left to that node, or to whoever gives forgotten places back.
    `delete from reservation where organization_id = $1 and lead_id = $2 and unknown_since is null
        and not (purpose = 'post' and (claims <> '[]' or fingerprints <> '{}'))
        and not (purpose in ('raise', 'promotion') and subject_id = any($3)) returning subject_id, purpose, claims, fingerprints`,
    [organizationId, lead.id, lead.posts],
  );
  // It is paid to nobody.
  for (const [counter, amount] of over.rows
    .filter(({ purpose }) => purpose === 'promotion' || purpose === 'raise')
    .flatMap((one) => one.claims)
    .sort())
    await client.query('update counter set used = greatest(0, used - $3) where organization_id = $1 and counter = $2', [
      organizationId,
      counter,
      amount,
    ]);
  for (const row of over.rows.filter((one) => one.purpose === 'admit' && lead.posts.length === 0)) {
    await client.query(
      `delete from duplicate_claim where organization_id = $1 and scope_id = $2 and fingerprint = any($3) and lead_id = $4`,
      [organizationId, row.subject_id, row.fingerprints, lead.id],
    );
  }
}

async function insertUnknown(
  client: pg.PoolClient,
  organization: OrganizationPlan,
  lead: OpenLead,
  index: number,
  buyerTierId: string,
): Promise<void> {
  const { organizationId } = organization;
  const buyer = organization.buyerWires.get(buyerTierId);
  // Nobody knows by which variant of a test it went: the live tree is looked through first.
  const variants = organization.plan.publisherTiers.get(lead.publisher_tier_id)?.split?.variants ?? [];
  const trees = [organization.plan.campaigns.get(lead.campaign_id), ...variants.map(({ seat }) => seat.campaign)];
  const group = trees
    .flatMap((tree) => tree?.config.groups ?? [])
    .find((one) => one.members.some((member) => member.buyerTierId === buyerTierId));
  if (!buyer || !group) return;
  await client.query(
    `insert into attempt (organization_id, lead_id, attempt_index, vertical_id, buyer_id, buyer_tier_id, group_id, test, leg, outcome, answer, started_at, elapsed_ms)
      select $1, $2, $3, $4, $5, $6, $7, $8, 'post', 'terrors', 'unknown', v.reserved_at, 0 from reservation v
        where v.organization_id = $1 and v.lead_id = $2 and v.subject_id = $6 and v.purpose = 'post' on conflict do nothing`,
    [organizationId, lead.id, index, lead.vertical_id, buyer.buyerId, buyerTierId, group.id, lead.test],
  );
}
