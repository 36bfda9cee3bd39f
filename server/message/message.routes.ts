/** The wording of toasts, served from the one catalogue (console §7). */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { MESSAGES } from '#contract/message.ts';
import { messagesAnswer } from '#contract/reporting.ts';

export async function messageRoutes(instance: FastifyInstance): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const result = JSON.stringify(MESSAGES);
  app.get(
    '/ampl/message/toastr-notification',
    {
      schema: {
        tags: ['console'],
        summary: 'Toast messages by key, as a JSON text; {{module}} stands for what is spoken of',
        security: [],
        response: { 200: messagesAnswer },
      },
    },
    // The same for everybody, and an upgrade shows its new wording within a minute.
    async (_request, reply) => reply.header('cache-control', 'public, max-age=60').send({ status: true, result }),
  );
}
