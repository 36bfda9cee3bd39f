/** What is wrong right now with the third-party services that tiers of one vertical ask. */
import { sql } from 'kysely';
import type { OverviewAnswer } from '#contract/lead.ts';
import type { OutsideCheckConfig } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';

type Warning = OverviewAnswer['warnings'][number];

/** As for buyer tiers: an hour, at least so many questions, and a share that is too many. */
const LOOK_BACK_MS = 3_600_000;
const FEWEST_QUESTIONS = 10;
const BAD_SHARE = 0.2;

export async function listServiceWarnings(db: Db, organization: OrganizationPlan, verticalId: string, now: number): Promise<Warning[]> {
  return [...listPaused(organization, verticalId), ...(await listFailing(db, organization, verticalId, now))];
}

/** One that nobody asks may be paused for as long as it likes. */
function listPaused(organization: OrganizationPlan, verticalId: string): Warning[] {
  const asking = Map.groupBy(listAsking(organization, verticalId), ({ check }) => check.serviceId);
  return [...organization.serviceWires.values()]
    .filter(({ id, status }) => status !== 'active' && asking.has(id))
    .map(({ id, name, status }) => {
      const of = (onFailure: OutsideCheckConfig['onFailure']) => asking.get(id)!.filter(({ check }) => check.onFailure === onFailure);
      const said = [
        sayTiers(of('refuse'), 'lets no lead through', 'let no lead through'),
        sayTiers(of('pass'), 'goes on without it', 'go on without it'),
      ];
      return { kind: 'paused', subjectId: id, text: `The third-party service ${name} is ${status}: ${said.filter(Boolean).join('; ')}.` };
    });
}

interface Asking {
  name: string;
  check: OutsideCheckConfig;
}

/** Active tiers that ask a service, in campaigns of the vertical. */
function listAsking({ plan }: OrganizationPlan, verticalId: string): Asking[] {
  const campaigns = [...plan.campaigns.values()].filter(({ config }) => config.verticalId === verticalId);
  const members = campaigns.flatMap(({ groups }) => groups.flatMap((group) => group.members.map(({ tier }) => tier.config)));
  const buyerTiers = [...new Map(members.map((config) => [config.id, config])).values()];
  const seats = [...plan.publisherTiers.values()].filter(({ campaign }) => campaign.config.verticalId === verticalId);
  return [
    ...seats.map(({ config }) => ({ config, check: config.p2c })),
    ...buyerTiers.map((config) => ({ config, check: config.thirdParty })),
  ].flatMap(({ config, check }) => (check && config.status === 'active' ? [{ name: config.name, check }] : []));
}

const sayTiers = (tiers: Asking[], one: string, many: string): string =>
  tiers.length === 0 ? '' : `${tiers.map(({ name }) => name).join(', ')} ${tiers.length === 1 ? one : many}`;

async function listFailing(db: Db, organization: OrganizationPlan, verticalId: string, now: number): Promise<Warning[]> {
  const rows = await db
    .selectFrom('service_call')
    .select([
      'service_id',
      sql<number>`count(*)::int`.as('questions'),
      sql<number>`count(*) filter (where outcome = 'timeout')::int`.as('timeouts'),
      sql<number>`count(*) filter (where outcome = 'error')::int`.as('errors'),
    ])
    .where('organization_id', '=', organization.organizationId)
    .where('vertical_id', '=', verticalId)
    .where('lead_id', '>=', idFloor(now - LOOK_BACK_MS))
    .groupBy('service_id')
    .having(sql`count(*)`, '>=', FEWEST_QUESTIONS)
    .execute();
  return rows.flatMap(({ service_id: subjectId, questions, timeouts, errors }) => {
    const name = `The third-party service ${organization.serviceWires.get(subjectId)?.name ?? subjectId}`;
    const of = `of ${questions} questions in the last hour`;
    const warnings: Warning[] = [];
    if (timeouts >= questions * BAD_SHARE) warnings.push({ kind: 'timeouts', subjectId, text: `${name} timed out in ${timeouts} ${of}.` });
    if (errors >= questions * BAD_SHARE) warnings.push({ kind: 'errors', subjectId, text: `${name} failed in ${errors} ${of}.` });
    return warnings;
  });
}
