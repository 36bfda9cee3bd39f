/** How the installation is: for super admins alone, since it tells of all organizations together. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type pg from 'pg';
import { installationHealthAnswer } from '#contract/installation-health.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { maySeeInstallation } from '#server/session/session.policy.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { viewInstallation } from './installation-health.view.ts';
import { type Check, lookLive } from './live-checks.ts';
import { listNodes } from './read-state.sql.ts';
import { STATE_EVERY_MS, type StateBook } from './state-book.ts';

export interface InstallationHealthRoutes {
  db: Db;
  config: Config;
  pool: pg.Pool;
  state: StateBook;
  nodeId: string;
}

export async function installationHealthRoutes(instance: FastifyInstance, options: InstallationHealthRoutes): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, config, pool, state, nodeId } = options;
  const cookies = sessionCookies(config.appEnv);
  let looked: { at: number; checks: Promise<Check[]> } | undefined;

  /** However many look at the page, the checks are made as often as the figures are read. */
  const checks = (): Promise<Check[]> => {
    if (!looked || Date.now() - looked.at >= STATE_EVERY_MS) looked = { at: Date.now(), checks: lookLive(pool, config) };
    return looked.checks;
  };

  app.get(
    '/api/console/installation-health',
    {
      schema: {
        tags: ['console'],
        summary: 'How the installation is: nodes, database, what waits, what to look at',
        response: { 200: installationHealthAnswer },
      },
    },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      if (!maySeeInstallation(person))
        throw new HttpError(403, 'installation_forbidden', 'This is about all organizations together: ask a super admin.');
      const seen = await state.look();
      if (!seen)
        throw new HttpError(503, 'installation_unknown', 'The database did not tell in time how it is. Look again in a moment.', {
          retryAfterSeconds: 2,
        });
      const hasReplica = config.databaseReplicaUrl !== undefined;
      return viewInstallation({ seen, nodes: await listNodes(pool), nodeId, checks: await checks(), hasReplica });
    },
  );
}
