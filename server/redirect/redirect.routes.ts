/**
 * `/r/{token}`: sends the consumer of a sold lead to where its buyer wants it, and to nowhere else. Whoever follows it comes from
 * anywhere, with no session and no key: the token is the authority. The address they go to is told neither the token nor where it stood.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { errorView } from '#contract/error.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError, sendError } from '#server/kit/http-error.ts';
import { isLookingOnly } from '#server/kit/looking-only.ts';
import type { OrganizationPlan, PlanBook } from '#server/plan/plan-book.ts';
import { findFormerHolder, followLink } from './redirect.sql.ts';
import { leadOf, webAddress } from './redirect-link.ts';
import { refusalPage } from './refusal-page.ts';

export interface RedirectParts {
  db: Db;
  planBook: PlanBook;
  addresses: Addresses;
}

const page = { 'text/html': { schema: z.string() }, 'application/json': { schema: errorView } };

export async function redirectRoutes(instance: FastifyInstance, { db, planBook, addresses }: RedirectParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  async function organizationAt(hostname: string): Promise<OrganizationPlan | undefined> {
    const subDomain = addresses.subDomainOf(hostname);
    if (!subDomain) return undefined;
    const holder = planBook.findAt(subDomain);
    if (holder) return holder;
    const former = await findFormerHolder(db, subDomain);
    return former === undefined ? undefined : planBook.find(former);
  }

  app.get(
    '/r/:token',
    {
      schema: {
        tags: ['intake'],
        summary: 'Send a consumer on to the buyer: the redirectUrl of a sold lead, at the organization’s own address',
        params: z.object({ token: z.string().max(100) }),
        response: {
          302: { description: 'To the address that the buyer named.', content: { 'text/plain': { schema: z.string() } } },
          404: { description: 'No such link.', content: page },
          410: { description: 'The link has expired.', content: page },
        },
      },
    },
    async (request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
      const organization = await organizationAt(request.hostname);
      const leadId = organization && leadOf(organization.keys, request.params.token);
      if (!leadId) return refuse(request, reply, UNKNOWN);
      const followed = await followLink(db, organization, leadId, Date.now(), isLookingOnly(request));
      if (followed.found === 'expired') return refuse(request, reply, EXPIRED);
      const url = followed.found === 'address' ? webAddress(followed.url) : undefined;
      return url === undefined ? refuse(request, reply, UNKNOWN) : reply.redirect(url, 302);
    },
  );
}

const UNKNOWN = new HttpError(404, 'redirect_unknown', 'This link leads nowhere. Go back to where you got it, and try again there.');
const EXPIRED = new HttpError(
  410,
  'redirect_expired',
  'This link was open for a limited time, which is over. Go back to where you got it, and begin anew.',
);

/** A person reads a page, a program what every other call answers. */
function refuse(request: FastifyRequest, reply: FastifyReply, error: HttpError) {
  if (!request.headers.accept?.includes('text/html')) return sendError(reply, error) as never;
  const body = refusalPage(error.statusCode === 410 ? 'This link has expired' : 'There is no such link', error.message);
  return reply
    .code(error.statusCode as 404)
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'")
    .type('text/html; charset=utf-8')
    .serializer((html) => html as never)
    .send(body as never);
}
