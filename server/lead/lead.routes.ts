/** The intake API for publishers (engine.md "Intake API"): post, ping, post after ping, status. */
import { BlockList, isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { LARGEST_BODY_BYTES, type PostingAnswer, postingAnswer, postingBody } from '#contract/posting.ts';
import { bare } from '#engine/bare.ts';
import type { RouteMode } from '#engine/lead.ts';
import { sealJson, Unreadable } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { isBrokenOff, isDatabaseAway } from '#server/kit/database-away.ts';
import { traceOf } from '#server/kit/error-trace.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId, newId } from '#server/kit/ids.ts';
import { pageOfPosting } from '#server/landing-page/page-of-posting.ts';
import type { CallLog } from '#server/log/call-log.ts';
import type { Counting } from '#server/metric/open-metrics.ts';
import type { PublisherSeat } from '#server/plan/configuration.sql.ts';
import type { OrganizationPlan, PlanBook } from '#server/plan/plan-book.ts';
import { type Attributes, type Span, type Tracer, traced } from '#server/trace/tracer.ts';
import { acceptLead } from './accept-lead.ts';
import { dropCardNumber, dropLongNumbers } from './card-number.ts';
import { type Acceptance, AnswerDelayed, IdempotencyMismatch, type IncomingLead, type Intake, LeadInFlight } from './intake.ts';
import { type IntakeRoom, withinNode, withinShare } from './intake-room.ts';
import { StoreUnavailable } from './lead.store.ts';
import { renderXml } from './posting.answer.ts';
import { formatOf, isRefusal, type Posting, readPosting } from './posting.read.ts';
import { findPing, findStoredAnswer, wasPosted } from './posting.sql.ts';

export interface IntakeRoutes extends IntakeRoom {
  db: Db;
  planBook: PlanBook;
  intake: Intake;
  calls: CallLog;
  metrics: Counting;
  tracer: Tracer;
}

interface Reply {
  statusCode: number;
  answer: PostingAnswer;
  leadId?: string;
  replayed?: boolean;
  spent?: Acceptance['spent'];
  isErased?: true;
}

class Refused extends Error {
  readonly reply: Reply;
  constructor(statusCode: number, code: string, msg: string, more: Partial<PostingAnswer> = {}) {
    super(code);
    const status = statusCode >= 500 || statusCode === 429 ? 'error' : 'invalid';
    this.reply = { statusCode, answer: { status, code, msg, ...more } };
  }
}

export async function leadRoutes(app: FastifyInstance, options: IntakeRoutes): Promise<void> {
  const { metrics } = options;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LARGEST_BODY_BYTES }, (_request, body, done) => done(null, body));
  // What went wrong before or beside the reading of a body: whose call it is can only stand in a header.
  app.setErrorHandler((error, request, reply) => {
    const refused = refusalOf(request, error);
    const caller = whoseCall(options.planBook, request, undefined);
    countAnswer(metrics, modeOf(request), bodyFormat(request), refused, reply);
    if (caller) recordCall(options, reply, caller, NO_BODY, undefined, refused);
    return send(request, reply, refused, seatedOf(caller), formatAsked(request));
  });

  const intake = (mode: RouteMode) => (request: FastifyRequest, reply: FastifyReply) =>
    withinNode(options, async () => {
      const span = options.tracer.begin(`${request.method} ${request.routeOptions.url}`, request.headers.traceparent);
      try {
        return await receive(options, request, reply, mode, span);
      } finally {
        // An answer has ended it before.
        span?.end({}, true);
      }
    });
  // Bodies are read by posting.read.ts in three formats; the schemas here only describe them.
  app.setValidatorCompiler(() => (value) => ({ value }));
  const described = (summary: string, codes: number[], more: object) => ({
    schema: {
      tags: ['intake'],
      summary,
      security: [{ postingKey: [] }, { postingKeyHeader: [] }],
      response: Object.fromEntries(codes.map((code) => [code, eitherFormat])),
      ...more,
    },
  });
  const posted = (summary: string) =>
    described(summary, POSTING_CODES, {
      headers: idempotencyHeader,
      body: postingBody,
      consumes: ['application/json', 'application/x-www-form-urlencoded', 'application/xml'],
    });
  app.post('/api/v1/leads', posted('Post a lead; answers when it is sold or nobody bought'), intake('full'));
  app.post('/api/v1/leads/ping', posted('Ask for a bid with a partial lead'), intake('ping'));
  app.post('/api/v1/leads/post', posted('Post the full lead of an earlier ping, named by pingId'), intake('post'));
  app.get<{ Params: { id: string } }>(
    '/api/v1/leads/:id',
    described('What became of a lead; the same answer its posting got', STATUS_CODES, { params: leadParams, querystring: statusQuery }),
    async (request, reply) => {
      const format = (request.query as { format?: unknown }).format;
      if (format !== undefined && formatOf(format) === undefined) throw new Refused(400, 'format_unknown', 'format must be json or xml.');
      const caller = authenticate(options.planBook, request, undefined);
      const { organization, seat } = caller;
      const { id } = request.params;
      const found = isId(id) ? await findStoredAnswer(options.db, organization, seat.id, id) : undefined;
      if (!found) throw new Refused(404, 'lead_unknown', 'No lead with this id was posted with this key.');
      const answered = { ...found, leadId: id };
      countAnswer(metrics, 'status', 'none', answered, reply);
      recordCall(options, reply, caller, NO_BODY, undefined, answered, 'lead_asked');
      return send(request, reply, answered, seat, formatAsked(request));
    },
  );
}

const POSTING_CODES = [200, 202, 400, 401, 403, 404, 409, 410, 413, 415, 422, 429, 500, 503];
const STATUS_CODES = [200, 202, 400, 401, 403, 404, 409, 415, 500, 503];
const eitherFormat = {
  description: 'As JSON, or the same members as elements of one XML element.',
  content: { 'application/json': { schema: postingAnswer }, 'application/xml': { schema: postingAnswer } },
};
const idempotencyHeader = z.looseObject({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Calls with one key are one call: the first answer is given again for 30 days.'),
});
const leadParams = z.object({ id: z.string().describe('leadId or pingId of an answer.') });
const statusQuery = z.object({ format: z.enum(['json', 'xml']).optional().describe('Format of the answer; by Accept when left out.') });

/** Where there is no body to say it. */
function formatAsked(request: FastifyRequest): 'json' | 'xml' | undefined {
  return request.method === 'GET' ? formatOf((request.query as { format?: unknown }).format) : undefined;
}

/** What to answer for something thrown; what is our fault is logged. */
function refusalOf(request: FastifyRequest, error: unknown): Reply {
  const { reply } = error instanceof Refused ? error : translate(error as Error & { code?: string; statusCode?: number });
  if (reply.statusCode >= 500) request.log.error({ err: traceOf(error), answered: reply.answer.code }, 'intake failed');
  return reply;
}

async function receive(
  options: IntakeRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
  mode: RouteMode,
  span: Span | undefined,
): Promise<FastifyReply> {
  const startedAt = options.intake.clock();
  const sent = (request.body as Buffer | undefined) ?? NO_BODY;
  const posting = traced(span, 'read', () => readPosting(sent, request.headers['content-type'] ?? ''));
  const answer = (answered: Reply, seat: PublisherSeat | undefined, by: Caller | undefined): FastifyReply => {
    countAnswer(options.metrics, mode, bodyFormat(request), answered, reply);
    span?.end(attributesOf(mode, answered, by), answered.statusCode >= 500);
    return send(request, reply, answered, seat, posting.format);
  };
  if (isRefusal(posting)) {
    // Whose call it was is still worth knowing where the key can be read.
    const known = whoseCall(options.planBook, request, posting.key);
    const refused = new Refused(
      posting.refused === 'body_unsupported' ? 415 : 400,
      posting.refused,
      posting.msg,
      posting.field ? { errors: [{ field: posting.field, message: posting.msg }] } : {},
    ).reply;
    if (known) recordCall(options, reply, known, unread(known, sent), posting.key, refused);
    return answer(refused, seatedOf(known), known);
  }
  let caller: Caller;
  try {
    caller = authenticate(options.planBook, request, posting.key);
  } catch (error) {
    const known = whoseCall(options.planBook, request, posting.key);
    const refused = refusalOf(request, error);
    if (known) recordCall(options, reply, known, unread(known, sent), posting.key, refused);
    return answer(refused, seatedOf(known), known);
  }
  const binField = binFieldOf(caller);
  const { fields, body } = binField
    ? dropCardNumber(binField, { fields: posting.fields, body: sent })
    : { fields: posting.fields, body: sent };
  const answered = await withinShare(options, caller.organization.organizationId, options.intake.clock(), async () => {
    const incoming = await incomingLead(options, request, { ...posting, fields }, caller, mode, body);
    return acceptLead(options.intake, { ...incoming, span });
  }).catch((error) => refusalOf(request, error));
  // A lead keeps its own call; only what made none is logged apart.
  if (answered.replayed) recordCall(options, reply, caller, body, posting.key, answered, 'lead_replayed');
  else if (answered.leadId === undefined) recordCall(options, reply, caller, body, posting.key, answered);
  if (answered.spent && !caller.seat.terse) reply.header('server-timing', serverTiming(answered.spent, options.intake.clock() - startedAt));
  return answer(answered, caller.seat, caller);
}

/** A call that was refused before its mode was looked at has the one of its address. */
const modeOf = (request: FastifyRequest): RouteMode | 'status' => {
  if (request.method === 'GET') return 'status';
  const last = request.routeOptions.url?.split('/').at(-1);
  return last === 'ping' || last === 'post' ? last : 'full';
};

function bodyFormat(request: FastifyRequest): 'json' | 'form' | 'xml' | 'none' | 'other' {
  const type = request.headers['content-type'];
  if (type === undefined) return 'none';
  if (/\bjson\b/i.test(type)) return 'json';
  if (/\bxml\b/i.test(type)) return 'xml';
  return /\bx-www-form-urlencoded\b/i.test(type) ? 'form' : 'other';
}

function countAnswer(
  metrics: Counting,
  mode: RouteMode | 'status',
  format: string,
  { answer, statusCode }: Reply,
  reply: FastifyReply,
): void {
  metrics.add('sluice_intake_answers_total', { mode, format, code: answer.code });
  metrics.observe('sluice_intake_answer_seconds', { mode }, reply.elapsedTime / 1_000);
  if (statusCode >= 400) reply.refusal = { status: statusCode, code: answer.code };
}

/** What a trace tells of a call: ids of ours, and how it ended. */
function attributesOf(mode: RouteMode, { answer, statusCode, leadId, replayed }: Reply, caller: Caller | undefined): Attributes {
  return {
    'http.response.status_code': statusCode,
    'sluice.mode': mode,
    'sluice.code': answer.code,
    'sluice.lead_id': leadId,
    'sluice.is_replayed': replayed,
    'sluice.organization_id': caller?.organization.organizationId,
    'sluice.publisher_tier_id': caller?.seat.id,
  };
}

/** Where the time of this call went, for whoever looks at it with ordinary tools. */
function serverTiming({ buyersMs, servicesMs, storeMs }: NonNullable<Acceptance['spent']>, totalMs: number): string {
  const parts = {
    total: totalMs,
    buyers: buyersMs - servicesMs,
    ...(servicesMs > 0 && { services: servicesMs }),
    own: Math.max(0, totalMs - buyersMs),
    store: storeMs,
  };
  return Object.entries(parts)
    .map(([name, ms]) => `${name};dur=${ms.toFixed(2)}`)
    .join(', ');
}

interface Caller {
  organization: OrganizationPlan;
  seat: PublisherSeat;
  /** First characters of the key. */
  prefix: string;
  /** False where the key opens nothing any more. */
  isOpen: boolean;
}

const NO_BODY = Buffer.alloc(0);

function keyOf(request: FastifyRequest, inBody: string | undefined): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const header = request.headers['x-api-key'];
  return bearer ?? (typeof header === 'string' ? header : undefined) ?? inBody;
}

/** Whose key it is, be it revoked or expired; undefined for a key that nobody has. */
function whoseCall(planBook: PlanBook, request: FastifyRequest, inBody: string | undefined): Caller | undefined {
  const key = keyOf(request, inBody);
  const finding = key ? planBook.findKey(key, Date.now()) : undefined;
  return finding && finding.found !== 'nothing' ? { ...finding, isOpen: finding.found === 'seat' } : undefined;
}

/** How an answer is to look is for the tier of a key that is good. */
const seatedOf = (caller: Caller | undefined): PublisherSeat | undefined => (caller?.isOpen ? caller.seat : undefined);

/** A body as it may be kept before its fields were looked at. */
const unread = (caller: Caller, body: Buffer): Buffer => (binFieldOf(caller) ? dropLongNumbers(body) : body);

function binFieldOf({ organization, seat }: Pick<Caller, 'organization' | 'seat'>): string | undefined {
  return organization.plan.publisherTiers.get(seat.id)?.campaign.vertical.binField;
}

function authenticate(planBook: PlanBook, request: FastifyRequest, inBody: string | undefined): Caller {
  const key = keyOf(request, inBody);
  if (!key)
    throw new Refused(401, 'key_missing', 'Send your posting key as "Authorization: Bearer <key>", as X-Api-Key, or in the field key.');
  const finding = planBook.findKey(key, Date.now());
  switch (finding.found) {
    case 'nothing':
      throw new Refused(401, 'key_unknown', 'This posting key is not known. Check it against your posting specification.');
    case 'revoked':
      throw new Refused(401, 'key_revoked', 'This posting key was revoked. Ask for a new one.');
    case 'expired':
      throw new Refused(401, 'key_expired', 'This posting key has expired. Ask for a new one.');
    case 'suspended':
      throw new Refused(403, 'organization_suspended', 'This organization does not take leads at the moment.');
    case 'seat':
      if (finding.seat.kind === 'lander')
        throw new Refused(
          403,
          'tier_of_landers',
          'Leads of this publisher tier come from landers alone. Ask for the key of a tier that takes posted leads.',
        );
      if (!mayCall(finding.seat.ipAllow, request.ip))
        throw new Refused(403, 'address_refused', `Calls from ${request.ip} are not allowed with this key.`);
      return { ...finding, isOpen: true };
  }
}

function mayCall(ranges: string[], address: string): boolean {
  if (ranges.length === 0) return true;
  // A proxy may forward what is no address at all.
  if (isIP(address) === 0) return false;
  const list = new BlockList();
  for (const range of ranges) {
    const [network, bits] = range.split('/');
    const family = isIP(network!) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(network!, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

async function incomingLead(
  options: IntakeRoutes,
  request: FastifyRequest,
  posting: Posting,
  caller: Caller,
  mode: RouteMode,
  body: Buffer,
): Promise<IncomingLead> {
  const { organization, seat } = caller;
  if (posting.campaignId !== undefined && posting.campaignId !== seat.campaignId) {
    throw new Refused(
      400,
      'campaign_unknown',
      'This key does not post to that campaign. Leave campaignId out, or use the key of that campaign.',
    );
  }
  if (mode === 'ping') limitPings(options, seat);
  const key = request.headers['idempotency-key'];
  if (typeof key === 'string' && (key.length === 0 || key.length > 255)) {
    throw new Refused(400, 'idempotency_key_invalid', 'Idempotency-Key must have 1 to 255 characters.');
  }
  const ping = mode === 'post' ? await requirePing(options, posting, caller) : undefined;
  const { fields, pageId } = pageOfPosting(organization, seat.id, posting.fields);
  return {
    organization,
    seat,
    mode,
    fields: ping ? bare<unknown>({ ...ping.fields, ...fields }) : fields,
    ...(pageId && { pageId }),
    test: posting.test,
    timeoutMs: posting.timeoutMs,
    idempotencyKey: typeof key === 'string' ? key : undefined,
    publisherGone: () => request.raw.socket.destroyed,
    inbound: { method: request.method, path: pathOf(request), ...inboundOf(request, body, posting.key), keyPrefix: caller.prefix },
    ...(ping && { ping: { pingId: ping.pingId, offers: ping.offers, ...(ping.variantId && { variantId: ping.variantId }) } }),
  };
}

function limitPings(options: IntakeRoutes, seat: PublisherSeat): void {
  if (seat.pingsPerMinute === null) return;
  const waitMs = options.limiter.take(`ping ${seat.id}`, seat.pingsPerMinute, 60_000, options.intake.clock());
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  throw new Refused(429, 'ping_rate_limited', `At most ${seat.pingsPerMinute} pings a minute with this key. Try again in ${seconds} s.`, {
    retry_after: seconds,
  });
}

async function requirePing(options: IntakeRoutes, posting: Posting, { organization, seat }: Caller) {
  if (!posting.pingId) throw new Refused(400, 'ping_missing', 'Name the ping you post to in pingId, or post to /api/v1/leads.');
  const ping = isId(posting.pingId) ? await findPing(options.db, organization, seat.id, posting.pingId) : undefined;
  if (!ping) throw new Refused(404, 'ping_unknown', 'No bid was given to a ping with this id and key.');
  const now = options.intake.clock();
  const isExpired = ping.offers.length > 0 && ping.offers.every((offer) => offer.expiresAt <= now);
  // Whoever sends a post again hears what became of it, however late: told to ping again it would be sold twice.
  if (isExpired && !(await wasPosted(options.db, organization.organizationId, seat.id, posting.pingId, now)))
    throw new Refused(410, 'ping_expired', 'The bid of this ping has expired. Ping again.');
  if (ping.test !== posting.test) {
    throw new Refused(422, 'ping_test_mismatch', 'A test ping is posted with test, a real one without.', {
      errors: [{ field: 'test', message: 'must be as it was in the ping' }],
    });
  }
  return { pingId: posting.pingId, ...ping };
}

function translate(error: Error & { code?: string; statusCode?: number }): Refused {
  if (error instanceof HttpError)
    return new Refused(error.statusCode, error.code, error.message, {
      ...(error.retryAfterSeconds !== undefined && { retry_after: error.retryAfterSeconds }),
    });
  if (isBrokenOff(error)) return new Refused(400, 'request_broken_off', 'The call broke off before all of it was there. Send it again.');
  if (error instanceof StoreUnavailable || isDatabaseAway(error)) {
    return new Refused(503, 'store_unavailable', 'The lead was not taken. Send it again in a moment; it will not be sold twice.', {
      retry_after: 2,
    });
  }
  if (error instanceof Unreadable)
    return new Refused(
      409,
      'lead_unreadable',
      'What is kept of this lead was damaged and cannot be read. Ask whom you post to; it is not sold twice.',
    );
  if (error instanceof IdempotencyMismatch) {
    return new Refused(422, 'idempotency_mismatch', 'Another lead was sent with this Idempotency-Key or to this ping. Use a new one.');
  }
  if (error instanceof AnswerDelayed) {
    return new Refused(
      503,
      'answer_delayed',
      'The lead was taken, but its answer cannot be given yet. Send it again in a moment to get it; it will not be sold twice.',
      {
        retry_after: 2,
      },
    );
  }
  if (error instanceof LeadInFlight) {
    return new Refused(409, 'lead_in_flight', 'This lead is still being worked on. Ask for its answer again in a moment.', {
      retry_after: 1,
    });
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refused(413, 'body_too_large', `The body is larger than ${LARGEST_BODY_BYTES / 1024} KiB.`);
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refused(415, 'body_unsupported', 'Send JSON, form fields or XML.');
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new Refused(error.statusCode, 'request_invalid', 'The request could not be read.');
  return new Refused(500, 'lead_error', 'Something failed on our side. Send the lead again; it will not be sold twice.');
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0]!;
}

/** The call as it came, without the key, wherever it stands in the body. */
function inboundOf(
  request: FastifyRequest,
  body: Buffer,
  keyInBody: string | undefined,
): { contentType: string; body: string; ip: string } {
  return { contentType: request.headers['content-type'] ?? '', body: withoutKey(body, keyInBody), ip: request.ip };
}

function withoutKey(body: Buffer, key: string | undefined): string {
  const text = body.toString('utf8');
  if (!key) return text;
  const hidden = text.replaceAll(key, '…').replaceAll(encodeURIComponent(key), '…');
  return hidden === text ? `(${body.length} bytes, not kept: the key is spelled with escapes)` : hidden;
}

/** `code`: what it is called in the log, where that is not the answer's own. */
function recordCall(
  options: IntakeRoutes,
  { request, elapsedTime: elapsedMs }: FastifyReply,
  caller: Caller,
  body: Buffer,
  keyInBody: string | undefined,
  answered: Reply,
  code = answered.answer.code,
): void {
  const { organization, seat, prefix } = caller;
  const { organizationId } = organization;
  const now = options.intake.clock();
  options.calls.record({ organizationId, publisherTierId: seat.id, code }, () => {
    const id = newId(now - elapsedMs);
    // An equal call after a lead of whom nothing was kept leaves nothing either.
    const kept = answered.isErased ? { contentType: '', body: '', ip: '' } : inboundOf(request, body, keyInBody);
    const wire = { ...kept, answer: JSON.stringify(answered.answer) };
    return {
      organizationId,
      id,
      publisherTierId: seat.id,
      leadId: answered.leadId ?? null,
      keyPrefix: prefix,
      method: request.method,
      path: request.method === 'GET' ? '/api/v1/leads/{id}' : pathOf(request),
      statusCode: answered.statusCode,
      code,
      elapsedMs,
      wire: sealJson(organization.keys, 'api_call.wire', id, wire),
    };
  });
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answered: Reply,
  seat: PublisherSeat | undefined,
  format?: 'json' | 'xml',
): FastifyReply {
  const { statusCode, answer, replayed } = answered;
  if (answer.retry_after !== undefined) reply.header('retry-after', String(answer.retry_after));
  if (replayed) reply.header('idempotent-replayed', 'true');
  if (seat?.always200) reply.header('x-status-code', String(statusCode));
  reply.code(seat?.always200 ? 200 : statusCode);
  return wantsXml(request, format)
    ? reply.type('application/xml; charset=utf-8').send(renderXml(answer))
    : reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
}

function wantsXml(request: FastifyRequest, format: 'json' | 'xml' | undefined): boolean {
  if (format) return format === 'xml';
  const accept = request.headers.accept ?? '';
  return /\b(application|text)\/xml\b/.test(accept) && !accept.includes('json');
}
