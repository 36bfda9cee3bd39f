/** How full caps are: of records as they are set, whether or not leads are routed by them. */
import type { CapUse } from '#contract/portal.ts';
import { compileCaps } from '#engine/cap.ts';
import { formatMoney } from '#engine/money.ts';
import type { CapConfig } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';

/** By the id of who has the caps; one whose caps cannot be counted has none. */
export async function readCapUse(
  db: Db,
  organizationId: string,
  owners: readonly { id: string; caps: CapConfig[] }[],
  now: number,
): Promise<Map<string, CapUse[]>> {
  const claims = owners.flatMap(({ id, caps }) => {
    // Each by itself: what is asked for is shown as it was set.
    return caps.flatMap((cap) => {
      const compiled = compileCaps(id, [cap]);
      return typeof compiled === 'string' ? [] : compiled.map((one) => ({ id, cap, claim: one.claimAt(now, 0) }));
    });
  });
  const counters = [...new Set(claims.map(({ claim }) => claim.counter))];
  const rows =
    counters.length === 0
      ? []
      : await db
          .selectFrom('counter')
          .select(['counter', 'used'])
          .where('organization_id', '=', organizationId)
          .where('counter', 'in', counters)
          .execute();
  const used = new Map(rows.map((row) => [row.counter, row.used]));
  const views = claims.map(({ id, cap, claim }) => {
    const taken = used.get(claim.counter) ?? 0;
    const said = cap.measure === 'money' ? formatMoney : String;
    return {
      id,
      view: {
        ...{ measure: cap.measure, period: cap.period, timeZone: cap.timeZone, limit: said(cap.limit), used: said(taken) },
        share: cap.limit === 0 ? 1 : Math.min(1, taken / cap.limit),
        startsAt: claim.windowStartAt === null ? null : new Date(claim.windowStartAt).toISOString(),
        resetsAt: claim.resetsAt === null ? null : new Date(claim.resetsAt).toISOString(),
      },
    };
  });
  return new Map([...Map.groupBy(views, ({ id }) => id)].map(([id, of]) => [id, of.map(({ view }) => view)]));
}
