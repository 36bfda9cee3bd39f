/**
 * Whose turn it is in round robin and weighted groups. Each node keeps what it has seen and its own turns since; the turns are
 * stored with the leads they belong to, so a restart goes on where it stopped. Shares are balanced over the last few hundred turns
 * of a group, not over all time: a tier that joins a tree late, or comes back from a pause, takes its share and not all it missed.
 */
import type { Turn, Turns } from '#engine/lead.ts';
import type { Db } from '#server/kit/database.ts';

export interface Rotation {
  of(organizationId: string): Turns;
  /** Counted as soon as the engine has chosen, before anything is waited for: leads that come together must not all choose alike. */
  took(organizationId: string, groupId: string, buyerTierId: string, at: number): void;
  /** The turn went to another tier after all. */
  gaveBack(organizationId: string, groupId: string, buyerTierId: string, lastTurnAt: number | undefined): void;
}

/** Turns a group remembers; beyond that all of them fade by half. */
export const REMEMBERED_TURNS = 200;

export async function openRotation(db: Db): Promise<Rotation> {
  const groups = new Map<string, Map<string, Turn>>();
  for (const row of await db.selectFrom('group_turn').selectAll().execute()) {
    groupOf(groups, row.organization_id + row.group_id).set(row.buyer_tier_id, {
      turns: row.turns,
      lastTurnAt: row.last_turn_at.getTime(),
    });
  }
  for (const group of groups.values()) while (totalOf(group) > REMEMBERED_TURNS) fade(group);
  return rotationOver(groups);
}

/** In memory only; `groups` by organization and group id. */
export function rotationOver(groups: Map<string, Map<string, Turn>> = new Map()): Rotation {
  return {
    of: (organizationId) => ({ find: (groupId, buyerTierId) => groups.get(organizationId + groupId)?.get(buyerTierId) }),
    took(organizationId, groupId, buyerTierId, at) {
      const group = groupOf(groups, organizationId + groupId);
      group.set(buyerTierId, { turns: (group.get(buyerTierId)?.turns ?? 0) + 1, lastTurnAt: at });
      if (totalOf(group) > REMEMBERED_TURNS) fade(group);
    },
    gaveBack(organizationId, groupId, buyerTierId, lastTurnAt) {
      const group = groupOf(groups, organizationId + groupId);
      const turn = group.get(buyerTierId);
      if (!turn) return;
      if (lastTurnAt === undefined) group.delete(buyerTierId);
      else group.set(buyerTierId, { turns: Math.max(0, turn.turns - 1), lastTurnAt });
    },
  };
}

function groupOf(groups: Map<string, Map<string, Turn>>, name: string): Map<string, Turn> {
  const known = groups.get(name) ?? new Map<string, Turn>();
  groups.set(name, known);
  return known;
}

function totalOf(group: Map<string, Turn>): number {
  let total = 0;
  for (const { turns } of group.values()) total += turns;
  return total;
}

function fade(group: Map<string, Turn>): void {
  for (const [tier, turn] of group) group.set(tier, { ...turn, turns: turn.turns / 2 });
}
