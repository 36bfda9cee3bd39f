/** What a portal's company is set to: its tiers, caps, contacts and account. Filters, price models and deals stay with the organization. */
import { sql } from 'kysely';
import type { PortalAnswer, PortalContact, PortalTier } from '#contract/portal.ts';
import { formatMoney } from '#engine/money.ts';
import type { CapConfig, TierPrice } from '#engine/plan.ts';
import { listKeys } from '#server/key/key.sql.ts';
import type { Db } from '#server/kit/database.ts';
import { findBalance } from '#server/ledger/entry.sql.ts';
import { findFunds } from '#server/ledger/funds.sql.ts';
import { capsField } from '#server/record/shared-fields.ts';
import { findReturnTerms } from '#server/return/return.sql.ts';
import { readCapUse } from './cap-use.sql.ts';
import { tellPauseDates } from './change-request.view.ts';
import type { Visitor } from './portal-door.ts';

interface TierRow {
  id: string;
  name: string;
  status: 'active' | 'paused';
  place: string;
  caps: CapConfig[];
  hours: PortalTier['hours'];
  pause_dates: PortalTier['pauseDates'];
  price: TierPrice | null;
  portal_returns: boolean;
  ip_allow: string[];
  sub_id: string;
}

const tellCaps = (caps: CapConfig[]) => capsField.read!(caps as never, undefined as never) as PortalTier['caps'];

export async function readTiers({ own, person, company, organization }: Visitor, now: number): Promise<PortalTier[]> {
  const { organizationId } = organization;
  const rows =
    company.kind === 'buyer'
      ? await listBuyerTiers(own, organizationId, company._id)
      : await listPublisherTiers(own, organizationId, company._id);
  const use = await readCapUse(own, organizationId, rows, now);
  const terms =
    company.kind === 'buyer'
      ? await findReturnTerms(
          own,
          organizationId,
          rows.map(({ id }) => id),
        )
      : undefined;
  const keys = new Map<string, PortalTier['keys']>();
  if (company.kind === 'publisher')
    for (const { id } of rows)
      keys.set(id, await listKeys(own, person.organizationId, { table: 'posting_key', owner: 'publisher_tier_id' }, id));
  return rows.map((row) => ({
    ...{ _id: row.id, name: row.name, status: row.status, placeName: row.place },
    ...{ caps: tellCaps(row.caps), capUse: use.get(row.id) ?? [], hours: row.hours, pauseDates: tellPauseDates(row.pause_dates) },
    price: row.price?.kind === 'fixed' ? formatMoney(row.price.price) : null,
    returnDays: terms?.daysOf(row.id) ?? null,
    returnsAtOnce: row.portal_returns,
    ...{ ipAllow: row.ip_allow, subId: row.sub_id, keys: (keys.get(row.id) ?? []).filter((key) => key.isLiving) },
  }));
}

async function listBuyerTiers(db: Db, organizationId: string, buyerId: string): Promise<TierRow[]> {
  const { rows } = await sql<TierRow>`
    select t.id, t.name, t.status, g.name || ', ' || v.name as place, t.caps, t.hours, t.pause_dates, t.price, t.portal_returns,
        '{}'::text[] as ip_allow, '' as sub_id
      from buyer_tier t
      join vertical v on v.organization_id = t.organization_id and v.id = t.vertical_id
      join region g on g.organization_id = v.organization_id and g.id = v.region_id
      where t.organization_id = ${organizationId} and t.buyer_id = ${buyerId} and t.status <> 'archived' order by t.name, t.id`.execute(db);
  return rows;
}

async function listPublisherTiers(db: Db, organizationId: string, publisherId: string): Promise<TierRow[]> {
  const { rows } = await sql<TierRow>`
    select t.id, t.name, t.status, g.name || ', ' || v.name as place, t.caps, null as hours, t.pause_dates, null as price,
        false as portal_returns, t.ip_allow, t.sub_id
      from publisher_tier t
      join campaign c on c.organization_id = t.organization_id and c.id = t.campaign_id
      join vertical v on v.organization_id = t.organization_id and v.id = c.vertical_id
      join region g on g.organization_id = v.organization_id and g.id = v.region_id
      where t.organization_id = ${organizationId} and t.publisher_id = ${publisherId} and t.status <> 'archived' order by t.name, t.id`.execute(
    db,
  );
  return rows;
}

export async function listContacts({ own, company, organization }: Visitor): Promise<PortalContact[]> {
  const rows = await own
    .selectFrom('contact')
    .select(['id', 'first_name', 'last_name', 'job', 'email', 'phone'])
    .where('organization_id', '=', organization.organizationId)
    .where(company.kind === 'buyer' ? 'buyer_id' : 'publisher_id', '=', company._id)
    .where('status', '<>', 'archived')
    .orderBy('first_name')
    .orderBy('id')
    .execute();
  return rows.map(({ id, first_name, last_name, job, email, phone }) => ({
    ...{ _id: id, firstName: first_name, lastName: last_name, job, email, phone },
  }));
}

/** The caps of a buyer over all of its tiers, its money, and how it gives leads back. */
export async function readBuyerTerms(
  visitor: Visitor,
  now: number,
): Promise<Pick<PortalAnswer, 'caps' | 'capUse' | 'returnReasons' | 'returnKeys'>> {
  const { own, company, organization } = visitor;
  if (company.kind !== 'buyer') return { caps: [], capUse: [], returnReasons: [], returnKeys: [] };
  const { organizationId } = organization;
  const row = await own
    .selectFrom('buyer')
    .select('caps')
    .where('organization_id', '=', organizationId)
    .where('id', '=', company._id)
    .executeTakeFirstOrThrow();
  const caps = row.caps as unknown as CapConfig[];
  const use = await readCapUse(own, organizationId, [{ id: company._id, caps }], now);
  const { reasons } = await findReturnTerms(own, organizationId, []);
  const keys = await listKeys(own, organizationId, { table: 'return_key', owner: 'buyer_id' }, company._id);
  return {
    caps: tellCaps(caps),
    capUse: use.get(company._id) ?? [],
    returnReasons: reasons,
    returnKeys: keys.filter((key) => key.isLiving),
  };
}

export async function readAccount({
  own,
  company,
  organization: { organizationId },
}: Visitor): Promise<NonNullable<PortalAnswer['account']>> {
  const balance = await findBalance(own, organizationId, { kind: company.kind, id: company._id });
  if (company.kind === 'publisher') return { balance: formatMoney(balance), reserved: null, left: null, billing: 'none' };
  const { billing } = await own
    .selectFrom('buyer')
    .select('billing')
    .where('organization_id', '=', organizationId)
    .where('id', '=', company._id)
    .executeTakeFirstOrThrow();
  const funds = await findFunds(own, organizationId, company._id);
  return {
    balance: formatMoney(balance),
    reserved: funds ? formatMoney(funds.reserved) : null,
    left: funds ? formatMoney(funds.limit + balance - funds.reserved) : null,
    billing: billing as 'none' | 'prepaid' | 'credit',
  };
}
