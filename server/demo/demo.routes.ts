/** The demo world's sign-ins, offered on the sign-in page; empty wherever there is no demo world. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type DemoSignIn, demoAnswer } from '#contract/demo.ts';

export async function demoRoutes(instance: FastifyInstance, options: { signIns: DemoSignIn[] }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/api/console/demo',
    { schema: { tags: ['console'], summary: 'Sign-ins of the demo world', response: { 200: demoAnswer } } },
    async () => ({
      status: true as const,
      signIns: options.signIns,
    }),
  );
}
