/** account §6, §4 "Route guard": every page x person x tick, on the server and in the guard, against permission-table.txt. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageCatalogue } from '#contract/page.ts';
import type { SessionView } from '#contract/session.ts';
import { NO_PROOF } from '#server/session/proof.ts';
import { globalPermission, mayOpenPage } from '#server/session/session.policy.ts';
import { insertSession, type SignedIn } from '#server/session/session.sql.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildTableWorld, TABLE_NAMES, type TableName } from '#test/harness/table-people.ts';
import { buildUser, LEAD, type World } from '#test/harness/world.ts';
import { type GuardedPlaces, guardRoute } from '#web/console/guard.ts';

const FILE = join(import.meta.dirname, 'permission-table.txt');
const OWN_PAGE = { 'x-requested-with': 'sluice' };
const T = '/api/v1/teamMgmt';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let world: World;
let autoId: string;
let lead: string;
let ownerId: string;
let invited = 0;
/** Somebody of each status, by user. */
const colleagues = new Map<string, string>();
let cookies: Record<TableName, string>;
const sessions = {} as Record<TableName, SessionView>;
const places = {} as Record<TableName, GuardedPlaces>;

const call = async (method: string, path: string, cookie: string, body?: unknown) =>
  fetch(node.url + path, {
    method,
    headers: { ...OWN_PAGE, cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

beforeAll(async () => {
  node = await startTestWorld();
  ({ world, autoId, cookies } = await buildTableWorld(node));
  for (const status of ['active', 'invited', 'disabled'])
    colleagues.set(status, (await buildUser(node.db, world.organizationId, { role: 'member' })).userId);
  const owner = node.db
    .selectFrom('team_member')
    .select('id')
    .where('organization_id', '=', world.organizationId)
    .where('role', '=', 'owner');
  ownerId = (await owner.executeTakeFirstOrThrow()).id;
  lead = (await node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${world.key}` })).json.leadId;
  for (const name of TABLE_NAMES) {
    sessions[name] = (await (await call('GET', `${T}/user/is-user-is-logged-in`, cookies[name])).json()) as SessionView;
    const answer = (await (await call('POST', '/api/v1/get-regions-and-verticals', cookies[name], {})).json()) as Record<string, string>;
    places[name] = { regions: JSON.parse(answer.fullRegionDatas ?? '[]'), verticals: JSON.parse(answer.fullVerticalDatas ?? '[]') };
  }
});
afterAll(() => node.stop());

const ADDRESSES = [
  ...[
    '/',
    '/login',
    '/forgot-password',
    '/reset-mfa',
    '/register',
    '/member-register/T',
    '/reset/T',
    '/invitation/T',
    '/invitation-confirm-email/U',
  ],
  ...[
    '/drawcard/card/1',
    '/eligibility-checker-tool/T',
    '/team',
    '/organization-edit',
    '/preferences',
    '/regions',
    '/change-logs-mgmt',
    '/security-log',
    '/help-content',
    '/installation-health',
    '/change-profile',
    '/change-password',
    '/monitor/online-users',
  ],
  ...[
    '/home',
    '/setup/home-buyer',
    '/setup/home-publisher',
    '/setup/third-party-service',
    '/bins-lookup',
    '/7/trackProcess',
    '/no-permission',
  ],
  ...[
    '/somewhere',
    '/setup/us/no-vertical',
    '/setup/us/9999/overview',
    '/setup/9999/9999/overview',
    '/setup/uk/none/overview',
    '/setup/mars/x/overview',
  ],
  ...[
    ...pageCatalogue.map((page) => page.route),
    'leads',
    'leads/7',
    'leads/to-settle',
    'testing-lab/samples',
    'testing-lab/samples/new',
    'testing-lab/replay',
    'testing-lab/replay/7',
    'testing-lab/eligibility',
    'publishers',
    'buyers',
    'campaigns',
    'third-party-service',
    'configuration',
    'change-requests',
  ].map((page) => `/setup/us/payday/${page}`),
  ...[
    'publishers/new',
    'publishers/7',
    'buyers/new',
    'buyers/7',
    'buyers/7/statement',
    'publishers/7/statement',
    'campaigns/new',
    'campaigns/7',
    'third-party-service/new',
    'third-party-service/7',
    'contact',
    'tier/add',
    'tier/edit/7',
    'contact/add',
    'contact/edit/7',
    'page-stats/pages/7',
    'payment-processor-stats/payments',
    'payment-processor-stats/processors',
    'cards',
    'cards/new',
    'cards/7',
    'server-logs/api-process-logs',
    'subId-specific-report',
    'nowhere',
  ].map((page) => `/setup/us/payday/${page}`),
  ...['/setup/us/auto/overview', '/setup/us/auto/flow-control', '/setup/us/auto/leads'],
];

const place = 'region=us&vertical=payday';
const other = 'region=us&vertical=auto';
const QUICK = { regionSlug: 'us', verticalSlug: 'payday' };
const CALLS: [string, string, string, unknown?][] = [
  ['overview of payday', 'GET', `/api/console/overview?${place}&timeZone=UTC`],
  ['overview of auto', 'GET', `/api/console/overview?${other}&timeZone=UTC`],
  ...['inbound', 'outbound', 'trending', 'reason', 'redirect', 'performance', 'time-outs', 'map', 'compare', 'bid-prices'].map(
    (name): [string, string, string] => [
      `${name} report of payday`,
      'GET',
      `/api/console/reports/${name}?${place}&from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z${name === 'compare' ? '&of=span' : ''}`,
    ],
  ),
  ['own portal', 'GET', '/api/console/portal'],
  ['leads of the own portal', 'GET', '/api/console/portal/publisher/leads'],
  ['requests of portals', 'GET', '/api/console/change-requests'],
  ['how many requests of portals', 'GET', '/api/console/change-requests/count'],
  ['bind a member', 'POST', `${T}/team/bind`, { _id: '$active', bound: null }],
  ['buyers today', 'GET', '/api/console/home/buyers'],
  ['publishers today', 'GET', '/api/console/home/publishers'],
  ['feed of the pages of today', 'GET', '/api/console/home/feed'],
  ['leads of payday', 'GET', `/api/console/leads?${place}`],
  ['leads of auto', 'GET', `/api/console/leads?${other}`],
  ['lead filters of payday', 'GET', `/api/console/leads/filters?${place}`],
  ['tiers that leads of payday are filtered by', 'GET', `/api/console/leads/choices?${place}&of=buyerTier`],
  ['testing lab of payday', 'GET', `/api/console/lab?${place}`],
  ['testing lab of auto', 'GET', `/api/console/lab?${other}`],
  ['replays of payday', 'GET', `/api/console/lab/replays?${place}`],
  ['a lead to simulated buyers of payday', 'POST', '/api/console/lab/send', { publisherTierId: '$seat', fields: {}, buyers: 'simulated' }],
  ['eligibility links of payday', 'GET', `/api/console/lab/eligibility-links?${place}`],
  ['feed of payday', 'GET', `/api/console/feed?${place}`],
  ['feed of auto', 'GET', `/api/console/feed?${other}`],
  ['a lead of payday by its id', 'GET', '/api/console/leads/$lead'],
  ['leads of payday to settle', 'GET', `/api/console/settlements/open?${place}`],
  [
    'settle a lead of payday where nothing is open',
    'POST',
    '/api/console/settlements',
    { leads: [{ leadId: '$lead', buyerTierId: '$lead', outcome: 'notBought' }] },
  ],
  ['return a lead of payday that was not sold', 'POST', '/api/console/leads/$lead/return', { saleIndex: 0, reason: 'Duplicate' }],
  [
    'return leads of payday by a file',
    'POST',
    '/api/console/returns',
    { region: 'us', vertical: 'payday', buyerId: '$lead', text: 'lead,reason\nx,Duplicate' },
  ],
  ['download of payday', 'POST', '/api/v1/download-file/leads', { region: 'us', vertical: 'payday', isDownloadCSV: 'true' }],
  ['download of auto', 'POST', '/api/v1/download-file/leads', { region: 'us', vertical: 'auto', isDownloadCSV: 'true' }],
  ['own sessions', 'GET', '/api/v1/session/list'],
  ['team', 'GET', `${T}/team/members`],
  ['invite somebody', 'POST', `${T}/team/invite`, { email: '$fresh', first_name: 'I', last_name: 'I', permissions: [] }],
  ['send an invitation again', 'POST', `${T}/team/resend-invitation`, { _id: '$invited' }],
  ['take an invitation back', 'POST', `${T}/team/delete-invitation`, { _id: '$invited' }],
  ['edit permissions', 'POST', `${T}/team/edit-permissions`, { _id: '$active', permissions: [] }],
  ['disable a member', 'POST', `${T}/team/disable`, { _id: '$active' }],
  ['enable a member', 'POST', `${T}/team/enable`, { _id: '$disabled' }],
  ['remove a member', 'POST', `${T}/team/remove`, { _id: '$active' }],
  ['hand the ownership over, to who has it', 'POST', `${T}/team/hand-over-ownership`, { _id: '$owner', password: 'correct-horse-1' }],
  ['online users', 'GET', `${T}/monitor/online-users`],
  ['end a session of the organization', 'POST', `${T}/monitor/end-session`, { _id: '$session' }],
  ['read organization', 'POST', `${T}/common/get-data`, { model: 'organization' }],
  ['read preferences', 'POST', `${T}/common/get-data`, { model: 'preferences' }],
  ['read team members', 'POST', `${T}/common/get-data`, { model: 'teamMember' }],
  ['read own profile', 'POST', `${T}/common/get-data`, { model: 'user' }],
  ['write organization', 'POST', `${T}/common/update`, { model: 'organization', _id: '$organization', data: { legalFooterText: '' } }],
  ['write preferences', 'POST', `${T}/common/update`, { model: 'preferences', _id: '$organization', data: { securityNotices: true } }],
  ['list buyers', 'POST', '/api/v1/common/get/condition-data', { model: 'buyer' }],
  ['add a buyer', 'POST', '/api/v1/common/post-add-data', { model: 'buyer', name: '$fresh' }],
  ['add a region', 'POST', '/api/v1/common/post-add-data', { model: 'region', name: '', slug: 'x', country: 'us' }],
  ['tree of a campaign', 'GET', '/api/console/campaigns/$campaign/tree', undefined],
  ['draft a tree', 'POST', '/api/console/campaigns/$campaign/draft/discard', { state: 'another' }],
  ['change log', 'GET', '/api/v1/change-log', undefined],
  ['choices of the change log', 'GET', '/api/v1/change-log/choices', undefined],
  ['change log as a file', 'POST', '/api/v1/download-file/change-log', { isDownloadCSV: 'true' }],
  ['sign-ins and refusals', 'GET', '/api/v1/security-log', undefined],
  ['choices of sign-ins and refusals', 'GET', '/api/v1/security-log/choices', undefined],
  ['sign-ins and refusals as a file', 'POST', '/api/v1/download-file/security-log', { isDownloadCSV: 'true' }],
  ['imports of lists', 'GET', '/api/v1/jobs?kind=suppressionImport'],
  ['imports of lists as a file', 'POST', '/api/v1/download-file/jobs', { kind: 'suppressionImport', isDownloadCSV: 'true' }],
  ['exports', 'GET', '/api/v1/jobs?kind=export'],
  ['exports as a file', 'POST', '/api/v1/download-file/jobs', { kind: 'export', isDownloadCSV: 'true' }],
  ['change to payday', 'POST', '/api/reporting/change-root-vertical', { regionId: '$region', verticalId: '$payday' }],
  ['change to auto', 'POST', '/api/reporting/change-root-vertical', { regionId: '$region', verticalId: '$auto' }],
  ['quick view of payday', 'POST', '/api/v1/quick-view/get-actions', { ...QUICK, regionId: '$region', verticalId: '$payday' }],
  ['quick view of auto', 'POST', '/api/v1/quick-view/get-actions', { ...QUICK, regionId: '$region', verticalId: '$auto' }],
  [
    'records of payday in the quick view',
    'POST',
    '/api/v1/quick-view/get-actions',
    { ...QUICK, regionId: '$region', verticalId: '$payday', search: 'tier' },
  ],
  ['quick view of no vertical', 'POST', '/api/v1/quick-view/get-actions', { ...QUICK, regionId: '', verticalId: '' }],
  ['regions at hand', 'POST', '/api/reporting/get-Regions', {}],
  ['verticals at hand', 'POST', '/api/reporting/get-verticals', {}],
  ['messages', 'GET', '/ampl/message/toastr-notification'],
  ['help content to edit', 'GET', '/api/console/help'],
  ['how the installation is', 'GET', '/api/console/installation-health'],
  ['take the logo down', 'POST', `${T}/organization/logo/light/remove`, {}],
];

/** What stands for `$word` in a call. Members and a session of a colleague are as they were before each call, whatever it did to them. */
async function namePlaceholders(): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const [status, userId] of colleagues) {
    const { id } = await node.db
      .updateTable('team_member')
      .set({ status })
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirstOrThrow();
    ids[status] = id;
  }
  const userId = colleagues.get('active')!;
  const { organizationId } = world;
  const began = { address: '192.0.2.1', userAgent: '', proof: NO_PROOF };
  const session = { userId, organizationId, credentialEpoch: 0, stage: 'full', ...began } as const;
  const { sessionId } = await insertSession(node.db, session);
  invited += 1;
  const places = {
    organization: organizationId,
    region: world.regionId,
    payday: world.verticalId,
    auto: autoId,
    campaign: world.campaignId,
    seat: world.publisherTierId,
  };
  return { ...ids, ...places, owner: ownerId, lead, session: sessionId, fresh: `fresh${invited}@example.com` };
}

async function draw(): Promise<string> {
  const line = (name: string, cells: string[]) => `${name.padEnd(80)}${cells.map((cell) => cell.padEnd(31)).join('')}`.trimEnd();
  const routes = ADDRESSES.map((path) =>
    line(
      path,
      TABLE_NAMES.map((name) => {
        const verdict = guardRoute(path, sessions[name], places[name]);
        return verdict.open ? 'open' : verdict.to.replace('/setup/us/payday/', '…/');
      }),
    ),
  );
  const calls: string[] = [];
  for (const [label, method, path, body] of CALLS) {
    const codes: string[] = [];
    for (const name of TABLE_NAMES) {
      const named = await namePlaceholders();
      const fill = (text: string) => text.replace(/\$(\w+)/g, (_all, word: string) => named[word]!);
      const answer = await call(method, fill(path), cookies[name], body && JSON.parse(fill(JSON.stringify(body))));
      codes.push(String(answer.status));
      // A feed goes on until somebody leaves.
      await answer.body?.cancel();
    }
    calls.push(line(label, codes));
  }
  const head = line('', [...TABLE_NAMES]);
  return `${readFileSync(FILE, 'utf8').split('\n\n')[0]!.trimEnd()}\n\nROUTES\n${head}\n${routes.join('\n')}\n\nCALLS\n${head}\n${calls.join('\n')}\n`;
}

const PERSON: SignedIn = {
  sessionId: '',
  userId: '',
  email: '',
  firstName: '',
  lastName: '',
  isSuperAdmin: false,
  organizationId: '',
  role: 'member',
  permissions: [],
  isRestricted: false,
  proof: NO_PROOF,
  hasSecondFactor: false,
  bound: null,
  isActivated: true,
  lastPage: null,
  reportingTimeZone: null,
  expiresAt: new Date(0),
};

describe('account §6: who may go where and do what', () => {
  it('is what the table says, line by line', async () => {
    const drawn = await draw();
    if (process.env.DRAW_TABLE) writeFileSync(FILE, drawn);
    expect(drawn.split('\n')).toEqual(readFileSync(FILE, 'utf8').split('\n'));
  });

  it('account §4: a member begins at the page the organization prefers, where they may open it', () => {
    const prefer = (name: TableName, landingPage: string) => {
      const session = { ...sessions[name], organization: { ...sessions[name].organization!, landingPage } };
      return guardRoute('/', session, places[name]);
    };
    expect(prefer('logs', 'serverLogs')).toEqual({ open: false, to: '/setup/us/payday/server-logs/buyer-tier-logs' });
    // One that they may not open is none to begin at.
    expect(prefer('kept-out', 'serverLogs')).toEqual({ open: false, to: '/setup/us/payday/overview' });
    expect(prefer('owner', 'comm-maps')).toEqual({ open: false, to: '/setup/us/payday/flow-control' });
  });

  it('one tick opens one page, in its region and vertical alone; a region or vertical without its own tick opens nothing', () => {
    const here = { regionId: world.regionId, verticalId: world.verticalId };
    const withTick = (value: string, regionChecked = true, verticalChecked = true): SessionView => {
      const pages = pageCatalogue.map((page) => ({ value: page.value, pageChecked: page.value === value }));
      const permissions = [
        { regionId: here.regionId, regionChecked, verticals: [{ verticalId: here.verticalId, verticalChecked, pages }] },
      ];
      const globalPermission = pageCatalogue
        .filter((page) => page.value === value)
        .map(({ route, value: name }) => ({ route, value: name }));
      return { ...sessions.overview, permissionObj: { ...sessions.overview.permissionObj!, permissions, globalPermission } };
    };
    const opens = (session: SessionView, vertical = 'payday') =>
      pageCatalogue
        .filter((page) => guardRoute(`/setup/us/${vertical}/${page.route}`, session, places.owner).open)
        .map((page) => page.value);
    for (const { value } of pageCatalogue) {
      expect([value, opens(withTick(value))]).toEqual([value, [value]]);
      expect([value, opens(withTick(value), 'auto')]).toEqual([value, []]);
      expect([value, opens(withTick(value, false)), opens(withTick(value, true, false))]).toEqual([value, [], []]);
      const person = { ...PERSON, permissions: withTick(value).permissionObj!.permissions };
      const allowed = pageCatalogue.filter((page) => mayOpenPage(person, page.value, here.regionId, here.verticalId));
      expect(allowed.map((page) => page.value)).toEqual([value]);
      expect(globalPermission(person).map((page) => page.value)).toEqual([value]);
      expect(mayOpenPage(person, value, here.regionId, autoId)).toBe(false);
    }
  });

  it('account §6: allowFSUsers are told of no logs, owners among them', () => {
    for (const role of ['member', 'owner'] as const) {
      const person = { ...PERSON, role, isRestricted: true };
      expect(globalPermission(person).map((page) => page.value)).not.toContain('serverLogs');
    }
  });

  it('never sends anybody round in a circle', () => {
    for (const name of TABLE_NAMES)
      for (const path of ADDRESSES) {
        const first = guardRoute(path, sessions[name], places[name]);
        if (first.open || name === 'nobody') continue;
        expect([name, path, guardRoute(first.to, sessions[name], places[name])]).toEqual([name, path, { open: true }]);
      }
  });
});
