/** The lists of the set-up area: what each shows, searches and teaches. */
import type { BreakerStateView } from '#contract/tier.ts';
import { TimeAgo } from '#web/ui/reporting.tsx';
import type { RecordRow } from '../api/record.ts';
import { BreakerPill } from './BreakerState.tsx';
import type { ListColumn, ListSpec } from './RecordList.tsx';

const updated: ListColumn = { field: 'updatedAt', head: 'Changed', cell: (row) => <TimeAgo at={String(row.updatedAt)} /> };
const name: ListColumn = { field: 'name', head: 'Name' };
const status: ListColumn = { field: 'status', head: 'Status' };
const price = (row: RecordRow): string => {
  const rule = (row.priceModel ?? row.price) as { kind: string; price?: string; minimum?: string; sharePercent?: number } | undefined;
  if (!rule) return '';
  if (rule.kind === 'share') return `${rule.sharePercent}% of revenue`;
  if (rule.kind === 'bid') return rule.minimum ? `Bid, at least ${rule.minimum}` : 'Bid';
  return rule.kind === 'minimum' ? `At least ${rule.price}` : String(rule.price);
};

export const publishers: ListSpec = {
  model: 'publisher',
  one: 'publisher',
  many: 'publishers',
  searches: 'name or affiliate id',
  teaches: 'A publisher sends you leads. Give each an affiliate id, then a tier in every campaign it may post to.',
  columns: [name, { field: 'affiliateId', head: 'Affiliate id' }, status, { field: 'tierCount', head: 'Tiers', numeric: true }, updated],
};

export const buyers: ListSpec = {
  model: 'buyer',
  one: 'buyer',
  many: 'buyers',
  searches: 'name',
  teaches: 'A buyer takes your leads. Add one, then a tier for every way of selling to it: its address, price, caps and hours.',
  columns: [name, status, { field: 'tierCount', head: 'Tiers', numeric: true }, updated],
};

export const campaigns: ListSpec = {
  model: 'campaign',
  one: 'campaign',
  many: 'campaigns',
  searches: 'name',
  teaches: 'A campaign leads from publisher tiers through a ping tree to buyer tiers. Add one, then set up its tree.',
  columns: [
    name,
    status,
    { field: 'publisherTierCount', head: 'Publisher tiers', numeric: true },
    { field: 'buyerTierCount', head: 'Buyer tiers', numeric: true },
    { field: 'maxSales', head: 'Sales at most', numeric: true },
    updated,
  ],
};

export const contacts: ListSpec = {
  model: 'contact',
  one: 'contact',
  many: 'contacts',
  searches: 'name, e-mail or company',
  teaches: 'Keep the people of your publishers and buyers here: who to call when a tier times out.',
  hasPause: false,
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
  teaches: 'A tier is the publisher’s seat in one campaign: its posting key, price, caps, hours and filters.',
  columns: [
    name,
    { field: 'campaignName', head: 'Campaign' },
    { field: 'subId', head: 'Sub id' },
    status,
    { field: 'priceModel', head: 'Price', cell: price, sorts: false },
    updated,
  ],
};

export const buyerTiers: ListSpec = {
  model: 'buyerTier',
  one: 'buyer tier',
  many: 'buyer tiers',
  searches: 'name or buyer',
  teaches: 'A tier is one way of selling to the buyer: where leads are sent, at what price, with what caps, hours and filters.',
  columns: [
    name,
    { field: 'delivery', head: 'Delivery', cell: (row) => (row.delivery === 'pingPost' ? 'Ping and post' : 'Post') },
    status,
    {
      field: 'breakerState',
      head: 'Breaker',
      cell: (row) => <BreakerPill state={row.breakerState as BreakerStateView | null} />,
      sorts: false,
    },
    { field: 'price', head: 'Price', cell: price, sorts: false },
    { field: 'campaignCount', head: 'Campaigns', numeric: true },
    updated,
  ],
};
