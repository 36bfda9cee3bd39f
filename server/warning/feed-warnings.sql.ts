/** Feeds of leads whose last file did not come to where it goes. */
import type { Warning } from '#contract/warning.ts';
import type { Db } from '#server/kit/database.ts';

export async function listFailingFeeds(db: Db, organizationId: string, verticalId: string, now: number): Promise<Warning[]> {
  const rows = await db
    .selectFrom('export_feed as f')
    .select(['f.id', 'f.name', 'f.failing_since'])
    .select((of) =>
      of
        .selectFrom('export_run as r')
        .select('r.failure')
        .whereRef('r.organization_id', '=', 'f.organization_id')
        .whereRef('r.feed_id', '=', 'f.id')
        .where('r.failure', 'is not', null)
        .orderBy('r.last_at', 'desc')
        .limit(1)
        .as('failure'),
    )
    .where('f.organization_id', '=', organizationId)
    .where('f.vertical_id', '=', verticalId)
    .where('f.status', '=', 'active')
    .where('f.failing_since', 'is not', null)
    .orderBy('f.failing_since')
    .execute();
  return rows.map((row) => ({
    ...{ kind: 'feedFailing', subjectId: row.id, tierIds: [], mark: 'Feed fails' },
    text: `The feed ${row.name} has sent nothing for ${sayLong(now - row.failing_since!.getTime())}. ${row.failure ?? ''}`.trim(),
  }));
}

function sayLong(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 120) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return minutes < 2 * 1440 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1440)} days`;
}
