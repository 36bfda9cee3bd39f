/**
 * GET /metrics, for Prometheus. It says how much is sold here and how well, which is nobody else's: production asks for METRICS_TOKEN as a bearer token, and is
 * closed without one.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/kit/config.ts';
import { sha256 } from '#server/kit/crypto.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { Metrics } from './open-metrics.ts';

export function metricsRoute(app: FastifyInstance, { metrics, config }: { metrics: Metrics; config: Config }): void {
  const { metricsToken, appEnv } = config;
  const expected = metricsToken === undefined ? undefined : sha256(metricsToken);
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!expected && appEnv === 'production')
      throw new HttpError(403, 'metrics_closed', 'Set METRICS_TOKEN on this node, and let Prometheus send it as a bearer token.');
    const said = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (expected && (said === undefined || !timingSafeEqual(sha256(said), expected)))
      throw new HttpError(401, 'metrics_token_wrong', 'Send METRICS_TOKEN of this node as "Authorization: Bearer <token>".');
    return reply
      .type(metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.text());
  });
}
