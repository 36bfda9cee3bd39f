/** Sample leads and calls that made no lead, as they are gone through for a person: no index finds anybody in them. */
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import type { SoughtSpan } from './find-person.sql.ts';

interface Stretch extends SoughtSpan {
  order: 'asc' | 'desc';
  /** An id that is left out: those behind it in this order. */
  after: string | undefined;
  limit: number;
}

/** All calls that are kept beside leads; those with a `lead_id` were answered by one and go with it. */
export function listKeptCalls(db: Db, organizationId: string, { order, after, since, before, limit }: Stretch) {
  return db
    .selectFrom('api_call as a')
    .innerJoin('publisher_tier as t', (join) =>
      join.onRef('t.organization_id', '=', 'a.organization_id').onRef('t.id', '=', 'a.publisher_tier_id'),
    )
    .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'))
    .select(['a.id', 'a.publisher_tier_id', 'a.code', 'a.wire', 'a.lead_id', 'c.vertical_id'])
    .where('a.organization_id', '=', organizationId)
    .$if(after !== undefined, (select) => select.where('a.id', order === 'asc' ? '>' : '<', after!))
    .$if(since !== undefined, (select) => select.where('a.id', '>=', idFloor(since!)))
    .$if(before !== undefined, (select) => select.where('a.id', '<', idFloor(before!)))
    .orderBy('a.id', order)
    .limit(limit)
    .execute();
}

export type CallBeside = Awaited<ReturnType<typeof listKeptCalls>>[number];

/** Of these verticals: each has a few at most. */
export function listSamplesBeside(db: Db, organizationId: string, verticalIds: string[], { before }: SoughtSpan) {
  return db
    .selectFrom('sample_lead')
    .select(['id', 'vertical_id', 'name', 'fields'])
    .where('organization_id', '=', organizationId)
    .where('vertical_id', 'in', verticalIds)
    .$if(before !== undefined, (select) => select.where('id', '<', idFloor(before!)))
    .orderBy('id')
    .execute();
}
