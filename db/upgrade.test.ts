/** An installation that has worked for a while takes a new version: every migration runs over data that is there. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newDataKey, sha256 } from '#server/kit/crypto.ts';
import { newId } from '#server/kit/ids.ts';
import { hashPassword } from '#server/password/password.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';
import { emptyDatabase, type TestDatabase } from '#test/harness/database.ts';
import { startNode } from '#test/harness/node.ts';
import { listMigrations, MIGRATIONS, migrate } from './migrate.ts';

/** The last migration of the version before accounts, mail and the wall between organizations. */
const OLD = '0005';
const [organizationId, userId, leadId] = [newId(), newId(), newId()];
const [buyerId, publisherId, publisherTierId] = [newId(), newId(), newId()];
/** The lead came a minute before. */
const SOLD_AT = new Date(Date.now() + 60_000);
const TOKEN = 'a session of the old version';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await emptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await migrateTo(database.url, OLD);
  await fill();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** As a version left it whose last migration this was. */
async function migrateTo(url: string, last: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-old-'));
  for (const name of listMigrations().filter((one) => one.slice(0, 4) <= last)) cpSync(join(MIGRATIONS, name), join(folder, name));
  await migrate(url, folder);
  rmSync(folder, { recursive: true });
}

async function insertInto(into: pg.Client, table: string, row: Record<string, unknown>): Promise<void> {
  const places = Object.keys(row).map((_, at) => `$${at + 1}`);
  await into.query(`insert into ${table} (${Object.keys(row).join(', ')}) values (${places.join(', ')})`, Object.values(row));
}

async function fill(): Promise<void> {
  const [regionId, verticalId, memberId] = [newId(), newId(), newId()];
  const insert = (table: string, row: Record<string, unknown>) => insertInto(client, table, row);
  const data_key = newDataKey(TEST_CONFIG.masterKey, organizationId);
  await insert('organization', { id: organizationId, name: 'Old Harbour', sub_domain: 'old-harbour', data_key });
  const password_hash = await hashPassword('an old password');
  await insert('app_user', { id: userId, email: 'old@example.com', first_name: 'Olga', last_name: 'Old', password_hash });
  await insert('team_member', { organization_id: organizationId, id: memberId, user_id: userId, role: 'owner' });
  const expires_at = new Date(Date.now() + 3_600_000);
  await insert('session', { token_hash: sha256(TOKEN), user_id: userId, organization_id: organizationId, expires_at });
  await insert('region', { organization_id: organizationId, id: regionId, slug: 'us', name: 'United States', country: 'us' });
  const vertical = { id: verticalId, region_id: regionId, slug: 'payday', uid: 'payday', name: 'Payday', primary_field: 'email' };
  await insert('vertical', { organization_id: organizationId, ...vertical });
  await client.query('select ensure_month_partitions(current_date)');
  await insert('lead_lookup', { organization_id: organizationId, value_hash: newId(), lead_id: leadId });
  const shared = { organization_id: organizationId, lead_id: leadId, vertical_id: verticalId };
  const figures = { revenue: '20.5', payout: '15.25', margin: '5.25' };
  const times = { elapsed_ms: 1, buyers_ms: 1, store_ms: 1, finished_at: SOLD_AT };
  const result = { campaign_id: newId(), publisher_tier_id: publisherTierId, test: false, status: 'sold', sale_count: 1, attempt_count: 1 };
  await insert('lead_result', { ...shared, ...result, ...figures, ...times, verdicts: '[]', explained: Buffer.from('sealed') });
  const sale = { buyer_id: buyerId, buyer_tier_id: newId(), publisher_id: publisherId, post_price_differs: false };
  await insert('sale', { ...shared, ...sale, ...figures, sale_index: 0, test: false });
  await insert('sale', { ...shared, ...sale, ...figures, sale_index: 1, test: true });
}

it('keeps what was there, and everybody who could sign in still can', async () => {
  expect(await migrate(database.url)).toEqual(listMigrations().filter((name) => name.slice(0, 4) > OLD));
  expect((await client.query('select lead_id from lead_lookup')).rows).toEqual([{ lead_id: leadId }]);
  // What was sold before is in the books, at the time it was sold; what was a test is not.
  const entries = await client.query(
    `select party_kind, party_id, kind, amount, sale_index, round(extract(epoch from uuid7_instant(id)) * 1000)::float8 as at from ledger_entry order by party_kind`,
  );
  const at = SOLD_AT.getTime();
  expect(entries.rows).toEqual([
    { party_kind: 'buyer', party_id: buyerId, kind: 'revenue', amount: '-20.5000', sale_index: 0, at },
    { party_kind: 'house', party_id: organizationId, kind: 'margin', amount: '5.2500', sale_index: 0, at },
    { party_kind: 'publisher', party_id: publisherId, kind: 'payout', amount: '15.2500', sale_index: 0, at },
  ]);
  const balances = await client.query('select party_kind, amount from balance order by party_kind');
  expect(balances.rows).toEqual([
    { party_kind: 'buyer', amount: '-20.5000' },
    { party_kind: 'house', amount: '5.2500' },
    { party_kind: 'publisher', amount: '15.2500' },
  ]);
  const node = await startNode(database.url);
  const session = await fetch(`${node.url}/api/v1/teamMgmt/user/is-user-is-logged-in`, { headers: { cookie: `sluice=${TOKEN}` } });
  expect(await session.json()).toMatchObject({
    status: true,
    user: { _id: userId, isActivate: true },
    organization: { name: 'Old Harbour' },
    permissionObj: { isOwner: true },
  });
  const own = { 'x-requested-with': 'sluice' };
  const entered = await node.post('/team-login', { email: 'old@example.com', password: 'an old password' }, own);
  expect(entered.json).toMatchObject({ status: true, organizations: [{ subDomain: 'old-harbour' }] });
  const places = await node.post('/api/v1/get-regions-and-verticals', {}, { ...own, cookie: `sluice=${TOKEN}` });
  expect(JSON.parse(places.json.fullVerticalDatas)).toMatchObject([{ slug: 'payday' }]);
  await node.close();
});

it('account §1: makes tiers that only landers used tiers for landers, and leaves alone what somebody posts to (decision 0027)', async () => {
  const before = await emptyDatabase();
  const own = new pg.Client({ connectionString: before.url });
  await own.connect();
  await migrateTo(before.url, '0033');
  const [organization_id, region_id, vertical_id, campaign_id, publisher_id] = [newId(), newId(), newId(), newId(), newId()];
  const add = async (table: string, row: Record<string, unknown>): Promise<string> => {
    const whole: Record<string, unknown> = { organization_id, id: newId(), ...row };
    await insertInto(own, table, whole);
    return String(whole.id);
  };
  const data_key = newDataKey(TEST_CONFIG.masterKey, organization_id);
  await insertInto(own, 'organization', { id: organization_id, name: 'Old Harbour', sub_domain: 'old-harbour', data_key });
  await add('region', { id: region_id, slug: 'us', name: 'United States', country: 'us' });
  await add('vertical', { id: vertical_id, region_id, slug: 'payday', uid: 'payday', name: 'Payday', primary_field: 'email' });
  await add('field', {
    ...{
      vertical_id,
      position: 0,
      field_name: 'email',
      field_human_name: 'E-mail',
      type: 'email',
      required: true,
      privacy_class: 'P2',
      in_ping: false,
    },
    searchable: true,
  });
  const margin = JSON.stringify({ kind: 'percent', percent: 0 });
  await add('campaign', { id: campaign_id, vertical_id, name: 'Main', margin, time_limit_ms: 1000 });
  await add('publisher', { id: publisher_id, name: 'House', affiliate_id: 'H1' });
  await own.query('select ensure_month_partitions(current_date)');
  const price_model = JSON.stringify({ kind: 'share', sharePercent: 50 });
  const tier = (name: string) => add('publisher_tier', { publisher_id, campaign_id, name, price_model });
  const landerOf = (publisher_tier_id: string, more = {}) =>
    add('card', {
      ...{
        vertical_id,
        name: 'Grace',
        has_lander: true,
        publisher_tier_id,
        lander_description: '<p>A loan?</p>',
        lander_fields: ['email'],
      },
      ...more,
    });
  const past = new Date(Date.now() - 60_000);
  const key = (publisher_tier_id: string, more = {}) =>
    add('posting_key', { publisher_tier_id, key_hash: sha256(newId()), prefix: 'pk', ...more });
  const lead = (publisher_tier_id: string) =>
    add('lead', {
      ...{ region_id, vertical_id, campaign_id, publisher_id, publisher_tier_id, sub_id: '', mode: 'full', test: false },
      ...{ node_id: newId(), fields: Buffer.from('sealed') },
    });
  const pageOf = (lead_id: string, page_id: string) => insertInto(own, 'lead_page', { organization_id, lead_id, page_id });

  const bare = await tier('bare');
  const bareCard = await landerOf(bare, { status: 'paused' });
  // From before leads said which page they came from: without a key nobody can have posted it.
  await lead(bare);
  const ended = await tier('keys that ended, leads of landers alone');
  await key(ended, { revoked_at: past });
  await key(ended, { expires_at: past });
  await pageOf(await lead(ended), await landerOf(ended));
  const posted = await tier('keys that ended, a posted lead');
  await key(posted, { revoked_at: past });
  await pageOf(await lead(posted), await landerOf(posted));
  await lead(posted);
  const shared = await tier('a key in use');
  await key(shared);
  const sharedCard = await landerOf(shared);
  const paged = await tier('a landing page');
  await landerOf(paged);
  await add('landing_page', { vertical_id, publisher_tier_id: paged, name: 'Spring', url: 'https://loans.example' });
  await landerOf(await tier('an archived card'), { status: 'archived' });
  await landerOf(await tier('a lander that is switched off'), { has_lander: false });
  await tier('no card');

  await migrate(before.url);
  const { rows } = await own.query(`select name from publisher_tier where kind = 'lander' order by name`);
  expect(rows).toEqual([{ name: 'bare' }, { name: 'keys that ended, leads of landers alone' }]);
  // Both landers go on, that of the shared tier too.
  await own.query(`update card set status = 'active'`);
  const node = await startNode(before.url);
  for (const id of [bareCard, sharedCard]) {
    const body = { dc_status: 1, dc_rolodex_id: id, rolodexId: id, email: 'ada@example.com' };
    expect((await node.post('/api/v1/drawcard/submit-lander', body)).json).toMatchObject({ status: true });
  }
  expect((await own.query('select from lead')).rowCount).toBe(6);
  await node.close();
  await own.end();
  await before.drop();
});

it('G4: takes leads of nodes of the version before, which say no state (decision 0030)', async () => {
  const forms = await client.query<{ names: string[]; types: string[] }>(
    `select proargnames[1:pronargs] as names, array(select format_type(t, null) from unnest(proargtypes) as t) as types
      from pg_proc where proname = 'write_batch' order by pronargs`,
  );
  expect(forms.rows.map(({ names }) => names.includes('p_state'))).toEqual([false, true]);
  const written: Record<string, string> = {};
  for (const { names, types } of forms.rows) {
    const id = newId();
    const given: Record<string, unknown> = {
      ...{
        p_org: organizationId,
        p_node: newId(),
        p_now: new Date(),
        p_retry: false,
        p_blob: Buffer.from('sealed'),
        p_ops: null,
        r_verdicts: '[]',
        s_ref: '[]',
      },
      ...{
        p_lead: [id],
        p_region: [newId()],
        p_vertical: [newId()],
        p_campaign: [newId()],
        p_publisher: [publisherId],
        p_tier: [publisherTierId],
      },
      ...{ p_sub: [''], p_state: ['NY'], p_mode: ['full'], p_test: [false], p_ping: [null], p_print: [newId()], p_payload: [newId()] },
      ...{ p_expires: [new Date()], p_fields_at: [1], p_fields_len: [6] },
    };
    const values = names.map((name) => (name in given ? given[name] : []));
    await client.query(`select * from write_batch(${types.map((type, at) => `$${at + 1}::${type}`).join(', ')})`, values);
    const { rows } = await client.query('select state from lead where organization_id = $1 and id = $2', [organizationId, id]);
    written[names.includes('p_state') ? 'new' : 'old'] = rows[0].state;
  }
  expect(written).toEqual({ old: '', new: 'NY' });
});
