/** The door of the portals: who is bound to a company, and that company. Every call of a portal comes in here, and asks for nothing but its own. */
import type { FastifyRequest } from 'fastify';
import type { PortalKind } from '#contract/portal.ts';
import type { BoundTo } from '#contract/session.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { Tenants } from '#server/kit/tenant.ts';
import { requireOrganization } from '#server/lead/lead.console.routes.ts';
import type { OrganizationPlan, PlanBook } from '#server/plan/plan-book.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireAnybody, sessionCookies } from '#server/session/signed-in.ts';

export interface PortalParts {
  db: Db;
  tenants: Tenants;
  config: Config;
  planBook: PlanBook;
}

export interface Company {
  _id: string;
  kind: PortalKind;
  name: string;
  isPaused: boolean;
  isArchived: boolean;
}

/** Who is in their portal. `tierIds`: all that the company ever had, archived ones too, for what they did stays. */
export interface Visitor {
  person: SignedIn & { bound: BoundTo };
  own: Db;
  organization: OrganizationPlan;
  company: Company;
  tiers: { id: string; name: string; verticalId: string }[];
}

export interface PortalDoor {
  /** Of a company that is archived as well: its name is all there is. */
  look(request: FastifyRequest): Promise<Visitor>;
  /** Of a living company, of this kind where one is named. */
  enter(request: FastifyRequest, kind?: PortalKind): Promise<Visitor>;
}

export function openPortalDoor({ db, tenants, config, planBook }: PortalParts): PortalDoor {
  const cookies = sessionCookies(config.appEnv);

  async function look(request: FastifyRequest): Promise<Visitor> {
    const person = await requireAnybody(db, cookies, request);
    const { bound } = person;
    if (!bound) throw new HttpError(403, 'portal_unbound', 'This is for members who are bound to one buyer or publisher. You are not.');
    const own = tenants.of(person.organizationId);
    const [company, tiers] = await Promise.all([
      findCompany(own, person.organizationId, bound),
      listTiers(own, person.organizationId, bound),
    ]);
    return { person: { ...person, bound }, own, organization: requireOrganization(planBook, person.organizationId), company, tiers };
  }

  async function enter(request: FastifyRequest, kind?: PortalKind): Promise<Visitor> {
    const visitor = await look(request);
    if (kind && visitor.company.kind !== kind)
      throw new HttpError(403, 'portal_other_side', `This is for ${kind}s. You are bound to a ${visitor.company.kind}.`);
    if (visitor.company.isArchived) throw archived(visitor.company);
    return visitor;
  }

  return { look, enter };
}

export const archived = ({ name }: Pick<Company, 'name'>): HttpError =>
  new HttpError(409, 'portal_company_archived', `${name} is archived, so its portal is closed. Ask the organization if that is not right.`);

async function findCompany(own: Db, organizationId: string, { kind, companyId }: BoundTo): Promise<Company> {
  const { id, name, status } = await own
    .selectFrom(kind)
    .select(['id', 'name', 'status'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow();
  return { _id: id, kind, name, isPaused: status === 'paused', isArchived: status === 'archived' };
}

async function listTiers(own: Db, organizationId: string, { kind, companyId }: BoundTo): Promise<Visitor['tiers']> {
  if (kind === 'buyer')
    return own
      .selectFrom('buyer_tier')
      .select(['id', 'name', 'vertical_id as verticalId'])
      .where('organization_id', '=', organizationId)
      .where('buyer_id', '=', companyId)
      .orderBy('name')
      .execute();
  return own
    .selectFrom('publisher_tier as t')
    .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'))
    .select(['t.id', 't.name', 'c.vertical_id as verticalId'])
    .where('t.organization_id', '=', organizationId)
    .where('t.publisher_id', '=', companyId)
    .orderBy('t.name')
    .execute();
}

/** The ids of the company's tiers, or of the one that is named; a stranger's is as one that is not there. */
export function tierIdsOf({ tiers }: Visitor, tierId: string | undefined): string[] {
  if (tierId === undefined) return tiers.map(({ id }) => id);
  if (!tiers.some(({ id }) => id === tierId)) throw new HttpError(404, 'portal_tier_unknown', 'You have no such tier.');
  return [tierId];
}
