/** Promotions as the engine is told of them, and whom they may be for. */
import { sql } from 'kysely';
import type { PromotionBoard } from '#contract/promotion.ts';
import { parseMoney } from '#engine/money.ts';
import type { ActiveStatus, Hours, PriceModel, PromotionConfig, PromotionTarget, Raise } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';

/** Archived and paused ones too: what a ping was promised a moment ago is still counted. */
export async function listPromotions(db: Db, organizationId: string, verticalId?: string): Promise<PromotionConfig[]> {
  const rows = await db
    .selectFrom('promotion')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .$if(verticalId !== undefined, (query) => query.where('vertical_id', '=', verticalId!))
    .orderBy('id')
    .execute();
  return rows.map(readPromotion);
}

export interface PromotionRow {
  id: string;
  name: string;
  vertical_id: string;
  status: string;
  target: unknown;
  raise: unknown;
  from_on: string;
  to_on: string | null;
  time_zone: string;
  hours: unknown;
  lead_cap: number | null;
  money_cap: string | null;
  below_margin: boolean;
}

export function readPromotion(row: PromotionRow): PromotionConfig {
  return {
    id: row.id,
    name: row.name,
    verticalId: row.vertical_id,
    status: row.status as ActiveStatus,
    target: row.target as PromotionTarget,
    raise: row.raise as Raise,
    from: row.from_on,
    ...(row.to_on !== null && { to: row.to_on }),
    timeZone: row.time_zone,
    ...(row.hours !== null && { hours: row.hours as Hours }),
    ...(row.lead_cap !== null && { leadCap: row.lead_cap }),
    ...(row.money_cap !== null && { moneyCap: parseMoney(row.money_cap) ?? 0 }),
    belowMargin: row.below_margin,
  };
}

/** Everybody who posts in the vertical and is not archived. */
export async function listTargets(db: Db, organizationId: string, verticalId: string): Promise<PromotionBoard['targets']> {
  const seats = await db
    .selectFrom('publisher_tier as t')
    .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'))
    .innerJoin('publisher as p', (join) => join.onRef('p.organization_id', '=', 't.organization_id').onRef('p.id', '=', 't.publisher_id'))
    .select(['t.id', 't.name', 't.sub_id', 't.price_model', 't.publisher_id', 't.campaign_id', 'p.name as publisher_name'])
    .where('t.organization_id', '=', organizationId)
    .where('c.vertical_id', '=', verticalId)
    .where('t.status', '<>', 'archived')
    .where('c.status', '<>', 'archived')
    .where('p.status', '<>', 'archived')
    .orderBy('p.name')
    .orderBy('t.name')
    .execute();
  const campaigns = await db
    .selectFrom('campaign')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .where('status', '<>', 'archived')
    .orderBy('name')
    .execute();
  const publishers = new Map(seats.map((seat) => [seat.publisher_id, seat.publisher_name]));
  return {
    publisherTiers: seats.map((seat) => ({
      _id: seat.id,
      name: seat.name,
      publisherId: seat.publisher_id,
      publisherName: seat.publisher_name,
      campaignId: seat.campaign_id,
      subId: seat.sub_id,
      priceKind: (seat.price_model as PriceModel).kind,
    })),
    publishers: [...publishers].map(([_id, name]) => ({ _id, name })),
    campaigns: campaigns.map(({ id, name }) => ({ _id: id, name })),
    subIds: [...new Set(seats.map((seat) => seat.sub_id))].filter((subId) => subId !== '').sort(),
  };
}

/** What a promotion has paid so far, in SQL over its row `t`. */
export const SOLD_LEADS = sql`(select count(*)::int from promotion_sale s where s.organization_id = t.organization_id and s.promotion_id = t.id)`;
export const EXTRA_PAID = sql`(select coalesce(sum(s.extra), 0)::numeric(19, 4) from promotion_sale s
  where s.organization_id = t.organization_id and s.promotion_id = t.id)`;

/** What it is at now: today is the day of its own zone. */
export const PHASE = sql`(case when t.status = 'archived' then 'archived'
  when (now() at time zone t.time_zone)::date::text > t.to_on then 'over'
  when t.lead_cap <= ${SOLD_LEADS} or t.money_cap <= ${EXTRA_PAID} then 'usedUp'
  when t.status = 'paused' then 'paused'
  when (now() at time zone t.time_zone)::date::text < t.from_on then 'coming'
  else 'on' end)`;

/** Whom it is for, by name. */
export const TARGET_NAME = sql`coalesce(
  (select p.name || ', ' || x.name from publisher_tier x join publisher p on p.organization_id = x.organization_id and p.id = x.publisher_id
    where x.organization_id = t.organization_id and x.id = t.publisher_tier_id),
  (select p.name from publisher p where p.organization_id = t.organization_id and p.id = t.publisher_id),
  (select c.name from campaign c where c.organization_id = t.organization_id and c.id = t.campaign_id),
  t.target ->> 'subId')`;
