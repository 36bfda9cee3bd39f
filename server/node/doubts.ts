/** Leads of this node whose caller heard that they were not taken, while the database may have taken them: nobody is working on those. */

/** A database that is away for so long that more are in doubt has the oldest ended by whoever looks for forgotten leads. */
const MOST = 50_000;
/** What a database takes while it comes to itself may stand a moment after the first look. */
const LOOKS = 2;

export interface Doubts {
  /** Of a lead that was sent to the database, whose answer was lost. */
  add(organizationId: string, leadId: string): void;
  /** Those that are to be looked at, as they were added, or looked at once, so long ago: lead ids by organization. */
  take(afterMs: number): Map<string, string[]>;
  /** They could not be looked at. */
  putBack(doubtful: ReadonlyMap<string, string[]>): void;
}

export function openDoubts(clock: () => number = () => performance.now()): Doubts {
  /** By lead, in the order in which they were last touched. */
  const doubts = new Map<string, { organizationId: string; since: number; looks: number }>();
  const keep = (leadId: string, doubt: { organizationId: string; since: number; looks: number }) => {
    doubts.delete(leadId);
    doubts.set(leadId, doubt);
    if (doubts.size > MOST) doubts.delete(doubts.keys().next().value!);
  };
  return {
    add: (organizationId, leadId) => keep(leadId, { organizationId, since: clock(), looks: 0 }),
    take(afterMs) {
      const now = clock();
      const taken = new Map<string, string[]>();
      for (const [leadId, { organizationId, since, looks }] of [...doubts]) {
        if (now - since < afterMs) continue;
        if (looks + 1 < LOOKS) keep(leadId, { organizationId, since: now, looks: looks + 1 });
        else doubts.delete(leadId);
        const ids = taken.get(organizationId);
        if (ids) ids.push(leadId);
        else taken.set(organizationId, [leadId]);
      }
      return taken;
    },
    putBack(doubtful) {
      for (const [organizationId, ids] of doubtful)
        for (const leadId of ids) keep(leadId, { organizationId, since: Number.NEGATIVE_INFINITY, looks: 0 });
    },
  };
}
