/**
 * Whose turn it is in round robin and weighted groups. Each node keeps what it has seen and its own turns since; the turns
 * are stored with the leads they belong to, so a restart goes on where it stopped.
 */
import type { Turn, Turns } from '#engine/lead.ts';
import type { Db } from '#server/kit/database.ts';

export interface Rotation {
  of(organizationId: string): Turns;
  took(organizationId: string, groupId: string, buyerTierId: string, at: number): void;
}

export async function openRotation(db: Db): Promise<Rotation> {
  const turns = new Map<string, Turn>();
  for (const row of await db.selectFrom('group_turn').selectAll().execute()) {
    turns.set(row.organization_id + row.group_id + row.buyer_tier_id, { turns: row.turns, lastTurnAt: row.last_turn_at.getTime() });
  }
  return {
    of: (organizationId) => ({ find: (groupId, buyerTierId) => turns.get(organizationId + groupId + buyerTierId) }),
    took(organizationId, groupId, buyerTierId, at) {
      const name = organizationId + groupId + buyerTierId;
      turns.set(name, { turns: (turns.get(name)?.turns ?? 0) + 1, lastTurnAt: at });
    },
  };
}
