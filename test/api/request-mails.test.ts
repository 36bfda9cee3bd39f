/** product.md, portals: those who may decide a request are told by mail, together and not one by one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAddresses } from '#server/kit/addresses.ts';
import { newId } from '#server/kit/ids.ts';
import { insertRequest } from '#server/portal/change-request.sql.ts';
import { tellRequests } from '#server/portal/tell-requests.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { signIn } from '#test/harness/office.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

const MINUTE = 60_000;
let node: Awaited<ReturnType<typeof startTestWorld>>;
let world: World;
let owner: { email: string };
/** Each test at a time of its own; requests of the tests before are told by then. */
let now = Date.now();

beforeAll(async () => {
  node = await startTestWorld();
});
afterAll(() => node.stop());
beforeEach(async () => {
  now += 60 * MINUTE;
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [{ mode: 'priority', tiers: [{ url: 'http://127.0.0.1:9', buyer: 'Ann Finance' }] }],
  });
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId);
});

const ask = (recordName: string, verticalId: string | null = world.verticalId) =>
  insertRequest(
    node.db,
    { organizationId: world.organizationId, userId: newId(), name: 'Pat Portal' },
    {
      ...{
        bound: { kind: 'buyer', companyId: world.tiers[0]!.buyerId },
        model: 'buyerTier',
        recordId: newId(),
        recordName,
        saleIndex: null,
      },
      ...{ verticalId, before: {}, after: {}, note: '' },
    },
  );
const tell = (at = now) => tellRequests({ ...node, addresses: openAddresses(TEST_CONFIG) }, at);
const mailsTo = async ({ email }: { email: string }) =>
  (await node.mailer.read(node.db, 200)).filter((one) => one.kind === 'requests-waiting' && one.recipient === email).reverse();
const setter = (verticalId: string, pages = ['setup']) =>
  buildUser(node.db, world.organizationId, {
    role: 'member',
    permissions: [
      {
        ...{ regionId: world.regionId, regionChecked: true },
        verticals: [{ verticalId, verticalChecked: true, pages: pages.map((value) => ({ value, pageChecked: true })) }],
      },
    ],
  });

describe('what portals ask for', () => {
  it('is told once, with the way to it, and names who asks and for what', async () => {
    await ask('Gold tier');
    expect(await tell()).toBe(1);
    expect(await tell(now + MINUTE)).toBe(0);
    const [mail, ...others] = await mailsTo(owner);
    expect(others).toEqual([]);
    expect(mail!.subject).toBe('Ann Finance asks for a change');
    expect(mail!.text).toContain('Ann Finance: a change of Gold tier.');
    expect(mail!.text).toContain('/setup/us/payday/change-requests');
  });

  it('is told together where many ask, at most once in a quarter of an hour', async () => {
    await ask('First');
    await tell();
    for (let n = 0; n < 14; n++) await ask(`Later ${n}`);
    expect(await tell(now + 14 * MINUTE)).toBe(0);
    expect(await tell(now + 16 * MINUTE)).toBe(1);
    const mails = await mailsTo(owner);
    expect(mails.map(({ subject }) => subject)).toEqual(['Ann Finance asks for a change', '14 requests wait for you']);
    expect(mails[1]!.text).toContain('And 4 more.');
    expect(await tell(now + 60 * MINUTE)).toBe(0);
  });

  it('is told to who may decide it, and to nobody else', async () => {
    const may = await setter(world.verticalId);
    const [elsewhere, looks] = [await setter(newId()), await setter(world.verticalId, ['leadFlow-Inbound'])];
    const gone = await setter(world.verticalId);
    await node.db.updateTable('team_member').set({ status: 'disabled' }).where('user_id', '=', gone.userId).execute();
    const stranger = await buildUser(node.db, (await buildWorld(node.db)).organizationId);
    await ask('Gold tier');
    expect(await tell()).toBe(2);
    expect([(await mailsTo(may)).length, (await mailsTo(owner)).length]).toEqual([1, 1]);
    for (const other of [elsewhere, looks, gone, stranger]) expect(await mailsTo(other)).toEqual([]);
  });

  it('is not told to who does not want to hear of it, until they do', async () => {
    const person = await signIn(node, world);
    const { user } = (await person.get('/api/v1/teamMgmt/user/is-user-is-logged-in')).json;
    const set = async (requestMails: unknown) => (await person.change('user', user._id, { requestMails })).statusCode;
    expect([await set('no'), await set(false)]).toEqual([400, 200]);
    await ask('Gold tier');
    expect(await tell()).toBe(1);
    expect([(await mailsTo(user)).length, (await mailsTo(owner)).length]).toEqual([0, 1]);
    expect(await set(true)).toBe(200);
    await ask('Silver tier');
    expect(await tell(now + 20 * MINUTE)).toBe(2);
    expect((await mailsTo(user)).map(({ text }) => text.includes('Silver tier') && text.includes('Your profile'))).toEqual([true]);
  });

  it('is told no more once it was decided or taken back', async () => {
    const { id } = await ask('Gold tier');
    const decided = { status: 'withdrawn', decided_by: newId(), decided_by_name: 'Pat', decided_at: new Date() };
    await node.db
      .updateTable('change_request')
      .set(decided)
      .where('organization_id', '=', world.organizationId)
      .where('id', '=', id)
      .execute();
    expect(await tell()).toBe(0);
    expect(await mailsTo(owner)).toEqual([]);
  });

  it('is told by one of several nodes that look at once', async () => {
    await ask('Gold tier');
    await Promise.all(Array.from({ length: 4 }, () => tell()));
    expect(await mailsTo(owner)).toHaveLength(1);
  });
});

it('product.md, portals: the returns of a company are read by index', async () => {
  const { rows } = await node.pool.query(`select indexdef from pg_indexes where tablename = 'lead_return'`);
  const text = rows.map(({ indexdef }) => indexdef).join('\n');
  for (const columns of ['(organization_id, buyer_id, returned_at)', '(organization_id, publisher_id, returned_at)'])
    expect(text).toContain(columns);
});
