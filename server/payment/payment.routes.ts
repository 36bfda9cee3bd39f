/** Payment processors report what became of payments: at an address of their own, as they call postbacks, by GET or POST, one or many. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  MOST_PAYMENTS,
  PAYMENT_CALLS_A_MINUTE,
  type PaymentAnswer,
  type PaymentCall,
  paymentAnswer,
  paymentBody,
  paymentCall,
  type TakenPayment,
} from '#contract/payment.ts';
import { LONGEST_SPAN_YEARS } from '#contract/report-limits.ts';
import { DAY_MS } from '#engine/zone.ts';
import { takeForms } from '#server/kit/csv-file.ts';
import type { Db } from '#server/kit/database.ts';
import { GateFull, openSharedGate } from '#server/kit/gate.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { limitRate } from '#server/kit/limit-rate.ts';
import type { RateLimiter } from '#server/kit/rate-limiter.ts';
import { isRecordToken, readRecordToken } from '#server/kit/record-token.ts';
import type { Tenants } from '#server/kit/tenant.ts';
import type { OrganizationPlan, PlanBook } from '#server/plan/plan-book.ts';
import type { ProcessorSeat } from './payment-processor.sql.ts';
import { readBin } from './payment-text.ts';
import { takePayments } from './take-payments.ts';

export interface PaymentParts {
  db: Db;
  tenants: Tenants;
  planBook: PlanBook;
  limiter: RateLimiter;
}

const URL = '/api/v1/payments/:token';
const params = z.object({ token: z.string().max(100) });
/** Clocks differ; a day is no difference of clocks. */
const AHEAD_MS = DAY_MS;
const KEPT_MS = LONGEST_SPAN_YEARS * 366 * DAY_MS;

export async function paymentRoutes(instance: FastifyInstance, parts: PaymentParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  takeForms(app);
  const told = (how: string) => ({
    tags: ['payment processors'],
    summary: `Say what became of payments (${how}); the same again changes nothing`,
    description: `Each payment has \`transactionId\` and \`result\` (approved, declined, refunded, chargeback), and may have \`reason\`, \`amount\`, \`currency\`, \`bin\`, \`leadId\` and \`at\`. A later report with the same transactionId corrects it. At most ${MOST_PAYMENTS} in a call; of many, those that cannot be read are refused one by one.`,
    security: [],
    params,
    response: { 200: paymentAnswer },
  });
  // A stranger to the address learns nothing of what may be sent there.
  const known = async ({ params }: FastifyRequest) => {
    const { processor } = requireProcessor(parts.planBook, (params as { token: string }).token);
    limitRate(parts.limiter, `payments ${processor.id}`, PAYMENT_CALLS_A_MINUTE, 'payment_rate_limited');
    if (processor.isPaused)
      throw new HttpError(409, 'payment_processor_paused', 'Reports are not taken while this processor is paused. Send them again later.');
  };
  app.get(
    URL,
    // A look at the address reports nothing: only GET itself does.
    { schema: { ...told('in the query'), querystring: z.record(z.string(), z.unknown()) }, preValidation: known, exposeHeadRoute: false },
    async (request) => take(parts, request.params.token, [request.query], false),
  );
  app.post(
    URL,
    {
      schema: { ...told('as JSON or form'), body: paymentBody, consumes: ['application/json', 'application/x-www-form-urlencoded'] },
      preValidation: known,
    },
    async (request) => {
      const { body } = request;
      const many = Array.isArray(body) ? body : body.payments;
      if (many === undefined) return take(parts, request.params.token, [body], false);
      if (!Array.isArray(many)) throw new HttpError(400, 'payments_invalid', 'payments: must be a list of payments.');
      if (many.length === 0 || many.length > MOST_PAYMENTS)
        throw new HttpError(400, 'payments_invalid', `payments: must be 1 to ${MOST_PAYMENTS} payments. Send the rest in another call.`);
      return take(parts, request.params.token, many, true);
    },
  );
}

/** Out of memory alone: whoever guesses costs no look-up. */
function requireProcessor(planBook: PlanBook, token: string): { organization: OrganizationPlan; processor: ProcessorSeat } {
  const named = readRecordToken(token);
  const organization = named && planBook.find(named.organizationId);
  const processor = named && organization?.processors.get(named.recordId);
  if (
    !organization ||
    !processor ||
    organization.suspended ||
    !isRecordToken(token, organization.keys, 'payments', processor.id, processor.postbackEpoch)
  )
    throw new HttpError(404, 'payment_address_unknown', 'There is no such address for payments. Ask for the one that is in force.');
  return { organization, processor };
}

/** Each holds a connection of those that sign-ins live by: a few of all at once, and one of each processor, whose calls wait for each other's transactions anyway. */
const gate = openSharedGate({ atOnce: 3, ofOne: 1, waiting: 2_400, waitingOfOne: 600 });

async function inTurn<T>(processorId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await gate.enter(processorId, work);
  } catch (error) {
    if (!(error instanceof GateFull)) throw error;
    throw new HttpError(429, 'payments_rate_limited', 'Many calls with payments are under way. Send this one again in a moment.', {
      retryAfterSeconds: 1,
    });
  }
}

type Refusal = { errors: { field: string; message: string }[] };

/** One that cannot be read is refused as a call; of many, by itself, and only where none is left the whole call is. */
async function take(
  { db, tenants, planBook }: PaymentParts,
  token: string,
  raw: readonly unknown[],
  isMany: boolean,
): Promise<PaymentAnswer> {
  const { organization, processor } = requireProcessor(planBook, token);
  const now = Date.now();
  const read = raw.map((one) => readCall(one, now));
  const calls = read.filter((one): one is PaymentCall => !('errors' in one));
  const first = read.find((one): one is Refusal => 'errors' in one);
  if (calls.length === 0 && first) {
    const errors = isMany ? read.flatMap((one, at) => ('errors' in one ? numbered(one, at) : [])) : first.errors;
    throw new HttpError(400, 'payment_invalid', sayErrors(errors), { errors });
  }
  const taken = await inTurn(processor.id, () => takePayments({ db, tenants, organization, processor, now }, calls));
  const answers = taken.values();
  const payments = read.map(
    (one, at): TakenPayment =>
      'errors' in one
        ? { transactionId: transactionOf(raw[at]), outcome: 'refused', leadId: null, msg: sayErrors(one.errors) }
        : answers.next().value!,
  );
  if (!isMany && payments[0]!.outcome === 'refused') throw new HttpError(409, 'payment_reports_many', payments[0]!.msg);
  const count = (outcome: TakenPayment['outcome']) => payments.filter((one) => one.outcome === outcome).length;
  return { status: true, taken: count('taken'), same: count('same'), refused: count('refused'), payments };
}

function readCall(raw: unknown, now: number): PaymentCall | Refusal {
  const parsed = paymentCall.safeParse(raw);
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
    return { errors: errors.some(({ field }) => field === '') ? [{ field: 'payments', message: 'each must be an object' }] : errors };
  }
  const { bin, at } = parsed.data;
  const errors = [
    ...(bin !== undefined && readBin(bin) === undefined ? [{ field: 'bin', message: 'must be six to eight digits' }] : []),
    ...(at !== undefined && at > now + AHEAD_MS ? [{ field: 'at', message: 'must not lie in the future' }] : []),
    ...(at !== undefined && at < now - KEPT_MS ? [{ field: 'at', message: `must not be more than ${LONGEST_SPAN_YEARS} years ago` }] : []),
  ];
  return errors.length > 0 ? { errors } : parsed.data;
}

const numbered = ({ errors }: Refusal, at: number) => errors.map(({ field, message }) => ({ field: `payments.${at}.${field}`, message }));
const sayErrors = (errors: Refusal['errors']): string => errors.map(({ field, message }) => `${field}: ${message}.`).join(' ');

function transactionOf(raw: unknown): string {
  const { transactionId } = (raw ?? {}) as { transactionId?: unknown };
  return ['string', 'number'].includes(typeof transactionId) ? String(transactionId).slice(0, 200).toWellFormed() : '';
}
