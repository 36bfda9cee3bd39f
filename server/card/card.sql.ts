/** Cards as the public pages read them, and what happens to them on a day. */
import { sql } from 'kysely';
import type { SocialMedia } from '#contract/card.ts';
import type { DesignKey } from '#contract/card-design.ts';
import type { Db } from '#server/kit/database.ts';

export interface PublicCard {
  organizationId: string;
  id: string;
  verticalId: string;
  name: string;
  title: string;
  company: string;
  email: string;
  phone: string;
  website: string;
  additionalInformation: string;
  socialMedia: SocialMedia;
  designKey: DesignKey;
  designColor: string;
  /** When the picture was put up; null without one. */
  avatarAt: Date | null;
  hasLander: boolean;
  publisherTierId: string | null;
  landerDescription: string;
  landerFields: string[];
  consentText: string;
}

/** An active card by its public address, of whatever organization: the address is the only thing that is known of it. */
export async function findPublicCard(db: Db, id: string): Promise<PublicCard | undefined> {
  const row = await db
    .selectFrom('card')
    .select(['organization_id', 'id', 'vertical_id', 'name', 'title', 'company', 'email', 'phone', 'website', 'additional_information'])
    .select(['social_media', 'design_key', 'design_color_hash', 'avatar_at', 'has_lander', 'publisher_tier_id'])
    .select(['lander_description', 'lander_fields', 'consent_text'])
    .where('id', '=', id)
    .where('status', '=', 'active')
    .executeTakeFirst();
  return (
    row && {
      organizationId: row.organization_id,
      id: row.id,
      verticalId: row.vertical_id,
      name: row.name,
      title: row.title,
      company: row.company,
      email: row.email,
      phone: row.phone,
      website: row.website,
      additionalInformation: row.additional_information,
      socialMedia: row.social_media as SocialMedia,
      designKey: row.design_key as DesignKey,
      designColor: row.design_color_hash,
      avatarAt: row.avatar_at,
      hasLander: row.has_lander,
      publisherTierId: row.publisher_tier_id,
      landerDescription: row.lander_description,
      landerFields: row.lander_fields,
      consentText: row.consent_text,
    }
  );
}

export interface Picture {
  organizationId: string;
  bytes: Buffer;
  type: string;
  at: Date;
}

/** Undefined where there is none, or one of more than `mostBytes`. */
export async function findPicture(db: Db, id: string, mostBytes?: number): Promise<Picture | undefined> {
  const row = await db
    .selectFrom('card')
    .select(['organization_id', 'avatar', 'avatar_type', 'avatar_at'])
    .where('id', '=', id)
    .where('status', '=', 'active')
    .$if(mostBytes !== undefined, (query) => query.where(sql<boolean>`octet_length(avatar) <= ${mostBytes}`))
    .executeTakeFirst();
  if (!row?.avatar || !row.avatar_type || !row.avatar_at) return undefined;
  return { organizationId: row.organization_id, bytes: row.avatar, type: row.avatar_type, at: row.avatar_at };
}

export type CardEvent = 'card_views' | 'lander_views' | 'submissions' | 'sold';
export type CardCounts = Partial<Record<CardEvent, number>>;

/** So many more on this day. */
export async function countEvents(db: Db, { organizationId, id }: PublicCard, counts: CardCounts, now: Date): Promise<void> {
  const entries = Object.entries(counts);
  await db
    .insertInto('card_day')
    .values({ organization_id: organizationId, card_id: id, day: sql`${now}::timestamptz at time zone 'UTC'`, ...counts })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'card_id', 'day'])
        .doUpdateSet(Object.fromEntries(entries.map(([event, more]) => [event, sql`${sql.ref(`card_day.${event}`)} + ${more}`]))),
    )
    .execute();
}
