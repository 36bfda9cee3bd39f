/**
 * The room of a node among its organizations (reliability D10): while there is enough, everybody takes what they need; once half is taken, none holds
 * more than an equal share, with one left for whoever comes next. So one that sends more than its buyers answer is turned away, and the others are not.
 */
export interface FairShare {
  /** False where the organization has its share under way. What entered is to leave. */
  enter(organizationId: string): boolean;
  leave(organizationId: string): void;
}

/** `room`: leads at once, of all together. `isShared`: whether the installation has several organizations. */
export function openFairShare(room: number, isShared: () => boolean): FairShare {
  const underWay = new Map<string, number>();
  let all = 0;
  return {
    enter(organizationId) {
      const own = underWay.get(organizationId) ?? 0;
      const others = underWay.size - (own > 0 ? 1 : 0);
      if (2 * all >= room && isShared() && own >= room / (others + 2)) return false;
      underWay.set(organizationId, own + 1);
      all += 1;
      return true;
    },
    leave(organizationId) {
      const own = underWay.get(organizationId)! - 1;
      if (own === 0) underWay.delete(organizationId);
      else underWay.set(organizationId, own);
      all -= 1;
    },
  };
}
