/** Replays as the console sees them: names in place of ids, amounts as texts. */
import type { ReplayBody, ReplayFigures, ReplayResult, ReplayView } from '#contract/replay.ts';
import type { TreeGroup } from '#contract/tree.ts';
import type { Reason } from '#engine/decision.ts';
import { formatMoney } from '#engine/money.ts';
import { DECLINE_LABELS } from '#engine/reason-label.ts';
import { emptyTally, type GroupTally, type Sums, type Tally, type TierTally } from '#engine/replay-tally.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { ReplayRow } from './replay.sql.ts';
import type { ReplayOutcome } from './run-replay.ts';

export function viewReplay(row: ReplayRow, organization: OrganizationPlan | undefined): ReplayView {
  const settings = row.settings as unknown as ReplayBody;
  const seat = settings.publisherTierId === null ? undefined : organization?.publisherSeats.get(settings.publisherTierId);
  const name = `${row.first_name ?? ''} ${row.last_name ?? ''}`.trim();
  return {
    _id: row.id,
    status: row.status as ReplayView['status'],
    campaign: { _id: row.campaign_id, name: row.campaign_name },
    publisherTierName: seat ? `${seat.publisherName}, ${seat.name}` : null,
    from: settings.from,
    to: settings.to,
    change: settings.change,
    settings: settings.settings,
    unrecorded: settings.unrecorded,
    startedBy: name || (row.email ?? ''),
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    total: row.total,
    done: row.done,
    failure: row.failure,
    marginChange: row.margin_change === null ? null : formatMoney(row.margin_change),
  };
}

interface Trees {
  published: TreeGroup[];
  changed: TreeGroup[];
}

export function viewResult(outcome: ReplayOutcome, trees: Trees, organization: OrganizationPlan | undefined): ReplayResult {
  const { really, published, changed, sources, pingsLeftOut, neverAsked, gained, lost, leadsPerSecond } = outcome;
  const three = [really, published, changed] as const;
  return {
    really: viewFigures(really),
    published: viewFigures(published),
    changed: viewFigures(changed),
    pingsLeftOut,
    neverAsked: neverAsked.map((id) => tierName(organization, id)).toSorted(),
    gained,
    lost,
    leadsPerSecond,
    sources,
    buyerTiers: seatedFirst(trees, three).map((id) => {
      const buyer = organization?.buyerWires.get(id);
      const of = (tally: Tally) => viewTier(tally.buyerTiers[id]);
      return { _id: id, name: buyer?.name ?? '', buyerName: buyer?.buyerName ?? '', ...ofThree(three, of) };
    }),
    groups: groupsOf(trees, three, organization).map(({ id, name }) => {
      return { _id: id, name, ...ofThree(three, (tally) => viewGroup(tally.groups[id])) };
    }),
  };
}

function tierName(organization: OrganizationPlan | undefined, id: string): string {
  const buyer = organization?.buyerWires.get(id);
  return buyer ? `${buyer.buyerName}, ${buyer.name}` : 'A tier that is gone';
}

function ofThree<T>([really, published, changed]: readonly [Tally, Tally, Tally], of: (tally: Tally) => T) {
  return { really: of(really), published: of(published), changed: of(changed) };
}

/** In the order of the changed tree, then those that only the published one has, then whoever else was asked. */
function seatedFirst({ changed, published }: Trees, tallies: readonly Tally[]): string[] {
  const seated = [...changed, ...published].flatMap(({ members }) => members.map(({ buyerTierId }) => buyerTierId));
  return [...new Set([...seated, ...tallies.flatMap(({ buyerTiers }) => Object.keys(buyerTiers))])];
}

/** A group that is new has no id yet: in the tally it goes by its place (replay-runner.ts). */
function groupsOf({ changed, published }: Trees, tallies: readonly Tally[], organization: OrganizationPlan | undefined) {
  const named = new Map<string, string>();
  for (const [place, { _id, name }] of changed.entries()) named.set(_id ?? `new ${place}`, name);
  for (const { _id, name } of published) if (_id !== null && !named.has(_id)) named.set(_id, name);
  for (const id of tallies.flatMap(({ groups }) => Object.keys(groups)))
    if (!named.has(id)) named.set(id, organization?.groupNames.get(id)?.name ?? 'A group that is gone');
  return [...named].map(([id, name]) => ({ id, name }));
}

const viewSums = ({ sales, revenue, payout, margin }: Sums) => ({
  sales,
  revenue: formatMoney(revenue),
  payout: formatMoney(payout),
  margin: formatMoney(margin),
});

function viewFigures(tally: Tally): ReplayFigures {
  const reasons = Object.entries(tally.reasons).map(([reason, leads]) => ({
    reason,
    label: DECLINE_LABELS[reason as Reason] ?? reason,
    leads,
  }));
  return {
    ...viewSums(tally),
    leads: tally.leads,
    sold: tally.sold,
    statuses: tally.statuses as Record<string, number>,
    reasons: reasons.toSorted((a, b) => b.leads - a.leads),
  };
}

const NONE = emptyTally();
const viewTier = (tier: TierTally | undefined) => ({ ...viewSums(tier ?? NONE), asked: tier?.asked ?? 0, ends: tier?.ends ?? {} });
const viewGroup = (group: GroupTally | undefined) => ({ ...viewSums(group ?? NONE), asked: group?.asked ?? 0 });
