/** Buyer tiers that do not answer, fail, or hold leads: judged by what their calls came to. */
import { sql } from 'kysely';
import type { Warning } from '#contract/warning.ts';
import type { BuyerTierPlan } from '#engine/compiled.ts';
import { utcMinute } from '#engine/utc-minute.ts';
import { listOpen } from '#server/breaker/breaker.sql.ts';
import { sayBreaker, sayThrottle } from '#server/breaker/say-breaker.ts';
import { listThrottled } from '#server/breaker/throttle.sql.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { listRests } from '#server/rest/rest.sql.ts';
import { countOpenByTier } from '#server/settlement/settlement.sql.ts';
import { nameOfBuyerTier } from './watched.ts';

const LOOK_BACK_MS = 3_600_000;
const FEWEST_ATTEMPTS = 10;
const BAD_SHARE = 0.2;
/** Silence is seen at once: one call in these minutes, and no answer. */
const LATELY_MS = 600_000;

/** Tiers to which nothing is sent because they keep failing, and those that are being tried again. */
export async function listBreakers(db: Db, { organizationId }: OrganizationPlan, tiers: BuyerTierPlan[], now: number): Promise<Warning[]> {
  const watched = new Map(tiers.filter(({ config }) => config.breaker).map(({ config }) => [config.id, config]));
  if (watched.size === 0) return [];
  return (await listOpen(db, organizationId)).flatMap(({ buyerTierId, open }) => {
    const config = watched.get(buyerTierId);
    if (!config) return [];
    const text = `${nameOfBuyerTier(config)} fails since ${utcMinute(open.since)}. ${sayBreaker(open, now)}`;
    return [about('breaker', buyerTierId, now < open.openUntil ? 'Breaker open' : 'Breaker half-open', text)];
  });
}

/** Tiers that get a share of their leads only, because they are slow or fail. */
export async function listThrottledTiers(db: Db, { organizationId }: OrganizationPlan, tiers: BuyerTierPlan[]): Promise<Warning[]> {
  const watched = new Map(tiers.filter(({ config }) => config.throttle).map(({ config }) => [config.id, config]));
  if (watched.size === 0) return [];
  return (await listThrottled(db, organizationId)).flatMap(({ buyerTierId, throttled }) => {
    const config = watched.get(buyerTierId);
    if (!config) return [];
    return [about('throttled', buyerTierId, 'Throttled', `${nameOfBuyerTier(config)}: ${sayThrottle(config.throttle!, throttled)}`)];
  });
}

/** Tiers whose buyer has asked to be left alone. */
export async function listResting(db: Db, { organizationId }: OrganizationPlan, tiers: BuyerTierPlan[], now: number): Promise<Warning[]> {
  const names = new Map(tiers.map(({ config }) => [config.id, nameOfBuyerTier(config)]));
  return (await listRests(db, now, organizationId)).flatMap(({ buyerTierId, until }) => {
    const name = names.get(buyerTierId);
    if (name === undefined) return [];
    const text = `${name} takes no more leads for now and asked to be left alone: nothing is sent to it until ${utcMinute(until)}.`;
    return [about('resting', buyerTierId, 'Asked to wait', text)];
  });
}

export async function listFailing(
  db: Db,
  { organizationId }: OrganizationPlan,
  verticalId: string,
  tiers: BuyerTierPlan[],
  now: number,
): Promise<Warning[]> {
  const names = new Map(tiers.map(({ config }) => [config.id, nameOfBuyerTier(config)]));
  const lately = sql<boolean>`lead_id >= ${idFloor(now - LATELY_MS)}::uuid`;
  // One that ran into its time limit says less than one that did not come through.
  const silent = sql<boolean>`(outcome = 'terrors' and status_code is null)`;
  const rows = await db
    .selectFrom('attempt')
    .select([
      'buyer_tier_id',
      sql<number>`count(*)::int`.as('attempts'),
      sql<number>`count(*) filter (where outcome = 'timeouts')::int`.as('timeouts'),
      sql<number>`count(*) filter (where outcome = 'terrors')::int`.as('errors'),
      sql<number>`count(status_code)::int`.as('answered'),
      sql<number>`count(*) filter (where ${lately})::int`.as('lately'),
      sql<number>`count(status_code) filter (where ${lately})::int`.as('answered_lately'),
      sql<boolean>`coalesce(max(started_at) filter (where ${silent}) > coalesce(max(started_at) filter (where not ${silent}), '-infinity'), false)`.as(
        'is_last_silent',
      ),
    ])
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .where('lead_id', '>=', idFloor(now - LOOK_BACK_MS))
    .where('test', '=', false)
    .groupBy('buyer_tier_id')
    .execute();
  return rows.flatMap((row) => {
    const name = names.get(row.buyer_tier_id);
    return name === undefined ? [] : judge(row, name);
  });
}

interface Calls {
  buyer_tier_id: string;
  attempts: number;
  timeouts: number;
  errors: number;
  answered: number;
  lately: number;
  answered_lately: number;
  is_last_silent: boolean;
}

function judge(
  { buyer_tier_id: id, attempts, timeouts, errors, answered, lately, answered_lately, ...row }: Calls,
  name: string,
): Warning[] {
  const of = `of ${attempts} attempts in the last hour`;
  if (attempts >= FEWEST_ATTEMPTS && answered === 0)
    return [about('unreachable', id, 'Unreachable', `${name} has not answered one ${of}.`)];
  if (lately > 0 && answered_lately === 0) {
    const none = lately === 1 ? 'the only attempt' : `one of ${lately} attempts`;
    return [about('unreachable', id, 'Unreachable', `${name} has not answered ${none} in the last 10 minutes.`)];
  }
  if (row.is_last_silent) return [about('unreachable', id, 'Unreachable', `${name} gave no answer at its last attempt.`)];
  if (attempts < FEWEST_ATTEMPTS) return [];
  return [
    ...(timeouts >= attempts * BAD_SHARE ? [about('timeouts', id, 'Times out', `${name} timed out in ${timeouts} ${of}.`)] : []),
    ...(errors >= attempts * BAD_SHARE ? [about('errors', id, 'Fails', `${name} failed in ${errors} ${of}.`)] : []),
  ];
}

export async function listUnsettled(
  db: Db,
  { organizationId }: OrganizationPlan,
  verticalId: string,
  tiers: BuyerTierPlan[],
): Promise<Warning[]> {
  const rows = await countOpenByTier(db, organizationId, verticalId);
  return rows.flatMap(({ buyer_tier_id: id, kind, leads }) => {
    const tier = tiers.find(({ config }) => config.id === id);
    if (!tier) return [];
    if (kind === 'late') return [lateYes(nameOfBuyerTier(tier.config), id, leads)];
    const name = nameOfBuyerTier(tier.config);
    const text =
      leads === 1
        ? `One lead at ${name} is held: it is not certain whether, or at what price, the buyer has it.`
        : `${leads} leads at ${name} are held: it is not certain whether, or at what price, the buyer has them.`;
    return [about('unsettled', id, leads === 1 ? 'Holds a lead' : 'Holds leads', text)];
  });
}

function lateYes(name: string, id: string, leads: number): Warning {
  const text =
    leads === 1
      ? `${name} accepted a lead when its time was over: it is not settled whether it has it.`
      : `${name} accepted ${leads} leads when their time was over: it is not settled whether it has them.`;
  return about('unsettled', id, leads === 1 ? 'Late yes' : 'Late answers', text);
}

const about = (kind: Warning['kind'], id: string, mark: string, text: string): Warning => ({
  ...{ kind, subjectId: id, tierIds: [id] },
  ...{ mark, text },
});
