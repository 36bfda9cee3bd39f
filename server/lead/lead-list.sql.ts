/** The leads list: keyset paging by id (ids sort by time), and what the rows show. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { LANDER_PATH } from '#contract/lander-check.ts';
import type { LeadRow, LeadsAnswer, leadsQuery } from '#contract/lead.ts';
import type { Database } from '#db/types.ts';
import type { Reason } from '#engine/decision.ts';
import { normaliseLead } from '#engine/field.ts';
import { addMoney, formatMoney, parseMoney } from '#engine/money.ts';
import { DECLINE_LABELS } from '#engine/reason-label.ts';
import { keyedHash } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor, idInstant, isId } from '#server/kit/ids.ts';
import { LOOKED_AT } from '#server/kit/looked-at.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { maskValue } from './mask.ts';
import { NOT_TO_BE_OPENED, openIfSound } from './stored-fields.ts';

export type LeadsQuery = z.infer<typeof leadsQuery>;

const COUNTED_UP_TO = 10_000;

type Joined = SelectQueryBuilder<Database & { l: Database['lead']; r: Database['lead_result'] }, 'l' | 'r', object>;

export interface LeadListRow {
  id: string;
  publisher_tier_id: string;
  campaign_id: string;
  vertical_id: string;
  sub_id: string;
  test: boolean;
  fields: Buffer;
  status: string | null;
  reason: string | null;
  revenue: string | null;
  payout: string | null;
  margin: string | null;
  attempt_count: number | null;
  elapsed_ms: number | null;
  buyers_ms: number | null;
  /** Of the landing page or card that it came from; null where none is known. */
  page_name: string | null;
}

const PAGE_NAME = sql<string | null>`(select coalesce(k.name, w.name) from lead_page x
  left join card k on k.organization_id = x.organization_id and k.id = x.page_id
  left join landing_page w on w.organization_id = x.organization_id and w.id = x.page_id
  where x.organization_id = l.organization_id and x.lead_id = l.id)`.as('page_name');

/** What a row of the list is made of, and a lead's page too. */
export const LEAD_COLUMNS = [
  'l.id',
  'l.publisher_tier_id',
  'l.campaign_id',
  'l.vertical_id',
  'l.sub_id',
  'l.test',
  'l.fields',
  'r.status',
  'r.reason',
  'r.revenue',
  'r.payout',
  'r.margin',
  'r.attempt_count',
  'r.elapsed_ms',
  'r.buyers_ms',
  PAGE_NAME,
] as const;

/** Leads by id, oldest first, as rows of the list. */
export async function listLeadRows(db: Db, organization: OrganizationPlan, verticalId: string, leadIds: string[]): Promise<LeadRow[]> {
  if (leadIds.length === 0) return [];
  const rows = (await db
    .selectFrom('lead as l')
    .leftJoin('lead_result as r', (join) => join.onRef('r.organization_id', '=', 'l.organization_id').onRef('r.lead_id', '=', 'l.id'))
    .select(LEAD_COLUMNS)
    .where('l.organization_id', '=', organization.organizationId)
    .where('l.vertical_id', '=', verticalId)
    .where('l.id', 'in', leadIds)
    .orderBy('l.id')
    .execute()) as LeadListRow[];
  const sales = await listSalesOf(db, organization.organizationId, leadIds);
  return rows.map((row) => viewLeadRow(organization, row, sales.get(row.id)));
}

/**
 * One page. What no index finds is looked for among so many leads and no more: the page ends there, and the next one goes on from the lead that was
 * looked at last.
 */
export async function listLeads(
  db: Db,
  organization: OrganizationPlan,
  verticalId: string,
  query: LeadsQuery,
): Promise<Pick<LeadsAnswer, 'older' | 'newer' | 'lookedTo'> & { rows: LeadListRow[] }> {
  const isForth = query.after !== undefined;
  const found = (await filtered(db, organization, verticalId, query)
    .select(LEAD_COLUMNS)
    .orderBy('l.id', isForth ? 'asc' : 'desc')
    .limit(query.limit + 1)
    .execute()) as LeadListRow[];
  const page = found.slice(0, query.limit);
  const rows = isForth ? page.reverse() : page;
  const isFull = found.length > query.limit;
  const end = isFull ? null : await findEnd(db, organization, verticalId, query);
  // The last that was looked at stands for a page on which nothing was found.
  const [first, last] = [rows[0]?.id ?? end, rows.at(-1)?.id ?? end];
  const beyond = isFull ? (isForth ? first : last) : end;
  const behind = (isForth ? query.after : query.before) === undefined ? null : isForth ? last : first;
  return {
    rows,
    ...(isForth ? { older: behind ?? null, newer: beyond ?? null } : { older: beyond ?? null, newer: behind ?? null }),
    lookedTo: end && new Date(idInstant(end)).toISOString(),
  };
}

/** The lead at which a page ends that has looked at as many as it may. */
async function findEnd(db: Db, organization: OrganizationPlan, verticalId: string, query: LeadsQuery): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from (${lookedAt(organization, verticalId, query)}) as x offset ${LOOKED_AT - 1} limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/** As many as match of those that the first page looks at; exact where those are all. */
export async function countLeads(
  db: Db,
  organization: OrganizationPlan,
  verticalId: string,
  { before: _, after: __, ...query }: LeadsQuery,
): Promise<{ total: number; totalIsExact: boolean }> {
  const matching = isByResultAlone(query)
    ? lookedAt(organization, verticalId, query)
    : filtered(db, organization, verticalId, query).select(sql`1`.as('one'));
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (select from (${matching}) as x limit ${COUNTED_UP_TO + 1}) as y`.execute(db);
  const { total } = rows[0]!;
  const isWhole = total <= COUNTED_UP_TO && (await findEnd(db, organization, verticalId, query)) === null;
  return { total: Math.min(total, COUNTED_UP_TO), totalIsExact: isWhole };
}

function filtered(db: Db, organization: OrganizationPlan, verticalId: string, query: LeadsQuery): Joined {
  const { organizationId } = organization;
  const looked = sql`(${lookedAt(organization, verticalId, query, true)} limit ${LOOKED_AT})`;
  // What is read of leads themselves is not looked up once more.
  const leads = isOfLeads(query)
    ? db.selectFrom(looked.as<'l'>('l') as never)
    : db
        .selectFrom(looked.as<'x'>('x') as never)
        .innerJoin('lead as l', (join) => join.on('l.organization_id', '=', organizationId).on(sql<boolean>`l.id = x.id`));
  let select = (leads as unknown as Joined)
    .leftJoin('lead_result as r', (join) => join.on('r.organization_id', '=', organizationId).onRef('r.lead_id', '=', 'l.id'))
    .where('l.vertical_id', '=', verticalId) as unknown as Joined;
  if (query.variantId === '')
    select = select.where(
      sql<boolean>`not exists (select from lead_variant v where v.organization_id = l.organization_id and v.lead_id = l.id)`,
    );
  else if (query.variantId)
    select = select.where(sql<boolean>`exists (select from lead_variant v where v.organization_id = l.organization_id and v.lead_id = l.id
      and v.variant_id = ${idOrNone(query.variantId)}::uuid)`);
  if (query.pageId)
    select = select.where(sql<boolean>`exists (select from lead_page g where g.organization_id = l.organization_id and g.lead_id = l.id
      and g.page_id = ${idOrNone(query.pageId)}::uuid)`);
  if (query.publisherId) select = select.where('l.publisher_id', '=', idOrNone(query.publisherId));
  if (query.subId !== undefined) select = select.where('l.sub_id', '=', query.subId);
  if (query.state !== undefined) select = select.where('l.state', '=', query.state);
  if (query.pings) select = select.where('l.mode', query.pings === 'true' ? '=' : '<>', 'ping');
  if (query.publisherTierId) select = select.where('l.publisher_tier_id', '=', idOrNone(query.publisherTierId));
  if (query.campaignId) select = select.where('l.campaign_id', '=', idOrNone(query.campaignId));
  if (query.test) select = select.where('l.test', '=', query.test === 'true');
  if (query.status === 'received') select = select.where('r.status', 'is', null);
  else if (query.status) select = select.where('r.status', '=', query.status);
  if (query.reason === '') select = select.where('r.reason', 'is', null);
  else if (query.reason) select = select.where('r.reason', '=', query.reason);
  for (const [column, id] of [['a.buyer_tier_id', query.buyerTierId] as const, ['a.buyer_id', query.buyerId] as const])
    if (id) select = select.where(({ exists, selectFrom }) => exists(attemptsOf(selectFrom('attempt as a'), column, id)));
  const boughtBy = [
    ...(query.soldBuyerId ? [sql`s.buyer_id = ${idOrNone(query.soldBuyerId)}::uuid`] : []),
    ...(query.soldTierId ? [sql`s.buyer_tier_id = ${idOrNone(query.soldTierId)}::uuid`] : []),
  ];
  // A price is of one sale: of that buyer's, where one is named.
  for (const sale of query.otherPrice ? [sql.join([...boughtBy, atOtherPrice('s')], sql` and `)] : boughtBy)
    select = select.where(wasSold(sale));
  const { triedTierId, triedBuyerId, triedGroupId, filterReason } = query;
  if (triedTierId || triedBuyerId || triedGroupId || filterReason)
    select = select.where(
      wasTried({
        tiers: [
          ...(triedTierId ? [sql`array[${idOrNone(triedTierId)}::uuid]`] : []),
          ...(triedBuyerId ? [tiersOf(organizationId, idOrNone(triedBuyerId))] : []),
        ],
        groupId: triedGroupId ? idOrNone(triedGroupId) : undefined,
        filterKey: filterReason ? Number(filterReason) : undefined,
      }),
    );
  return select;
}

/**
 * Ids of leads in the order of the page, between its bounds, by the index that serves the filters best; the others choose among them. So a page costs
 * the same however few or old the leads are that it finds.
 */
function lookedAt(organization: OrganizationPlan, verticalId: string, query: LeadsQuery, isWhole = false): RawBuilder<{ id: string }> {
  const { organizationId } = organization;
  const within = (table: string, id: string, ...conditions: RawBuilder<unknown>[]) => {
    const column = sql.ref(id);
    const bounds = [
      ...(query.from ? [sql`${column} >= ${idFloor(Date.parse(query.from))}::uuid`] : []),
      ...(query.to ? [sql`${column} < ${idFloor(Date.parse(query.to))}::uuid`] : []),
      ...(query.before && isId(query.before) ? [sql`${column} < ${query.before}::uuid`] : []),
      ...(query.after && isId(query.after) ? [sql`${column} > ${query.after}::uuid`] : []),
    ];
    const isOften = table === 'attempt' || table === 'sale';
    const what = table === 'lead' && isWhole ? sql`*` : isOften ? sql`distinct ${column} as id` : sql`${column} as id`;
    return sql<{ id: string }>`select ${what} from ${sql.table(table)}
      where organization_id = ${organizationId}::uuid and ${sql.join([...conditions, ...bounds], sql` and `)}
      order by ${column} ${query.after === undefined ? sql`desc` : sql`asc`}`;
  };
  if (query.q) return within('lead', 'id', named(organization, verticalId, query.q.trim()));
  if (query.variantId) {
    const id = idOrNone(query.variantId);
    // Asked once: the planner takes the index only for what does not depend on the row.
    const test = sql`(select b.ab_test_id from ab_variant b where b.organization_id = ${organizationId}::uuid and b.id = ${id}::uuid)`;
    return within('lead_variant', 'lead_id', sql`variant_id = ${id}::uuid`, sql`ab_test_id = ${test}`);
  }
  if (query.pageId) return within('lead_page', 'lead_id', sql`page_id = ${idOrNone(query.pageId)}::uuid`);
  const ofVertical = sql`vertical_id = ${verticalId}::uuid`;
  const ofSoldTier = query.soldTierId && sql`buyer_tier_id = ${idOrNone(query.soldTierId)}::uuid`;
  if (query.otherPrice) return within('sale', 'lead_id', ofSoldTier || ofVertical, atOtherPrice('sale'));
  if (ofSoldTier) return within('sale', 'lead_id', ofSoldTier);
  if (query.buyerTierId) return within('attempt', 'lead_id', sql`buyer_tier_id = ${idOrNone(query.buyerTierId)}::uuid`);
  if (query.status && query.status !== 'received') return within('lead_result', 'lead_id', ofVertical, sql`status = ${query.status}`);
  return within('lead', 'id', query.publisherTierId ? sql`publisher_tier_id = ${idOrNone(query.publisherTierId)}::uuid` : ofVertical);
}

const wasSold = (to: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from sale s where s.organization_id = l.organization_id and s.lead_id = l.id and ${to})`;

/** Of a sale; worded as its indexes are, which hold no other. */
export const atOtherPrice = (sale: string): RawBuilder<boolean> =>
  sql`${sql.ref(`${sale}.post_price_differs`)} and ${sql.ref(`${sale}.revenue`)} <> ${sql.ref(`${sale}.bid`)}`;

const tiersOf = (organizationId: string, buyerId: string) =>
  sql`array(select b.id from buyer_tier b where b.organization_id = ${organizationId}::uuid and b.buyer_id = ${buyerId}::uuid)`;

interface Tried {
  /** Arrays of ids: the tier is in each of them. */
  tiers: RawBuilder<unknown>[];
  groupId: string | undefined;
  filterKey: number | undefined;
}

/**
 * What reports count as an attempt of one tier that is all of this (report/facts.sql.ts): by its verdict, by what it was asked of which there is
 * none, by its sale. Only a verdict knows what a tier was filtered for, and no sale in which group it was.
 */
function wasTried({ tiers, groupId, filterKey }: Tried): RawBuilder<boolean> {
  const isOne = (column: string) => tiers.map((of) => sql`${sql.raw(column)} = any(${of})`);
  const all = (conditions: RawBuilder<unknown>[]) => sql.join([sql`true`, ...conditions], sql` and `);
  const verdict = all([
    ...isOne("(t ->> 't')::uuid"),
    ...(groupId === undefined ? [] : [sql`t ->> 'g' = ${groupId}`]),
    ...(filterKey === undefined ? [] : [sql`t ->> 'o' = 'filtered' and (t ->> 'k')::int = ${filterKey}`]),
  ]);
  const byVerdict = sql<boolean>`exists (select from jsonb_array_elements(r.verdicts) as t where t ->> 'o' <> 'notReached' and ${verdict})`;
  if (filterKey !== undefined) return byVerdict;
  const asked = all([...isOne('a.buyer_tier_id'), ...(groupId === undefined ? [] : [sql`a.group_id = ${groupId}::uuid`])]);
  const byCall = sql`(r.verdicts = '[]' and exists (select from attempt a
    where a.organization_id = l.organization_id and a.lead_id = l.id and a.leg = 'post' and ${asked}))`;
  return sql<boolean>`(${byVerdict} or ${byCall}${groupId === undefined ? sql` or ${wasSold(all(isOne('s.buyer_tier_id')))}` : sql``})`;
}

/** Whether lookedAt reads leads, and no table beside them. */
const isOfLeads = ({ q, variantId, pageId, otherPrice, soldTierId, buyerTierId, status }: LeadsQuery): boolean =>
  Boolean(q) || !(variantId || pageId || otherPrice || soldTierId || buyerTierId || (status && status !== 'received'));

/** Whether results alone say which leads match, so that counting need not touch the leads. */
function isByResultAlone({ region, vertical, from, to, limit, status, ...others }: LeadsQuery): boolean {
  return status !== undefined && status !== 'received' && Object.values(others).every((value) => value === undefined);
}

/** A lead by its id, or by the exact value of a searchable field in any spelling that intake would have read as the same. */
function named(organization: OrganizationPlan, verticalId: string, text: string): RawBuilder<unknown> {
  if (isId(text.toLowerCase())) return sql`id = ${text.toLowerCase()}::uuid`;
  const hashes = lookupHashes(organization, verticalId, text);
  return sql`id = any(array(select k.lead_id from lead_lookup k
    where k.organization_id = ${organization.organizationId}::uuid and k.value_hash = any(${hashes}::uuid[])))`;
}

function attemptsOf(attempts: ReturnType<Db['selectFrom']>, column: 'a.buyer_tier_id' | 'a.buyer_id', id: string) {
  return (attempts as unknown as SelectQueryBuilder<Database & { a: Database['attempt']; l: Database['lead'] }, 'a' | 'l', object>)
    .select('a.lead_id')
    .whereRef('a.organization_id', '=', 'l.organization_id')
    .whereRef('a.lead_id', '=', 'l.id')
    .where(column, '=', idOrNone(id));
}

/** Of the value in any spelling that intake would have read as the same. */
export const lookupHashes = (organization: OrganizationPlan, verticalId: string, text: string): string[] =>
  searchTexts(organization, verticalId, text).map((one) => keyedHash(organization.keys, 'lookup', one));

/** Leads of a vertical that a search names, the newest first. */
export async function findLeadIds(db: Db, organization: OrganizationPlan, verticalId: string, text: string): Promise<string[]> {
  const rows = await filtered(db, organization, verticalId, { region: '', vertical: '', limit: FOUND_AT_MOST, q: text })
    .select('l.id')
    .orderBy('l.id', 'desc')
    .limit(FOUND_AT_MOST)
    .execute();
  return rows.map(({ id }) => id as string);
}

/** Leads that have one of these values, the newest first. */
export async function findByHashes(db: Db, organizationId: string, hashes: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('lead_lookup')
    .select('lead_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`value_hash = any(${hashes}::uuid[])`)
    .orderBy('lead_id', 'desc')
    .limit(FOUND_AT_MOST)
    .execute();
  return rows.map(({ lead_id }) => lead_id);
}

/** Nobody is so often somebody's lead. */
const FOUND_AT_MOST = 1_000;

function searchTexts(organization: OrganizationPlan, verticalId: string, text: string): string[] {
  const vertical = organization.plan.verticals.get(verticalId)?.config;
  const names = organization.verticals.get(verticalId)?.searchable ?? [];
  const read = vertical ? names.map((name) => normaliseLead(vertical, { [name]: text }, true).fields[name]) : [];
  return [...new Set([text, text.toLowerCase(), ...read.filter((one) => one !== undefined)])];
}

function idOrNone(text: string): string {
  return isId(text) ? text : NONE;
}

const NONE = '00000000-0000-0000-0000-000000000000';

/** Amounts are those of its return; null while there is none. */
export interface SaleOfLead {
  lead_id: string;
  buyer_tier_id: string;
  revenue: string | null;
  payout: string | null;
  margin: string | null;
}

/** By lead. */
export async function listSalesOf(db: Db, organizationId: string, leadIds: string[]): Promise<ReadonlyMap<string, SaleOfLead[]>> {
  if (leadIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('sale as s')
    .leftJoin('lead_return as x', (join) =>
      join
        .onRef('x.organization_id', '=', 's.organization_id')
        .onRef('x.lead_id', '=', 's.lead_id')
        .onRef('x.sale_index', '=', 's.sale_index'),
    )
    .select(['s.lead_id', 's.buyer_tier_id', 'x.revenue', 'x.payout', 'x.margin'])
    .where('s.organization_id', '=', organizationId)
    .where('s.lead_id', 'in', leadIds)
    .orderBy('s.sale_index')
    .execute();
  return Map.groupBy(rows, (row) => row.lead_id);
}

/** `sales`: of this lead. */
export function viewLeadRow(organization: OrganizationPlan, row: LeadListRow, sales: readonly SaleOfLead[] = []): LeadRow {
  const seat = organization.publisherSeats.get(row.publisher_tier_id);
  const stored = openIfSound(organization.keys, row.id, row.fields);
  return {
    _id: row.id,
    receivedAt: new Date(idInstant(row.id)).toISOString(),
    status: (row.status ?? 'received') as LeadRow['status'],
    reason: row.reason,
    reasonLabel: row.reason === null ? null : (DECLINE_LABELS[row.reason as Reason] ?? row.reason),
    publisherName: seat?.publisherName ?? '',
    publisherTierId: row.publisher_tier_id,
    publisherTierName: seat?.name ?? '',
    subId: row.sub_id,
    campaignId: row.campaign_id,
    campaignName: organization.plan.campaigns.get(row.campaign_id)?.config.name ?? '',
    cameBy: {
      kind: stored?.inbound?.path === LANDER_PATH ? 'lander' : row.page_name === null ? 'api' : 'landingPage',
      name: row.page_name ?? '',
    },
    buyers: sales.map((sale) => viewBuyer(organization, sale.buyer_tier_id)),
    revenue: money(row.revenue),
    payout: money(row.payout),
    margin: money(row.margin),
    returned: sumReturned(sales),
    attempts: row.attempt_count ?? 0,
    elapsedMs: row.elapsed_ms ?? 0,
    ownMs: Math.max(0, Math.round(((row.elapsed_ms ?? 0) - (row.buyers_ms ?? 0)) * 100) / 100),
    test: row.test,
    primaryValue: stored ? primaryValue(organization, row, stored) : NOT_TO_BE_OPENED,
  };
}

function sumReturned(sales: readonly SaleOfLead[]): LeadRow['returned'] {
  if (sales.every((sale) => sale.revenue === null)) return null;
  const sum = (of: 'revenue' | 'payout' | 'margin') => formatMoney(addMoney(...sales.map((sale) => parseMoney(sale[of] ?? '0')!)));
  return { revenue: sum('revenue'), payout: sum('payout'), margin: sum('margin') };
}

function viewBuyer(organization: OrganizationPlan, buyerTierId: string) {
  const buyer = organization.buyerWires.get(buyerTierId);
  return { buyerName: buyer?.buyerName ?? '', buyerTierName: buyer?.name ?? '' };
}

/** Of what is kept sealed of a lead, what a row shows. */
interface Stored {
  fields: Record<string, string>;
  inbound?: { path: string };
}

function primaryValue(organization: OrganizationPlan, row: LeadListRow, { fields }: Stored): string {
  const vertical = organization.plan.verticals.get(row.vertical_id)?.config;
  if (!vertical) return '';
  const field = vertical.fields.find((one) => one.fieldName === vertical.primaryField);
  return maskValue(field, fields[vertical.primaryField] ?? '');
}

/** "12.5000" from the database as "12.50": at least two decimals, no idle zeros after them. */
export function money(text: string | null): string {
  if (text === null) return '0.00';
  const [whole, fraction = ''] = text.split('.');
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}
