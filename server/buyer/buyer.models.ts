/** Buyers and their tiers, as the set-up screens and the generic data calls know them. */
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { z } from 'zod';
import { tellsWinningPrice } from '#contract/endpoint.notice.ts';
import { hasSampleAddress } from '#contract/endpoint.sample-address.ts';
import { endpointConfig } from '#contract/endpoint.ts';
import { type OutsideCheckRule, outsideCheck } from '#contract/service.ts';
import {
  amountText,
  type BreakerStateView,
  breaker,
  type ThrottleStateView,
  type TierPriceView,
  throttle,
  tierPrice,
} from '#contract/tier.ts';
import { compileBuyerTier } from '#engine/compile-tier.ts';
import { parseMoney } from '#engine/money.ts';
import { neverBuys, neverMatches, neverOpens } from '#engine/never.ts';
import type { BuyerTierConfig, TierPrice } from '#engine/plan.ts';
import { resetBreaker } from '#server/breaker/breaker.sql.ts';
import { requireReachable, requireUsable } from '#server/delivery/require-usable.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import { refuseFaults, requireVerticalPlan } from '#server/plan/check-tier.ts';
import { tierRules } from '#server/plan/configuration.sql.ts';
import { countChangedCaps } from '#server/plan/count-caps.sql.ts';
import { mayEditField } from '#server/record/reach.ts';
import { isRestored, type RecordField, type RecordModel, type Row } from '#server/record/record-model.ts';
import { secretsField } from '#server/record/secrets-field.ts';
import {
  amount,
  capsField,
  name,
  notes,
  readMoneyOf,
  ruleFields,
  status,
  storeMoneyOf,
  updatedAt,
  version,
} from '#server/record/shared-fields.ts';
import { endRest } from '#server/rest/rest.sql.ts';
import { requireSamplesPass } from '#server/sample/require-samples.ts';
import { requireService } from '#server/service/service.sql.ts';
import { maySetUp } from '#server/session/session.policy.ts';
import { requireLists } from '#server/suppression/suppression.sql.ts';

const isSetUp = (person: Parameters<typeof maySetUp>[0]) => maySetUp(person) !== false;

const ITS_VERTICALS = sql`select x.vertical_id from buyer_tier x where x.organization_id = t.organization_id and x.buyer_id = t.id`;

export const buyer: RecordModel = {
  model: 'buyer',
  label: 'Buyer',
  table: 'buyer',
  organizationColumn: 'organization_id',
  fields: {
    name,
    status,
    caps: capsField,
    billing: { column: 'billing', write: z.enum(['none', 'prepaid', 'credit']) },
    creditLimit: amount('credit_limit', amountText.nullable()),
    balance: {
      column: 'balance',
      kind: 'amount',
      expression: sql`(select coalesce(sum(x.amount), 0)::numeric(19, 4) from balance x where x.organization_id = t.organization_id and x.party_kind = 'buyer' and x.party_id = t.id)`,
      read: money,
    },
    notes,
    tierCount: {
      column: 'tier_count',
      kind: 'number',
      expression: sql`(select count(*)::int from buyer_tier x where x.organization_id = t.organization_id and x.buyer_id = t.id and x.status <> 'archived')`,
    },
    mayEdit: mayEditField(ITS_VERTICALS),
    version,
    updatedAt,
  },
  verticalsOf: ITS_VERTICALS,
  mayRead: isSetUp,
  mayWrite: isSetUp,
  mayAdd: isSetUp,
  removal: 'archive',
  search: ['name'],
  uniqueNames: [{ field: 'name' }],
  async uses(tx, organizationId, row) {
    const tiers = await tx
      .selectFrom('buyer_tier')
      .select('name')
      .where('organization_id', '=', organizationId)
      .where('buyer_id', '=', String(row.id))
      .where('status', '<>', 'archived')
      .execute();
    return tiers.map((tier) => `Its tier ${tier.name} is not archived.`);
  },
  async check(tx, person, _changed, row, before) {
    requireLimit(row);
    await countChangedCaps(tx, { organizationId: person.organizationId, owner: 'buyer', id: String(row.id) }, row, before);
  },
  routes: true,
  logged: true,
};

function requireLimit({ billing, credit_limit }: Row): void {
  if (billing !== 'credit' || Number(credit_limit) > 0) return;
  const message = 'is required where the buyer buys on credit';
  throw new HttpError(400, 'buyer_limit_missing', 'Say how much the buyer may owe.', { errors: [{ field: 'creditLimit', message }] });
}

/** What its breaker says now, where it is not closed. */
const breakerState: RecordField = {
  column: 'breaker_state',
  kind: 'json',
  expression: sql`(select to_jsonb(x) from breaker x where x.organization_id = t.organization_id and x.buyer_tier_id = t.id and x.open_until is not null and t.breaker is not null)`,
  read: (stored: StoredBreaker | null): BreakerStateView | null =>
    stored && {
      since: new Date(stored.since).toISOString(),
      openUntil: new Date(stored.open_until).toISOString(),
      calls: stored.calls,
      failures: stored.failures,
      lookBackMinutes: stored.look_back_minutes,
      failedProbes: stored.failed_probes,
    },
};
/** Until when its buyer asked to be left alone, where that is not over. */
const restsUntil: RecordField = {
  column: 'rests_until',
  kind: 'time',
  expression: sql`(select x.rests_until from buyer_rest x where x.organization_id = t.organization_id and x.buyer_tier_id = t.id and x.rests_until > now())`,
};
/** What began its throttle, while that holds. */
const throttleState: RecordField = {
  column: 'throttle_state',
  kind: 'json',
  expression: sql`(select to_jsonb(x) from throttled_tier x where x.organization_id = t.organization_id and x.buyer_tier_id = t.id and t.throttle is not null)`,
  read: (stored: (Omit<ThrottleStateView, 'lookBackMinutes'> & { look_back_minutes: number }) | null): ThrottleStateView | null =>
    stored && {
      ...{ since: new Date(stored.since).toISOString(), calls: stored.calls, failures: stored.failures, slow: stored.slow },
      lookBackMinutes: stored.look_back_minutes,
    },
};
interface StoredBreaker {
  since: string;
  open_until: string;
  calls: number;
  failures: number;
  look_back_minutes: number;
  failed_probes: number;
}

/** Whoever changes one of these has seen to the tier, or made it another: what was counted before says nothing of it any more. */
const STARTS_ANEW = ['status', 'delivery', 'endpoint', 'secrets', 'time_limit_ms', 'breaker', 'throttle'];

export const buyerTier: RecordModel = {
  model: 'buyerTier',
  label: 'Buyer tier',
  table: 'buyer_tier',
  organizationColumn: 'organization_id',
  parent: { model: 'buyer', field: 'buyerId', entityKey: 'tiers' },
  namesFields: true,
  fields: {
    name,
    buyerId: { column: 'buyer_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'buyer' },
    verticalId: { column: 'vertical_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'vertical' },
    buyerName: { column: 'buyer_name', nameFrom: { table: 'buyer', by: 'buyer_id' } },
    buyerStatus: {
      column: 'buyer_status',
      expression: sql`(select o.status from buyer o where o.organization_id = t.organization_id and o.id = t.buyer_id)`,
    },
    status,
    delivery: { column: 'delivery', write: z.enum(['post', 'pingPost']), required: true },
    price: {
      column: 'price',
      kind: 'json',
      write: tierPrice,
      required: true,
      store: storeMoneyOf('price', 'minimum'),
      read: readMoneyOf('price', 'minimum'),
      csv: (price: TierPriceView) => (price.kind === 'fixed' ? price.price : price.minimum ? `Bid, at least ${price.minimum}` : 'Bid'),
    },
    floor: amount('floor', amountText.nullable()),
    postPriceRule: { column: 'post_price_rule', write: z.enum(['take', 'refuse', 'takeAndFlag']) },
    qualityFactor: {
      column: 'quality_factor',
      kind: 'number',
      write: z.number().min(0.001).max(999),
      read: (stored: string) => Number(stored),
    },
    ...ruleFields,
    timeLimitMs: { column: 'time_limit_ms', kind: 'number', write: z.int().min(50).max(300_000) },
    thirdParty: { column: 'third_party', kind: 'json', write: outsideCheck.nullable() },
    thirdPartyServiceId: { column: 'third_party_service_id', kind: 'id' },
    afterTimeout: { column: 'after_timeout', write: z.enum(['next', 'hold']) },
    endpoint: { column: 'endpoint', kind: 'json', write: endpointConfig, required: true },
    secrets: secretsField('buyer_tier.secrets'),
    breaker: { column: 'breaker', kind: 'json', write: breaker.nullable() },
    breakerState,
    throttle: { column: 'throttle', kind: 'json', write: throttle.nullable() },
    throttleState,
    returnDays: { column: 'return_days', kind: 'number', write: z.int().min(0).max(365).nullable() },
    portalReturns: { column: 'portal_returns', kind: 'boolean', write: z.boolean() },
    pendingHours: { column: 'pending_hours', kind: 'number', write: z.int().min(1).max(2160) },
    restsUntil,
    tellWinningPrice: { column: 'tell_winning_price', kind: 'boolean', write: z.boolean() },
    notes,
    campaignCount: {
      column: 'campaign_count',
      kind: 'number',
      expression: sql`(select count(distinct g.campaign_id)::int from group_member m join tree_group g on g.organization_id = m.organization_id and g.id = m.group_id
        where m.organization_id = t.organization_id and m.buyer_tier_id = t.id)`,
    },
    version,
    updatedAt,
  },
  verticalOf: sql`t.vertical_id`,
  mayRead: isSetUp,
  mayWrite: isSetUp,
  mayAdd: isSetUp,
  removal: 'archive',
  search: ['name', 'buyerName'],
  uniqueNames: [{ field: 'name', within: 'buyerId' }],
  async uses(tx, organizationId, row) {
    const seats = await tx
      .selectFrom('group_member as m')
      .innerJoin('tree_group as g', (join) => join.onRef('g.organization_id', '=', 'm.organization_id').onRef('g.id', '=', 'm.group_id'))
      .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 'g.organization_id').onRef('c.id', '=', 'g.campaign_id'))
      .select(['g.name as group', 'c.name as campaign'])
      .where('m.organization_id', '=', organizationId)
      .where('m.buyer_tier_id', '=', String(row.id))
      .where('c.status', '<>', 'archived')
      .execute();
    return seats.map((seat) => `It stands in group ${seat.group} of campaign ${seat.campaign}.`);
  },
  async check(tx, person, changed, row, before, { keys, outboundAllow }) {
    const config = {
      id: row.id,
      buyerId: row.buyer_id,
      buyerName: row.buyer_name,
      buyerStatus: 'active',
      name: row.name,
      status: row.status,
      delivery: row.delivery,
      price: row.price,
      postPriceRule: row.post_price_rule,
      qualityFactor: Number(row.quality_factor),
      buyerCaps: [],
      timeLimitMs: row.time_limit_ms,
      afterTimeout: row.after_timeout,
      ...(row.breaker !== null && { breaker: row.breaker }),
      ...(row.throttle !== null && { throttle: row.throttle }),
      ...(row.floor !== null && { floor: parseMoney(String(row.floor)) }),
      ...tierRules(row as never),
    } as unknown as BuyerTierConfig;
    const plan = await requireVerticalPlan(tx, person.organizationId, String(row.vertical_id));
    const lists = await requireLists(tx, person.organizationId, config.suppressionLists ?? []);
    refuseFaults(compileBuyerTier(config, plan, lists));
    const written = isRestored(before) ? {} : changed;
    if (written.filter && config.filter) refuseFaults(neverMatches(config.filter, plan).map((text) => ({ field: 'filter', text })));
    if (written.price || written.floor) refuseFaults(neverBuys(config).map((text) => ({ field: 'floor', text })));
    if (written.hours && config.hours) refuseFaults(neverOpens(config.hours).map((text) => ({ field: 'hours', text })));
    if (written.price || written.endpoint || written.delivery || written.status) refuseFaults(namesNoPrice(row));
    requireWire(row);
    if (written.endpoint) requireReachable(endpointConfig.parse(row.endpoint), outboundAllow);
    // One that comes back from the archive is judged when it is published.
    if (changed.endpoint && before && before.status !== 'archived')
      await requireSamplesPass(tx, person.organizationId, sampledTier(row), keys);
    if (changed.thirdParty) {
      const [check, verticalId] = [row.third_party as OutsideCheckRule, String(row.vertical_id)];
      await requireService(tx, person.organizationId, { field: 'thirdParty', check, verticalId });
    }
    if (before && STARTS_ANEW.some((column) => !isDeepStrictEqual(before[column], row[column]))) {
      await resetBreaker(tx, person.organizationId, String(row.id));
      await endRest(tx, person.organizationId, String(row.id));
    }
    await countChangedCaps(tx, { organizationId: person.organizationId, owner: 'buyerTier', id: String(row.id) }, row, before);
  },
  routes: true,
  logged: true,
};

const sampledTier = (row: Row) => ({ id: String(row.id), title: `${row.buyer_name}, ${row.name}`, endpoint: row.endpoint });

/** An active tier that pays what its buyer says, whose answer nobody reads a price of. */
function namesNoPrice(row: Row): { field: string; text: string }[] {
  const price = row.price as TierPrice;
  if (row.status !== 'active' || price.kind !== 'bid') return [];
  const { ping, post } = endpointConfig.parse(row.endpoint);
  const isAsked = row.delivery === 'pingPost';
  const rules = isAsked ? ping?.response : post.response;
  if (!rules || rules.price || rules.bids || (!isAsked && price.minimum)) return [];
  const where = isAsked ? 'bid stands in the answer to the ping' : 'price stands in its answer, and there is no lowest one';
  return [
    {
      field: 'price',
      text: `the buyer names the price, but nothing says where the ${where}: it would never buy; add that to the endpoint`,
    },
  ];
}

/** A tier that pings must say how, and what stands in its mapping must be usable. */
function requireWire(row: Record<string, unknown>): void {
  const endpoint = endpointConfig.parse(row.endpoint);
  if (row.delivery === 'pingPost' && !endpoint.ping)
    throw new HttpError(400, 'endpoint_ping_missing', 'A tier that is asked for bids needs a ping in its endpoint.', {
      errors: [{ field: 'endpoint.ping', message: 'A tier that is asked for bids needs a ping: add one, or post the lead at once.' }],
    });
  if (tellsWinningPrice(endpoint.lost) && row.tell_winning_price !== true)
    throw new HttpError(
      400,
      'endpoint_winning_price',
      'The loss notice tells the winning price. Allow that for this tier, or take it out.',
      {
        errors: [{ field: 'endpoint.lost', message: 'The notice tells the winning price. Allow that for this tier, or take it out.' }],
      },
    );
  if (row.status === 'active' && hasSampleAddress(endpoint))
    throw new HttpError(
      400,
      'endpoint_address_missing',
      'Its address is only a sample. Write the buyer’s own, and then make the tier active.',
      {
        errors: [
          {
            field: 'endpoint',
            message: 'The address is only a sample. Write the buyer’s own, or leave the tier paused until you know it.',
          },
        ],
      },
    );
  requireUsable(endpoint);
}
