/** Which leads a rule of a vertical comes to next. Leads sort by time, so each rule goes through them once, from the oldest on. */
import { sql } from 'kysely';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';

const DAY_MS = 86_400_000;

export type RetentionRule = 'unsold' | 'sold' | 'wires';
export interface KeptDays {
  unsold: number | null;
  sold: number | null;
  wires: number | null;
}

/** The first id that is kept: a rule takes whole days (UTC), so that it comes to its end once a day. Undefined where it keeps for ever. */
export const keptFrom = (days: number | null, now: number): string | undefined =>
  days === null ? undefined : idFloor(Math.floor(now / DAY_MS) * DAY_MS - days * DAY_MS);

/** A lead of which money is told, or may yet be: kept as long as sold ones. */
const IS_SOLD = sql<boolean>`coalesce(r.status in ('sold', 'held') or r.sale_count > 0, false)`;

export interface DueLead {
  id: string;
  isSold: boolean;
}

interface Span {
  organizationId: string;
  verticalId: string;
  /** Beyond this lead. */
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

/** Of the leads that lie before it, those that the rule would take; no more than `most` are looked at. */
export async function countDue(db: Db, span: Span, rule: RetentionRule, most: number): Promise<number> {
  const due = await listDue(db, span, most);
  return rule === 'unsold' ? due.filter(({ isSold }) => !isSold).length : due.length;
}
