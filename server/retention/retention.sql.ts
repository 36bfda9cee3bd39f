/** Which leads and calls a rule of a vertical comes to next. Both sort by time, so each rule goes through them once, from the oldest on. */
import { sql } from 'kysely';
import type { Db } from '#server/kit/database.ts';
import { idFloor, idInstant } from '#server/kit/ids.ts';

const DAY_MS = 86_400_000;

export type RetentionRule = 'unsold' | 'sold' | 'wires';

/** The first id that is kept: a rule takes whole days (UTC), so that it comes to its end once a day. Undefined where it keeps for ever. */
export const keptFrom = (days: number | null, now: number): string | undefined =>
  days === null ? undefined : idFloor(Math.floor(now / DAY_MS) * DAY_MS - days * DAY_MS);

/** A lead of which money is told, or may yet be, because a buyer may have it or has taken it too late: kept as long as sold ones. */
const IS_SOLD = sql<boolean>`(coalesce(r.status in ('sold', 'held') or r.sale_count > 0, false)
  or exists (select from reservation v where v.organization_id = l.organization_id and v.lead_id = l.id and v.unknown_since is not null)
  or exists (select from late_answer a where a.organization_id = l.organization_id and a.lead_id = l.id and a.outcome = 'accepted'
    and not exists (select from settlement d where d.organization_id = a.organization_id and d.lead_id = a.lead_id and d.buyer_tier_id = a.buyer_tier_id)))`;

export interface DueLead {
  id: string;
  isSold: boolean;
}

/** A call that made no lead holds a person who was not sold, in what was said on the wire: the sooner of the two rules takes it. */
export function callDays(unsoldDays: number | null, wireDays: number | null): number | null {
  const days = [unsoldDays, wireDays].filter((one) => one !== null);
  return days.length === 0 ? null : Math.min(...days);
}

interface Span {
  organizationId: string;
  verticalId: string;
  /** Beyond this lead or call. */
  after: string;
  /** Before this one. */
  before: string;
}

export async function listDue(db: Db, { organizationId, verticalId, after, before }: Span, limit: number): Promise<DueLead[]> {
  const { rows } = await sql<DueLead>`
    select l.id, ${IS_SOLD} as "isSold"
    from lead l left join lead_result r on r.organization_id = l.organization_id and r.lead_id = l.id
    where l.organization_id = ${organizationId}::uuid and l.vertical_id = ${verticalId}::uuid and l.id > ${after}::uuid and l.id < ${before}::uuid
    order by l.id limit ${limit}`.execute(db);
  return rows;
}

/** Calls that made no lead, the oldest first. */
export async function listDueCalls(db: Db, { organizationId, verticalId, after, before }: Span, limit: number): Promise<{ id: string }[]> {
  return db
    .selectFrom('api_call as c')
    .innerJoin('publisher_tier as p', (on) =>
      on.onRef('p.organization_id', '=', 'c.organization_id').onRef('p.id', '=', 'c.publisher_tier_id'),
    )
    .innerJoin('campaign as k', (on) => on.onRef('k.organization_id', '=', 'p.organization_id').onRef('k.id', '=', 'p.campaign_id'))
    .select('c.id')
    .where('c.organization_id', '=', organizationId)
    .where('k.vertical_id', '=', verticalId)
    .where('c.lead_id', 'is', null)
    .where('c.id', '>', after)
    .where('c.id', '<', before)
    .orderBy('c.id')
    .limit(limit)
    .execute();
}

/** Those that the rule takes. */
export const takenBy = (rule: RetentionRule, due: DueLead[]): DueLead[] =>
  rule === 'wires' ? due : due.filter(({ isSold }) => isSold === (rule === 'sold'));

/** Of the leads that lie before it, those that the rule would take; no more than `most` are looked at. */
export async function countDue(db: Db, span: Span, rule: RetentionRule, most: number): Promise<{ leads: number; isMore: boolean }> {
  const due = await listDue(db, span, most);
  return { leads: takenBy(rule, due).length, isMore: due.length === most };
}

export async function countDueCalls(db: Db, span: Span, most: number): Promise<{ calls: number; isMore: boolean }> {
  const { length: calls } = await listDueCalls(db, span, most);
  return { calls, isMore: calls === most };
}

/** A lead came to nothing that the rule of unsold ones may have passed by while it was held: it goes on from there. */
export async function lookAgainFrom(db: Db, organizationId: string, verticalId: string, leadId: string): Promise<void> {
  await db
    .updateTable('retention')
    .set({ unsold_after: idFloor(idInstant(leadId)) })
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .where('unsold_after', '>=', leadId)
    .execute();
}
