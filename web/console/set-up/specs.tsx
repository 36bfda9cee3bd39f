/** The lists of the set-up area: what each shows, searches and teaches. */
import type { ReactNode } from 'react';
import type { BreakerStateView } from '#contract/tier.ts';
import { MoneyText, TimeAgo } from '#web/ui/reporting.tsx';
import type { RecordRow } from '../api/record.ts';
import { BreakerPill } from './BreakerState.tsx';
import { COUNTRY } from './country.ts';
import type { ListColumn, ListSpec } from './RecordList.tsx';
import { TIER_KIND } from './tier-kind.ts';
import { VerticalName } from './VerticalName.tsx';

const updated: ListColumn = { field: 'updatedAt', head: 'Changed', cell: (row) => <TimeAgo at={String(row.updatedAt)} /> };
const name: ListColumn = { field: 'name', head: 'Name' };
const status: ListColumn = { field: 'status', head: 'Status' };
const notes: ListColumn = { field: 'notes', head: 'Notes', optional: true };
const seconds: ListColumn = {
  field: 'timeLimitMs',
  head: 'Time limit',
  numeric: true,
  optional: true,
  cell: (row) => `${Number(row.timeLimitMs) / 1000} s`,
};
/** As the party's account stands: less than nothing where it owes. */
const balance: ListColumn = {
  field: 'balance',
  head: 'Balance',
  numeric: true,
  cell: (row) => <MoneyText amount={String(row.balance)} faint />,
};
const capCount: ListColumn = {
  field: 'caps',
  head: 'Caps',
  numeric: true,
  optional: true,
  sorts: false,
  cell: (row) => ((row.caps as unknown[] | null) ?? []).length,
};
const owner = (field: string, head: string): ListColumn => ({ field, head, optional: true });
/** The list with a column that is usually needless turned on. */
const withColumn = (spec: ListSpec, field: string): ListSpec => ({
  ...spec,
  columns: spec.columns.map(({ optional, ...column }) => (column.field === field || !optional ? column : { ...column, optional })),
});
const price =
  (field: 'price' | 'priceModel') =>
  (row: RecordRow): ReactNode => {
    const rule = row[field] as { kind: string; price?: string; minimum?: string; sharePercent?: number } | undefined;
    if (!rule) return '';
    const amount = <MoneyText amount={rule.price ?? rule.minimum ?? '0'} exact />;
    if (rule.kind === 'share') return `${rule.sharePercent}% of revenue`;
    if (rule.kind === 'bid') return rule.minimum ? <>Bid, at least {amount}</> : 'Bid';
    return rule.kind === 'minimum' ? <>At least {amount}</> : amount;
  };

export const publishers: ListSpec = {
  model: 'publisher',
  also: ['mayEdit'],
  one: 'publisher',
  many: 'publishers',
  searches: 'name or affiliate id',
  teaches: 'A publisher sends you leads. Give each an affiliate id, then a tier in every campaign it may post to.',
  columns: [
    name,
    { field: 'affiliateId', head: 'Affiliate id' },
    status,
    { field: 'tierCount', head: 'Tiers', numeric: true },
    notes,
    updated,
  ],
};

export const buyers: ListSpec = {
  model: 'buyer',
  also: ['mayEdit'],
  one: 'buyer',
  many: 'buyers',
  searches: 'name',
  teaches: 'A buyer takes your leads. Add one, then a tier for every way of selling to it: its address, price, caps and hours.',
  columns: [name, status, { field: 'tierCount', head: 'Tiers', numeric: true }, balance, notes, updated],
};

export const services: ListSpec = {
  model: 'service',
  one: 'third-party service',
  many: 'third-party services',
  searches: 'name or notes',
  teaches:
    'A service tells you more about a lead before you buy or sell it: is the phone real, is the bank account open? Add one, then let publisher tiers (P2C) or buyer tiers (third-party validation) ask it.',
  columns: [name, status, { field: 'tierCount', head: 'Asked by tiers', numeric: true }, notes, updated],
};

export const campaigns: ListSpec = {
  model: 'campaign',
  one: 'campaign',
  many: 'campaigns',
  searches: 'name or notes',
  teaches: 'A campaign leads from publisher tiers through a ping tree to buyer tiers. Add one, then set up its tree.',
  columns: [
    name,
    status,
    { field: 'publisherTierCount', head: 'Publisher tiers', numeric: true },
    { field: 'buyerTierCount', head: 'Buyer tiers', numeric: true },
    { field: 'maxSales', head: 'Sales at most', numeric: true },
    seconds,
    notes,
    updated,
  ],
};

export const cards: ListSpec = {
  model: 'card',
  one: 'card',
  many: 'cards',
  searches: 'name, company, title or e-mail',
  teaches:
    'A card is a public page of one person: who they are and how to reach them. With a lander it has a contact form, and what is sent becomes a lead. Add one for everybody who meets consumers.',
  columns: [
    name,
    { field: 'company', head: 'Company' },
    status,
    { field: 'cardViews', head: 'Card seen', numeric: true },
    { field: 'landerViews', head: 'Lander seen', numeric: true },
    { field: 'submissions', head: 'Sent', numeric: true },
    { field: 'sold', head: 'Sold', numeric: true },
    { field: 'email', head: 'E-mail', optional: true },
    updated,
  ],
};

export const contacts: ListSpec = {
  model: 'contact',
  also: ['lastName', 'mayEdit'],
  one: 'contact',
  many: 'contacts',
  searches: 'name, e-mail or company',
  filters: ['publisherId', 'buyerId'],
  teaches: 'Keep the people of your publishers and buyers here: who to call when a tier times out.',
  columns: [
    { field: 'firstName', head: 'Name', cell: (row) => `${row.firstName} ${row.lastName}`.trim() },
    { field: 'company', head: 'Company' },
    { field: 'job', head: 'Job' },
    { field: 'email', head: 'E-mail' },
    { field: 'phone', head: 'Phone' },
    updated,
  ],
};

export const publisherTiers: ListSpec = {
  model: 'publisherTier',
  one: 'publisher tier',
  many: 'publisher tiers',
  searches: 'name, publisher, campaign or sub id',
  filters: ['publisherId', 'campaignId', 'kind'],
  teaches: 'A tier is the publisher’s seat in one campaign: its posting key or its landers, price, caps, hours and filters.',
  columns: [
    name,
    owner('publisherName', 'Publisher'),
    { field: 'campaignName', head: 'Campaign' },
    { field: 'kind', head: 'Kind', cell: (row) => TIER_KIND[row.kind as keyof typeof TIER_KIND] },
    { field: 'subId', head: 'Sub id' },
    status,
    { field: 'priceModel', head: 'Price', cell: price('priceModel'), sorts: false },
    capCount,
    notes,
    updated,
  ],
};

export const buyerTiers: ListSpec = {
  model: 'buyerTier',
  one: 'buyer tier',
  many: 'buyer tiers',
  searches: 'name or buyer',
  filters: ['buyerId', 'delivery'],
  teaches: 'A tier is one way of selling to the buyer: where leads are sent, at what price, with what caps, hours and filters.',
  columns: [
    name,
    owner('buyerName', 'Buyer'),
    { field: 'delivery', head: 'Delivery', cell: (row) => (row.delivery === 'pingPost' ? 'Ping and post' : 'Post') },
    status,
    {
      field: 'breakerState',
      head: 'Breaker',
      cell: (row) => <BreakerPill state={row.breakerState as BreakerStateView | null} />,
      sorts: false,
    },
    { field: 'price', head: 'Price', cell: price('price'), sorts: false },
    { field: 'campaignCount', head: 'Campaigns', numeric: true },
    { field: 'qualityFactor', head: 'Quality factor', numeric: true, optional: true },
    seconds,
    capCount,
    notes,
    updated,
  ],
};

export const regions: ListSpec = {
  model: 'region',
  one: 'region',
  many: 'regions',
  searches: 'name or name in addresses',
  teaches: 'A region is a country you work in; its verticals hold the leads.',
  hasCopy: false,
  columns: [
    name,
    { field: 'slug', head: 'Name in addresses' },
    { field: 'country', head: 'Country', cell: (row) => COUNTRY[row.country as keyof typeof COUNTRY] },
    { field: 'verticalCount', head: 'Verticals', numeric: true },
    updated,
  ],
};

export const verticals: ListSpec = {
  model: 'vertical',
  also: ['regionId'],
  one: 'vertical',
  many: 'verticals',
  searches: 'name, name in addresses or region',
  teaches: 'A vertical is a kind of lead in one region: its fields, campaigns and tiers.',
  hasCopy: false,
  columns: [
    name,
    { field: 'regionName', head: 'Region' },
    { field: 'slug', head: 'Name in addresses' },
    { field: 'primaryField', head: 'Primary field' },
    { field: 'fieldCount', head: 'Fields', numeric: true },
    { field: 'campaignCount', head: 'Campaigns', numeric: true },
    updated,
  ],
};

/** The tiers of everybody, in the vertical at hand. */
export const allPublisherTiers = withColumn(publisherTiers, 'publisherName');
export const allBuyerTiers = withColumn(buyerTiers, 'buyerName');

/** The tiers of one, wherever they sell or post. */
const inVertical: ListColumn = { field: 'verticalId', head: 'Vertical', cell: (row) => <VerticalName id={row.verticalId} />, sorts: false };
const withVertical = ({ columns: [first, ...others], ...spec }: ListSpec): ListSpec => ({
  ...spec,
  columns: [first!, inVertical, ...others],
});
export const tiersOfPublisher = withVertical(publisherTiers);
export const tiersOfBuyer = withVertical(buyerTiers);
