/** Of which kind a publisher tier is: what that closes to it, and what keeps it from becoming another. */
import type { PublisherTierKind } from '#contract/tier.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { Row, Tx } from '#server/record/record-model.ts';

/** Nobody would post to it any more, or no lander have a tier: what still does is told, and set right first. Throws 409. */
export async function requireKind(tx: Tx, organizationId: string, row: Row, before: Row): Promise<void> {
  if (row.kind === before.kind) return;
  const id = String(row.id);
  const uses =
    row.kind === 'lander'
      ? [...(await keysInUse(tx, organizationId, id)), ...(await landingPagesOf(tx, organizationId, id))]
      : await landersOf(tx, organizationId, id);
  if (uses.length === 0) return;
  const message =
    row.kind === 'lander'
      ? `It cannot take leads from landers alone yet: ${uses.slice(0, MOST_TOLD).join(' ')} Revoke its keys and archive its landing pages first, or add another tier for landers.`
      : `It cannot take posted leads yet: ${uses.slice(0, MOST_TOLD).join(' ')} Choose another tier there first, or add another tier for the API.`;
  throw new HttpError(409, 'publisher_tier_kind_in_use', message, { uses, errors: [{ field: 'kind', message }] });
}

const MOST_TOLD = 5;

async function keysInUse(tx: Db, organizationId: string, id: string): Promise<string[]> {
  const keys = await tx
    .selectFrom('posting_key')
    .select('prefix')
    .where('organization_id', '=', organizationId)
    .where('publisher_tier_id', '=', id)
    .where((key) => key.or([key('revoked_at', 'is', null), key('revoked_at', '>', new Date())]))
    .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', new Date())]))
    .orderBy('id')
    .execute();
  return keys.map(({ prefix }) => `Its posting key ${prefix}… is in use.`);
}

async function landingPagesOf(tx: Db, organizationId: string, id: string): Promise<string[]> {
  return (await namesOf(tx, 'landing_page', organizationId, id)).map((name) => `Leads of the landing page ${name} are posted to it.`);
}

/** The landers that a tier being archived, or becoming another, would close. */
export async function landersOf(tx: Db, organizationId: string, id: string): Promise<string[]> {
  return (await namesOf(tx, 'card', organizationId, id)).map((name) => `The lander of card ${name} sends its leads to it.`);
}

async function namesOf(tx: Db, table: 'landing_page' | 'card', organizationId: string, tierId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom(table)
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('publisher_tier_id', '=', tierId)
    .where('status', '<>', 'archived')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** The tier that a card or a landing page names, as it has to be for that. */
export interface NamedTier {
  name: string;
  kind: PublisherTierKind;
}

/** Undefined where it is archived, or of another vertical. */
export async function findTierOf(tx: Db, organizationId: string, id: string, verticalId: string): Promise<NamedTier | undefined> {
  const tier = await tx
    .selectFrom('publisher_tier as p')
    .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 'p.organization_id').onRef('c.id', '=', 'p.campaign_id'))
    .select(['p.name', 'p.kind', 'p.status', 'c.vertical_id'])
    .where('p.organization_id', '=', organizationId)
    .where('p.id', '=', id)
    .executeTakeFirst();
  if (!tier || tier.vertical_id !== verticalId || tier.status === 'archived') return undefined;
  return { name: tier.name, kind: tier.kind as PublisherTierKind };
}
