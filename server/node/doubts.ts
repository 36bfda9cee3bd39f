/** Leads of this node whose caller heard that they were not taken, while the database may have taken them: nobody is working on those. */

/** A database that is away for so long that more are in doubt has the oldest ended by whoever looks for forgotten leads. */
const MOST = 50_000;

export interface Doubts {
  /** Of a lead that was sent to the database, whose answer was lost. */
  add(organizationId: string, leadId: string): void;
  /** Takes out those that have been in doubt for so long: lead ids by organization. */
  take(afterMs: number): Map<string, string[]>;
  /** They could not be looked at. */
  putBack(doubtful: ReadonlyMap<string, string[]>): void;
}

export function openDoubts(clock: () => number = () => performance.now()): Doubts {
  /** By lead, the oldest first. */
  const since = new Map<string, { organizationId: string; at: number }>();
  const keep = (organizationId: string, leadId: string, at: number) => {
    since.set(leadId, { organizationId, at });
    if (since.size > MOST) since.delete(since.keys().next().value!);
  };
  return {
    add: (organizationId, leadId) => keep(organizationId, leadId, clock()),
    take(afterMs) {
      const taken = new Map<string, string[]>();
      for (const [leadId, { organizationId, at }] of since) {
        if (clock() - at < afterMs) continue;
        since.delete(leadId);
        const ids = taken.get(organizationId);
        if (ids) ids.push(leadId);
        else taken.set(organizationId, [leadId]);
      }
      return taken;
    },
    putBack(doubtful) {
      for (const [organizationId, ids] of doubtful) for (const leadId of ids) keep(organizationId, leadId, Number.NEGATIVE_INFINITY);
    },
  };
}
