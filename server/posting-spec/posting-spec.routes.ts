/** The posting specification as its link opens it: nobody is signed in, the token is the authority. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { POSTING_SPEC_PATH } from '#contract/posting-spec.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isRecordToken, readRecordToken } from '#server/kit/record-token.ts';
import type { PlanBook } from '#server/plan/plan-book.ts';
import { refusalPage } from '#server/redirect/refusal-page.ts';
import { describePosting, type PostingSpec } from './describe-posting.ts';
import { openApiOf } from './openapi.ts';
import { specPage } from './spec-page.ts';

export interface PostingSpecParts {
  planBook: PlanBook;
  addresses: Addresses;
}

const params = z.object({ token: z.string().max(100) });
/** Whoever has the link reads the page; nobody is told that they have it, and nothing of elsewhere is loaded. */
export const SPEC_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

export async function postingSpecRoutes(instance: FastifyInstance, { planBook, addresses }: PostingSpecParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();

  /** Out of memory alone: whoever guesses costs no look-up. */
  function open(token: string): PostingSpec | undefined {
    const named = readRecordToken(token);
    const organization = named && planBook.find(named.organizationId);
    const seat = named && organization?.publisherSeats.get(named.recordId);
    if (!organization || !seat?.specOpen || seat.kind === 'lander' || organization.suspended) return undefined;
    if (!isRecordToken(token, organization.keys, 'posting spec', seat.id, seat.specEpoch)) return undefined;
    return describePosting(organization, seat.id, addresses.origin(organization.subDomain));
  }

  app.get(
    `${POSTING_SPEC_PATH}/:token`,
    {
      schema: {
        tags: ['intake'],
        summary: 'The posting specification of a publisher tier, as a page',
        params,
        response: { '2xx': { description: 'The page.', content: { 'text/html': { schema: z.string() } } } },
      },
    },
    async (request, reply) => {
      const spec = open(request.params.token);
      const page = spec
        ? specPage(spec, new Date(), `${POSTING_SPEC_PATH}/${request.params.token}/openapi.json`)
        : refusalPage('There is no such specification', UNKNOWN);
      return sendPage(reply, spec ? 200 : 404, page);
    },
  );

  app.get(
    `${POSTING_SPEC_PATH}/:token/openapi.json`,
    {
      schema: {
        tags: ['intake'],
        summary: 'The same as an OpenAPI document',
        params,
        response: { 200: z.looseObject({ openapi: z.string() }) },
      },
    },
    async (request, reply) => {
      const spec = open(request.params.token);
      if (!spec) throw new HttpError(404, 'posting_spec_unknown', UNKNOWN);
      reply.headers(SPEC_HEADERS);
      return openApiOf(spec, new Date()) as { openapi: string };
    },
  );
}

const UNKNOWN = 'The link is wrong, was renewed, or is switched off. Ask whoever gave it to you for the one that is in force.';

function sendPage(reply: FastifyReply, statusCode: number, page: string): never {
  return reply
    .code(statusCode)
    .headers(SPEC_HEADERS)
    .type('text/html; charset=utf-8')
    .serializer((html) => html as never)
    .send(page as never) as never;
}
