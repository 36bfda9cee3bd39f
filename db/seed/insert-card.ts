/** A public card of the demo world, and what happened there beside the leads that it sent. */
import { sql, type Transaction } from 'kysely';
import type { Database } from '#db/types.ts';
import type { Db } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import type { InsertedOrganization } from './insert-world.ts';
import type { WorldCard } from './world/world.ts';

export interface InsertedCard {
  id: string;
  consentText: string;
  /** Names of what its lander asks for. */
  fields: string[];
}

export async function insertCard(tx: Transaction<Database>, inserted: InsertedOrganization, card: WorldCard): Promise<InsertedCard> {
  const tier = inserted.world.publishers.flatMap(({ tiers }) => tiers).find(({ slug }) => slug === card.tier)!;
  const { place } = inserted.world.campaigns.find(({ slug }) => slug === tier.campaign)!;
  const [region, vertical] = place.split('/');
  const asked = inserted.world.regions
    .find(({ slug }) => slug === region)!
    .verticals.find(({ slug }) => slug === vertical)!
    .fields.filter(({ required, type }) => required && type !== 'ip')
    .map(({ fieldName }) => fieldName);
  const id = newId();
  const { name, title, company, email, phone, website } = card;
  await tx
    .insertInto('card')
    .values({
      ...{ organization_id: inserted.id, id, vertical_id: inserted.verticals.get(place)!.verticalId },
      ...{ name, title, company, email, phone, website },
      additional_information: card.about,
      social_media: JSON.stringify([{ kind: 'linkedin', url: card.linkedin, label: '' }]),
      design_key: card.design,
      has_lander: true,
      publisher_tier_id: inserted.publisherTiers.get(card.tier)!,
      lander_description: card.description,
      lander_fields: asked,
      consent_text: card.consent,
    })
    .execute();
  return { id, consentText: card.consent, fields: asked };
}

/** Views and submissions of the past, by what its leads tell: several look for each one who writes. */
export async function countVisits(db: Db): Promise<void> {
  const chance = sql`('x' || substr(md5(g.lead_id::text), 1, 6))::bit(24)::int`;
  await sql`insert into page_hour (organization_id, page_id, hour_at, views, submits)
    select g.organization_id, g.page_id, date_trunc('hour', uuid7_instant(g.lead_id), 'UTC'), sum(2 + ${chance} % 9), count(*) from lead_page g group by 1, 2, 3`.execute(
    db,
  );
  await sql`select mark_report(organization_id, array_agg(uuid7_floor(hour_at))) from page_hour group by organization_id`.execute(db);
  await sql`insert into card_day (organization_id, card_id, day, card_views, lander_views, submissions, sold)
    select g.organization_id, g.page_id, (uuid7_instant(g.lead_id) at time zone 'UTC')::date, sum(5 + ${chance} % 17), sum(2 + ${chance} % 9), count(*),
      count(*) filter (where r.status = 'sold')
    from lead_page g join card k on k.organization_id = g.organization_id and k.id = g.page_id
      join lead_result r on r.organization_id = g.organization_id and r.lead_id = g.lead_id group by 1, 2, 3`.execute(db);
}
