/** Trying an endpoint while it is written (console §3, set-up of buyer tiers and services). Nothing of it is stored. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { noticeLeg } from '#contract/endpoint.notice.ts';
import { type EndpointDraft, newOrigins, secretNamesOf } from '#contract/endpoint.secrets.ts';
import { type EndpointConfig, endpointConfig, type LegConfig } from '#contract/endpoint.ts';
import {
  previewAnswer,
  previewBody,
  type Reading as ReadingView,
  readAnswerAnswer,
  readAnswerBody,
  testCallAnswer,
  testCallBody,
} from '#contract/endpoint-trial.ts';
import { normaliseLead } from '#engine/field.ts';
import { formatMoney } from '#engine/money.ts';
import { buyerTier } from '#server/buyer/buyer.models.ts';
import { REASON_LETTERS } from '#server/delivery/compile-reading.ts';
import { type CompiledLeg, compileLeg, compileTier, deliver } from '#server/delivery/deliver.ts';
import type { Outbound } from '#server/delivery/outbound.ts';
import { sayFailure } from '#server/delivery/say-failure.ts';
import type { BuildInput, WireCall, WireRequest, WireWarning } from '#server/delivery/wire.ts';
import { openJson } from '#server/kit/crypto.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId, newId } from '#server/kit/ids.ts';
import { takeTry } from '#server/kit/throttle.ts';
import { viewHop } from '#server/lead/attempt.view.ts';
import { requireVerticalPlan } from '#server/plan/check-tier.ts';
import { findRow } from '#server/record/record.sql.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import { type Change, forbidden, unknown } from '#server/record/record-change.ts';
import type { RecordModel } from '#server/record/record-model.ts';
import { secretsNeeded } from '#server/record/secrets-field.ts';
import { service } from '#server/service/service.models.ts';
import { mayOpenPage } from '#server/session/session.policy.ts';

const CALLS = { limit: 30, windowMs: 60_000 };

export async function endpointTrialRoutes(instance: FastifyInstance, options: RecordParts & { outbound: Outbound }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);
  const told = (summary: string) => ({ tags: ['console'], summary });

  app.post(
    '/api/console/endpoint/preview',
    { schema: { ...told('What an endpoint would send for a lead'), body: previewBody, response: { 200: previewAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const { endpoint, leg: name, verticalId, lead } = request.body;
        const config = requireEndpoint(endpoint);
        const input = await inputOf(change, verticalId, lead, name);
        const { request: built, warnings } = compile(requireLeg(config, name)).build({
          ...input,
          context: { ...input.context, secrets: dotsFor(config) },
        });
        return { status: true as const, request: viewRequest(built), warnings: warnings.map(viewWarning) };
      }),
  );

  app.post(
    '/api/console/endpoint/read',
    { schema: { ...told('What an endpoint makes of a buyer’s answer'), body: readAnswerBody, response: { 200: readAnswerAnswer } } },
    (request) =>
      asPerson(request, async ({ person }) => {
        if (!buyerTier.mayRead(person)) throw forbidden();
        const { endpoint, leg: name, statusCode, headers, body } = request.body;
        const leg = compile(requireLeg(requireEndpoint(endpoint), name));
        const input = { lead: {}, context: CONTEXT(), call: { leg: name, timeoutMs: 10_000 } };
        const lower = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
        const read = leg.read({ status: statusCode, headers: lower, body: Buffer.from(body) }, input);
        return { status: true as const, reading: viewReading(read, read.readAs, read.rule, read.warnings) };
      }),
  );

  app.post(
    '/api/console/endpoint/test-call',
    { schema: { ...told('One real call to a buyer with a test lead'), body: testCallBody, response: { 200: testCallAnswer } } },
    async (request) => {
      // The call itself stands outside the transaction: a slow buyer must not hold a connection.
      const { endpoint, leg: name, verticalId, tierId, serviceId, lead, timeLimitMs } = request.body;
      const prepared = await asPerson(request, async (change) => {
        if ((await takeTry(options.db, `test calls of ${change.person.userId}`, CALLS.limit, CALLS.windowMs)) > 0)
          throw new HttpError(429, 'test_call_rate_limited', 'Many test calls were made. Wait a minute.', { retryAfterSeconds: 60 });
        const config = requireEndpoint(endpoint);
        const secrets = await secretsOf(change, request.body, { [name]: requireLeg(config, name) });
        return { config, input: await inputOf(change, verticalId, lead, name), secrets };
      });
      const { config, input, secrets } = prepared;
      const call = { buyerTierId: tierId ?? serviceId ?? newId(), leg: name, timeoutMs: timeLimitMs };
      const context = { ...input.context, secrets, ...(secrets.username !== undefined && { username: secrets.username }) };
      const { answer, wire, shown } = await deliver(
        options.outbound,
        compileTier(config, `trial ${call.buyerTierId}`),
        call,
        input.lead,
        context,
      );
      const hasAnswer = wire.response !== null;
      return {
        status: true as const,
        request: viewRequest(wire.request),
        response: wire.response && { statusCode: wire.response.status, headers: wire.response.headers, body: wire.response.body },
        firstTry: wire.firstTry ? sayFailure(wire.firstTry) : null,
        hops: (wire.hops ?? []).map(viewHop),
        failure: wire.failure ? sayFailure({ ...wire.failure, hops: wire.hops }) : null,
        elapsedMs: Math.round(answer.elapsedMs * 10) / 10,
        timeLimitMs,
        isTimedOut: answer.outcome === 'timeout',
        reading: hasAnswer ? viewReading({ ...answer, ...shown }, wire.readAs ?? null, wire.rule, wire.warnings) : null,
      };
    },
  );
}

/** What the winner of a lead that is none would have paid. */
const SAMPLE_WINNING = 250_000;

const CONTEXT = () => ({
  now: Date.now(),
  leadId: newId(),
  affiliateId: 'SAMPLE',
  subId: 'sample',
  campaignName: 'Sample',
  maxSales: 1,
  currency: 'USD',
  test: true,
});

/** The lead as intake would read it, and for a ping only what a ping may show; throws where the person may not set the vertical up. */
async function inputOf(
  { tx, person }: Change,
  verticalId: string,
  lead: Record<string, string>,
  leg: WireCall['leg'],
): Promise<BuildInput> {
  const row = isId(verticalId)
    ? await tx
        .selectFrom('vertical')
        .select('region_id')
        .where('organization_id', '=', person.organizationId)
        .where('id', '=', verticalId)
        .executeTakeFirst()
    : undefined;
  if (!row) throw unknown();
  if (!mayOpenPage(person, 'setup', row.region_id, verticalId)) throw forbidden();
  const { config } = await requireVerticalPlan(tx, person.organizationId, verticalId);
  const { fields } = normaliseLead(config, lead, true);
  // Who lost is told no more than it was asked about.
  const shown =
    leg === 'post'
      ? fields
      : Object.fromEntries(config.fields.filter((one) => one.inPing).map((one) => [one.fieldName, fields[one.fieldName]]));
  const context = leg === 'lost' ? { ...CONTEXT(), winningPrice: SAMPLE_WINNING } : CONTEXT();
  return { lead: shown, context, call: { leg, timeoutMs: 10_000 } };
}

interface Holder {
  tierId: string | null;
  serviceId: string | null;
  secrets: Record<string, string>;
}

/** What is written for the call, and what is stored; the stored only where the stored endpoint speaks to the same origins as `called`. */
async function secretsOf(
  change: Change,
  { tierId, serviceId, secrets: written }: Holder,
  called: EndpointDraft,
): Promise<Record<string, string>> {
  const holder = tierId !== null ? await openHolder(change, buyerTier, 'buyer_tier.secrets', tierId) : undefined;
  const { endpoint, stored } = holder ?? (await openHolder(change, service, 'service.secrets', serviceId));
  const origins = newOrigins(endpoint, called);
  if (origins.length === 0) return { ...stored, ...written };
  const missing = secretNamesOf(called).filter((name) => Object.hasOwn(stored, name) && !Object.hasOwn(written, name));
  if (missing.length > 0) throw secretsNeeded(origins, missing);
  return written;
}

async function openHolder(
  { tx, person, keys }: Change,
  model: RecordModel,
  sealedAs: string,
  id: string | null,
): Promise<{ endpoint: EndpointDraft; stored: Record<string, string> }> {
  if (id === null) return { endpoint: {}, stored: {} };
  const row = isId(id) ? await findRow(tx, model, person, id) : undefined;
  if (!row) throw unknown();
  const stored = row.secrets ? openJson<Record<string, string>>(keys(), sealedAs, id, row.secrets as Buffer) : {};
  return { endpoint: row.endpoint as EndpointDraft, stored };
}

/** An endpoint as it stands in the editor. */
export function requireEndpoint(value: unknown): EndpointConfig {
  const read = endpointConfig.safeParse(value);
  if (read.success) return read.data;
  const errors = read.error.issues.slice(0, 10).map((issue) => ({ field: ['endpoint', ...issue.path].join('.'), message: issue.message }));
  throw new HttpError(400, 'endpoint_invalid', `The endpoint is not complete: ${errors[0]!.field}: ${errors[0]!.message}`, { errors });
}

function requireLeg(config: EndpointConfig, name: WireCall['leg']): LegConfig {
  const leg = name === 'lost' ? config.lost && noticeLeg(config.lost) : config[name];
  if (!leg) {
    const what = name === 'lost' ? 'loss notice' : name;
    throw new HttpError(400, `endpoint_${name}_missing`, `The endpoint has no ${what}.`, {
      errors: [{ field: `endpoint.${name}`, message: 'is missing' }],
    });
  }
  return leg;
}

function compile(leg: LegConfig): CompiledLeg {
  try {
    return compileLeg(leg);
  } catch (error) {
    throw new HttpError(
      400,
      'endpoint_invalid',
      `The endpoint cannot be used: ${error instanceof Error ? error.message : 'it cannot be read'}`,
    );
  }
}

const DOTS = '******';

/** Every secret that the endpoint names, as stars. */
function dotsFor(config: EndpointConfig): Record<string, string> {
  return Object.fromEntries(secretNamesOf(config).map((name) => [name, DOTS]));
}

const viewWarning = ({ code, at }: WireWarning) => ({ code, at: at ?? null });
const viewRequest = ({ method, url, headers, body }: WireRequest) => ({ method, url, headers, body: body ?? null });

interface Read {
  outcome: string;
  price?: number;
  reasons: string[];
  redirectUrl?: string;
  expiresAt?: number;
  captures: Record<string, string>;
}

function viewReading(read: Read, readAs: string | null, rule: number | undefined, warnings: readonly WireWarning[]): ReadingView {
  return {
    outcome: read.outcome,
    price: read.price === undefined ? null : formatMoney(read.price),
    reasons: read.reasons.map((reason) => reason.slice(0, REASON_LETTERS)),
    redirectUrl: read.redirectUrl ?? null,
    expiresAt: read.expiresAt === undefined ? null : new Date(read.expiresAt).toISOString(),
    captures: read.captures,
    readAs,
    rule: rule === undefined ? null : rule + 1,
    warnings: warnings.map(viewWarning),
  };
}
