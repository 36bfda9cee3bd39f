/**
 * What the script of a landing page counts (web/landing-page): a call for anybody's page, with no session, no cookie and nothing of the person.
 * A page that is not there is answered as one that is.
 */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { countParams, type PageEvent } from '#contract/landing-page.ts';
import { networkOf } from '#server/kit/caller.ts';
import { traceOf } from '#server/kit/error-trace.ts';
import { limitRate } from '#server/kit/limit-rate.ts';
import { isProgram } from '#server/kit/looking-only.ts';
import type { RateLimiter } from '#server/kit/rate-limiter.ts';
import { openTally } from '#server/kit/tally.ts';
import type { Tenants } from '#server/kit/tenant.ts';
import type { PlanBook } from '#server/plan/plan-book.ts';
import { type CountedPage, countOnPage } from './landing-page.sql.ts';

export interface CountParts {
  tenants: Tenants;
  planBook: PlanBook;
  limiter: RateLimiter;
}

/** What one network may send in a minute: an office full of visitors, and no flood. */
const COUNTS = 300;
const COLUMN = { view: 'views', submit: 'submits' } as const satisfies Record<PageEvent, string>;

export async function countRoutes(instance: FastifyInstance, { tenants, planBook, limiter }: CountParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  // Nothing is read of a body, whatever it says it is.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 1024 }, (_request, _body, done) => done(null, undefined));
  // Refusals are answered to foreign pages too.
  app.addHook('onSend', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*');
    reply.header('cross-origin-resource-policy', 'cross-origin');
  });
  const count = openTally<CountedPage, 'views' | 'submits'>(
    (page, counts) => countOnPage(tenants.of(page.organizationId), page, counts, new Date()),
    (error) => app.log.warn({ err: traceOf(error) }, 'a landing page was not counted'),
  );

  app.post(
    '/api/v1/landing-pages/:id/:event',
    {
      schema: {
        tags: ['landing pages'],
        summary: 'Count a view of a landing page, or a form that was sent there',
        security: [],
        params: countParams,
        response: { 204: z.null().describe('Always, also where there is no such page.') },
      },
    },
    async (request, reply) => {
      limitRate(limiter, `landing page ${networkOf(request.ip)}`, COUNTS, 'landing_page_rate_limited');
      const { id, event } = request.params;
      const owner = planBook.findPage(id);
      if (owner && !owner.suspended && !isProgram(request)) count({ id, organizationId: owner.organizationId }, [COLUMN[event]]);
      return reply.code(204).send(null);
    },
  );
}
