/** Which help belongs to which address of the console: every page has a prompt with one of these keys. */

/** Addresses, below region and vertical where they have them; `*` is an id. What follows a page belongs to it. */
const KEYS: Readonly<Record<string, string>> = {
  overview: 'overview',
  'page-stats': 'page-stats',
  'page-stats/pages/*': 'landing-page',
  'lead-flow/inbound': 'lead-flow.inbound',
  'lead-flow/outbound': 'lead-flow.outbound',
  'lead-flow/trending': 'lead-flow.trending',
  'lead-flow/data-request': 'lead-flow.data-request',
  'lead-flow/performance-report': 'lead-flow.performance-report',
  'lead-flow/redirect-report': 'lead-flow.redirect-report',
  'lead-flow/reason-report': 'lead-flow.reason-report',
  'lead-flow/buyer-timeout-track': 'lead-flow.buyer-timeout-track',
  'server-logs': 'server-logs',
  'data-mgmt/inbound': 'data-mgmt.inbound',
  'data-mgmt/outbound': 'data-mgmt.outbound',
  'data-mgmt/configuration': 'data-mgmt.configuration',
  'bank-mgmt': 'bank-mgmt',
  'bin-mgmt': 'bin-mgmt',
  'bin-mgmt/bin-lookup': 'bin-lookup',
  'bins-lookup': 'bin-lookup',
  'features-api': 'features-api',
  'payment-processor-stats': 'payment-processor-stats',
  promotions: 'promotions',
  'testing-lab': 'testing-lab',
  'testing-lab/samples': 'testing-lab.samples',
  'testing-lab/replay': 'testing-lab.replay',
  'testing-lab/eligibility': 'testing-lab.eligibility',
  'ab-testing': 'ab-testing',
  'flow-control': 'flow-control',
  'comm-maps': 'comm-maps',
  'compare-stats': 'compare-stats',
  'subId-specific-report': 'subid-specific-report',
  leads: 'leads',
  'leads/*': 'lead',
  'leads/to-settle': 'to-settle',
  publishers: 'publishers',
  'publishers/*': 'publisher',
  'publishers/*/statement': 'statement',
  buyers: 'buyers',
  'buyers/*': 'buyer',
  'buyers/*/statement': 'statement',
  campaigns: 'campaigns',
  'campaigns/*': 'campaign',
  tier: 'tier',
  contact: 'contact',
  'third-party-service': 'third-party-service',
  cards: 'cards',
  'cards/*': 'card',
  configuration: 'configuration',
  'change-requests': 'change-requests',
  'no-vertical': 'no-vertical',
  'home-buyer': 'home-buyer',
  'home-publisher': 'home-publisher',
  home: 'home',
  team: 'team',
  'organization-edit': 'organization-edit',
  preferences: 'preferences',
  regions: 'regions',
  'change-logs-mgmt': 'change-logs-mgmt',
  'security-log': 'security-log',
  'help-content': 'help-content',
  'installation-health': 'installation-health',
  'change-profile': 'change-profile',
  'change-password': 'change-password',
  'monitor/online-users': 'online-users',
  '*/trackProcess': 'track-process',
  'no-permission': 'no-permission',
  'eligibility-checker-tool': 'eligibility-checker',
};

/** Signing in, registering, and whatever else is done before there is a page. */
export const ACCOUNT_HELP = 'account';

/** A member of a portal sees another page at the addresses of home-buyer and home-publisher. */
export const PORTAL_HELP = { buyer: 'portal-buyer', publisher: 'portal-publisher' } as const;

export const helpKeys: readonly string[] = [...new Set([...Object.values(KEYS), ...Object.values(PORTAL_HELP), ACCOUNT_HELP])];

/** The key of the help of an address of the console, such as '/setup/us/payday/buyers/7'. */
export function helpKeyOf(path: string): string {
  const words = path.split(/[?#]/, 1)[0]!.split('/').filter(Boolean);
  return keyOf(words[0] === 'setup' ? belowPlace(words.slice(1)) : words) ?? ACCOUNT_HELP;
}

/** Some pages stand under the region, or beside it. */
const belowPlace = (words: string[]): string[] => {
  if (words.length === 1) return words;
  return words[1] === 'no-vertical' ? words.slice(1) : words.slice(2);
};

/** The longest address that the words begin with; a word stands before an id. */
function keyOf(words: string[]): string | undefined {
  for (let length = words.length; length > 0; length--) {
    const tried = words.slice(0, length).reduce(
      (all, word) =>
        all.flatMap((one) => [
          [...one, word],
          [...one, '*'],
        ]),
      [[]] as string[][],
    );
    const found = tried.map((one) => KEYS[one.join('/')]).find(Boolean);
    if (found) return found;
  }
  return undefined;
}
