/** console §2, §4, §6, §7: region and vertical, the quick view's actions and the toast messages. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MESSAGES } from '#contract/message.ts';
import { isStanding, pageCatalogue } from '#contract/page.ts';
import type { QuickViewAction } from '#contract/reporting.ts';
import type { RegionPermission, RegionView, VerticalView } from '#contract/session.ts';
import { newId } from '#server/kit/ids.ts';
import { type PostAnswer, startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

type Person = 'owner' | 'member' | 'outsider' | 'superAdmin' | 'keptOut' | 'stranger';
const OWN_PAGE = { 'x-requested-with': 'sluice' };
const CHANGE = '/api/reporting/change-root-vertical';
const ACTIONS = '/api/v1/quick-view/get-actions';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let world: World;
let foreign: World;
const autoId = newId();
const ukId = newId();
const ukLoansId = newId();
const emptyId = newId();
const cookies = {} as Record<Person, string>;

const post = (path: string, body: unknown, person?: Person, headers: Record<string, string> = OWN_PAGE) =>
  node.post(path, body, { ...headers, ...(person && { cookie: cookies[person] }) });

/** Payday, as the quick view names a place. */
const here = (more: object = {}) => ({
  regionId: world.regionId,
  verticalId: world.verticalId,
  regionSlug: 'us',
  verticalSlug: 'payday',
  ...more,
});

const cookieOf = ({ headers }: PostAnswer) =>
  headers
    .getSetCookie()
    .find((one) => one.startsWith('sluice='))!
    .split(';')[0]!;

beforeAll(async () => {
  node = await startTestWorld();
  world = await buildWorld(node.db);
  foreign = await buildWorld(node.db);
  const own = { organization_id: world.organizationId };
  await node.db
    .insertInto('region')
    .values([
      { ...own, id: ukId, slug: 'uk', name: 'United Kingdom', country: 'uk' },
      { ...own, id: emptyId, slug: 'empty', name: 'Empty', country: 'us' },
    ])
    .execute();
  await node.db
    .insertInto('vertical')
    .values([
      { ...own, id: autoId, region_id: world.regionId, slug: 'auto', uid: 'auto-us', name: 'Auto', primary_field: 'phone' },
      { ...own, id: ukLoansId, region_id: ukId, slug: 'loans', uid: 'loans-uk', name: 'Loans', primary_field: 'postcode' },
    ])
    .execute();
  const tick = (verticalId: string, pages: string[], verticalChecked = true) => ({
    verticalId,
    verticalChecked,
    pages: pages.map((value) => ({ value, pageChecked: true })),
  });
  const inRegion = (regionId: string, ...verticals: RegionPermission['verticals']): RegionPermission => ({
    regionId,
    regionChecked: true,
    verticals,
  });
  const member = [
    inRegion(world.regionId, tick(world.verticalId, ['overview', 'serverLogs']), tick(autoId, ['setup'])),
    // A page is ticked, its vertical is not.
    inRegion(ukId, tick(ukLoansId, ['overview'], false)),
  ];
  const people: Record<Person, { organizationId: string } & Parameters<typeof buildUser>[2]> = {
    owner: { organizationId: world.organizationId },
    member: { organizationId: world.organizationId, role: 'member', permissions: member },
    outsider: { organizationId: world.organizationId, role: 'member' },
    superAdmin: { organizationId: world.organizationId, role: 'member', superAdmin: true },
    keptOut: { organizationId: world.organizationId, role: 'owner' },
    stranger: { organizationId: foreign.organizationId },
  };
  for (const [name, { organizationId, ...more }] of Object.entries(people) as [Person, (typeof people)[Person]][]) {
    const user = await buildUser(node.db, organizationId, more);
    if (name === 'keptOut')
      await node.db
        .updateTable('organization')
        .set({ restricted_user_ids: [user.userId] })
        .where('id', '=', organizationId)
        .execute();
    const answer = await node.post('/team-login', { email: user.email, password: user.password }, OWN_PAGE);
    cookies[name] = cookieOf(answer);
    // A super admin may enter every organization and says which.
    if (more.superAdmin) cookies[name] = cookieOf(await post('/api/v1/session/choose-organization', { orgId: organizationId }, name));
  }
});
afterAll(() => node.stop());

describe('console §7: change-root-vertical', () => {
  const payday = () => ({ regionId: world.regionId, verticalId: world.verticalId });
  const auto = () => ({ regionId: world.regionId, verticalId: autoId });

  it('console §7: answers permissions, primary field, ids and a new guid each time', async () => {
    const first = await post(CHANGE, auto(), 'owner');
    const second = await post(CHANGE, auto(), 'owner');
    expect([first.statusCode, first.json]).toMatchObject([
      200,
      { ...auto(), verticalPrimaryField: 'phone', permissionObj: { isOwner: true, isSuperAdmin: false, permissions: [] } },
    ]);
    expect(Object.keys(first.json.permissionObj.pageStatePermission)).toEqual(pageCatalogue.map((page) => page.value));
    expect(Object.values(first.json.permissionObj.pageStatePermission)).not.toContain(false);
    expect(first.json.guid).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.json.guid).not.toBe(first.json.guid);
  });

  it('console §6: page access is evaluated for that vertical alone', async () => {
    const allowed = async (place: object) => {
      const { permissionObj } = (await post(CHANGE, place, 'member')).json;
      return Object.entries(permissionObj.pageStatePermission as Record<string, boolean>).flatMap(([value, may]) => (may ? [value] : []));
    };
    expect(await allowed(payday())).toEqual(['overview', 'serverLogs']);
    expect(await allowed(auto())).toEqual(['setup']);
    expect((await post(CHANGE, payday(), 'keptOut')).json.permissionObj.pageStatePermission).toMatchObject({
      serverLogs: false,
      setup: true,
    });
  });

  it('console §6: a super admin may everything there', async () => {
    const { permissionObj } = (await post(CHANGE, payday(), 'superAdmin')).json;
    expect(permissionObj).toMatchObject({ isSuperAdmin: true, pageStatePermission: { overview: true, setup: true, serverLogs: true } });
  });

  it('console §7, B7: what is not the person’s answers as what is not there', async () => {
    const code = async (body: object, person: Person) => {
      const { statusCode, json } = await post(CHANGE, body, person);
      return [statusCode, json.code];
    };
    expect(await code(payday(), 'stranger')).toEqual([404, 'region_unknown']);
    expect(await code({ ...payday(), verticalId: foreign.verticalId }, 'owner')).toEqual([404, 'vertical_unknown']);
    expect(await code({ regionId: foreign.regionId, verticalId: foreign.verticalId }, 'owner')).toEqual([404, 'region_unknown']);
    expect(await code({ regionId: ukId, verticalId: ukLoansId }, 'member')).toEqual([404, 'region_unknown']);
    expect(await code(payday(), 'outsider')).toEqual([404, 'region_unknown']);
    expect(await code({ regionId: 'us', verticalId: 'payday' }, 'owner')).toEqual([404, 'region_unknown']);
  });

  it('console §7: a vertical of another region is refused with a sentence', async () => {
    const { statusCode, json } = await post(CHANGE, { regionId: ukId, verticalId: autoId }, 'owner');
    expect([statusCode, json.code, json.msg]).toEqual([
      400,
      'vertical_elsewhere',
      'Auto is not a vertical of United Kingdom. Choose the region it belongs to.',
    ]);
  });

  it('console §7: refuses wrong types, nobody and a foreign page', async () => {
    for (const body of [{}, { regionId: 7, verticalId: autoId }, { regionId: [world.regionId], verticalId: autoId }, [], 'text'])
      expect((await post(CHANGE, body, 'owner')).statusCode).toBe(400);
    expect((await post(CHANGE, payday())).statusCode).toBe(401);
    const foreignPage = await post(CHANGE, payday(), 'owner', {});
    expect([foreignPage.statusCode, foreignPage.json.code]).toEqual([403, 'request_foreign']);
  });
});

describe('console §7: get-Regions and get-verticals', () => {
  const lists = async (person: Person) => {
    const { regions } = (await post('/api/reporting/get-Regions', {}, person)).json as { regions: RegionView[] };
    const { verticals } = (await post('/api/reporting/get-verticals', {}, person)).json as { verticals: VerticalView[] };
    return [regions.map((one) => one.slug).sort(), verticals.map((one) => one.slug).sort()];
  };

  it('console §6: owners and super admins see all, a region without a vertical too', async () => {
    const all = [
      ['empty', 'uk', 'us'],
      ['auto', 'loans', 'payday'],
    ];
    expect([await lists('owner'), await lists('superAdmin')]).toEqual([all, all]);
  });

  it('console §6: a member is offered only regions with a ticked vertical', async () => {
    expect(await lists('member')).toEqual([['us'], ['auto', 'payday']]);
    expect(await lists('outsider')).toEqual([[], []]);
  });

  it('console §3: a region has id, name and slug, a vertical its uid and region as well', async () => {
    const regions = (await post('/api/reporting/get-Regions', {}, 'stranger')).json;
    const verticals = (await post('/api/reporting/get-verticals', {}, 'stranger')).json;
    expect(regions).toEqual({ status: true, regions: [{ _id: foreign.regionId, name: 'United States', slug: 'us', country: 'us' }] });
    const payday = { _id: foreign.verticalId, name: 'Payday', slug: 'payday', uid: 'payday-us', regionId: foreign.regionId };
    expect(verticals).toEqual({ status: true, verticals: [payday] });
  });

  it('console §7: refuses nobody and a foreign page', async () => {
    for (const path of ['/api/reporting/get-Regions', '/api/reporting/get-verticals']) {
      expect((await post(path, {})).statusCode).toBe(401);
      expect((await post(path, {}, 'owner', {})).statusCode).toBe(403);
    }
  });
});

describe('console §7: the quick view’s actions', () => {
  const actions = async (person: Person, body = here()) => (await post(ACTIONS, body, person)).json.actions as QuickViewAction[];
  const names = async (person: Person, body = here()) => (await actions(person, body)).map((one) => `${one.type} ${one.name}`);

  it('console §2: type 1 goes to a screen, 2 to a URL, 3 opens the add-vertical modal', async () => {
    const list = await actions('owner');
    expect(list.find((one) => one.id === 'overview')).toEqual({
      type: 1,
      id: 'overview',
      icon: 'overview',
      name: 'Overview',
      URLName: 'overview',
      params: { slugR: 'us', slugV: 'payday' },
    });
    expect(list.find((one) => one.type === 2)).toMatchObject({ name: 'API documentation', URLName: '/docs' });
    expect(list.find((one) => one.type === 3)).toMatchObject({ name: 'Add vertical', params: { regionId: world.regionId } });
    expect(new Set(list.map((one) => one.id)).size).toBe(list.length);
  });

  it('console §6: offers what the person may open in that vertical', async () => {
    expect(await names('member')).toEqual(
      expect.arrayContaining(['1 Overview', '1 Leads', '1 Password and sessions', '2 API documentation']),
    );
    const inAuto = await names('member', here({ verticalId: autoId, verticalSlug: 'auto' }));
    expect(inAuto).not.toContain('1 Overview');
    expect(inAuto).not.toContain('1 Leads');
  });

  it('console §6: “Buyers today” and “Publishers today” are offered to who may open an overview somewhere, and to nobody else', async () => {
    const homes = ['1 Buyers today', '1 Publishers today'];
    // Without the overview of Auto, but with that of Payday.
    expect(await names('member', here({ verticalId: autoId, verticalSlug: 'auto' }))).toEqual(expect.arrayContaining(homes));
    const nowhere = { regionId: '', verticalId: '', regionSlug: '', verticalSlug: '' };
    expect(await names('outsider', nowhere)).toEqual([
      ...['1 Password and sessions', '1 BIN look-up', '1 Online users', '2 API documentation'],
    ]);
  });

  it('account §6: the look-up of BINs is offered to everybody who is signed in', async () => {
    for (const person of ['owner', 'superAdmin', 'member', 'outsider'] as const)
      expect((await actions(person, { regionId: '', verticalId: '', regionSlug: '', verticalSlug: '' })).map(({ id }) => id)).toContain(
        'bins-lookup',
      );
  });

  it('console §6: the report of sub ids is offered beside the one it drills down from, to who may open that', async () => {
    const ids = (await actions('owner')).map(({ id }) => id);
    expect(ids[ids.indexOf('lead-flow/inbound') + 1]).toBe('subId-specific-report');
    expect((await actions('member')).map(({ id }) => id)).not.toContain('subId-specific-report');
  });

  it('console §2: adding a vertical and the preferences are the owner’s and the super admin’s', async () => {
    for (const person of ['owner', 'superAdmin'] as const)
      expect(await names(person)).toEqual(expect.arrayContaining(['3 Add vertical', '1 Preferences']));
    const member = await names('member');
    expect(member.filter((name) => /Add vertical|Preferences/.test(name))).toEqual([]);
  });

  it('console §2: offers no page that does not stand', async () => {
    const routes = (await actions('owner')).filter((one) => one.params.slugV).map((one) => one.URLName);
    expect(routes.length).toBeGreaterThan(1);
    expect(routes.filter((route) => !isStanding(route))).toEqual([]);
  });

  it('console §7: without a vertical only what needs none is offered', async () => {
    const none = here({ verticalId: '', verticalSlug: '', regionId: emptyId, regionSlug: 'empty' });
    expect(await names('owner', none)).toEqual([
      '1 Buyers today',
      '1 Publishers today',
      '1 Preferences',
      '1 Regions and verticals',
      '1 Change log',
      '1 Sign-ins and refusals',
      '1 Password and sessions',
      '1 BIN look-up',
      '1 Online users',
      '2 API documentation',
      '3 Add vertical',
    ]);
    expect((await actions('owner', none)).at(-1)?.params).toEqual({ regionId: emptyId });
    // A region that is not theirs is not taken along.
    expect((await actions('owner', { ...none, regionId: foreign.regionId })).at(-1)?.params).toEqual({});
  });

  it('console §7: refuses a stranger’s ids, a member of other verticals, wrong types, nobody and a foreign page', async () => {
    expect((await post(ACTIONS, here(), 'stranger')).statusCode).toBe(404);
    expect((await post(ACTIONS, here({ regionId: ukId, verticalId: ukLoansId }), 'member')).statusCode).toBe(404);
    expect((await post(ACTIONS, here({ regionId: ukId }), 'owner')).json.code).toBe('vertical_elsewhere');
    for (const body of [{}, here({ verticalId: 7 }), here({ regionSlug: null }), []])
      expect((await post(ACTIONS, body, 'owner')).statusCode).toBe(400);
    expect((await post(ACTIONS, here())).statusCode).toBe(401);
    expect((await post(ACTIONS, here(), 'owner', {})).statusCode).toBe(403);
  });
});

describe('console §2: the quick view finds records', () => {
  const find = async (search: string, person: Person, more: Record<string, unknown> = {}) =>
    (await post(ACTIONS, { ...here(), search, ...more }, person)).json.actions as QuickViewAction[];

  it('publishers, buyers, campaigns and tiers by their names, as actions of the spec’s shape', async () => {
    const found = await find('MAIN', 'owner');
    expect(found.map(({ name }) => name)).toEqual(['Campaign: Main campaign', 'Publisher tier: Publisher One, Main seat']);
    expect(found[1]).toEqual({
      ...{ type: 1, id: world.publisherTierId, icon: 'record', name: 'Publisher tier: Publisher One, Main seat' },
      ...{ URLName: `tier/edit/${world.publisherTierId}?of=publisher`, params: { slugR: 'us', slugV: 'payday' } },
    });
    expect((await find('publisher one', 'owner')).map(({ name }) => name)).toEqual([
      ...['Publisher: Publisher One', 'Publisher tier: Publisher One, Main seat'],
    ]);
    expect([await find('  ', 'owner'), await find('nothing like it', 'owner'), await find('%', 'owner')]).toEqual([[], [], []]);
    // Without a search the call answers as ever.
    expect((await post(ACTIONS, here(), 'owner')).json.actions.some((one: QuickViewAction) => one.icon === 'record')).toBe(false);
  });

  it('for who may set this vertical up, and nothing of another vertical or organization', async () => {
    expect(await find('main', 'member')).toEqual([]);
    expect((await find('main', 'owner', { verticalId: autoId, verticalSlug: 'auto' })).map(({ name }) => name)).toEqual([]);
    expect((await find('main', 'owner')).every(({ id }) => id !== foreign.campaignId && id !== foreign.publisherTierId)).toBe(true);
    expect((await post(ACTIONS, { ...here(), search: 'main' }, 'stranger')).statusCode).toBe(404);
    expect((await post(ACTIONS, { ...here(), search: 'x'.repeat(201) }, 'owner')).statusCode).toBe(400);
    expect(await find('main', 'owner', { regionId: '', verticalId: '' })).toEqual([]);
  });
});

describe('console §7: toast messages', () => {
  it('console §7: result is a JSON map with a {{module}} placeholder, open to everybody and kept for a minute', async () => {
    const answer = await fetch(`${node.url}/ampl/message/toastr-notification`);
    const { status, result } = (await answer.json()) as { status: boolean; result: string };
    expect([answer.status, status, answer.headers.get('cache-control')]).toEqual([200, true, 'public, max-age=60']);
    expect(JSON.parse(result)).toEqual(MESSAGES);
    expect(JSON.parse(result)).toMatchObject({ moduleSaved: '{{module}} saved.', moduleDeleted: '{{module}} deleted.' });
  });
});
