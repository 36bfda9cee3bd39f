/** What is wrong right now with the third-party services that the watched tiers ask. */
import { sql } from 'kysely';
import type { Warning } from '#contract/warning.ts';
import type { OutsideCheckConfig } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { Watched } from './watched.ts';

/** As for buyer tiers: an hour, at least so many questions, and a share that is too many. */
const LOOK_BACK_MS = 3_600_000;
const FEWEST_QUESTIONS = 10;
const BAD_SHARE = 0.2;

export async function listServiceWarnings(
  db: Db,
  organization: OrganizationPlan,
  watched: Watched,
  verticalId: string,
  now: number,
): Promise<Warning[]> {
  const asking = Map.groupBy(listAsking(watched), ({ check }) => check.serviceId);
  if (asking.size === 0) return [];
  return [...listPaused(organization, asking), ...(await listFailing(db, organization, asking, verticalId, now))];
}

/** One that nobody asks may be paused for as long as it likes. */
function listPaused(organization: OrganizationPlan, asking: Map<string, Asking[]>): Warning[] {
  return [...organization.serviceWires.values()]
    .filter(({ id, status }) => status !== 'active' && asking.has(id))
    .map(({ id, name, status }) => {
      const of = (onFailure: OutsideCheckConfig['onFailure']) => asking.get(id)!.filter(({ check }) => check.onFailure === onFailure);
      const said = [
        sayTiers(of('refuse'), 'lets no lead through', 'let no lead through'),
        sayTiers(of('pass'), 'goes on without it', 'go on without it'),
      ];
      const text = `The third-party service ${name} is ${status}: ${said.filter(Boolean).join('; ')}.`;
      return { kind: 'paused', subjectId: id, tierIds: tierIdsOf(asking, id), mark: `Service ${status}`, text };
    });
}

interface Asking {
  tierId: string;
  name: string;
  check: OutsideCheckConfig;
}

/** Active tiers that ask a service. */
function listAsking({ publisherTiers, buyerTiers }: Watched): Asking[] {
  return [
    ...publisherTiers.map(({ config }) => ({ config, check: config.p2c })),
    ...buyerTiers.map(({ config }) => ({ config, check: config.thirdParty })),
  ].flatMap(({ config, check }) => (check && config.status === 'active' ? [{ tierId: config.id, name: config.name, check }] : []));
}

const tierIdsOf = (asking: Map<string, Asking[]>, serviceId: string): string[] => asking.get(serviceId)!.map(({ tierId }) => tierId);

const sayTiers = (tiers: Asking[], one: string, many: string): string =>
  tiers.length === 0 ? '' : `${tiers.map(({ name }) => name).join(', ')} ${tiers.length === 1 ? one : many}`;

async function listFailing(
  db: Db,
  organization: OrganizationPlan,
  asking: Map<string, Asking[]>,
  verticalId: string,
  now: number,
): Promise<Warning[]> {
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
    .where('service_id', 'in', [...asking.keys()])
    .where('lead_id', '>=', idFloor(now - LOOK_BACK_MS))
    .groupBy('service_id')
    .having(sql`count(*)`, '>=', FEWEST_QUESTIONS)
    .execute();
  return rows.flatMap(({ service_id: subjectId, questions, timeouts, errors }) => {
    const name = `The third-party service ${organization.serviceWires.get(subjectId)?.name ?? subjectId}`;
    const of = `of ${questions} questions in the last hour`;
    const about = { subjectId, tierIds: tierIdsOf(asking, subjectId) };
    const warnings: Warning[] = [];
    if (timeouts >= questions * BAD_SHARE)
      warnings.push({ ...about, kind: 'timeouts', mark: 'Service times out', text: `${name} timed out in ${timeouts} ${of}.` });
    if (errors >= questions * BAD_SHARE)
      warnings.push({ ...about, kind: 'errors', mark: 'Service fails', text: `${name} failed in ${errors} ${of}.` });
    return warnings;
  });
}
