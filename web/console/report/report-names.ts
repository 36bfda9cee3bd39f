/** The pages of the reporting group beside each other, and what each report tells apart. */
import type { FilterName } from './report-search.ts';

export const REPORT_TABS = [
  { page: 'leadFlow-Inbound', route: 'lead-flow/inbound', label: 'Inbound' },
  { page: 'leadFlow-Inbound', route: 'subId-specific-report', label: 'Sub ids' },
  { page: 'leadFlow-Outbound', route: 'lead-flow/outbound', label: 'Outbound' },
  { page: 'leadFlow-Trending', route: 'lead-flow/trending', label: 'Trending' },
  { page: 'leadFlow-ReasonReport', route: 'lead-flow/reason-report', label: 'Reasons' },
  { page: 'leadFlow-RedirectReport', route: 'lead-flow/redirect-report', label: 'Redirects' },
  { page: 'leadFlow-PerformanceReport', route: 'lead-flow/performance-report', label: 'Performance' },
  { page: 'buyer-timeout-track', route: 'lead-flow/buyer-timeout-track', label: 'Time-outs' },
  { page: 'Page-Stats', route: 'page-stats', label: 'Pages' },
  { page: 'payment-processor-stats', route: 'payment-processor-stats', label: 'Payments' },
  { page: 'comm-maps', route: 'comm-maps', label: 'Map' },
  { page: 'compare-stats', route: 'compare-stats', label: 'Compare' },
  { page: 'leadFlow-DataRequest', route: 'lead-flow/data-request', label: 'Data request' },
] as const;

export interface DimensionLook {
  label: string;
  /** How its values are called together. */
  many: string;
  /** What a value narrows the report to, and what that report is then told by. */
  filter?: FilterName;
  next?: string;
}

export const DIMENSIONS: Record<string, DimensionLook> = {
  publisher: { label: 'Publisher', many: 'Publishers', filter: 'publisherId', next: 'publisherTier' },
  publisherTier: { label: 'Publisher tier', many: 'Publisher tiers', filter: 'publisherTierId', next: 'subId' },
  campaign: { label: 'Campaign', many: 'Campaigns', filter: 'campaignId' },
  subId: { label: 'Sub id', many: 'Sub ids', filter: 'subId' },
  state: { label: 'State', many: 'States', filter: 'state' },
  variant: { label: 'Variant', many: 'Variants of A/B tests' },
  buyer: { label: 'Buyer', many: 'Buyers', filter: 'buyerId', next: 'buyerTier' },
  buyerTier: { label: 'Buyer tier', many: 'Buyer tiers', filter: 'buyerTierId' },
  group: { label: 'Group', many: 'Groups of trees' },
  filterReason: { label: 'Filter reason', many: 'Filter reasons' },
  vertical: { label: 'Vertical', many: 'Verticals' },
  region: { label: 'Region', many: 'Regions' },
  processor: { label: 'Processor', many: 'Payment processors', filter: 'processorId' },
  move: { label: 'BIN move', many: 'Moves of BINs', filter: 'move' },
  bin: { label: 'BIN', many: 'BINs', filter: 'bin' },
  reason: { label: 'Decline reason', many: 'Decline reasons', filter: 'reason' },
};
