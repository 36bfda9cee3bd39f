/** What a live screen did not hear of while it was away. */
import { sql } from 'kysely';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';

/** As many as a screen shows. */
const TOLD_AT_MOST = 50;
const LOOKED_AT_MOST = 1_000;
/** From a lead's coming to its end. */
const LONGEST_LEAD_MS = 5 * 60_000;
/** Between a lead's end on one node and its being told by another. */
const TOLD_LATE_MS = 10_000;

export interface MissedLead {
  id: string;
  endedAt: Date;
}

/** Leads of a vertical that ended at or after `since` (milliseconds since the epoch), the latest 50, in the order in which they ended; some that were told may be among them. */
export async function missedLeads(db: Db, organizationId: string, verticalId: string, since: number): Promise<MissedLead[]> {
  const { rows } = await sql<MissedLead>`
    select * from (
      select * from (
        select lead_id as id, finished_at as "endedAt" from lead_result
          where organization_id = ${organizationId}::uuid and vertical_id = ${verticalId}::uuid
            and lead_id >= ${idFloor(since - TOLD_LATE_MS - LONGEST_LEAD_MS)}::uuid
          order by lead_id desc limit ${LOOKED_AT_MOST}) came
      where "endedAt" >= ${new Date(since - TOLD_LATE_MS)} order by "endedAt" desc, id desc limit ${TOLD_AT_MOST}) ended
    order by "endedAt", id`.execute(db);
  return rows;
}
