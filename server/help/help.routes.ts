/** The two calls of the help host (console §7), open to the pages of anybody: they hold nothing of any organization. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { moreDataAnswer, moreDataBody, tooltipAnswer, tooltipBody } from '#contract/help.ts';
import { takeForms } from '#server/kit/csv-file.ts';
import { findByTags, findPrompt } from './find-help.ts';
import type { HelpBook } from './help-book.ts';

export async function helpRoutes(instance: FastifyInstance, { help }: { help: HelpBook }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  takeForms(app);
  // A form needs no question beforehand; cookies are neither sent nor looked at. Refusals are read by foreign pages too.
  app.addHook('onSend', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*');
    reply.header('cross-origin-resource-policy', 'cross-origin');
    reply.header('cache-control', 'no-store');
  });
  const told = (summary: string) => ({ tags: ['help'], summary, security: [], consumes: ['application/x-www-form-urlencoded'] });

  app.post(
    '/help/sdk/more-data',
    {
      schema: {
        ...told('Terms, questions and articles by tags, which stand between commas'),
        body: moreDataBody,
        response: { 200: moreDataAnswer },
      },
    },
    async ({ body }) => findByTags(await help.current(), body.projectId, body.tagString),
  );

  app.post(
    '/help/sdk/tooltip/:id',
    {
      schema: {
        ...told('The prompt of a help trigger, and the tags under which there is more'),
        params: z.object({ id: z.string() }),
        body: tooltipBody,
        response: { 200: tooltipAnswer },
      },
    },
    async ({ params, body }) => findPrompt(await help.current(), body.projectId, params.id),
  );
}
