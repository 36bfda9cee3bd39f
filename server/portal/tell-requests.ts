/** Those who may decide what portals ask for are told by mail: of the first at once, of what comes soon after together. */
import { sql } from 'kysely';
import type { RegionPermission } from '#contract/session.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import type { Db } from '#server/kit/database.ts';
import { beyondTenant, inTenant } from '#server/kit/tenant.ts';
import { composeMail } from '#server/mail/compose-mail.ts';
import type { Mailer } from '#server/mail/mail.ts';
import type { OrganizationPlan, PlanBook } from '#server/plan/plan-book.ts';
import type { Tx } from '#server/record/record-model.ts';
import { maySetUp, setUpVerticals } from '#server/session/session.policy.ts';
import { listUntold, type WaitingRow } from './change-request.sql.ts';

export interface RequestNews {
  db: Db;
  planBook: Pick<PlanBook, 'list'>;
  mailer: Mailer;
  addresses: Addresses;
}

/** After a mail the next one waits so long, however many requests come. */
const PAUSE_MS = 15 * 60_000;
/** So many stand in a mail; the others are counted. */
const NAMED = 10;

/** How many mails were filed. For the installation's own role. */
export async function tellRequests({ db, planBook, mailer, addresses }: RequestNews, now: number): Promise<number> {
  const due = await listDue(db, now);
  let filed = 0;
  for (const organization of planBook.list()) {
    if (organization.suspended || !due.has(organization.organizationId)) continue;
    filed += await inTenant(db, organization.organizationId, (tx) => tellOne(tx, organization, { mailer, addresses }, now));
  }
  return filed;
}

/** Organizations in which somebody waits that nobody was told of, and the last mail is a while ago. */
async function listDue(db: Db, now: number): Promise<Set<string>> {
  const { rows } = await sql<{ organization_id: string }>`
    select u.organization_id from (select distinct organization_id from change_request where status = 'open' and told_at is null) as u
      where not exists (select from change_request q where q.organization_id = u.organization_id and q.told_at > ${new Date(now - PAUSE_MS)})`.execute(
    db,
  );
  return new Set(rows.map((row) => row.organization_id));
}

async function tellOne(
  tx: Tx,
  organization: OrganizationPlan,
  { mailer, addresses }: Pick<RequestNews, 'mailer' | 'addresses'>,
  now: number,
): Promise<number> {
  const { organizationId } = organization;
  // Another node that looks at the same time finds nothing untold once this one is done.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`requests ${organizationId}`}, 0))`.execute(tx);
  const team = await listDeciders(tx, organizationId);
  let filed = 0;
  for (const person of team) {
    const rows = await listUntold(tx, person);
    const first = rows[0];
    if (!first) continue;
    const content = composeMail({
      subject: rows.length === 1 ? `${first.company_name} asks for a change` : `${rows.length} requests wait for you`,
      paragraphs: [
        `Hello ${person.firstName},`,
        `${organization.name} was asked, in ${rows.length === 1 ? 'a portal' : 'portals'}:`,
        ...rows.slice(0, NAMED).map(sayRequest),
        ...(rows.length > NAMED ? [`And ${rows.length - NAMED} more.`] : []),
      ],
      button: { label: 'Look at the requests', url: `${addresses.origin(organization.subDomain)}${pathFor(organization, person, first)}` },
      after: ['Of what is asked in the next minutes you are told together. Your profile has a switch for these mails.'],
    });
    await beyondTenant(tx, (all) => mailer.file(all, 'requests-waiting', person.email, content));
    filed += 1;
  }
  await tx
    .updateTable('change_request')
    .set({ told_at: new Date(now) })
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'open')
    .where('told_at', 'is', null)
    .execute();
  return filed;
}

const sayRequest = ({ company_name, model, record_name }: WaitingRow): string =>
  model === 'leadReturn' ? `${company_name}: to take back ${record_name.toLowerCase()}.` : `${company_name}: a change of ${record_name}.`;

/** In the request's own vertical, or the first that the person sets up. */
function pathFor({ plan }: OrganizationPlan, person: Decider, { vertical_id }: WaitingRow): string {
  const ids = [vertical_id, ...setUpVerticals(person), ...plan.verticals.keys()];
  const vertical = ids.map((id) => (id === null ? undefined : plan.verticals.get(id)?.config)).find(Boolean);
  return vertical ? `/setup/${vertical.regionSlug}/${vertical.slug}/change-requests` : '';
}

interface Decider {
  organizationId: string;
  email: string;
  firstName: string;
  role: 'owner' | 'member';
  isSuperAdmin: false;
  permissions: RegionPermission[];
}

/** Members of the team, none of a portal, who set something up and want to hear of it. */
async function listDeciders(tx: Tx, organizationId: string): Promise<Decider[]> {
  const rows = await tx
    .selectFrom('team_member as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select(['u.email', 'u.first_name', 'm.role', 'm.permissions'])
    .where('m.organization_id', '=', organizationId)
    .where('m.status', '=', 'active')
    .where('u.status', '=', 'active')
    .where('u.request_mails', '=', true)
    .where('m.buyer_id', 'is', null)
    .where('m.publisher_id', 'is', null)
    .orderBy('u.email')
    .execute();
  return rows
    .map((row) => ({
      ...{ organizationId, email: row.email, firstName: row.first_name, role: row.role as Decider['role'], isSuperAdmin: false as const },
      permissions: row.permissions as RegionPermission[],
    }))
    .filter((person) => maySetUp(person) !== false);
}
