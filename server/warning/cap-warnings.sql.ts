/** Caps that are used up or nearly so: of buyer tiers, of the buyers behind them, and of publisher tiers. */
import type { Warning } from '#contract/warning.ts';
import type { CompiledCap } from '#engine/cap.ts';
import { formatMoney } from '#engine/money.ts';
import { utcMinute } from '#engine/utc-minute.ts';
import type { Db } from '#server/kit/database.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { nameOfBuyerTier, nameOfSeat, type Watched } from './watched.ts';

const NEAR_FULL = 0.9;

interface WatchedCap {
  name: string;
  /** "Buyer's " where it is not the tier's own. */
  whose: string;
  claim: ReturnType<CompiledCap['claimAt']>;
  /** What one more lead takes of it, as far as that is known: its fixed price, or the smallest amount there is. */
  oneMore: number;
  tierIds: Set<string>;
}

export async function listCaps(db: Db, organization: OrganizationPlan, watched: Watched, now: number): Promise<Warning[]> {
  const caps = gather(organization, watched, now);
  if (caps.size === 0) return [];
  const rows = await db
    .selectFrom('counter')
    .select(['counter', 'used'])
    .where('organization_id', '=', organization.organizationId)
    .where('counter', 'in', [...caps.keys()])
    .execute();
  // A counter begins with the first lead: one without a row has counted nothing.
  const used = new Map(rows.map((row) => [row.counter, row.used]));
  return [...caps.values()].flatMap((cap) => judge(cap, used.get(cap.claim.counter) ?? 0, organization.plan.currency) ?? []);
}

/** By counter. What takes nothing for another reason is told for that reason alone. */
function gather(organization: OrganizationPlan, { publisherTiers, buyerTiers }: Watched, now: number): Map<string, WatchedCap> {
  const caps = new Map<string, WatchedCap>();
  const add = (cap: CompiledCap, tierId: string, name: string, whose: string, price: number | undefined) => {
    const claim = cap.claimAt(now, 0);
    const known = caps.get(claim.counter);
    if (known) known.tierIds.add(tierId);
    else caps.set(claim.counter, { name, whose, claim, oneMore: cap.measure === 'money' ? (price ?? 1) : 1, tierIds: new Set([tierId]) });
  };
  for (const { config, caps: own } of publisherTiers) {
    if (config.status !== 'active' || config.publisherStatus !== 'active') continue;
    const price = config.priceModel.kind === 'fixed' ? config.priceModel.price : undefined;
    for (const cap of own) add(cap, config.id, nameOfSeat(organization, config.id), '', price);
  }
  for (const { config, caps: own, buyerCaps } of buyerTiers) {
    if (config.status !== 'active' || config.buyerStatus !== 'active') continue;
    const price = config.price.kind === 'fixed' ? config.price.price : undefined;
    for (const cap of own) add(cap, config.id, nameOfBuyerTier(config), '', price);
    // What it may still spend is told by itself: funds-warnings.sql.ts.
    for (const cap of buyerCaps.filter((one) => one.claimAt(now, 0).period !== 'funds'))
      add(cap, config.id, config.buyerName, 'Buyer’s ', undefined);
  }
  return caps;
}

function judge({ name, whose, claim, oneMore, tierIds }: WatchedCap, used: number, currency: string): Warning | undefined {
  const isFull = used + Math.max(1, oneMore) > claim.limit;
  if (!isFull && used < claim.limit * NEAR_FULL) return undefined;
  const said = claim.measure === 'money' ? (amount: number) => `${currency} ${formatMoney(amount)}` : String;
  const span = claim.period === 'overall' ? 'overall' : `${claim.period}ly`.replace('dayly', 'daily');
  const until = claim.resetsAt === null ? '' : `; starts again ${utcMinute(claim.resetsAt)}`;
  const what = `${name}: ${span} ${claim.measure} cap`;
  const mark = `${whose}${whose ? span : span.charAt(0).toUpperCase() + span.slice(1)} cap`;
  const shared = { subjectId: claim.scopeId, tierIds: [...tierIds] };
  if (claim.limit === 0) return { ...shared, kind: 'capFull', mark: `${mark} of 0`, text: `${what} is 0, so nothing passes.` };
  const room = isFull && used < claim.limit ? ', too little for one more' : '';
  return {
    ...shared,
    kind: isFull ? 'capFull' : 'capNearFull',
    mark: `${mark} ${isFull ? 'used up' : 'nearly used up'}`,
    text: `${what} at ${said(used)} of ${said(claim.limit)}${room}${until}.`,
  };
}
