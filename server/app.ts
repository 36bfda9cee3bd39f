/** The HTTP server: every route of the product, its documentation, health and metrics, and the files of the console. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifySchema, LogController } from 'fastify';
import {
  createJsonSchemaTransform,
  hasZodFastifySchemaValidationErrors,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import type pg from 'pg';
import { HELP } from '#contract/console-constants.ts';
import type { DemoSignIn } from '#contract/demo.ts';
import { errorView } from '#contract/error.ts';
import { LANDING_PAGE_SCRIPT } from '#contract/landing-page-script.ts';
import { abTestRoutes } from './ab-test/ab-test.routes.ts';
import { binRoutes } from './bin/bin.routes.ts';
import { breakerRoutes } from './breaker/breaker.routes.ts';
import type { BreakerBook } from './breaker/breaker-book.ts';
import { treeRoutes } from './campaign/tree.routes.ts';
import { cardRoutes } from './card/card.routes.ts';
import { nothingPage, publicPageOf, sendPage } from './card/nothing.ts';
import { cardPictureRoutes } from './card/picture.routes.ts';
import { changeLogCsvRoutes } from './change-log/change-log.csv.routes.ts';
import { changeLogRoutes } from './change-log/change-log.routes.ts';
import { configurationRoutes } from './configuration/configuration.routes.ts';
import { describeConfiguration } from './configuration/describe-configuration.ts';
import { dataRequestRoutes } from './data-request/data-request.routes.ts';
import { demoRoutes } from './demo/demo.routes.ts';
import { eligibilityConsoleRoutes } from './eligibility/eligibility.console.routes.ts';
import { eligibilityRoutes } from './eligibility/eligibility.routes.ts';
import { endpointTrialRoutes } from './endpoint/endpoint-trial.routes.ts';
import type { ErasureRegister } from './erasure/erasure-register.ts';
import { exportRoutes } from './export/export.routes.ts';
import { exportFeedRoutes } from './export/export-feed.routes.ts';
import { feedRunCsvRoutes } from './export/feed-run.csv.routes.ts';
import type { FeedRunner } from './export/feed-runner.ts';
import type { Ways } from './export/send-file.ts';
import type { Feed } from './feed/feed.ts';
import { installationHealthRoutes } from './health/installation-health.routes.ts';
import type { StateBook } from './health/state-book.ts';
import { helpConsoleRoutes } from './help/help.console.routes.ts';
import { helpRoutes } from './help/help.routes.ts';
import type { HelpBook } from './help/help-book.ts';
import { homeRoutes } from './home/home.routes.ts';
import { importRoutes } from './import/import.routes.ts';
import { jobCsvRoutes } from './job/job.csv.routes.ts';
import { jobRoutes } from './job/job.routes.ts';
import type { JobRunner } from './job/job-runner.ts';
import { keyRoutes } from './key/key.routes.ts';
import type { Addresses } from './kit/addresses.ts';
import type { Config } from './kit/config.ts';
import { Unreadable } from './kit/crypto.ts';
import type { Db } from './kit/database.ts';
import { isBrokenOff, isDatabaseAway, storeUnavailable } from './kit/database-away.ts';
import { traceOf } from './kit/error-trace.ts';
import { GateFull } from './kit/gate.ts';
import { HttpError, sendError } from './kit/http-error.ts';
import { closeAsItLeaves, type Leaving } from './kit/leaving.ts';
import { describeNamed, referToNamed } from './kit/named-schemas.ts';
import { speakPlainly } from './kit/plain-words.ts';
import { openRateLimiter } from './kit/rate-limiter.ts';
import { holdsStorable } from './kit/storable.ts';
import type { Tenants } from './kit/tenant.ts';
import { tooLarge } from './kit/too-large.ts';
import { labRoutes } from './lab/lab.routes.ts';
import { replayRoutes } from './lab/replay.routes.ts';
import type { ReplayRunner } from './lab/replay-runner.ts';
import { countRoutes } from './landing-page/count.routes.ts';
import { pageStatsRoutes } from './landing-page/page-stats.routes.ts';
import type { Intake } from './lead/intake.ts';
import type { IntakeLoad } from './lead/intake-room.ts';
import { leadConsoleRoutes } from './lead/lead.console.routes.ts';
import { leadRoutes } from './lead/lead.routes.ts';
import { ledgerRoutes } from './ledger/ledger.routes.ts';
import type { CallLog } from './log/call-log.ts';
import { logRoutes } from './log/log.routes.ts';
import type { Mailer } from './mail/mail.ts';
import { mailboxRoutes } from './mail/mailbox.routes.ts';
import { messageRoutes } from './message/message.routes.ts';
import { countAnswers } from './metric/count-answers.ts';
import { metricsRoute } from './metric/metrics.route.ts';
import type { Metrics } from './metric/open-metrics.ts';
import { logoRoutes } from './organization/logo.routes.ts';
import { organizationKeyRoutes } from './organization/organization-key.routes.ts';
import { overviewRoutes } from './overview/overview.routes.ts';
import { passwordRoutes } from './password/password.routes.ts';
import { paymentRoutes } from './payment/payment.routes.ts';
import { paymentAddressRoutes } from './payment/payment-address.routes.ts';
import { paymentStatsRoutes } from './payment/payment-stats.routes.ts';
import type { PlanBook } from './plan/plan-book.ts';
import { changeRequestRoutes } from './portal/change-request.routes.ts';
import { portalRoutes } from './portal/portal.routes.ts';
import { portalRequestRoutes } from './portal/portal-request.routes.ts';
import { postingSpecConsoleRoutes } from './posting-spec/posting-spec.console.routes.ts';
import { postingSpecRoutes } from './posting-spec/posting-spec.routes.ts';
import { promotionRoutes } from './promotion/promotion.routes.ts';
import { recordConsoleRoutes } from './record/record.console.routes.ts';
import { recordCsvRoutes } from './record/record.csv.routes.ts';
import { recordRoutes } from './record/record.routes.ts';
import { describeModels } from './record/record-schema.ts';
import type { SetUpConnections } from './record/set-up-connections.ts';
import { redirectRoutes } from './redirect/redirect.routes.ts';
import { regionRoutes } from './region/region.routes.ts';
import { registrationRoutes } from './registration/registration.routes.ts';
import { reportRoutes } from './report/report.routes.ts';
import { reportingRoutes } from './reporting/reporting.routes.ts';
import { restRoutes } from './rest/rest.routes.ts';
import type { RestBook } from './rest/rest-book.ts';
import { retentionRoutes } from './retention/retention.routes.ts';
import { returnConsoleRoutes } from './return/return.console.routes.ts';
import { returnRoutes } from './return/return.routes.ts';
import { sampleRoutes } from './sample/sample.routes.ts';
import { savedViewRoutes } from './saved-view/saved-view.routes.ts';
import { securityLogCsvRoutes } from './security-log/security-log.csv.routes.ts';
import { securityLogRoutes } from './security-log/security-log.routes.ts';
import type { SecurityLog } from './security-log/security-log.ts';
import { watchAnswers } from './security-log/watch-answers.ts';
import { checkTrialRoutes } from './service/check-trial.routes.ts';
import { activationRoutes } from './session/activation.ts';
import { proveRoutes } from './session/prove.routes.ts';
import { sessionRoutes } from './session/session.routes.ts';
import { sessionCookies } from './session/signed-in.ts';
import { postbackRoutes } from './settlement/postback.routes.ts';
import { postbackAddressRoutes } from './settlement/postback-address.routes.ts';
import { settlementRoutes } from './settlement/settlement.routes.ts';
import { suppressionRoutes } from './suppression/suppression.routes.ts';
import { invitationRoutes } from './team/invitation.routes.ts';
import { onlineRoutes } from './team/online.routes.ts';
import { teamRoutes } from './team/team.routes.ts';
import type { Tracer } from './trace/tracer.ts';
import { twoFactorRoutes } from './two-factor/two-factor.routes.ts';
import { webhookCsvRoutes } from './webhook/webhook.csv.routes.ts';
import { webhookRoutes } from './webhook/webhook.routes.ts';

export interface AppParts {
  config: Config;
  db: Db;
  /** The connections of `db`. */
  pool: pg.Pool;
  setUp: SetUpConnections;
  tenants: Tenants;
  /** The same, for what may be a moment old. */
  readers: Tenants;
  planBook: PlanBook;
  mailer: Mailer;
  addresses: Addresses;
  intake: Intake;
  breakers: BreakerBook;
  jobs: JobRunner;
  feeds: FeedRunner;
  erasures: ErasureRegister;
  /** Where files of leads go out. */
  ways: Ways;
  replays: ReplayRunner;
  rests: RestBook;
  calls: CallLog;
  security: SecurityLog;
  feed: Feed;
  help: HelpBook;
  metrics: Metrics;
  tracing: Tracer;
  load: IntakeLoad;
  /** What is known of the installation as a whole. */
  state: StateBook;
  nodeId: string;
  leaving: Leaving;
  /** Resolves when the database answers. */
  ready: () => Promise<unknown>;
  demoSignIns: DemoSignIn[];
}

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  speakPlainly();
  const { config } = parts;
  const app = Fastify({
    logger: { level: config.logLevel, serializers: { req: logRequest, res: (reply) => ({ statusCode: reply.statusCode }) } },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    // One logger for all requests: making one for each costs more than most requests log.
    childLoggerFactory: (logger) => logger,
    requestTimeout: 15_000,
    // What still comes in over a connection that was open is answered, not refused.
    return503OnClosing: false,
    // How often slow senders are looked for; Node's own half a minute would add to the time limits below.
    http: { connectionsCheckingInterval: 2_000 },
    // A proxy's word about who calls is not believed unless an operator says which proxy: never everybody, never a number of hops.
    trustProxy: config.trustedProxies.length > 0 && config.trustedProxies,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => refuseAddress(error.code, request.url, reply, parts),
  });
  app.server.headersTimeout = 10_000;
  app.server.maxConnections = Math.max(1_000, config.maxInFlight * 2);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  countAnswers(app, parts.metrics);
  guardAnswers(app, config);
  answerErrors(app);
  closeAsItLeaves(app, parts.leaving);
  await describeApi(app);
  healthRoutes(app, parts);

  const limiter = openRateLimiter();
  const { db, setUp, tenants, readers, planBook, intake, addresses, mailer } = parts;
  await app.register(leadRoutes, { db, planBook, intake, limiter, calls: parts.calls, ...leadParts(parts) });
  await app.register(returnRoutes, { db, tenants, planBook });
  await app.register(postbackRoutes, { db, tenants, planBook, feed: parts.feed, limiter });
  await app.register(paymentRoutes, { db, tenants, planBook, limiter });
  await app.register(redirectRoutes, { db, planBook, addresses });
  await app.register(postingSpecRoutes, { planBook, addresses });
  // Cookies and the headers that guard pages are for browsers; the intake of leads does without and is faster for it.
  await app.register(async (pages) => {
    leaveToHelmet(pages);
    await pages.register(helmet, helmetOptions(config));
    await pages.register(cookie);
    watchAnswers(pages, {
      log: parts.security,
      now: intake.clock,
      cookies: sessionCookies(config.appEnv),
      organizationAt: (hostname) => {
        const holder = planBook.findAt(addresses.subDomainOf(hostname) ?? '');
        return holder?.suspended ? undefined : holder?.organizationId;
      },
    });
    // PostgreSQL keeps neither a NUL nor half a surrogate pair: a text with one names nothing.
    pages.addHook('preValidation', async (request) => {
      if (/%00/.test(request.url) || !holdsStorable(request.body))
        throw new HttpError(
          400,
          'request_invalid',
          'The request holds a NUL character, or half of one that takes two. Type that text anew.',
        );
    });
    await pages.register(sessionRoutes, { db, config, planBook, addresses });
    await pages.register(proveRoutes, { db, config, mailer });
    await pages.register(twoFactorRoutes, { db, config, addresses, mailer });
    await pages.register(passwordRoutes, { db, config, addresses, mailer });
    await pages.register(activationRoutes, { db, addresses, mailer });
    if (config.appEnv !== 'production' && !config.smtpUrl) await pages.register(mailboxRoutes, { db, mailer });
    await pages.register(regionRoutes, { db, tenants, config });
    await pages.register(reportingRoutes, { db, tenants, config });
    await pages.register(messageRoutes);
    await pages.register(helpRoutes, { help: parts.help });
    await pages.register(helpConsoleRoutes, { db, config, help: parts.help });
    await pages.register(installationHealthRoutes, { db, config, pool: parts.pool, state: parts.state, nodeId: parts.nodeId });
    await pages.register(registrationRoutes, { db, config, mailer, addresses, limiter });
    await pages.register(invitationRoutes, { db, config, mailer });
    await pages.register(teamRoutes, { db, config, mailer, addresses });
    await pages.register(onlineRoutes, { db, config });
    await pages.register(logoRoutes, { db, config });
    await pages.register(recordRoutes, { db, setUp, config, planBook });
    await pages.register(recordConsoleRoutes, { db, setUp, config, planBook });
    await pages.register(recordCsvRoutes, { db, setUp, config, planBook });
    await pages.register(changeLogRoutes, { db, setUp, config, planBook });
    await pages.register(changeLogCsvRoutes, { db, setUp, config, planBook });
    await pages.register(securityLogRoutes, { db, config });
    await pages.register(securityLogCsvRoutes, { db, config });
    await pages.register(endpointTrialRoutes, { db, setUp, config, planBook, outbound: intake.deliver.outbound });
    await pages.register(webhookRoutes, { db, setUp, config, planBook, outbound: intake.deliver.outbound });
    await pages.register(webhookCsvRoutes, { db, setUp, config, planBook });
    await pages.register(breakerRoutes, { db, setUp, config, planBook, breakers: parts.breakers });
    await pages.register(checkTrialRoutes, { db, setUp, config, planBook });
    await pages.register(sampleRoutes, { db, setUp, tenants, config, planBook });
    await pages.register(restRoutes, { db, setUp, config, planBook, rests: parts.rests });
    await pages.register(configurationRoutes, { db, setUp, config, planBook });
    await pages.register(treeRoutes, { db, setUp, config, planBook });
    await pages.register(postingSpecConsoleRoutes, { db, setUp, config, planBook, tenants, addresses });
    await pages.register(keyRoutes, { db, setUp, config, planBook });
    await pages.register(binRoutes, { db, setUp, config, planBook, tenants });
    await pages.register(organizationKeyRoutes, { db, setUp, config, planBook });
    await pages.register(suppressionRoutes, { db, setUp, config, planBook });
    await pages.register(importRoutes, { db, setUp, config, planBook });
    await pages.register(jobRoutes, { db, setUp, config, planBook, tenants, jobs: parts.jobs });
    await pages.register(jobCsvRoutes, { db, setUp, config, planBook });
    await pages.register(leadConsoleRoutes, { db, tenants, config, planBook });
    await pages.register(dataRequestRoutes, { db, setUp, config, planBook, tenants, jobs: parts.jobs, erasures: parts.erasures });
    await pages.register(exportRoutes, { db, setUp, config, planBook, tenants, jobs: parts.jobs });
    await pages.register(exportFeedRoutes, { db, setUp, config, planBook, ways: parts.ways, feeds: parts.feeds, clock: intake.clock });
    await pages.register(feedRunCsvRoutes, { db, setUp, config, planBook });
    await pages.register(logRoutes, { db, tenants: readers, config, planBook });
    await pages.register(returnConsoleRoutes, { db, tenants, config, planBook });
    await pages.register(settlementRoutes, { db, tenants, config, planBook, feed: parts.feed });
    await pages.register(postbackAddressRoutes, { db, setUp, config, planBook });
    await pages.register(ledgerRoutes, { db, setUp, config, planBook });
    await pages.register(abTestRoutes, { db, setUp, config, planBook });
    await pages.register(promotionRoutes, { db, tenants, config, planBook });
    await pages.register(retentionRoutes, { db, tenants, config, planBook });
    await pages.register(homeRoutes, { db, tenants, config, planBook, feed: parts.feed });
    await pages.register(reportRoutes, { db, tenants: readers, config, planBook });
    await pages.register(pageStatsRoutes, { db, tenants: readers, config });
    await pages.register(savedViewRoutes, { db, tenants, config });
    await pages.register(paymentStatsRoutes, { db, tenants: readers, config, planBook });
    await pages.register(paymentAddressRoutes, { db, setUp, config, planBook });
    await pages.register(countRoutes, { tenants, planBook, limiter });
    await pages.register(overviewRoutes, { db, tenants, config, planBook, feed: parts.feed });
    await pages.register(labRoutes, { db, setUp, config, planBook, tenants, intake });
    await pages.register(replayRoutes, { db, setUp, config, planBook, replays: parts.replays });
    await pages.register(eligibilityConsoleRoutes, { db, setUp, config, planBook });
    await pages.register(eligibilityRoutes, { tenants, planBook, intake, limiter });
    await pages.register(cardPictureRoutes, { db, setUp, config, planBook });
    await pages.register(cardRoutes, { db, tenants, planBook, addresses, intake, limiter, ...leadParts(parts) });
    await pages.register(portalRoutes, { db, tenants, readers, config, planBook, addresses });
    await pages.register(portalRequestRoutes, { db, tenants, config, planBook });
    await pages.register(changeRequestRoutes, { db, setUp, config, planBook, tenants, mailer, addresses });
    await pages.register(demoRoutes, { signIns: parts.demoSignIns });
    await serveConsole(pages);
  });
  return app;
}

const leadParts = ({ config: { maxInFlight, leadsPerSecond }, load, metrics, tracing }: AppParts) => ({
  maxInFlight,
  leadsPerSecond,
  load,
  metrics,
  tracer: tracing,
});

/** An address that leads to no route, because it cannot be read or a part of it has no end. Whoever opened a card is told in words. */
function refuseAddress(code: string, url: string, reply: FastifyReply, { config, addresses }: AppParts): void {
  const what = reply.request.method === 'GET' || reply.request.method === 'HEAD' ? publicPageOf(url) : undefined;
  reply.headers({ ...alwaysSaid(config), 'access-control-allow-origin': '*' });
  if (what) {
    reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    sendPage(reply, 404, nothingPage(what, addresses.origin()));
  } else if (code === 'FST_ERR_BAD_URL')
    sendError(
      reply,
      new HttpError(400, 'address_invalid', 'The address holds a % with which no letter is written. Write %25 for the sign itself.'),
    );
  else sendError(reply, new HttpError(404, 'route_unknown', 'There is nothing at this address.'));
}

/** Only what tells requests apart; never a body, a query or a header, where personal data may stand. */
function logRequest(request: { method: string; url: string; id?: string }) {
  return { id: request.id, method: request.method, path: request.url.split('?')[0] };
}

function helmetOptions(config: Config) {
  const secure = config.appEnv === 'production';
  const helpHost = config.helpHost ? [config.helpHost] : [];
  return {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...helpHost],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...helpHost],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        upgradeInsecureRequests: secure ? [] : null,
      },
    },
    // Said of every answer, not of pages alone (guardAnswers).
    hsts: false,
    referrerPolicy: { policy: 'same-origin' as const },
    crossOriginEmbedderPolicy: false,
  };
}

/** Of an answer that is no page: nothing of it runs, nothing frames it, and nobody is told its address. Pages say what they need instead. */
const CLOSED = {
  'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

function alwaysSaid({ appEnv }: Config): Record<string, string> {
  return {
    ...CLOSED,
    'x-content-type-options': 'nosniff',
    ...(appEnv === 'production' && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
}

/** Helmet writes the headers of pages past Fastify, which would put its own over them. */
function leaveToHelmet(pages: FastifyInstance): void {
  pages.addHook('onRequest', async (_request, reply) => {
    for (const name of Object.keys(CLOSED)) reply.removeHeader(name);
  });
}

/**
 * Every answer is what it says it is, over HTTPS where that is to be had, and what holds anything of anybody is kept nowhere. A media type with a tab or a second value has slipped past
 * validation before (CVE-2026-25223): such requests are not read at all.
 */
function guardAnswers(app: FastifyInstance, config: Config): void {
  const always = alwaysSaid(config);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(always);
    if (/^\/(api|team-login|admin|mailbox)\b/.test(request.url)) reply.header('cache-control', 'no-store');
    const type = request.headers['content-type'];
    if (type !== undefined && (/[^\x20-\x7e]/.test(type) || type.includes(','))) {
      throw new HttpError(415, 'content_type_invalid', 'The Content-Type header is not valid.');
    }
  });
}

function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof HttpError) return sendError(reply, error);
    if (error instanceof GateFull)
      return sendError(
        reply,
        new HttpError(429, 'session_busy', 'Too many people are signing in. Try again in a second.', { retryAfterSeconds: 1 }),
      );
    if (hasZodFastifySchemaValidationErrors(error)) return sendError(reply, invalidRequest(error.validation));
    const { statusCode = 500, code } = error as { statusCode?: number; code?: string };
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return sendError(reply, tooLarge(request));
    if (statusCode < 500) return sendError(reply, new HttpError(statusCode, 'request_invalid', 'The request could not be read.'));
    if (isBrokenOff(error))
      return sendError(reply, new HttpError(400, 'request_broken_off', 'The call broke off before all of it was there. Send it again.'));
    request.log.error({ err: traceOf(error) }, 'request failed');
    if (error instanceof Unreadable) return sendError(reply, new HttpError(409, 'kept_unreadable', KEPT_UNREADABLE));
    if (isDatabaseAway(error)) return sendError(reply, storeUnavailable());
    return sendError(reply, new HttpError(500, 'server_error', 'Something failed on our side. Try again.'));
  });
  app.setNotFoundHandler((_request, reply) => sendError(reply, new HttpError(404, 'route_unknown', 'There is nothing at this address.')));
}

const KEPT_UNREADABLE =
  'What is kept of this was damaged and cannot be opened. Nothing was changed; ask whoever runs the installation for a backup.';

function invalidRequest(validation: { instancePath: string; message?: string }[]): HttpError {
  const errors = validation.map((one) => ({
    field: one.instancePath.slice(1).replaceAll('/', '.') || 'body',
    message: one.message ?? 'is not valid',
  }));
  return new HttpError(
    400,
    'request_invalid',
    `The request is not valid: ${errors.map((one) => `${one.field}: ${one.message.replace(/\.$/, '')}`).join('; ')}.`,
    { errors },
  );
}

const describeRoute = createJsonSchemaTransform({ zodToJsonConfig: { override: referToNamed } });

async function describeApi(app: FastifyInstance): Promise<void> {
  const named = describeNamed();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Sluice', version: '1', description: 'Lead distribution: intake for publishers, and the calls of the console.' },
      components: {
        schemas: { ...describeModels(), ...named, ConfigurationDocument: describeConfiguration(named.ConfigurationDocument!) },
        securitySchemes: {
          postingKey: { type: 'http', scheme: 'bearer', description: 'The posting key of one publisher tier; also in the field key.' },
          postingKeyHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'The posting key of one publisher tier.' },
          returnKey: { type: 'http', scheme: 'bearer', description: 'The return key of one buyer.' },
          organizationKey: { type: 'http', scheme: 'bearer', description: 'A key of the organization itself, made by its owner.' },
          session: { type: 'apiKey', in: 'cookie', name: 'sluice' },
        },
      },
    },
    transform: (route) => describeRoute({ ...route, schema: withRefusals(route.schema) }),
  });
  const mark = await readFile(join(import.meta.dirname, '..', 'web', 'static', 'favicon.svg'));
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP:
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    // A call has an address: the console leads to it.
    uiConfig: { deepLinking: true },
    logo: { type: 'image/svg+xml', content: mark, href: '/' },
    theme: {
      title: 'Sluice API',
      favicon: [{ filename: 'favicon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: mark }],
    },
  });
}

/** Every call of the console may be refused in one shape; only the intake has its own. */
function withRefusals<S extends FastifySchema>(schema: S): S {
  const { tags, security, response } = schema;
  if (!tags || tags.includes('intake')) return schema;
  return { ...schema, security: security ?? [{ session: [] }], response: { ...(response as object), '4xx': errorView, '5xx': errorView } };
}

const READY_WITHIN_MS = 2_000;

function healthRoutes(app: FastifyInstance, parts: AppParts): void {
  const hidden = { schema: { hide: true } };
  app.get('/healthz', hidden, async () => ({ status: true }));
  app.get('/readyz', hidden, async (_request, reply) => {
    if (parts.leaving.hasBegun())
      return sendError(reply, new HttpError(503, 'node_leaving', 'This node is being stopped. Another one answers.'));
    try {
      await Promise.race([
        parts.ready(),
        sleep(READY_WITHIN_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('too late'))),
      ]);
      return { status: true };
    } catch {
      return sendError(reply, new HttpError(503, 'store_unavailable', 'The database does not answer.', { retryAfterSeconds: 2 }));
    }
  });
  metricsRoute(app, parts);
}

const WEB = join(import.meta.dirname, '..', 'dist', 'web');

/** The console's files never change under one name; its page is asked for anew each time. */
async function serveConsole(app: FastifyInstance): Promise<void> {
  if (!existsSync(join(WEB, 'index.html'))) {
    app.log.warn('The console is not built; run npm run build.');
    return;
  }
  await app.register(fastifyStatic, {
    root: WEB,
    wildcard: false,
    index: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      if ([HELP.scriptPath, LANDING_PAGE_SCRIPT].some((script) => path.startsWith(WEB + script))) return letForeignPagesLoad(reply);
      reply.header('cache-control', path.includes(`${WEB}/assets/`) ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.sendFile('index.html'));
  // Whoever types or follows an address gets the console, which knows where to send them (account §2 "Unknown URL").
  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    const path = request.url.split('?')[0]!;
    if (!wantsPage(request.headers.accept) || /^\/(api|admin|ampl|assets|docs|drawcard|help|landing)(\/|$)|\.[a-z0-9]+$/i.test(path))
      return reply.callNotFound();
    return reply.sendFile('index.html');
  });
}

/** One address for ever: a page that was written years ago gets a new version within the hour, and the old one at once while it is fetched. */
function letForeignPagesLoad(reply: { header(name: string, value: string): unknown }): void {
  reply.header('cache-control', 'public, max-age=3600, stale-while-revalidate=86400');
  reply.header('access-control-allow-origin', '*');
  reply.header('cross-origin-resource-policy', 'cross-origin');
}

function wantsPage(accept: string | undefined): boolean {
  return accept?.includes('text/html') ?? false;
}
