/** A buyer that answered "pending" says later what it decided: at an address of its tier, as systems of buyers call it, by GET or POST. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { POSTBACKS_A_MINUTE, postbackAnswer, postbackCall } from '#contract/settlement.ts';
import { formatMoney, parseMoney } from '#engine/money.ts';
import type { Feed } from '#server/feed/feed.ts';
import { networkOf } from '#server/kit/caller.ts';
import { takeForms } from '#server/kit/csv-file.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { limitRate } from '#server/kit/limit-rate.ts';
import type { RateLimiter } from '#server/kit/rate-limiter.ts';
import { isRecordToken, readRecordToken } from '#server/kit/record-token.ts';
import { inTenant, type Tenants } from '#server/kit/tenant.ts';
import type { OrganizationPlan, PlanBook } from '#server/plan/plan-book.ts';
import { openPostbackRoom } from './postback-room.ts';
import { keepRefused } from './refused-postback.sql.ts';
import { type Settled, type SettleOrder, settleLead } from './settle-lead.ts';
import { lockLead } from './settled-lead.sql.ts';
import { findByReference, findSaleOf, findSettlement } from './settlement.sql.ts';
import { SettlementRefused } from './settlement-refused.ts';

export interface PostbackParts {
  db: Db;
  tenants: Tenants;
  planBook: PlanBook;
  feed: Feed;
  limiter: RateLimiter;
}

type Call = z.infer<typeof postbackCall>;
type Answer = z.infer<typeof postbackAnswer>;
interface Caller {
  organization: OrganizationPlan;
  buyerTierId: string;
}

const params = z.object({ token: z.string().max(100) });

export async function postbackRoutes(instance: FastifyInstance, parts: PostbackParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  takeForms(app);
  const room = openPostbackRoom();
  const hear = (token: string, call: Call, ip: string): Promise<Answer> => {
    const caller = requireCaller(parts.planBook, token);
    return room.enter(caller.organization.organizationId, () => take(parts, caller, call, ip));
  };
  const told = (how: string) => ({
    tags: ['buyers'],
    summary: `Say whether you bought a lead that you answered "pending" to (${how}); the same again changes nothing`,
    security: [],
    params,
    response: { 200: postbackAnswer },
  });
  // A stranger to the address learns nothing of what may be sent there.
  const known = async ({ params }: FastifyRequest) => {
    const { buyerTierId } = requireCaller(parts.planBook, (params as { token: string }).token);
    limitRate(parts.limiter, `postback ${buyerTierId}`, POSTBACKS_A_MINUTE, 'postback_rate_limited');
  };

  app.get(
    '/api/v1/postback/:token',
    // A look at the address is no answer: only GET itself is.
    { schema: { ...told('in the query'), querystring: postbackCall }, preValidation: known, exposeHeadRoute: false },
    (request) => hear(request.params.token, request.query, request.ip),
  );
  app.post(
    '/api/v1/postback/:token',
    {
      schema: { ...told('as JSON or form'), body: postbackCall, consumes: ['application/json', 'application/x-www-form-urlencoded'] },
      preValidation: known,
    },
    (request) => hear(request.params.token, request.body, request.ip),
  );
}

/** Out of memory alone: whoever guesses costs no look-up. */
function requireCaller(planBook: PlanBook, token: string): Caller {
  const named = readRecordToken(token);
  const organization = named && planBook.find(named.organizationId);
  const tier = named && organization?.buyerWires.get(named.recordId);
  if (!organization || !tier || !isRecordToken(token, organization.keys, 'postback', tier.id, tier.postbackEpoch))
    throw new HttpError(404, 'postback_unknown', 'There is no such postback address. Ask for the one that is in force.');
  return { organization, buyerTierId: tier.id };
}

async function take(parts: PostbackParts, { organization, buyerTierId }: Caller, call: Call, ip: string): Promise<Answer> {
  const { organizationId } = organization;
  const own = parts.tenants.of(organizationId);
  const leadId = await requireLead(own, organizationId, buyerTierId, call);
  const outcome = call.outcome === 'sold' ? 'bought' : 'notBought';
  const price = call.price === undefined ? undefined : parseMoney(call.price);
  const sold = await findSaleOf(own, organizationId, leadId, buyerTierId);
  if (sold && !sold.isSettled) return alreadySold(leadId, sold.price, call, price);
  const buyer = organization.buyerWires.get(buyerTierId);
  const changer = {
    organizationId,
    userId: buyer?.buyerId ?? buyerTierId,
    firstName: buyer?.buyerName ?? '',
    lastName: '(buyer)',
    email: '',
  };
  const order = { leadId, buyerTierId, outcome, price, via: 'postback', changer, address: networkOf(ip) } as const;
  const done = await settleSaid(parts.db, organization, order);
  if (!done.wasSettled) parts.feed.ended({ organizationId, leadId, verticalId: done.verticalId });
  return { status: true, leadId, outcome: call.outcome, price: done.price === null ? null : formatMoney(done.price) };
}

async function requireLead(own: Db, organizationId: string, buyerTierId: string, { leadId, reference }: Call): Promise<string> {
  if (leadId !== undefined && isId(leadId.toLowerCase())) return leadId.toLowerCase();
  const found = reference === undefined ? [] : await findByReference(own, organizationId, buyerTierId, reference);
  if (found.length > 1)
    throw new HttpError(409, 'postback_reference_ambiguous', 'Several leads have this reference. Name the lead by our id.');
  if (!found[0]) throw new HttpError(404, 'postback_lead_unknown', 'No lead with this id or reference waits for your answer.');
  return found[0];
}

/** What is refused is kept for a person to settle; where it was settled meanwhile, the buyer hears that instead. */
async function settleSaid(db: Db, organization: OrganizationPlan, order: SettleOrder): Promise<Settled> {
  const { organizationId } = organization;
  try {
    return await inTenant(db, organizationId, (tx) => settleLead(tx, organization, order, Date.now()));
  } catch (error) {
    if (!(error instanceof SettlementRefused)) throw error;
    const { leadId, buyerTierId, price } = order;
    const before = await inTenant(db, organizationId, async (tx) => {
      await lockLead(tx, organizationId, leadId);
      if (await findSettlement(tx, organizationId, leadId, buyerTierId)) return settleLead(tx, organization, order, Date.now());
      await keepRefused(tx, organizationId, { leadId, buyerTierId, price: price || undefined, why: error.message });
      return undefined;
    });
    if (before) return before;
    throw error;
  }
}

/** Sold in its time, as the buyer answered then: saying so again is no news, anything else contradicts it. */
function alreadySold(leadId: string, sold: number, { outcome }: Call, price: number | undefined): Answer {
  if (outcome === 'sold' && (price === undefined || price === sold)) return { status: true, leadId, outcome, price: formatMoney(sold) };
  throw new HttpError(409, 'settlement_contradicts', `The lead was bought for ${formatMoney(sold)} when it was posted. Return it instead.`);
}
