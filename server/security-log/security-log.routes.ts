/** The log of sign-ins and refusals: read by who runs the organization (ASVS 5.0 16.3). */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { securityLogAnswer, securityLogChoices, securityLogQuery } from '#contract/security-log.ts';
import { requireAskedSpan } from '#server/kit/asked-span.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { inTenant } from '#server/kit/tenant.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { mayRunOrganization } from '#server/team/team.policy.ts';
import { findSecurityLines, listTeamEver } from './security-log.sql.ts';
import { viewSecurityLine } from './security-log.view.ts';

export interface SecurityLogParts {
  db: Db;
  config: Config;
}

export async function securityLogRoutes(instance: FastifyInstance, { db, config }: SecurityLogParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const cookies = sessionCookies(config.appEnv);

  app.get(
    '/api/v1/security-log',
    {
      schema: {
        tags: ['console'],
        summary: 'Sign-ins and what came of them, and refused calls, the newest first',
        querystring: securityLogQuery,
        response: { 200: securityLogAnswer },
      },
    },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      requireSecurityReader(person);
      requireAskedSpan('security_log', request.query);
      const { before, userId } = request.query;
      if ([before, userId].some((id) => id !== undefined && !isId(id)))
        return { status: true as const, lines: [], older: null, lookedTo: null };
      const { organizationId } = person;
      const { rows, ...page } = await inTenant(db, organizationId, (tx) => findSecurityLines(tx, organizationId, request.query));
      return { status: true as const, lines: rows.map(viewSecurityLine), ...page };
    },
  );

  app.get(
    '/api/v1/security-log/choices',
    { schema: { tags: ['console'], summary: 'Whom the log can be narrowed to', response: { 200: securityLogChoices } } },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      requireSecurityReader(person);
      const people = await inTenant(db, person.organizationId, (tx) => listTeamEver(tx, person.organizationId));
      return { status: true as const, people: people.map(({ user_id, name }) => ({ _id: user_id, name })) };
    },
  );
}

export function requireSecurityReader(person: SignedIn): void {
  if (!mayRunOrganization(person))
    throw new HttpError(403, 'security_log_forbidden', 'Only the owner of the organization sees its sign-ins and refusals.');
}
