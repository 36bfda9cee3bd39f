/** The page catalogue (console §3; design: product.md). The order is the priority order of "first permitted page". */
export interface PageEntry {
  key: number;
  value: string;
  route: string;
  label: string;
}

export const pageCatalogue: readonly PageEntry[] = [
  { key: 1, value: 'overview', route: 'overview', label: 'Overview' },
  { key: 2, value: 'Page-Stats', route: 'page-stats', label: 'Page stats' },
  { key: 3, value: 'leadFlow-Inbound', route: 'lead-flow/inbound', label: 'Inbound' },
  { key: 4, value: 'leadFlow-Outbound', route: 'lead-flow/outbound', label: 'Outbound' },
  { key: 5, value: 'leadFlow-Trending', route: 'lead-flow/trending', label: 'Trending' },
  { key: 6, value: 'leadFlow-DataRequest', route: 'lead-flow/data-request', label: 'Data request' },
  { key: 7, value: 'leadFlow-PerformanceReport', route: 'lead-flow/performance-report', label: 'Performance report' },
  { key: 8, value: 'leadFlow-RedirectReport', route: 'lead-flow/redirect-report', label: 'Redirect report' },
  { key: 9, value: 'leadFlow-ReasonReport', route: 'lead-flow/reason-report', label: 'Reason report' },
  { key: 12, value: 'buyer-timeout-track', route: 'lead-flow/buyer-timeout-track', label: 'Buyer time-outs' },
  { key: 13, value: 'serverLogs', route: 'server-logs/buyer-tier-logs', label: 'Server logs' },
  { key: 14, value: 'dataMgmt-Inbound', route: 'data-mgmt/inbound', label: 'List imports' },
  { key: 15, value: 'dataMgmt-Outbound', route: 'data-mgmt/outbound', label: 'Exports of leads' },
  { key: 20, value: 'dataMgmt-Configuration', route: 'data-mgmt/configuration', label: 'List configuration' },
  { key: 21, value: 'Bank-Mgmt', route: 'bank-mgmt', label: 'Banks' },
  { key: 22, value: 'bin-mgmt', route: 'bin-mgmt', label: 'BIN ranges' },
  { key: 23, value: 'bin-lookup', route: 'bin-mgmt/bin-lookup', label: 'BIN look-up' },
  { key: 24, value: 'features-api', route: 'features-api', label: 'API and posting specs' },
  { key: 25, value: 'payment-processor-stats', route: 'payment-processor-stats', label: 'Payment processors' },
  { key: 26, value: 'promotions', route: 'promotions', label: 'Promotions' },
  { key: 27, value: 'testing-lab', route: 'testing-lab', label: 'Testing lab' },
  { key: 28, value: 'ab-testing', route: 'ab-testing', label: 'A/B tests' },
  { key: 29, value: 'setup', route: 'flow-control', label: 'Set-up' },
  { key: 30, value: 'comm-maps', route: 'comm-maps', label: 'Map' },
  { key: 31, value: 'compare-stats', route: 'compare-stats', label: 'Compare' },
];

/** What stands below region and vertical without being a page of the catalogue: screens of the set-up, and what reports and logs drill down to. */
const BESIDE_PAGES: readonly string[] = [
  ...['leads', 'subId-specific-report', 'publishers', 'buyers', 'campaigns', 'contact', 'third-party-service', 'cards'],
  ...['tier', 'configuration', 'change-requests', 'server-logs/api-process-logs'],
];

/** Whether there is a page at an address below region and vertical, by its route or the first words of it. */
export const isStanding = (route: string): boolean =>
  [...pageCatalogue.map((page) => page.route), ...BESIDE_PAGES].some((one) => route === one || route.startsWith(`${one}/`));
