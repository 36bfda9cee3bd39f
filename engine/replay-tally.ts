/** What came of many leads, in sums: of a replay, and of what really happened, so that the three can be laid side by side. */
import type { Decision, LeadStatus, Outcome } from './decision.ts';
import type { Money } from './plan.ts';

export interface Sums {
  sales: number;
  revenue: Money;
  payout: Money;
  margin: Money;
}

export interface TierTally extends Sums {
  /** Leads that it was asked about. */
  asked: number;
  /** Leads by what became of them at this tier: an outcome, or `filtered <key>` where a filter reason key says which rule. */
  ends: Record<string, number>;
}

export interface GroupTally extends Sums {
  asked: number;
}

export interface Tally extends Sums {
  leads: number;
  /** Leads sold at least once. */
  sold: number;
  statuses: Partial<Record<LeadStatus, number>>;
  /** Of leads that were not sold. */
  reasons: Record<string, number>;
  buyerTiers: Record<string, TierTally>;
  groups: Record<string, GroupTally>;
}

const noSums = (): Sums => ({ sales: 0, revenue: 0, payout: 0, margin: 0 });
export const emptyTally = (): Tally => ({ ...noSums(), leads: 0, sold: 0, statuses: {}, reasons: {}, buyerTiers: {}, groups: {} });

/** One lead as it ended, whoever decided it. */
export interface EndedLead {
  status: LeadStatus;
  reason?: string | undefined;
  sales: readonly { buyerTierId: string; revenue: Money; payout: Money; margin: Money }[];
  attempts: readonly { buyerTierId: string; groupId: string }[];
  verdicts: readonly { buyerTierId: string; outcome: Outcome; filterReasonKey?: number }[];
}

export function addLead(tally: Tally, { status, reason, sales, attempts, verdicts }: EndedLead): void {
  tally.leads += 1;
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
  if (sales.length > 0) tally.sold += 1;
  else if (reason) tally.reasons[reason] = (tally.reasons[reason] ?? 0) + 1;
  const groupOf = addAsked(tally, attempts);
  for (const sale of sales) {
    addSums(tally, sale);
    addSums(tierOf(tally, sale.buyerTierId), sale);
    const groupId = groupOf.get(sale.buyerTierId);
    if (groupId !== undefined) addSums(groupIn(tally, groupId), sale);
  }
  for (const { buyerTierId, outcome, filterReasonKey } of verdicts) {
    const { ends } = tierOf(tally, buyerTierId);
    const end = filterReasonKey === undefined ? outcome : `${outcome} ${filterReasonKey}`;
    ends[end] = (ends[end] ?? 0) + 1;
  }
}

export const addDecision = (tally: Tally, decision: Decision): void => addLead(tally, decision as EndedLead);

/** Each tier and each group once a lead, though a ping and a post are two calls. The group of each tier comes back. */
function addAsked(tally: Tally, attempts: EndedLead['attempts']): Map<string, string> {
  const groupOf = new Map<string, string>();
  const groups = new Set<string>();
  for (const { buyerTierId, groupId } of attempts) {
    if (!groupOf.has(buyerTierId)) tierOf(tally, buyerTierId).asked += 1;
    groupOf.set(buyerTierId, groupId);
    if (!groups.has(groupId)) groupIn(tally, groupId).asked += 1;
    groups.add(groupId);
  }
  return groupOf;
}

function tierOf(tally: Tally, buyerTierId: string): TierTally {
  tally.buyerTiers[buyerTierId] ??= { ...noSums(), asked: 0, ends: {} };
  return tally.buyerTiers[buyerTierId];
}

function groupIn(tally: Tally, groupId: string): GroupTally {
  tally.groups[groupId] ??= { ...noSums(), asked: 0 };
  return tally.groups[groupId];
}

function addSums(sums: Sums, sale: { revenue: Money; payout: Money; margin: Money }): void {
  sums.sales += 1;
  sums.revenue += sale.revenue;
  sums.payout += sale.payout;
  sums.margin += sale.margin;
}
