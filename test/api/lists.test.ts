/** console §3 and the page catalogue's keys 14, 20, 21, 22: lists, banks and BIN ranges, filled by imports, decide over leads. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { csvLine } from '#contract/csv.ts';
import { HANDED_IN_BYTES, HANDED_IN_FILES, HANDED_IN_NOW, JOB_PART_BYTES } from '#contract/job.ts';
import type { LeadView } from '#contract/lead.ts';
import { endForgotten } from '#server/job/job.sql.ts';
import { JOB_KINDS } from '#server/job/job-kinds.ts';
import { openJobRunner } from '#server/job/job-runner.ts';
import { keyedHash } from '#server/kit/crypto.ts';
import { newId } from '#server/kit/ids.ts';
import { removeEarlier } from '#server/suppression/entry.sql.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { countWaiting } from '#test/harness/database.ts';
import { importFile, startImport, waitForJob } from '#test/harness/import.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Visitor, visit } from '#test/harness/visitor.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let owner: Visitor;

const FIELDS = [
  { field_name: 'account', field_human_name: 'Routing number', type: 'routing', privacy_class: 'P3' },
  { field_name: 'card', field_human_name: 'Card', type: 'bin', privacy_class: 'P2' },
];

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer();
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});
beforeEach(async () => {
  const tier = (name: string) => ({ url: buyer.url, buyer: name, name });
  world = await buildWorld(node.db, { fields: FIELDS, groups: [{ mode: 'priority', tiers: [tier('First'), tier('Second')] }] });
  await node.planBook.reload(world.organizationId);
  const { email, password } = await buildUser(node.db, world.organizationId);
  owner = visit(node, { host: '127.0.0.1' });
  expect((await owner.post('/team-login', { email, password })).statusCode).toBe(200);
});

const member = (...pages: string[]) => memberOf(world.verticalId, ...pages);
async function memberOf(verticalId: string, ...pages: string[]): Promise<Visitor> {
  const { regionId } = world;
  const ticked = pages.map((value) => ({ value, pageChecked: true }));
  const permissions = [{ regionId, regionChecked: true, verticals: [{ verticalId, verticalChecked: true, pages: ticked }] }];
  const { email, password } = await buildUser(node.db, world.organizationId, { role: 'member', permissions: permissions as never });
  const visitor = visit(node, { host: '127.0.0.1' });
  await visitor.post('/team-login', { email, password });
  return visitor;
}

const beginUpload = () =>
  owner.post('/api/v1/imports', {
    ...{ kind: 'bankImport', name: 'a.csv' },
    settings: { mode: 'add', delimiter: ',', hasHeader: false, columns: { code: 0 } },
  });

let count = 0;
const post = (more: Record<string, unknown> = {}, path = '/api/v1/leads') =>
  node.post(path, { ...LEAD, email: `p${count++}@example.com`, ...more }, { authorization: `Bearer ${world.key}` });

async function view(leadId: string): Promise<LeadView> {
  return (await owner.get(`/api/console/leads/${leadId}`)).json.lead;
}

async function add(model: string, data: Record<string, unknown>): Promise<string> {
  const { statusCode, json } = await owner.post('/api/v1/common/post-add-data', { model, ...data });
  expect([statusCode, json]).toMatchObject([200, { status: true }]);
  return json.data._id;
}
const edit = async (model: string, _id: string, data: Record<string, unknown>) =>
  owner.post('/api/v1/common/post-edit-data', { model, _id, ...data });
const read = async (model: string, _id: string) =>
  (await owner.post('/api/v1/common/single-data', { model, condition: { _id } })).json.data;

const list = (more: Record<string, unknown> = {}) =>
  add('suppressionList', { name: 'Do not call', holds: 'email', form: 'plain', ...more });
const fill = (listId: string, body: string, settings = {}) => importFile(owner, { kind: 'suppressionImport', listId, body, settings });

describe('a suppression list of a publisher tier', () => {
  it('refuses whom it holds, and says so by its name to the console alone', async () => {
    const listId = await list();
    await fill(listId, 'Ada@Example.COM\n');
    expect((await edit('publisherTier', world.publisherTierId, { suppressionLists: [listId] })).statusCode).toBe(200);
    const { json } = await post({ email: 'ada@example.com' });
    // The publisher is told neither its name nor that there is a list.
    expect(json).toMatchObject({
      ...{ status: 'rejected', reason: 'publisher-tier-filter-failed' },
      msg: 'A rule of the publisher tier keeps this lead out.',
    });
    expect((await view(json.leadId)).why).toBe('On the list Do not call.');
    expect((await post()).json.status).toBe('accepted');
  });

  it('is asked at ping, as far as the ping tells who it is', async () => {
    const listId = await list({ name: 'Cities', holds: 'text', fieldName: 'zip' });
    await fill(listId, '01234\n');
    await edit('publisherTier', world.publisherTierId, { suppressionLists: [listId] });
    const { json } = await post({ zip: '01234' }, '/api/v1/leads/ping');
    expect(json).toMatchObject({ status: 'rejected', reason: 'publisher-tier-filter-failed' });
  });

  it.each([
    ['phone', '212-555-0177', '(212) 555 0177'],
    ['state', 'massachusetts', 'MA'],
    ['first_name', 'grace', 'Grace'],
    ['zip', '1234', '01234'],
  ])('reads texts as their field reads them: %s %s is %s', async (fieldName, written, brought) => {
    const listId = await list({ holds: 'text', fieldName });
    const { job } = await fill(listId, `"${written}"\n`);
    expect(job.tally).toEqual({ added: 1, known: 0 });
    await edit('publisherTier', world.publisherTierId, { suppressionLists: [listId] });
    expect((await post({ [fieldName]: brought })).json.reason).toBe('publisher-tier-filter-failed');
  });

  it('reads texts as each vertical reads them whose field has that name', async () => {
    const { organizationId, verticalId } = world;
    const [older, field] = [newId(0), newId()];
    const copy = (table: string) =>
      `insert into ${table} select (jsonb_populate_record(t, $1)).* from ${table} t where organization_id = $2`;
    await node.pool.query(`${copy('vertical')} and id = $3`, [{ id: older, slug: 'older', name: 'Older' }, organizationId, verticalId]);
    await node.pool.query(`${copy('field')} and vertical_id = $3 and field_name = 'first_name'`, [
      { id: field, vertical_id: older, type: 'zip' },
      organizationId,
      verticalId,
    ]);
    const listId = await list({ holds: 'text', fieldName: 'first_name' });
    const { job } = await fill(listId, '501\nAda\n');
    expect(job.tally).toEqual({ added: 3, known: 0 });
    await edit('publisherTier', world.publisherTierId, { suppressionLists: [listId] });
    for (const first_name of ['501', '00501', 'ADA']) expect((await post({ first_name })).json.reason).toBe('publisher-tier-filter-failed');
    await fill(listId, '501\n', { mode: 'remove' });
    expect((await read('suppressionList', listId)).entryCount).toBe(1);
    expect((await post({ first_name: '501' })).json.status).toBe('accepted');
  });

  it('reads texts as the country of the vertical reads them, whatever country the list is of', async () => {
    await node.db.updateTable('region').set({ country: 'uk' }).where('id', '=', world.regionId).execute();
    await node.db.updateTable('field').set({ required: false }).where('organization_id', '=', world.organizationId).execute();
    await node.planBook.reload(world.organizationId);
    const listId = await list({ holds: 'text', fieldName: 'zip', country: 'us' });
    const { job } = await fill(listId, 'sw1a1aa\n');
    expect(job.tally).toEqual({ added: 1, known: 0 });
    await edit('publisherTier', world.publisherTierId, { suppressionLists: [listId] });
    const uk = { zip: 'SW1A 1AA', phone: '020 7946 0018', state: undefined };
    expect((await post(uk)).json.reason).toBe('publisher-tier-filter-failed');
    expect((await post({ ...uk, zip: 'SW1A 2AA' })).json.reason).not.toBe('publisher-tier-filter-failed');
  });

  it('lets entries be taken out that were read otherwise when they were put in, and leaves those alone that are read so today', async () => {
    const listId = await list({ holds: 'text', fieldName: 'pet' });
    // The list was there before its field, which then knew two words, and one day was a date.
    expect((await fill(listId, 'Dog\nGuinea pig\n03/04/2020\n')).job.tally).toEqual({ added: 3, known: 0 });
    const { organizationId, verticalId } = world;
    const field = {
      organization_id: organizationId,
      vertical_id: verticalId,
      field_name: 'pet',
      field_human_name: 'Pet',
      privacy_class: 'P0',
    };
    await node.db
      .insertInto('field')
      .values({ ...field, id: newId(), type: 'choice', options: ['Dog', 'Cat'], position: 90 })
      .execute();
    const removed = await fill(listId, 'GUINEA PIG\nHamster\n\n', { mode: 'remove' });
    expect([removed.job.tally, removed.errors]).toEqual([{ removed: 1, unknown: 1 }, []]);
    await node.db.updateTable('field').set({ type: 'date', options: null }).where('field_name', '=', 'pet').execute();
    await fill(listId, '2020-03-04\n');
    const { json: made } = await owner.post('/api/v1/organization-keys', { name: 'CRM' });
    const remove = async (...texts: string[]) =>
      (await node.post(`/api/v1/suppression/${listId}`, { remove: texts }, { authorization: `Bearer ${made.key}` })).json;
    const kept = async () => (await read('suppressionList', listId)).entryCount;
    // Today's reading is there: the one of before stays until it is asked for again.
    expect(await remove('03/04/2020')).toMatchObject({ removed: 1, unknown: 0 });
    expect(await kept()).toBe(2);
    expect(await remove('03/04/2020', 'dog', 'cat', ' ')).toMatchObject({
      ...{ removed: 2, unknown: 1 },
      errors: [{ field: 'remove.3', message: 'is empty, too long, or nothing that the field can hold' }],
    });
    expect(await kept()).toBe(0);
  });

  it('lets entries be taken out that were once read by the country of the list', async () => {
    const listId = await list({ holds: 'text', fieldName: 'zip', country: 'uk' });
    // As it was kept then: the list's country, whatever the vertical's.
    const { keys } = node.planBook.find(world.organizationId)!;
    const hash = keyedHash(keys, 'suppression', 'sw1a 1aa');
    await node.pool.query('insert into suppression_entry (organization_id, list_id, value_hash, generation) values ($1, $2, $3, 0)', [
      world.organizationId,
      listId,
      hash,
    ]);
    await node.pool.query('update suppression_list set entry_count = 1 where id = $1', [listId]);
    expect((await fill(listId, 'SW1A1AA\n', { mode: 'remove' })).job.tally).toEqual({ removed: 1, unknown: 0 });
    expect((await read('suppressionList', listId)).entryCount).toBe(0);
  });

  it('says which texts its field can never hold', async () => {
    const listId = await list({ holds: 'text', fieldName: 'zip' });
    const { job, errors } = await fill(listId, '01234\nsomewhere\n');
    expect(job.tally).toEqual({ added: 1, known: 0 });
    expect(errors).toEqual([{ line: 2, message: 'is empty, too long, or nothing that the field can hold' }]);
  });

  it.each([
    ['md5', 'email', 'ada@example.com'],
    ['sha256', 'email', 'ada@example.com'],
    ['sha1', 'phone', '2125550123'],
    ['md5', 'phone', '12125550123'],
    ['sha256', 'phone', '+12125550123'],
  ])('takes hashes as others made them: %s of %s %s', async (form, holds, spelled) => {
    const listId = await list({ holds, form });
    const { job } = await fill(listId, `${createHash(form).update(spelled).digest('hex').toUpperCase()}\n`);
    expect(job.tally).toEqual({ added: 1, known: 0 });
    await edit('publisherTier', world.publisherTierId, { suppressionLists: [listId] });
    expect((await post({ email: 'ada@example.com', phone: '(212) 555-0123' })).json.reason).toBe('publisher-tier-filter-failed');
    expect((await post({ email: 'bob@example.com', phone: '(212) 555-0124' })).json.status).toBe('accepted');
  });

  it('holds an entry until its day is over', async () => {
    const listId = await list();
    const columns = { value: 0, expires: 1 };
    await fill(listId, 'old@example.com,2020-01-01\nnew@example.com,2099-01-01\n', { columns });
    await edit('publisherTier', world.publisherTierId, { suppressionLists: [listId] });
    expect((await post({ email: 'old@example.com' })).json.status).toBe('accepted');
    expect((await post({ email: 'new@example.com' })).json.reason).toBe('publisher-tier-filter-failed');
  });
});

describe('a suppression list of a buyer tier', () => {
  it('leaves that tier out, key 7, and the next one buys', async () => {
    const listId = await list({ name: 'Customers of First', holds: 'phone' });
    await fill(listId, '(212) 555-0123\n');
    await edit('buyerTier', world.tiers[0]!.buyerTierId, { suppressionLists: [listId] });
    const { json } = await post();
    expect(json.status).toBe('accepted');
    const { verdicts } = await view(json.leadId);
    expect(verdicts.map(({ outcome, text }) => [outcome, text])).toEqual([
      ['filtered', 'On the list Customers of First.'],
      ['sold', expect.any(String)],
    ]);
  });

  it('stays while a tier uses it, and an archived one is not chosen', async () => {
    const [used, free] = [await list(), await list({ name: 'Free' })];
    await edit('buyerTier', world.tiers[0]!.buyerTierId, { suppressionLists: [used] });
    const refused = await owner.post('/api/v1/common/post-delete-data', { model: 'suppressionList', _id: used });
    expect([refused.statusCode, refused.json.code, refused.json.msg]).toEqual([409, 'record_in_use', expect.stringContaining('First')]);
    expect((await owner.post('/api/v1/common/post-delete-data', { model: 'suppressionList', _id: free })).statusCode).toBe(200);
    const chosen = await edit('buyerTier', world.tiers[1]!.buyerTierId, { suppressionLists: [free] });
    expect([chosen.statusCode, chosen.json.code]).toEqual([400, 'suppression_list_archived']);
    const other = await edit('buyerTier', world.tiers[1]!.buyerTierId, { suppressionLists: [world.campaignId] });
    expect([other.statusCode, other.json.code]).toEqual([400, 'suppression_list_unknown']);
  });
});

describe('imports of entries', () => {
  it('add, replace and remove; what no entry is stands with its line, and not what it was', async () => {
    const listId = await list();
    const first = await fill(listId, 'email,note\na@example.com,x\nnobody,x\n"b@example.com",y\n\nA@example.com,z\n', { hasHeader: true });
    expect(first.job).toMatchObject({ status: 'done', rowsDone: 4, errorCount: 1, tally: { added: 2, known: 1 } });
    expect(first.errors).toEqual([{ line: 3, message: 'is no e-mail address' }]);
    expect((await read('suppressionList', listId)).entryCount).toBe(2);
    const replaced = await fill(listId, 'b@example.com\nc@example.com\n', { mode: 'replace' });
    expect(replaced.job.tally).toEqual({ added: 1, known: 1, removed: 1 });
    expect((await read('suppressionList', listId)).entryCount).toBe(2);
    const removed = await fill(listId, 'c@example.com\nd@example.com\n', { mode: 'remove' });
    expect(removed.job.tally).toEqual({ removed: 1, unknown: 1 });
    expect((await read('suppressionList', listId)).entryCount).toBe(1);
    const { rows } = await node.pool.query('select * from suppression_entry where list_id = $1', [listId]);
    expect(rows.length).toBe(1);
  });

  it('keep no value: not of what was handed in once it is read, nor of an entry', async () => {
    const listId = await list();
    await fill(listId, 'secret.person@example.com\nsecret nobody\n');
    const { rows } = await node.pool.query(
      `select (select count(*)::int from job_part) as parts,
        (select string_agg(e::text, ' ') from suppression_entry e) || (select string_agg(j::text, ' ') from job j)
          || (select string_agg(x::text, ' ') from job_error x) || (select string_agg(c::text, ' ') from change_log c) as kept`,
    );
    expect(rows[0].parts).toBe(0);
    expect(rows[0].kept).not.toContain('secret');
  });

  it('take a file in many parts, cut anywhere', async () => {
    const listId = await list();
    const body = Array.from({ length: 500 }, (_, n) => `person${n}@example.com`).join('\r\n');
    const { job } = await importFile(owner, { kind: 'suppressionImport', listId, body, partBytes: 997 });
    expect(job).toMatchObject({ rowsDone: 500, errorCount: 0, tally: { added: 500 }, bytes: body.length, bytesDone: body.length });
  });

  it('tell what is there of a file that was interrupted, and take what is missing of it', async () => {
    const listId = await list();
    const settings = { mode: 'add', delimiter: ',', hasHeader: false, columns: { value: 0 } };
    const { jobId } = (await owner.post('/api/v1/imports', { kind: 'suppressionImport', listId, name: 'a.csv', settings })).json;
    const parts = ['one@example.com\ntwo@exa', 'mple.com\n', 'three@example.com\n'].map((text) => Buffer.from(text));
    const put = (part: number) =>
      owner.post(`/api/v1/jobs/${jobId}/parts/${part}`, parts[part]!, { headers: { 'content-type': 'application/octet-stream' } });
    const there = async () => (await owner.get(`/api/v1/jobs/${jobId}/parts`)).json;
    expect(await there()).toEqual({ status: true, parts: [] });
    for (const part of [2, 0]) await put(part);
    expect((await there()).parts).toEqual(
      [0, 2].map((part) => ({ part, bytes: parts[part]!.length, sha256: createHash('sha256').update(parts[part]!).digest('hex') })),
    );
    expect((await owner.post(`/api/v1/jobs/${jobId}/go`, { parts: 3 })).json.code).toBe('job_parts_missing');
    await put(1);
    expect((await owner.post(`/api/v1/jobs/${jobId}/go`, { parts: 3 })).statusCode).toBe(200);
    expect((await waitForJob(owner, jobId)).job).toMatchObject({ status: 'done', tally: { added: 3 } });
    expect((await there()).code).toBe('job_begun');
  });

  it('console §3: of an organization no more than three are sent at once, and cancelling one makes room for the next', async () => {
    const ids = await Promise.all(Array.from({ length: HANDED_IN_NOW + 2 }, () => beginUpload()));
    expect(ids.map(({ json }) => json.code ?? 'begun').sort()).toEqual([
      ...Array.from({ length: HANDED_IN_NOW }, () => 'begun'),
      ...['import_many_receiving', 'import_many_receiving'],
    ]);
    const begun = ids.find(({ statusCode }) => statusCode === 200)!.json.jobId;
    await owner.post(`/api/v1/jobs/${begun}/cancel`, {});
    expect((await beginUpload()).statusCode).toBe(200);
  });

  it('console §3: of an organization no more than ten wait or are sent, and of no more bytes than are allowed', async () => {
    const { jobId } = (await beginUpload()).json;
    const put = (text: string) =>
      owner.post(`/api/v1/jobs/${jobId}/parts/0`, Buffer.from(text), { headers: { 'content-type': 'application/octet-stream' } });
    expect((await put('one@example.com')).statusCode).toBe(200);
    await put('two@example.com\n');
    const { rows } = await node.pool.query('select bytes from job where id = $1', [jobId]);
    expect(Number(rows[0].bytes)).toBe('two@example.com\n'.length);
    // Others that wait have all but three bytes of what may lie here.
    const waiting = `insert into job (organization_id, id, kind, status, name, settings, person_id, bytes, lease_until)
      select $1, gen_random_uuid(), 'bankImport', 'running', 'X', '{}', gen_random_uuid(), $3, now() + interval '1 hour' from generate_series(1, $2::int)`;
    await node.pool.query(waiting, [world.organizationId, 1, HANDED_IN_BYTES - 'two@example.com\n'.length - 3]);
    expect((await put('three@example.com\n')).statusCode).toBe(200);
    const refused = await put('thirteen@example.com\n');
    expect([refused.statusCode, refused.json.code]).toEqual([409, 'import_bytes_full']);
    await node.pool.query(waiting, [world.organizationId, HANDED_IN_FILES - 2, 0]);
    expect((await beginUpload()).json.code).toBe('import_many');
    await node.pool.query(`update job set status = 'done' where organization_id = $1 and bytes = 0`, [world.organizationId]);
    expect((await beginUpload()).statusCode).toBe(200);
  });

  it('console §3: a part that is too large is refused with what a part may have, and what to do', async () => {
    const { jobId } = (await beginUpload()).json;
    const put = (bytes: number) =>
      owner.post(`/api/v1/jobs/${jobId}/parts/0`, Buffer.alloc(bytes, 'x'), { headers: { 'content-type': 'application/octet-stream' } });
    const { statusCode, json } = await put(JOB_PART_BYTES + 1);
    expect([statusCode, json.code, json.msg]).toEqual([413, 'body_too_large', expect.stringMatching(/at most 512 KiB\. Cut the file/)]);
    expect((await put(JOB_PART_BYTES)).statusCode).toBe(200);
  });

  it('console §3: one of which nothing comes for an hour ends, and its bytes go', async () => {
    const [silent, heard] = [(await beginUpload()).json.jobId, (await beginUpload()).json.jobId];
    const put = (jobId: string) =>
      owner.post(`/api/v1/jobs/${jobId}/parts/0`, Buffer.from('a@b.co'), { headers: { 'content-type': 'application/octet-stream' } });
    await put(silent);
    await node.pool.query(`update job set heard_at = now() - interval '61 minutes' where id = any($1)`, [[silent, heard]]);
    await put(heard);
    await endForgotten(node.db, { silentMs: 60 * 60_000, withinMs: 24 * 3_600_000 });
    const seen = async (jobId: string) => (await owner.get(`/api/v1/jobs/${jobId}`)).json.job;
    expect(await seen(silent)).toMatchObject({ status: 'failed', failure: expect.stringContaining('Start the import again') });
    expect(await seen(heard)).toMatchObject({ status: 'receiving' });
    const { rows } = await node.pool.query('select job_id from job_part where job_id = any($1)', [[silent, heard]]);
    expect(rows).toEqual([{ job_id: heard }]);
  });

  it('say at once which column is missing, and fail in words on a file of two bytes a character', async () => {
    const listId = await list();
    const settings = { mode: 'add', delimiter: ',', hasHeader: false, columns: {} };
    const refused = await owner.post('/api/v1/imports', { kind: 'suppressionImport', listId, name: 'a', settings });
    expect([refused.statusCode, refused.json.code]).toEqual([400, 'import_columns_invalid']);
    const { job } = await importFile(owner, { kind: 'suppressionImport', listId, body: Buffer.from('\ufeffa@b.co', 'utf16le') });
    expect([job.status, job.failure]).toEqual(['failed', expect.stringContaining('UTF-16')]);
  });

  it.each([
    ['a ZIP archive', Buffer.from('PK\x03\x04\x14 email.csv'), 'ZIP archive, or a spreadsheet such as .xlsx'],
    ['gzip', gzipSync('email\nada@example.com\n'), 'packed with gzip. Unpack it'],
  ])('console §2: refuse %s with what to send instead', async (_, body, says) => {
    const listId = await list();
    const { job } = await importFile(owner, { kind: 'suppressionImport', listId, body });
    expect([job.status, job.failure, job.rowsDone]).toEqual(['failed', expect.stringContaining(says), 0]);
    expect(job.failure).toContain('import the CSV file');
  });

  it.each([
    [true, 'failed', []],
    [false, 'done', [{ line: 1, message: 'is longer than 64 KiB: is the delimiter right?' }]],
  ])('console §2: refuse a first line of a million columns (a header: %s)', async (hasHeader, status, wrong) => {
    const listId = await list();
    const body = `${Array.from({ length: 1_000_000 }, (_, at) => `c${at}`).join(',')}\nreal@example.com\n`;
    const { job, errors } = await fill(listId, body, { hasHeader });
    expect([job.status, job.failure, errors]).toEqual([
      status,
      hasHeader ? 'The header is longer than 64 KiB: is the delimiter right?' : null,
      wrong,
    ]);
    expect(job.tally).toMatchObject(hasHeader ? {} : { added: 1 });
  });

  it('console §2: tell their wrong lines in a file: all that are kept, and how many there were beside them', async () => {
    const listId = await list();
    const { job } = await fill(listId, `${'=1+1\n'.repeat(1_004)}real@example.com\n"open\n`);
    expect(job).toMatchObject({ status: 'done', errorCount: 1_005 });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const ask = (visitor: Visitor) => visitor.post('/api/v1/download-file/job-errors', `jobId=${job._id}&isDownloadCSV=true`, { headers });
    const { statusCode, json, headers: said } = await ask(owner);
    expect([statusCode, said['content-disposition']]).toEqual([200, expect.stringContaining('wrong-lines-file.csv-')]);
    const lines = (json as string).replace('\uFEFF', '').trim().split('\r\n');
    expect([lines.length, lines[0], lines[1]!.split(',')[0], lines[1_000]!.split(',')[0]]).toEqual([
      1_002,
      'Line,What is wrong',
      '1',
      '1000',
    ]);
    expect(lines.at(-1)).toBe(',"5 more lines could not be used. Which, is not kept."');
    const { errors } = (await owner.get(`/api/v1/jobs/${job._id}`)).json;
    expect(lines[1]).toBe(csvLine([1, `It ${errors[0].message}.`]).trim());
    for (const line of lines.slice(1)) expect(line).not.toMatch(/(^|,)"?[=+@-]/);
    const stranger = await ask(await member('dataMgmt-Configuration'));
    expect([stranger.statusCode, stranger.json.code]).toEqual([404, 'job_unknown']);
  });

  it('tell a row that is longer than one may be, and take no piece of it for an entry', async () => {
    const listId = await list();
    const long = Array.from({ length: 40_000 }, (_, at) => `x${at}@ex.com`).join(',');
    const { job, errors } = await fill(listId, `email\n${long}\nreal@ex.com\n`, { hasHeader: true });
    expect(errors).toEqual([{ line: 2, message: 'is longer than 64 KiB: is the delimiter right?' }]);
    expect(job).toMatchObject({ status: 'done', errorCount: 1, tally: { added: 1 } });
    const header = await fill(listId, `${long}\nnext@ex.com\n`, { hasHeader: true });
    expect([header.job.status, header.job.failure]).toEqual(['failed', 'The header is longer than 64 KiB: is the delimiter right?']);
    expect((await read('suppressionList', listId)).entryCount).toBe(1);
  });

  it.each([
    ['a suppression list', 'suppressionImport', (n: number) => `person${n}@example.com`],
    ['BIN ranges', 'binImport', (n: number) => String(40_000_000 + n)],
  ] as const)(
    'console §3: of %s go one after the other, also on several nodes: two that replace leave what the second has',
    async (_, kind, lineAt) => {
      const of = kind === 'suppressionImport' ? { kind, listId: await list() } : { kind };
      const body = (from: number, lines: number) => Array.from({ length: lines }, (_, n) => lineAt(from + n)).join('\n');
      const another = openJobRunner({
        ...{ db: node.db, nodeId: newId(), kinds: JOB_KINDS, onError: (error) => expect.fail(String(error)) },
        keysOf: async (organizationId) => node.planBook.find(organizationId)!.keys,
      });
      const first = await startImport(owner, { ...of, body: body(0, 20_000), settings: { mode: 'replace' } });
      const second = await startImport(owner, { ...of, body: body(50_000, 3), settings: { mode: 'replace' } });
      another.wake();
      const { job } = (await owner.get(`/api/v1/jobs/${second}`)).json;
      expect([job.status, job.waitsFor]).toEqual(['waiting', { _id: first, name: 'file.csv' }]);
      expect((await waitForJob(owner, second, 60_000)).job).toMatchObject({ tally: { added: 3, removed: 20_000 }, waitsFor: null });
      expect((await waitForJob(owner, first)).job).toMatchObject({ status: 'done', tally: { added: 20_000, removed: 0 } });
      await another.close();
      const { rows } = await node.pool.query(
        `select (select count(*)::int from suppression_entry where organization_id = $1) + (select count(*)::int from bin_range where organization_id = $1) as kept`,
        [world.organizationId],
      );
      expect(rows).toEqual([{ kept: 3 }]);
    },
    90_000,
  );

  it.each([
    ['nothing but its header', 'email\n', { hasHeader: true }, 'No row'],
    ['blank lines', '\n\n', {}, 'No row'],
    ['nothing', '', {}, 'No row'],
    ['columns that are cut otherwise', '1;c@example.com\n2;d@example.com\n', { columns: { value: 1 } }, 'No row'],
    ['more rows that are wrong than right', 'c@example.com\nnobody\nnothing\n', {}, '2 of 3 rows'],
  ])('console §3: one that replaces by a file of %s fails, and nothing goes', async (_, body, settings, said) => {
    const listId = await list();
    await fill(listId, 'a@example.com\nb@example.com\n');
    const { job, errors } = await fill(listId, body, { mode: 'replace', ...settings });
    expect([job.status, job.failure, job.tally.removed]).toEqual(['failed', expect.stringContaining(`${said}`), undefined]);
    expect(job.failure).toContain('nothing was taken out');
    // What was wrong is told.
    expect(errors.length).toBe(job.errorCount);
    expect((await read('suppressionList', listId)).entryCount).toBe(said === 'No row' ? 2 : 3);
  });

  it('console §3: one that replaces does so by a file that is mostly wrong where that is said, and never by one of which nothing is right', async () => {
    const listId = await list();
    await fill(listId, 'a@example.com\nb@example.com\n');
    const settings = { mode: 'replace', despiteErrors: true };
    expect((await fill(listId, 'nobody\n', settings)).job).toMatchObject({ status: 'failed', tally: {} });
    const { job } = await fill(listId, 'c@example.com\nnobody\nnothing\n', settings);
    expect(job).toMatchObject({ status: 'done', errorCount: 2, tally: { added: 1, removed: 2 } });
  });

  it('console §3: banks and BIN ranges stay as well where no row of a file that replaces could be read', async () => {
    const files = { bankImport: ['021000021\n', 'Routing;Name\n'], binImport: ['457173\n', 'x\ny\n'] } as const;
    for (const [kind, [sound, wrong]] of Object.entries(files) as [keyof typeof files, readonly [string, string]][]) {
      expect((await importFile(owner, { kind, body: sound })).job.tally).toEqual({ added: 1, known: 0 });
      expect((await importFile(owner, { kind, body: wrong, settings: { mode: 'replace' } })).job.status).toBe('failed');
    }
    for (const model of ['bank', 'binRange'])
      expect((await owner.post('/api/v1/common/get/condition-data', { model, condition: {} })).json.total).toBe(1);
  });

  it('fail in words on what is no text, and displace nothing by it', async () => {
    const listId = await list();
    await fill(listId, 'real@example.com\n');
    for (const body of [Buffer.from('PK\x03\x04\nother@example.com\n'), Buffer.from('other@example.com\n\0\n')]) {
      const settings = { mode: 'replace' as const };
      const { job } = await importFile(owner, { kind: 'suppressionImport', listId, body, settings });
      expect([job.status, job.failure]).toEqual(['failed', expect.stringContaining('as CSV')]);
    }
    expect((await read('suppressionList', listId)).entryCount).toBe(1);
  });

  it('tell the line that holds a NUL, and take the others', async () => {
    const body = `021000021,First\n${'\n'.repeat(600)}011000015,Sec\0ond\n021000089,Third\n`;
    const settings = { columns: { code: 0, name: 1 }, country: 'us' as const };
    const { job, errors } = await importFile(owner, { kind: 'bankImport', body, settings, partBytes: 500 });
    expect(errors).toEqual([{ line: 602, message: 'holds a NUL character: it is no text' }]);
    expect(job).toMatchObject({ status: 'done', tally: { added: 2 } });
  });
});

it('an entry that is renewed while a replacing import clears up stays', async () => {
  const listId = await add('suppressionList', { name: 'Renewed', holds: 'email', form: 'plain' });
  const { organizationId } = world;
  await node.pool.query(`update suppression_list set generation = 1, entry_count = 1 where id = $1`, [listId]);
  await node.pool.query(
    `insert into suppression_entry (organization_id, list_id, value_hash, generation) values ($1, $2, gen_random_uuid(), 0)`,
    [organizationId, listId],
  );
  const renewing = await node.pool.connect();
  await renewing.query('begin');
  await renewing.query('update suppression_entry set generation = 1 where list_id = $1', [listId]);
  const removing = node.db.transaction().execute((tx) => removeEarlier(tx, { organizationId, listId }, 10));
  const waiting = () => countWaiting(node.pool);
  await expect.poll(waiting, { timeout: 5_000 }).toBeGreaterThan(0);
  await renewing.query('commit');
  renewing.release();
  expect(Math.abs(await removing)).toBe(0);
  expect((await node.pool.query('select from suppression_entry where list_id = $1', [listId])).rowCount).toBe(1);
});

describe('console §3: moves of banks', () => {
  it('BLOCK refuses the lead by the name of the bank; a filter knows the others, and the unknown as Unsorted', async () => {
    const file = 'Routing Number,Customer Name,Move\n021000021,First Example,BLOCK\n11000015,Second Example,3\n021000022,Wrong,1\n';
    const settings = { hasHeader: true, columns: { code: 0, name: 1, move: 2 }, country: 'us' as const };
    const { job, errors } = await importFile(owner, { kind: 'bankImport', body: file, settings });
    expect(job.tally).toEqual({ added: 2, known: 0 });
    expect(errors).toEqual([{ line: 4, message: 'must be a routing number: nine digits, the last of which checks the others' }]);
    const blocked = await post({ account: '0210-0002-1' });
    expect(blocked.json.reason).toBe('publisher-tier-filter-failed');
    expect((await view(blocked.json.leadId)).why).toBe('The bank First Example is blocked.');
    // A file without names leaves those that are known.
    const nameless = await importFile(owner, { kind: 'bankImport', body: file.replaceAll('First Example', ''), settings });
    expect(nameless.errors).toEqual(errors);
    expect(
      (await owner.post('/api/v1/common/get/condition-data', { model: 'bank', condition: { name: 'First Example' } })).json.total,
    ).toBe(1);
    const filter = { field: 'bank_move', is: 'equal', value: 'Medium' };
    expect((await edit('buyerTier', world.tiers[0]!.buyerTierId, { filter })).statusCode).toBe(200);
    const outcomes = async (account: string) => (await view((await post({ account })).json.leadId)).verdicts.map(({ outcome }) => outcome);
    expect(await outcomes('011000015')).toEqual(['sold', 'notReached']);
    expect(await outcomes('122000247')).toEqual(['filtered', 'sold']);
  });

  it('console §2 bank-mgmt: are taken from the directory of the Federal Reserve Banks as it is', async () => {
    const line = (code: string, name: string) =>
      `${code}O0210000180040419000000000${name.padEnd(36)}${'1 PIER STREET'.padEnd(36)}${'NEW YORK'.padEnd(20)}NY1028600002125550100${'11     '}`;
    const body = [line('322271627', '"BAY" SAVINGS, N.A.'), line('322271628', 'WRONG'), line('124003116', 'LAKE "ONLINE')].join('\r\n');
    const settings = { delimiter: 'fedach' as const, columns: { code: 0, name: 6 }, country: 'us' as const };
    const { job, errors } = await importFile(owner, { kind: 'bankImport', body, settings, partBytes: 200 });
    expect([job.tally, errors.map((error) => error.line)]).toEqual([{ added: 2, known: 0 }, [2]]);
    const nameOf = async (code: string) =>
      (await owner.post('/api/v1/common/get/condition-data', { model: 'bank', condition: { code } })).json.data[0].name;
    expect([await nameOf('322271627'), await nameOf('124003116')]).toEqual(['"BAY" SAVINGS, N.A.', 'LAKE "ONLINE']);
    const other = { kind: 'binImport', name: 'a.txt', settings: { ...settings, mode: 'add', hasHeader: false, columns: { first: 0 } } };
    const british = { kind: 'bankImport', name: 'a.txt', settings: { ...settings, mode: 'add', hasHeader: false, country: 'uk' } };
    for (const one of [other, british])
      expect(await owner.post('/api/v1/imports', one)).toMatchObject({ statusCode: 400, json: { code: 'import_layout_invalid' } });
  });

  it('are told and changed by who has the page, each number once', async () => {
    const id = await add('bank', { country: 'uk', code: '12-34-56', name: 'Example Bank' });
    expect(await read('bank', id)).toMatchObject({ code: '123456', move: 4 });
    const again = await owner.post('/api/v1/common/post-add-data', { model: 'bank', country: 'uk', code: '123456', name: 'Other' });
    expect([again.statusCode, again.json.code]).toEqual([409, 'bank_code_taken']);
    const wrong = await owner.post('/api/v1/common/post-add-data', { model: 'bank', country: 'us', code: '123456789', name: 'Other' });
    expect([wrong.statusCode, wrong.json.code]).toEqual([400, 'bank_code_invalid']);
  });
});

describe('console §3: moves of BIN ranges', () => {
  const addRange = async (first: string, last = first) => add('binRange', { first, last, issuer: 'Example Bank' });
  const move = (binRangeId: string, to: number, campaignId: string | null = null, publisherId: string | null = null) =>
    add('binMove', { binRangeId, move: to, campaignId, publisherId });
  const filter = { field: 'bin_move', is: 'in', value: ['Low', 'Medium'] };
  const told = async (card: string) => {
    const { json } = await post({ card });
    const { why, verdicts } = await view(json.leadId);
    return json.status === 'rejected' ? why : verdicts[0]!.outcome;
  };

  it('the narrowest range wins, in it the most specific combination; another campaign is not touched', async () => {
    await edit('buyerTier', world.tiers[0]!.buyerTierId, { filter });
    const [wide, six, eight] = [await addRange('457100', '457199'), await addRange('457173'), await addRange('45717360')];
    expect(await told('45717360')).toBe('filtered');
    await move(wide, 3);
    expect([await told('45717360'), await told('457173'), await told('458000')]).toEqual(['sold', 'sold', 'filtered']);
    await move(six, 2, null, world.publisherId);
    const blocked = await move(six, 1, world.campaignId, world.publisherId);
    expect(await told('4571731234567890')).toBe('The BIN range 457173 is blocked for this campaign and this affiliate.');
    await move(eight, 3);
    expect([await told('45717360'), await told('457172')]).toEqual(['sold', 'sold']);
    await owner.post('/api/v1/common/post-delete-data', { model: 'binMove', _id: blocked });
    expect(await told('457173')).toBe('sold');
  });

  it('an import takes public layouts, and renews what it knows', async () => {
    const file =
      'iin_start,iin_end,scheme,type,country,bank_name\n457173,,visa,credit,US,Old\n400000,400099,visa,debit,GB,Range Bank\n12,,x,,,\n';
    const columns = { first: 0, last: 1, scheme: 2, type: 3, country: 4, issuer: 5 };
    const { job, errors } = await importFile(owner, { kind: 'binImport', body: file, settings: { hasHeader: true, columns } });
    expect([job.tally, errors.map(({ line }) => line)]).toEqual([{ added: 2, known: 0 }, [4]]);
    const renewed = await importFile(owner, {
      kind: 'binImport',
      body: '457173,New,2\n',
      settings: { columns: { first: 0, issuer: 1, move: 2 } },
    });
    expect(renewed.job.tally).toEqual({ added: 0, known: 1 });
    const byFirst = { model: 'binRange', sort: [{ field: 'first' }] };
    const { json } = await owner.post('/api/v1/common/get/condition-data', byFirst);
    expect(json.data).toMatchObject([
      { range: '400000–400099', issuer: 'Range Bank', move: null },
      { range: '457173', scheme: 'visa', issuer: 'New', move: 2 },
    ]);
    const replaced = await importFile(owner, { kind: 'binImport', body: '510510\n', settings: { mode: 'replace' } });
    expect(replaced.job.tally).toEqual({ added: 1, known: 0, removed: 1 });
    // The one that somebody gave a move stays.
    const { json: left } = await owner.post('/api/v1/common/get/condition-data', byFirst);
    expect(left.data.map((row: { range: string }) => row.range)).toEqual(['457173', '510510']);
  });

  it('a look-up says what decided, for everybody and for a chosen campaign and affiliate', async () => {
    const [wide, six] = [await addRange('457100', '457199'), await addRange('457173')];
    await move(wide, 3);
    await move(six, 2, world.campaignId);
    const look = async (visitor: Visitor, place = {}) =>
      (await visitor.post('/api/v1/bin-lookup', { bins: ['4571 7312 3456 7890', '45719900', '999999', 'x'], ...place })).json;
    const { bins } = await look(owner);
    expect(bins).toMatchObject([
      { bin: '45717312', range: '457173', move: 3, combination: 4, decidedBy: '457100–457199', issuer: 'Example Bank' },
      { bin: '45719900', range: '457100–457199', move: 3, combination: 4 },
      { bin: '999999', range: null, move: 4, combination: null, decidedBy: null },
      { bin: null, range: null, move: 4 },
    ]);
    expect((await look(owner, { campaignId: world.campaignId })).bins[0]).toMatchObject({ move: 2, combination: 2, decidedBy: '457173' });
    const anybody = await member('overview');
    expect((await look(anybody)).bins[0]).toMatchObject({ move: 3 });
    expect((await look(anybody, { campaignId: world.campaignId })).code).toBe('page_forbidden');
    expect((await look(await member('bin-lookup'), { campaignId: world.campaignId })).bins[0]).toMatchObject({ move: 2 });
  });

  it('account §7: a look-up is a file too, by the same rules', async () => {
    const [wide, six] = [await addRange('457100', '457199'), await addRange('457173')];
    await move(wide, 3);
    await move(six, 2, world.campaignId);
    const save = async (visitor: Visitor, more: Record<string, string> = {}) => {
      const answer = await node.app.inject({
        ...{ method: 'POST', url: '/api/v1/download-file/bin-lookup', remoteAddress: '192.0.2.1' },
        headers: {
          ...{ host: '127.0.0.1', 'x-requested-with': 'sluice', 'content-type': 'application/x-www-form-urlencoded' },
          cookie: [...visitor.cookies.get('127.0.0.1')!].map(([name, value]) => `${name}=${value}`).join('; '),
        },
        payload: new URLSearchParams({
          bins: '45717312,45719900,999999,x,41111111111111112222',
          isDownloadCSV: 'true',
          ...more,
        }).toString(),
      });
      return answer.body.replace('\uFEFF', '').trim().split('\r\n');
    };
    expect(await save(owner)).toEqual([
      'BIN,Move,Decided by,Range,Issuer,Scheme,Type,Country',
      '45717312,3 ACCEPT (Medium),457100–457199: all campaigns and all affiliates,457173,Example Bank,,,',
      '45719900,3 ACCEPT (Medium),457100–457199: all campaigns and all affiliates,457100–457199,Example Bank,,,',
      '999999,4 UNSORTED,No move,,,,,',
      'x,No BIN: six to eight digits.',
      '41111111…,No BIN: six to eight digits.',
    ]);
    expect((await save(owner, { campaignId: world.campaignId }))[1]).toContain('2 USE 3D SECURE (Low),457173: specific campaign');
    expect(await save(await member('bin-lookup'), { bins: '457173' })).toHaveLength(2);
    expect((await save(await member('overview'), { campaignId: world.campaignId })).join()).toContain('page_forbidden');
    const many = Array.from({ length: 1001 }, () => '457173').join(',');
    for (const bins of [many, 'x'.repeat(41), 'x'.repeat(41_001)]) expect((await save(owner, { bins })).join()).toContain('"status":false');
  });

  it('moves of many ranges are set and taken away at once', async () => {
    await addRange('400000');
    const id = await addRange('510510');
    await edit('binRange', id, { issuer: 'Other' });
    const set = async (search: string, to: number | null) =>
      (await owner.post('/api/v1/bin-moves', { search, move: to, publisherId: world.publisherId })).json.count;
    expect([await set('', 1), await set('other', 3), await set('other', 3), await set('example', null)]).toEqual([2, 1, 0, 1]);
    const { json } = await owner.post('/api/v1/common/get/condition-data', { model: 'binMove' });
    expect(json.data).toMatchObject([{ binRangeId: id, move: 3, combination: 3, publisherName: 'Publisher One' }]);
    const refused = await (await member('bin-lookup')).post('/api/v1/bin-moves', { search: '', move: 1 });
    expect(refused.statusCode).toBe(403);
  });

  it('console §3: ranges and banks are narrowed to a move, and moves of many set within what the list shows', async () => {
    const [low, blocked, none] = [await addRange('420000'), await addRange('430000'), await addRange('440000')];
    await move(low, 2);
    await move(blocked, 1);
    const found = async (condition: object) => {
      const { json } = await owner.post('/api/v1/common/get/condition-data', { model: 'binRange', condition, limit: 1000 });
      return (json.data as { _id: string }[]).map(({ _id }) => _id);
    };
    expect([await found({ move: '2' }), await found({ move: '1' }), await found({ move: '3' })]).toEqual([[low], [blocked], []]);
    expect(await found({ move: null })).toEqual([none]);
    const set = async (moveForAll: number | null, to: number | null) =>
      (await owner.post('/api/v1/bin-moves', { search: '4', moveForAll, move: to })).json.count;
    // What the list does not show stays as it is.
    expect([await set(3, 4), await set(2, 3), await set(null, 4)]).toEqual([0, 1, 1]);
    expect([await found({ move: '3' }), await found({ move: '1' }), await found({ move: '4' })]).toEqual([[low], [blocked], [none]]);
    const { json } = await owner.get('/api/v1/change-log?model=binMove');
    expect(json.changes.slice(0, 2).map((one: { recordName: string }) => one.recordName)).toEqual([
      'BIN ranges without a move for all, with "4"',
      'BIN ranges that were USE 3D SECURE (Low), with "4"',
    ]);
    expect((await owner.post('/api/v1/bin-moves', { search: '', moveForAll: 5, move: 1 })).statusCode).toBe(400);
  });

  it('a whole card number is nowhere: not with the lead, its call, the buyer or a log', async () => {
    const card = '4571736012345678';
    const sent = [await post({ card }), await post({ card, email: 'no' }), await post({ card: `${card}x` })];
    expect(sent.map(({ json }) => json.status)).toEqual(['accepted', 'invalid', 'invalid']);
    const views = await Promise.all(sent.map(({ json }) => view(json.leadId)));
    expect(JSON.stringify(views)).not.toContain(card.slice(8));
    expect(buyer.calls.map(({ body }) => body).join()).not.toContain(card.slice(8));
  });
});

describe('entries by a key of the organization', () => {
  const put = (listId: string, key: string, body: unknown) =>
    node.post(`/api/v1/suppression/${listId}`, body, { authorization: `Bearer ${key}` });

  it('are added and removed, each that is none told by its place; only for lists of its own, and while it is in use', async () => {
    const listId = await list();
    const { json: made } = await owner.post('/api/v1/organization-keys', { name: 'CRM' });
    const { json } = await put(listId, made.key, { add: ['a@example.com', 'A@example.com', 'nobody', 'b@example.com'] });
    expect(json).toEqual({
      ...{ status: true, added: 2, known: 1, removed: 0, unknown: 0 },
      errors: [{ field: 'add.2', message: 'is no e-mail address' }],
    });
    expect((await put(listId, made.key, { remove: ['b@example.com', 'c@example.com'] })).json).toMatchObject({ removed: 1, unknown: 1 });
    expect((await read('suppressionList', listId)).entryCount).toBe(1);
    expect((await put(listId, made.key, {})).statusCode).toBe(400);
    const far = await buildWorld(node.db);
    await node.pool.query(`insert into suppression_list (organization_id, id, name, holds) values ($1, $2, 'Far', 'email')`, [
      far.organizationId,
      far.campaignId,
    ]);
    for (const id of [far.campaignId, 'x']) expect((await put(id, made.key, { add: ['a@example.com'] })).statusCode).toBe(404);
    for (const key of ['ok_x', world.key, '']) expect((await put(listId, key, { add: ['a@example.com'] })).statusCode).toBe(401);
    const { rows } = await node.pool.query('select * from organization_key');
    expect(JSON.stringify(rows)).not.toContain(made.key);
    expect((await owner.post(`/api/v1/organization-keys/${made.keys[0]._id}/revoke`, {})).statusCode).toBe(200);
    expect((await put(listId, made.key, { add: ['a@example.com'] })).json.code).toBe('organization_key_unknown');
    expect((await (await member('dataMgmt-Configuration')).get('/api/v1/organization-keys')).statusCode).toBe(403);
  });
});

describe('who may', () => {
  const statuses = async (visitor: Visitor, model: string, data: Record<string, unknown>) => [
    (await visitor.post('/api/v1/common/get/condition-data', { model })).statusCode,
    (await visitor.post('/api/v1/common/post-add-data', { model, ...data })).statusCode,
  ];
  const newList = { name: 'A list', holds: 'email', form: 'plain' };

  it('a tier of a vertical that is closed to somebody has no name in what uses a list', async () => {
    const listId = await add('suppressionList', { ...newList, name: 'Used elsewhere' });
    const use = { model: 'buyerTier', _id: world.tiers[0]!.buyerTierId, suppressionLists: [listId] };
    expect((await owner.post('/api/v1/common/post-edit-data', use)).statusCode).toBe(200);
    const auto = await add('vertical', { name: 'Auto', slug: 'auto', regionId: world.regionId, primaryField: 'email' });
    const usedBy = async (visitor: Visitor) =>
      (await visitor.post('/api/v1/common/single-data', { model: 'suppressionList', condition: { _id: listId } })).json.data.usedBy;
    expect(await usedBy(owner)).toEqual(['Buyer tier First of First']);
    expect(await usedBy(await member('dataMgmt-Configuration'))).toEqual(['Buyer tier First of First']);
    expect(await usedBy(await memberOf(auto, 'dataMgmt-Configuration'))).toEqual(['A buyer tier of another vertical']);
    await owner.post('/api/v1/common/post-edit-data', { ...use, suppressionLists: [] });
  });

  it('each page opens what it manages, and nothing else', async () => {
    expect(await statuses(await member('dataMgmt-Configuration'), 'suppressionList', newList)).toEqual([200, 200]);
    expect(await statuses(await member('setup'), 'suppressionList', newList)).toEqual([200, 403]);
    expect(await statuses(await member('overview'), 'suppressionList', newList)).toEqual([403, 403]);
    const bank = { country: 'uk', code: '112233', name: 'B' };
    expect(await statuses(await member('Bank-Mgmt'), 'bank', bank)).toEqual([200, 200]);
    expect(await statuses(await member('setup'), 'bank', bank)).toEqual([403, 403]);
    expect(await statuses(await member('bin-lookup'), 'binRange', { first: '400000', last: '400000' })).toEqual([200, 403]);
  });

  it('a job is there for who may do what it does, and for nobody of another organization', async () => {
    const listId = await list();
    const { job } = await fill(listId, 'a@example.com\n');
    const other = await buildWorld(node.db);
    const stranger = visit(node, { host: '127.0.0.1' });
    const user = await buildUser(node.db, other.organizationId);
    await stranger.post('/team-login', { email: user.email, password: user.password });
    for (const visitor of [stranger, await member('dataMgmt-Configuration'), await member('Bank-Mgmt')])
      expect((await visitor.get(`/api/v1/jobs/${job._id}`)).json.code).toBe('job_unknown');
    expect((await (await member('dataMgmt-Inbound')).get('/api/v1/jobs')).json.jobs).toMatchObject([
      { _id: job._id, subject: { name: 'Do not call' } },
    ]);
    expect((await stranger.get('/api/v1/jobs')).json.jobs).toEqual([]);
  });

  it('moves of a campaign are for who has the page where it lies', async () => {
    const visitor = await member('bin-mgmt');
    const id = await add('binRange', { first: '400000', last: '400000' });
    const put = (campaignId: string) =>
      visitor.post('/api/v1/common/post-add-data', { model: 'binMove', binRangeId: id, move: 1, campaignId });
    expect((await put(world.campaignId)).statusCode).toBe(200);
    const far = await buildWorld(node.db);
    expect((await put(far.campaignId)).json.code).toBe('campaign_unknown');
  });
});
