/** What is wrong right now in one vertical: said in whole sentences, worst first. */
import { sql } from 'kysely';
import type { OverviewAnswer } from '#contract/lead.ts';
import type { CompiledCap } from '#engine/cap.ts';
import type { BuyerTierPlan } from '#engine/compiled.ts';
import { formatMoney } from '#engine/money.ts';
import { listOpen } from '#server/breaker/breaker.sql.ts';
import { sayBreaker, utcMinute } from '#server/breaker/say-breaker.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { listServiceWarnings } from './service-warnings.sql.ts';

type Warning = OverviewAnswer['warnings'][number];

const NEAR_FULL = 0.9;
const LOOK_BACK_MS = 3_600_000;
const FEWEST_ATTEMPTS = 10;
const BAD_SHARE = 0.2;
const WORST_FIRST: Warning['kind'][] = ['breaker', 'unreachable', 'unsettled', 'errors', 'timeouts', 'capFull', 'capNearFull', 'paused'];

export async function listWarnings(db: Db, organization: OrganizationPlan, verticalId: string, now: number): Promise<Warning[]> {
  const tiers = tiersOf(organization, verticalId);
  const found = await Promise.all([
    listCaps(db, organization, tiers, now),
    listFailing(db, organization, verticalId, now),
    listUnsettled(db, organization, tiers),
    listServiceWarnings(db, organization, verticalId, now),
    listBreakers(db, organization, tiers, now),
  ]);
  return [...listPaused(tiers), ...listProblems(organization), ...found.flat()].sort(worstWarningFirst);
}

export const worstWarningFirst = (a: Warning, b: Warning): number => WORST_FIRST.indexOf(a.kind) - WORST_FIRST.indexOf(b.kind);

function tiersOf(organization: OrganizationPlan, verticalId: string): BuyerTierPlan[] {
  const campaigns = [...organization.plan.campaigns.values()].filter((campaign) => campaign.config.verticalId === verticalId);
  const all = campaigns.flatMap((campaign) => campaign.groups.flatMap((group) => group.members.map((member) => member.tier)));
  return [...new Map(all.map((tier) => [tier.config.id, tier])).values()];
}

function listPaused(tiers: BuyerTierPlan[]): Warning[] {
  return tiers
    .filter(({ config }) => config.status !== 'active' || config.buyerStatus !== 'active')
    .map(({ config }) => {
      const what = config.buyerStatus === 'active' ? `is ${config.status}` : `gets nothing because its buyer is ${config.buyerStatus}`;
      return { kind: 'paused', subjectId: config.id, text: `${nameOf(config)} ${what}.` };
    });
}

function listProblems(organization: OrganizationPlan): Warning[] {
  return organization.problems
    .filter((problem) => problem.severity === 'leftOut')
    .map((problem) => ({
      kind: 'errors',
      subjectId: problem.id,
      text: `A ${wordOf(problem.kind)} is left out of routing: ${problem.text}.`,
    }));
}

function wordOf(kind: string): string {
  return kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function nameOf(config: { buyerName: string; name: string }): string {
  return `${config.buyerName}, ${config.name}`;
}

async function listCaps(db: Db, organization: OrganizationPlan, tiers: BuyerTierPlan[], now: number): Promise<Warning[]> {
  const claims = new Map<string, { name: string; claim: ReturnType<CompiledCap['claimAt']> }>();
  for (const tier of tiers) {
    for (const cap of tier.caps) add(claims, nameOf(tier.config), cap, now);
    for (const cap of tier.buyerCaps) add(claims, tier.config.buyerName, cap, now);
  }
  if (claims.size === 0) return [];
  const rows = await db
    .selectFrom('counter')
    .select(['counter', 'used'])
    .where('organization_id', '=', organization.organizationId)
    .where('counter', 'in', [...claims.keys()])
    .execute();
  return rows.flatMap((row) => {
    const { name, claim } = claims.get(row.counter)!;
    if (row.used < claim.limit * NEAR_FULL) return [];
    const said = claim.measure === 'money' ? formatMoney : String;
    const until =
      claim.resetsAt === null ? '' : `; starts again ${new Date(claim.resetsAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    const what = `${claim.period === 'overall' ? 'overall' : `${claim.period}ly`.replace('dayly', 'daily')} ${claim.measure} cap`;
    return [
      {
        kind: row.used >= claim.limit ? 'capFull' : 'capNearFull',
        subjectId: claim.scopeId,
        text: `${name}: ${what} at ${said(row.used)} of ${said(claim.limit)}${until}.`,
      } as Warning,
    ];
  });
}

function add(
  claims: Map<string, { name: string; claim: ReturnType<CompiledCap['claimAt']> }>,
  name: string,
  cap: CompiledCap,
  now: number,
): void {
  const claim = cap.claimAt(now, 0);
  claims.set(claim.counter, { name, claim });
}

/** Tiers to which nothing is sent because they keep failing, and those that are being tried again. */
async function listBreakers(db: Db, { organizationId }: OrganizationPlan, tiers: BuyerTierPlan[], now: number): Promise<Warning[]> {
  const watched = new Map(tiers.filter(({ config }) => config.breaker).map(({ config }) => [config.id, config]));
  if (watched.size === 0) return [];
  return (await listOpen(db, organizationId)).flatMap(({ buyerTierId, open }) => {
    const config = watched.get(buyerTierId);
    if (!config) return [];
    const text = `${nameOf(config)} fails since ${utcMinute(open.since)}. ${sayBreaker(open, now)}`;
    return [{ kind: 'breaker', subjectId: buyerTierId, text } as Warning];
  });
}

async function listFailing(db: Db, organization: OrganizationPlan, verticalId: string, now: number): Promise<Warning[]> {
  const rows = await db
    .selectFrom('attempt')
    .select([
      'buyer_tier_id',
      sql<number>`count(*)::int`.as('attempts'),
      sql<number>`count(*) filter (where outcome = 'timeouts')::int`.as('timeouts'),
      sql<number>`count(*) filter (where outcome = 'terrors')::int`.as('errors'),
      sql<number>`count(status_code)::int`.as('answered'),
    ])
    .where('organization_id', '=', organization.organizationId)
    .where('vertical_id', '=', verticalId)
    .where('lead_id', '>=', idFloor(now - LOOK_BACK_MS))
    .where('test', '=', false)
    .groupBy('buyer_tier_id')
    .having(sql`count(*)`, '>=', FEWEST_ATTEMPTS)
    .execute();
  return rows.flatMap((row) => {
    const buyer = organization.buyerWires.get(row.buyer_tier_id);
    const name = buyer ? nameOf(buyer) : row.buyer_tier_id;
    const of = `of ${row.attempts} attempts in the last hour`;
    if (row.answered === 0)
      return [{ kind: 'unreachable', subjectId: row.buyer_tier_id, text: `${name} has not answered one ${of}.` } as Warning];
    const warnings: Warning[] = [];
    if (row.timeouts >= row.attempts * BAD_SHARE)
      warnings.push({ kind: 'timeouts', subjectId: row.buyer_tier_id, text: `${name} timed out in ${row.timeouts} ${of}.` });
    if (row.errors >= row.attempts * BAD_SHARE)
      warnings.push({ kind: 'errors', subjectId: row.buyer_tier_id, text: `${name} failed in ${row.errors} ${of}.` });
    return warnings;
  });
}

async function listUnsettled(db: Db, organization: OrganizationPlan, tiers: BuyerTierPlan[]): Promise<Warning[]> {
  const rows = await db
    .selectFrom('reservation')
    .select(['subject_id', sql<number>`count(*)::int`.as('leads')])
    .where('organization_id', '=', organization.organizationId)
    .where('unknown_since', 'is not', null)
    .groupBy('subject_id')
    .execute();
  return rows.flatMap((row) => {
    const tier = tiers.find((one) => one.config.id === row.subject_id);
    if (!tier) return [];
    const leads = row.leads === 1 ? 'One lead' : `${row.leads} leads`;
    return [
      {
        kind: 'unsettled',
        subjectId: row.subject_id,
        text: `${leads} at ${nameOf(tier.config)} ${row.leads === 1 ? 'is' : 'are'} held: it is not certain whether, or at what price, the buyer has ${row.leads === 1 ? 'it' : 'them'}.`,
      } as Warning,
    ];
  });
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Tiers of a campaign whose hours leave today out altogether, by the weekday of their own zone. */
export function listClosedToday(organization: OrganizationPlan | undefined, campaignId: string, now: number) {
  const groups = organization?.plan.campaigns.get(campaignId)?.groups ?? [];
  return groups
    .flatMap((group) => group.members.map((member) => member.tier.config))
    .filter(({ hours }) => {
      if (!hours) return false;
      const day = new Intl.DateTimeFormat('en-US', { timeZone: hours.timeZone, weekday: 'short' }).format(now);
      return hours.week[WEEKDAYS.indexOf(day)]?.length === 0;
    })
    .map((config) => ({ subjectId: config.id, kind: 'closedToday', text: `${nameOf(config)} has no hours today.` }));
}
