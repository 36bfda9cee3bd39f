/** The eligibility checker as its link opens it (console §2, §7: `POST {token}` with `key`): the token is the authority, and nobody is signed in. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  checkBody,
  ELIGIBILITY_CHECKS,
  ELIGIBILITY_TOKEN,
  eligibilityAnswer,
  eligibilityPage,
  tokenParams,
} from '#contract/eligibility.ts';
import { networkOf } from '#server/kit/caller.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { limitRate } from '#server/kit/limit-rate.ts';
import type { RateLimiter } from '#server/kit/rate-limiter.ts';
import type { Tenants } from '#server/kit/tenant.ts';
import { viewLabField } from '#server/lab/lab.view.ts';
import type { Intake } from '#server/lead/intake.ts';
import type { OrganizationPlan, PlanBook } from '#server/plan/plan-book.ts';
import { checkEligibility } from './check-eligibility.ts';
import { findOpenToken, noteUse } from './eligibility.sql.ts';
import { readEligibilityToken } from './eligibility-token.ts';

export interface EligibilityParts {
  tenants: Tenants;
  planBook: PlanBook;
  intake: Intake;
  limiter: RateLimiter;
}

/** Wrong tokens a minute from one network: counted before any is looked up. */
const WRONG_TOKENS = 60;
const TOO_MANY = 'eligibility_rate_limited';
/** When it was used last is told to the minute. */
const USE_NOTED_EVERY_MS = 60_000;

type OpenToken = NonNullable<Awaited<ReturnType<typeof findOpenToken>>>;

export async function eligibilityRoutes(instance: FastifyInstance, options: EligibilityParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { tenants, planBook, intake, limiter } = options;
  const told = (summary: string) => ({ tags: ['eligibility'], summary, params: tokenParams });

  /** Tokens that opened something: no guesses, which wait for nobody's wrong ones. */
  const opened = new Set<string>();

  async function open(request: FastifyRequest, text: string): Promise<{ organization: OrganizationPlan; token: OpenToken }> {
    const wasRight = opened.has(text) ? undefined : limitRate(limiter, `eligibility ${networkOf(request.ip)}`, WRONG_TOKENS, TOO_MANY);
    const read = readEligibilityToken(text);
    const organization = read && planBook.find(read.organizationId);
    if (read && organization && !organization.suspended) {
      const token = await findOpenToken(tenants.of(read.organizationId), read.organizationId, read.hash, new Date());
      if (token) {
        wasRight?.();
        opened.add(text);
        return { organization, token };
      }
    }
    opened.delete(text);
    throw new HttpError(
      404,
      'eligibility_link_unknown',
      'This link opens nothing: it is wrong, has expired or was revoked. Ask for a new one.',
    );
  }

  app.get(
    '/api/eligibility/:token',
    { schema: { ...told('What the link to the eligibility checker opens'), response: { 200: eligibilityPage } } },
    async (request) => {
      const { organization, token } = await open(request, request.params.token);
      const vertical = organization.plan.verticals.get(token.vertical_id)?.config;
      return {
        status: true as const,
        organizationName: organization.name,
        verticalName: vertical?.name ?? '',
        expiresAt: token.expires_at.toISOString(),
        publisherTiers: token.publisher_tier_ids.flatMap((id) => {
          const seat = organization.publisherSeats.get(id);
          return seat ? [{ key: id, name: `${seat.publisherName}, ${seat.name}` }] : [];
        }),
        fields: (vertical?.fields ?? []).map((field) => viewLabField(field, vertical!.country)),
      };
    },
  );

  app.post(
    '/:token',
    {
      schema: {
        ...told('Which buyer tiers could take this lead now, and why not'),
        description:
          '`key` is a publisher tier that the link opens, by its id or one of its posting keys. Nothing of the lead is kept, reserved or sent.',
        body: checkBody,
        response: { 200: eligibilityAnswer },
      },
      // Anything else that is posted to a word at the root is posted to nothing.
      preValidation: async (request) => {
        if (!ELIGIBILITY_TOKEN.test((request.params as { token: string }).token))
          throw new HttpError(404, 'route_unknown', 'There is nothing at this address.');
      },
    },
    async (request, reply) => {
      const { organization, token } = await open(request, request.params.token);
      const { organizationId } = organization;
      const now = Date.now();
      limitRate(limiter, `eligibility ${token.id}`, ELIGIBILITY_CHECKS, TOO_MANY);
      const publisherTierId = seatOf(planBook, organization, request.body.key, now);
      if (!publisherTierId || !token.publisher_tier_ids.includes(publisherTierId))
        throw new HttpError(404, 'key_unknown', 'The link opens no publisher tier with this key. Choose one that the page offers.');
      const own = tenants.of(organizationId);
      if (now - (token.used_at?.getTime() ?? 0) > USE_NOTED_EVERY_MS) await noteUse(own, organizationId, token.id, new Date(now));
      reply.header('cache-control', 'no-store');
      return checkEligibility(intake, own, organization, publisherTierId, request.body.lead);
    },
  );
}

function seatOf(planBook: PlanBook, organization: OrganizationPlan, key: string, now: number): string | undefined {
  if (organization.publisherSeats.has(key)) return key;
  const finding = planBook.findKey(key, now);
  return finding.found === 'seat' && finding.organization.organizationId === organization.organizationId ? finding.seat.id : undefined;
}
