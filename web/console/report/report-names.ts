/** The pages of the reporting group beside each other, and what each report tells apart. */
import { DIMENSION_WORDS } from '#contract/report-words.ts';
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
  publisher: { label: DIMENSION_WORDS.publisher, many: 'Publishers', filter: 'publisherId', next: 'publisherTier' },
  publisherTier: { label: DIMENSION_WORDS.publisherTier, many: 'Publisher tiers', filter: 'publisherTierId', next: 'subId' },
  campaign: { label: DIMENSION_WORDS.campaign, many: 'Campaigns', filter: 'campaignId' },
  subId: { label: DIMENSION_WORDS.subId, many: 'Sub ids', filter: 'subId' },
  state: { label: DIMENSION_WORDS.state, many: 'States', filter: 'state' },
  variant: { label: DIMENSION_WORDS.variant, many: 'Variants of A/B tests' },
  buyer: { label: DIMENSION_WORDS.buyer, many: 'Buyers', filter: 'buyerId', next: 'buyerTier' },
  buyerTier: { label: DIMENSION_WORDS.buyerTier, many: 'Buyer tiers', filter: 'buyerTierId' },
  group: { label: DIMENSION_WORDS.group, many: 'Groups of trees' },
  filterReason: { label: DIMENSION_WORDS.filterReason, many: 'Filter reasons' },
  vertical: { label: DIMENSION_WORDS.vertical, many: 'Verticals' },
  region: { label: DIMENSION_WORDS.region, many: 'Regions' },
  processor: { label: DIMENSION_WORDS.processor, many: 'Payment processors', filter: 'processorId' },
  move: { label: DIMENSION_WORDS.move, many: 'Moves of BINs', filter: 'move' },
  bin: { label: DIMENSION_WORDS.bin, many: 'BINs', filter: 'bin' },
  reason: { label: DIMENSION_WORDS.reason, many: 'Decline reasons', filter: 'reason' },
};
