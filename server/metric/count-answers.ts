/** Counts what is answered: requests by area, refusals by code, and steps of signing in. By the route that answered, never by what somebody typed. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Counting } from './open-metrics.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Where this is a refusal: its HTTP code, also where it is sent under another, and the code of it. */
    refusal: { status: number; code: string } | undefined;
    isCounted: boolean;
  }
}

/** Beginnings of routes, the first that fits; all else is the console's page and its files. */
const AREAS: readonly [string, string][] = [
  ['/api/v1/leads', 'intake'],
  ['/api/v1/returns', 'buyers'],
  ['/api/v1/postback', 'buyers'],
  ['/api/v1/payments', 'payments'],
  ['/api/console/feed', 'stream'],
  ['/api/console/portal', 'portal'],
  ['/api/console/reports', 'reports'],
  ['/api/v1/drawcard', 'public'],
  ['/api/v1/landing-pages', 'public'],
  ['/drawcard', 'public'],
  ['/r/', 'public'],
  ['/posting-spec', 'public'],
  ['/help', 'help'],
  ['/api/', 'console'],
  ['/team-login', 'console'],
  ['/admin', 'console'],
  ['/healthz', 'probe'],
  ['/readyz', 'probe'],
  ['/metrics', 'probe'],
];
/** Of what is kept and cannot be opened: it was damaged, or SECRET_KEY is not the one it was sealed with. */
const UNREADABLE: ReadonlySet<string> = new Set(['lead_unreadable', 'settlement_unreadable', 'kept_unreadable']);
const SIGN_IN: Readonly<Record<string, string>> = {
  '/team-login': 'password',
  '/api/user/validate-mfa': 'code',
  '/api/user/verify-mfa': 'code',
  '/api/v1/session/auto-login': 'link',
  '/api/v1/session/prove': 'proof',
};

export function countAnswers(app: FastifyInstance, metrics: Counting): void {
  app.decorateReply('refusal', undefined);
  app.decorateReply('isCounted', false);
  // What it came to counts also where the caller has hung up: `onResponse` is not called then.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (!reply.isCounted) countOutcome(metrics, request, reply);
    reply.isCounted = true;
    done();
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? '';
    const area = areaOf(route);
    metrics.add('sluice_http_requests_total', { area, status: `${Math.floor(reply.statusCode / 100)}xx` });
    // A stream ends when its reader leaves.
    if (area !== 'stream') metrics.observe('sluice_http_request_seconds', { area }, reply.elapsedTime / 1_000);
  });
}

function countOutcome(metrics: Counting, request: FastifyRequest, { refusal }: FastifyReply): void {
  if (refusal && (refusal.status === 429 || refusal.status === 503 || UNREADABLE.has(refusal.code)))
    metrics.add('sluice_refusals_total', { status: String(refusal.status), code: refusal.code });
  const step = request.method === 'POST' ? SIGN_IN[request.routeOptions.url ?? ''] : undefined;
  if (step) metrics.add('sluice_sign_ins_total', { step, outcome: refusal?.code ?? 'done' });
}

const cached = new Map<string, string>();

/** Routes are a list of ours: each is looked up once. */
function areaOf(route: string): string {
  const known = cached.get(route);
  if (known) return known;
  const area = AREAS.find(([begins]) => route.startsWith(begins))?.[1] ?? 'page';
  cached.set(route, area);
  return area;
}
