/** Leads that wait to be settled, and the word that settles them. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { fillModule, MESSAGES } from '#contract/message.ts';
import {
  type QuoteAnswer,
  quoteAnswer,
  quoteBody,
  settleAnswer,
  settleBody,
  type settledLine,
  TO_SETTLE_MOST,
  toSettleAnswer,
  toSettleQuery,
} from '#contract/settlement.ts';
import { addMoney, formatMoney, parseMoney } from '#engine/money.ts';
import type { Feed } from '#server/feed/feed.ts';
import { networkOf } from '#server/kit/caller.ts';
import type { Db } from '#server/kit/database.ts';
import { isDatabaseAway, STORE_UNAVAILABLE, storeUnavailable } from '#server/kit/database-away.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { inTenant, rehearse } from '#server/kit/tenant.ts';
import { type ConsoleRoutes, decidingForbidden, forbidden, requireOrganization } from '#server/lead/lead.console.routes.ts';
import { findLeadPlace } from '#server/lead/lead-view.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { requirePlace } from '#server/region/region.routes.ts';
import { mayDecideLeads, mayReadLeads } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireOwnPage, requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { quoteLead, settleLead } from './settle-lead.ts';
import { countOpenByTier, listOpen } from './settlement.sql.ts';
import { viewOpen } from './to-settle.view.ts';

type Asked = z.infer<typeof settleBody>['leads'][number];

export async function settlementRoutes(instance: FastifyInstance, options: ConsoleRoutes & { feed: Feed }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants, feed } = options;
  const cookies = sessionCookies(options.config.appEnv);

  app.get(
    '/api/console/settlements/open',
    {
      schema: {
        tags: ['console'],
        summary: 'Leads of which it is not known whether a buyer has them, and late accepts, the oldest first',
        querystring: toSettleQuery,
        response: { 200: toSettleAnswer },
      },
    },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      const own = tenants.of(person.organizationId);
      const place = await requirePlace(own, person, request.query);
      if (!mayReadLeads(person, place.regionId, place.verticalId)) throw forbidden();
      const organization = requireOrganization(options.planBook, person.organizationId);
      const { buyerTierId } = request.query;
      const scope = { verticalId: place.verticalId, buyerTierId };
      const items =
        buyerTierId !== undefined && !isId(buyerTierId) ? [] : await listOpen(own, person.organizationId, scope, TO_SETTLE_MOST);
      const all = items.length < TO_SETTLE_MOST ? [] : await countOpenByTier(own, person.organizationId, place.verticalId);
      const counts = all.filter(({ buyer_tier_id }) => [undefined, buyer_tier_id].includes(buyerTierId));
      const total = Math.max(
        items.length,
        counts.reduce((sum, one) => sum + one.leads, 0),
      );
      const maySettle = mayDecideLeads(person, place.regionId, place.verticalId);
      return { status: true as const, total, maySettle, items: items.map((open) => viewOpen(organization, open)) };
    },
  );

  app.post(
    '/api/console/settlements/quote',
    {
      schema: {
        tags: ['console'],
        summary: 'What buyers would be billed and publishers paid if these leads were bought; nothing is settled',
        body: quoteBody,
        response: { 200: quoteAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const person = await requireSignedIn(db, cookies, request);
      const own = tenants.of(person.organizationId);
      const organization = requireOrganization(options.planBook, person.organizationId);
      const lines: Quoted[] = [];
      for (const asked of request.body.leads) {
        // One that comes before in this call would be sold by then.
        const soldWithIt = lines.filter(({ line, quote }) => quote && line.leadId === asked.leadId).length;
        lines.push(await quoteOne({ db, own }, organization, person, asked, soldWithIt));
      }
      if (lines.length === 1 && lines[0]!.refusal) throw lines[0]!.refusal;
      const quotes = lines.flatMap(({ quote }) => quote ?? []);
      return {
        status: true as const,
        revenue: formatMoney(addMoney(...quotes.map(({ revenue }) => revenue))),
        payout: formatMoney(addMoney(...quotes.map(({ payout }) => payout))),
        soldBefore: quotes.filter(({ salesBefore }) => salesBefore > 0).length,
        leads: lines.map(({ line }) => line),
      };
    },
  );

  app.post(
    '/api/console/settlements',
    {
      schema: {
        tags: ['console'],
        summary: 'Say of one or many leads whether the buyer bought them; each is told what became of it',
        body: settleBody,
        response: { 200: settleAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const person = await requireSignedIn(db, cookies, request);
      const own = tenants.of(person.organizationId);
      const organization = requireOrganization(options.planBook, person.organizationId);
      const said: Said[] = [];
      // One after the other, each in a transaction of its own: one that cannot be settled keeps no other waiting.
      for (const asked of request.body.leads) {
        const away = said.find(({ refusal }) => refusal?.code === STORE_UNAVAILABLE);
        // Nobody waits for a database that is away once for each.
        if (away) said.push({ ...away, line: { ...away.line, leadId: asked.leadId, buyerTierId: asked.buyerTierId } });
        else said.push(await settleOne({ db, own }, organization, person, networkOf(request.ip), asked, feed));
      }
      const leads = said.map(({ line }) => line);
      const settled = leads.filter((one) => one.isSettled).length;
      // A single one that is refused is a refusal.
      if (said.length === 1 && said[0]!.refusal) throw said[0]!.refusal;
      const msg = leads.length === 1 ? MESSAGES.leadSettled : fillModule(MESSAGES.leadsSettled, `${settled} of ${leads.length}`);
      return { status: true as const, msg, settled, leads };
    },
  );
}

/** What became of one, and why it was refused. */
interface Said {
  line: z.infer<typeof settledLine>;
  refusal?: HttpError;
}

/** A lead that somebody may not read answers as one that is not there. */
async function requireDecidable(own: Db, person: SignedIn, { leadId, buyerTierId }: Pick<Asked, 'leadId' | 'buyerTierId'>): Promise<void> {
  const place = isId(leadId) && isId(buyerTierId) ? await findLeadPlace(own, person.organizationId, leadId) : undefined;
  if (!place || !mayReadLeads(person, place.regionId, place.verticalId))
    throw new HttpError(404, 'settlement_unknown', 'There is nothing to settle between this lead and this buyer tier.');
  if (!mayDecideLeads(person, place.regionId, place.verticalId)) throw decidingForbidden();
}

interface Quoted {
  line: QuoteAnswer['leads'][number];
  quote?: Awaited<ReturnType<typeof quoteLead>>;
  refusal?: HttpError;
}

async function quoteOne(
  { db, own }: { db: Db; own: Db },
  organization: OrganizationPlan,
  person: SignedIn,
  { price, ...named }: z.infer<typeof quoteBody>['leads'][number],
  soldWithIt: number,
): Promise<Quoted> {
  try {
    await requireDecidable(own, person, named);
    const order = { ...named, price: price === undefined ? undefined : parseMoney(price), soldWithIt };
    const quote = await rehearse(db, organization.organizationId, (tx) => quoteLead(tx, organization, order, Date.now()));
    return { line: { ...named, payout: formatMoney(quote.payout), code: null, msg: '' }, quote };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { line: { ...named, payout: null, code: error.code, msg: error.message }, refusal: error };
  }
}

async function settleOne(
  { db, own }: { db: Db; own: Db },
  organization: OrganizationPlan,
  person: SignedIn,
  address: string,
  asked: Asked,
  feed: Feed,
): Promise<Said> {
  const { leadId, buyerTierId, outcome } = asked;
  const named = { leadId, buyerTierId };
  try {
    await requireDecidable(own, person, named);
    const price = asked.price === undefined ? undefined : parseMoney(asked.price);
    const quoted = asked.payout === undefined ? undefined : parseMoney(asked.payout);
    const order = { ...named, outcome, price, quoted, via: 'person', changer: person, address } as const;
    const done = await inTenant(db, organization.organizationId, (tx) => settleLead(tx, organization, order, Date.now()));
    feed.ended({ organizationId: organization.organizationId, leadId, verticalId: done.verticalId });
    return { line: { ...named, isSettled: true, code: null, msg: outcome === 'bought' ? 'Bought.' : 'Not bought.' } };
  } catch (error) {
    // What was settled before it is told all the same.
    const refusal = isDatabaseAway(error) ? storeUnavailable() : error;
    if (!(refusal instanceof HttpError)) throw error;
    return { line: { ...named, isSettled: false, code: refusal.code, msg: refusal.message }, refusal };
  }
}
