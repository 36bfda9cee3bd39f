/** The server logs (console §2, §6): calls to buyers and of publishers, masked, searched, opened, and looked at. */

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptLogAnswer, CallLogAnswer } from '#contract/log.ts';
import { REFUSALS } from '#contract/refusal.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';
import { insertKey, LEAD } from '#test/harness/world.ts';

const PLACE = 'region=us&vertical=payday';
const LOGS = '/api/console/logs';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let taker: ScriptedBuyer;
let refuser: ScriptedBuyer;
let office: Office;
const leads: string[] = [];

const attempts = async (query = '', by = office): Promise<AttemptLogAnswer> => (await by.get(`${LOGS}/attempts?${PLACE}${query}`)).json;
const calls = async (query = '', by = office): Promise<CallLogAnswer> => (await by.get(`${LOGS}/calls?${PLACE}${query}`)).json;
/** The log is written behind the caller's back: asked until it shows. */
async function eventually<T>(ask: () => Promise<T>, isThere: (found: T) => boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    const found = await ask();
    if (isThere(found) || tries > 150) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
const changes = () => node.db.selectFrom('change_log').selectAll().where('action', '=', 'look').orderBy('id').execute();

beforeAll(async () => {
  node = await startTestWorld();
  taker = await startBuyer(() => ACCEPT);
  refuser = await startBuyer(({ body }) => ({
    body: JSON.stringify({ result: 'rejected', reason: `no loans for ${JSON.parse(body).email}, zip not served` }),
  }));
  office = await openOffice(node, taker, {
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: refuser.url, buyer: 'Naysayer', name: 'Naysayer tier' },
          { url: taker.url, buyer: 'Taker', name: 'Taker tier' },
        ],
      },
    ],
  });
  for (let at = 0; at < 4; at++) leads.push((await office.lead(`person${at}@example.com`, { phone: `212555010${at}` })).json.leadId);
});
afterAll(async () => {
  await node.stop();
  await Promise.all([taker.close(), refuser.close()]);
});

describe('console §2: server-logs/buyer-tier-logs', () => {
  it('lists every call, the newest first, with what the buyer said and nobody in it', async () => {
    const { rows, older, lookedTo } = await attempts();
    expect(rows).toHaveLength(8);
    expect(rows.map((row) => [row.leadId, row.buyerName, row.outcome])).toEqual(
      leads.toReversed().flatMap((lead) => [
        [lead, 'Taker', 'sold'],
        [lead, 'Naysayer', 'rejected'],
      ]),
    );
    expect(rows[1]!.reason).toMatch(/^no loans for p•••@example\.com, zip not served$/);
    expect(JSON.stringify(rows)).not.toMatch(/person\d@/);
    expect([older, lookedTo]).toEqual([null, null]);
  });

  it('pages by where the last page ended, each call once', async () => {
    const seen: string[] = [];
    let before: string | null = null;
    do {
      const page: AttemptLogAnswer = await attempts(`&limit=3${before ? `&before=${before}` : ''}`);
      seen.push(...page.rows.map((row) => row._id));
      before = page.older;
    } while (before);
    expect(seen).toEqual((await attempts()).rows.map((row) => row._id));
  });

  it.each([
    ['&outcome=rejected', 4, 'Naysayer'],
    ['&outcome=timeouts', 0, ''],
    ['&leg=ping', 0, ''],
    ['&leg=post&outcome=sold', 4, 'Taker'],
    ['&reason=ZIP not', 4, 'Naysayer'],
    ['&reason=no such words', 0, ''],
    ['&tookMs=600000', 0, ''],
    ['&test=true', 0, ''],
    ['&q=person2@example.com', 2, ''],
    ['&q=%28212%29 555-0103', 2, ''],
    ['&q=nobody@example.com', 0, ''],
    ['&to=2020-01-01T00:00:00Z', 0, ''],
    ['&from=2020-01-01T00:00:00Z', 8, ''],
  ])('finds by %s', async (query, count, buyer) => {
    const { rows } = await attempts(query);
    expect(rows).toHaveLength(count);
    if (buyer) expect(new Set(rows.map((row) => row.buyerName))).toEqual(new Set([buyer]));
  });

  it('finds by lead, buyer and tier', async () => {
    const [naysayer] = office.world.tiers;
    expect((await attempts(`&q=${leads[1]}`)).rows.map((row) => row.leadId)).toEqual([leads[1], leads[1]]);
    expect((await attempts(`&buyerTierId=${naysayer!.buyerTierId}`)).rows).toHaveLength(4);
    expect((await attempts(`&buyerId=${naysayer!.buyerId}`)).rows).toHaveLength(4);
    expect((await attempts(`&buyerTierId=${office.world.campaignId}`)).rows).toEqual([]);
  });

  it('console §2: one call is found by its own id, however far back, and no other with it', async () => {
    const all = (await attempts('')).rows;
    const last = all.at(-1)!._id;
    expect((await attempts(`&only=${last}`)).rows.map(({ _id }) => _id)).toEqual([last]);
    for (const none of ['x', `${leads[0]}-99`, leads[0]!]) expect((await attempts(`&only=${none}`)).rows).toEqual([]);
    const { json } = await office.get(`${LOGS}/calls?${PLACE}`);
    for (const { _id } of json.rows as { _id: string }[]) {
      const one = await office.get(`${LOGS}/calls?${PLACE}&only=${_id}`);
      expect(one.json.rows.map((row: { _id: string }) => row._id)).toEqual([_id]);
    }
    expect((await office.get(`${LOGS}/calls?${PLACE}&only=x`)).json.rows).toEqual([]);
  });

  it('a value of the person is not found by looking for it in what buyers said', async () => {
    expect((await attempts('&reason=person2@example')).rows).toEqual([]);
  });

  it('a search that finds nothing looks at so much and no more, says how far back it came, and goes on from there', async () => {
    const { organizationId } = office.world;
    const later = new Date(Date.now() + 3_600_000);
    await sql`insert into attempt (organization_id, lead_id, attempt_index, vertical_id, buyer_id, buyer_tier_id, group_id, test, leg, outcome, answer, started_at, elapsed_ms)
      select ${organizationId}::uuid, overlay(uuid7_floor(${later})::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, 0, ${organizationId}::uuid, ${organizationId}::uuid, ${organizationId}::uuid, ${organizationId}::uuid, false, 'post', 'sold', 'accepted', ${later}, 1
      from generate_series(1, 20000) as n`.execute(node.db);
    const first = await attempts('&outcome=rejected');
    expect([first.rows.length, first.lookedTo]).toEqual([0, later.toISOString()]);
    const second = await attempts(`&outcome=rejected&before=${first.older}`);
    expect([second.rows.length, second.older, second.lookedTo]).toEqual([4, null, null]);
    await node.db.deleteFrom('attempt').where('vertical_id', '=', organizationId).execute();
  });

  it.each([
    // What was answered, sent, and where; whatever the case, and however it was broken into lines.
    ['zip not SERVED', 4],
    ['"RESULT" : "accepted"', 4],
    ['monthly_income', 8],
    ['content-type: application/json', 8],
    ['no such words', 0],
    // As it is shown.
    ['p•••@example.com', 8],
    ['@example.com', 8],
    ['person1@example.com', 0],
    ['person1', 0],
    ['2125550101', 0],
    ['555-0101', 0],
  ])('finds %j in what went over the wire as it is shown, for an owner as for a member', async (text, count) => {
    const reader = await signIn(node, office.world, {
      role: 'member',
      permissions: [
        {
          ...{ regionId: office.world.regionId, regionChecked: true },
          verticals: [{ verticalId: office.world.verticalId, verticalChecked: true, pages: [{ value: 'serverLogs', pageChecked: true }] }],
        },
      ],
    });
    for (const who of [office, reader]) {
      const page = await attempts(`&text=${encodeURIComponent(text)}`, who);
      expect([page.rows.length, page.older, page.lookedTo]).toEqual([count, null, null]);
    }
    const narrowed = await attempts(`&outcome=sold&limit=1&text=${encodeURIComponent(text)}`);
    expect(narrowed.rows.length).toBe(count >= 4 && text !== 'zip not SERVED' ? 1 : 0);
  });

  it('of a text pages each call once, and its file has them all', async () => {
    const first = await attempts('&text=not served&limit=3');
    const second = await attempts(`&text=not served&limit=3&before=${first.older}`);
    expect([...first.rows, ...second.rows].map((row) => row._id)).toEqual((await attempts('&text=not served')).rows.map((row) => row._id));
    const body = new URLSearchParams({ region: 'us', vertical: 'payday', text: 'not served', isDownloadCSV: 'true' });
    expect((await office.form('/api/v1/download-file/attempt-log', body)).trim().split('\n')).toHaveLength(5);
    const { statusCode, json } = await office.get(`${LOGS}/attempts?${PLACE}&text=x`);
    expect([statusCode, json.msg]).toEqual([400, expect.stringContaining('two characters')]);
  });

  it('opens to request and response, masked; the lead’s own page says the same', async () => {
    const id = `${leads[0]}-0`;
    const { json } = await office.get(`${LOGS}/attempts/${id}`);
    expect(json).toMatchObject({ leadId: leads[0], leadStatus: 'sold', mayUnmask: true });
    expect(json.attempt.wire.requestBody).toContain('p•••@example.com');
    expect(JSON.stringify(json)).not.toContain('person0@');
    const lead = (await office.get(`/api/console/leads/${leads[0]}`)).json.lead;
    expect(json.attempt).toEqual(lead.attemptList[0]);
  });

  it('H5: shows the values to an owner who says why, after the change log knows', async () => {
    const id = `${leads[0]}-0`;
    const before = await changes();
    expect((await office.post(`${LOGS}/attempts/${id}/unmask`, { reason: '  ' })).statusCode).toBe(400);
    expect(await changes()).toHaveLength(before.length);
    const { json } = await office.post(`${LOGS}/attempts/${id}/unmask`, { reason: 'The buyer says it got no e-mail' });
    expect(json.attempt.wire.requestBody).toContain('person0@example.com');
    expect(json.attempt.reasons[0]).toContain('person0@example.com');
    const [line] = (await changes()).slice(before.length);
    expect(line).toMatchObject({ model: 'personalValues', record_id: leads[0], user_name: 'Una User' });
    expect(line!.after).toEqual({ reason: 'The buyer says it got no e-mail', what: 'post to Naysayer tier', consumer: 'p•••@example.com' });
    expect(JSON.stringify(line)).not.toContain('person0@');
    const log = (await office.get('/api/v1/change-log?model=personalValues')).json.changes;
    expect(log[0]).toMatchObject({ action: 'look', modelLabel: 'Personal values', final: expect.stringContaining('stays') });
  });

  it('a member with the page reads, and looks at nobody', async () => {
    const { regionId, verticalId } = office.world;
    const pages = [{ value: 'serverLogs', pageChecked: true }];
    const permissions = [{ regionId, regionChecked: true, verticals: [{ verticalId, verticalChecked: true, pages }] }];
    const member = await signIn(node, office.world, { role: 'member', permissions });
    const id = `${leads[0]}-0`;
    expect((await attempts('', member)).rows).toHaveLength(8);
    expect((await member.get(`${LOGS}/attempts/${id}`)).json.mayUnmask).toBe(false);
    const before = await changes();
    for (const path of [`${LOGS}/attempts/${id}/unmask`, `${LOGS}/calls/${leads[0]}/unmask`])
      expect(await member.post(path, { reason: 'curious' })).toMatchObject({ statusCode: 403, json: { code: 'unmask_forbidden' } });
    expect(await changes()).toHaveLength(before.length);
    const other = await signIn(node, office.world, { role: 'member', permissions: [] });
    expect((await other.get(`${LOGS}/attempts?${PLACE}`)).statusCode).toBe(404);
  });

  it('account §6: who is named in allowFSUsers is kept out of the logs, the owner too', async () => {
    const { userId } = await node.db
      .selectFrom('team_member')
      .select('user_id as userId')
      .where('organization_id', '=', office.world.organizationId)
      .where('role', '=', 'owner')
      .executeTakeFirstOrThrow();
    const name = (ids: string[]) =>
      node.db.updateTable('organization').set({ restricted_user_ids: ids }).where('id', '=', office.world.organizationId).execute();
    await name([userId]);
    try {
      expect((await office.get(`${LOGS}/attempts?${PLACE}`)).statusCode).toBe(403);
      expect((await office.get(`${LOGS}/calls?${PLACE}`)).statusCode).toBe(403);
      expect((await office.get(`${LOGS}/attempts/${leads[0]}-0`)).statusCode).toBe(404);
      expect((await office.post(`${LOGS}/attempts/${leads[0]}-0/unmask`, { reason: 'let me in' })).statusCode).toBe(404);
      const file = new URLSearchParams({ region: 'us', vertical: 'payday', isDownloadCSV: 'true' });
      expect(await office.form('/api/v1/download-file/attempt-log', file)).toContain('page_forbidden');
    } finally {
      await name([]);
    }
    expect((await office.get(`${LOGS}/attempts?${PLACE}`)).statusCode).toBe(200);
  });

  it('account §5: a span that ends before it begins, or lies later than tomorrow, is refused by every log and its file', async () => {
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    for (const [path, file, word] of [
      [`${LOGS}/attempts?${PLACE}`, 'attempt-log', 'log'],
      [`${LOGS}/calls?${PLACE}`, 'call-log', 'log'],
      ['/api/v1/change-log?limit=5', 'change-log', 'change_log'],
    ] as const) {
      const refusal = async (span: Record<string, string>) => {
        const { statusCode, json } = await office.get(`${path}&${new URLSearchParams(span)}`);
        const form = new URLSearchParams({ region: 'us', vertical: 'payday', isDownloadCSV: 'true', ...span });
        const text = await office.form(`/api/v1/download-file/${file}`, form);
        expect(text.includes('_span_')).toBe(statusCode === 400);
        return [statusCode, json.code, json.msg];
      };
      expect(await refusal({ from: at(-1), to: at(-2) })).toEqual([400, `${word}_span_backwards`, 'The end must not be before the start.']);
      expect(await refusal({ from: at(72) })).toEqual([400, `${word}_span_future`, 'Future date is not allowed.']);
      expect((await refusal({ from: at(-24), to: at(23) }))[0]).toBe(200);
    }
  });

  it('is a file too, with what is filtered', async () => {
    const asked = { region: 'us', vertical: 'payday', isDownloadCSV: 'true', outcome: 'rejected' };
    const text = await office.form('/api/v1/download-file/attempt-log', new URLSearchParams(asked));
    const lines = text.trim().split('\r\n');
    expect(lines[0]).toContain('Began (UTC),Buyer,Buyer tier,Leg,Outcome,Reason');
    expect(lines).toHaveLength(5);
    // In the word of console §3, as the page says it.
    expect(new Set(lines.slice(1).map((line) => line.split(',')[4]))).toEqual(new Set(['Declines']));
    expect(text).not.toMatch(/person\d@/);
  });

  it.each([
    ['attempt-log', 'took,outcome', 'Outcome,Took ms,Test,Lead id'],
    ['attempt-log', 'parts,nothing', 'Connect ms,Wait ms,Read ms,Test,Lead id'],
    ['call-log', 'ended,came', 'Came (Europe/London),Ended as,Test,Lead id'],
    ['call-log', 'address,code', 'Method,Path,Code,Test,Lead id'],
  ])('%s is a file of the columns that are asked for: %s', async (log, columns, head) => {
    const asked = { region: 'us', vertical: 'payday', isDownloadCSV: 'true', timeZone: 'Europe/London' };
    const [whole, part] = await Promise.all(
      [asked, { ...asked, columns }].map(async (one) =>
        (await office.form(`/api/v1/download-file/${log}`, new URLSearchParams(one))).replace('\uFEFF', '').trim().split('\r\n'),
      ),
    );
    expect([part![0], part!.length]).toEqual([head, whole!.length]);
    // Each cell is that of the whole file below the same head.
    const places = head.split(',').map((name) => whole![0]!.split(',').indexOf(name));
    expect(places).not.toContain(-1);
    const plain = (lines: string[]) => lines.slice(1).filter((line) => !line.includes('"'));
    expect(plain(part!).length).toBeGreaterThan(0);
    for (const line of plain(whole!)) expect(part).toContain(places.map((at) => line.split(',')[at]).join(','));
  });
});

describe('console §2: server-logs/api-process-logs', () => {
  it('lists calls that made leads with their key, code and lead', async () => {
    const { rows } = await calls();
    const made = rows.filter((row) => row.end === 'sold');
    expect(made.map((row) => row.leadId)).toEqual(leads.toReversed());
    expect(made[0]).toMatchObject({
      call: 'full',
      method: 'POST',
      path: '/api/v1/leads',
      statusCode: 200,
      code: 'lead_sold',
      keyPrefix: office.world.key.slice(0, 7),
      publisherTierName: 'Main seat',
    });
  });

  it('keeps what was refused: by whose key, why, and the body masked', async () => {
    const revoked = await insertKey(node.db, office.world.organizationId, office.world.publisherTierId, { revoked_at: new Date(0) });
    await node.planBook.reload(office.world.organizationId);
    const lead = { ...LEAD, email: 'refused@example.com' };
    await node.post('/api/v1/leads', lead, { authorization: `Bearer ${revoked}` });
    await node.post('/api/v1/leads', '{"email": "broken@example.com"', {
      authorization: `Bearer ${office.world.key}`,
      'content-type': 'application/json',
    });
    await node.post('/api/v1/leads/post', lead, { authorization: `Bearer ${office.world.key}` });
    await node.post('/api/v1/leads', lead, { authorization: 'Bearer nobody-has-this' });
    const { rows } = await eventually(
      () => calls('&end=refused'),
      ({ rows }) => rows.length >= 3,
    );
    expect(rows.map((row) => [row.code, row.statusCode, row.keyPrefix])).toEqual([
      ['ping_missing', 400, office.world.key.slice(0, 7)],
      ['body_malformed', 400, office.world.key.slice(0, 7)],
      ['key_revoked', 401, revoked.slice(0, 7)],
    ]);
    // The file says why in the words of the page.
    const asked = new URLSearchParams({ region: 'us', vertical: 'payday', isDownloadCSV: 'true', end: 'refused', columns: 'why' });
    const file = (await office.form('/api/v1/download-file/call-log', asked)).replace('\uFEFF', '').trim().split('\r\n');
    expect(file[0]).toBe('Reason,More like it,Test,Lead id');
    expect(file.slice(1, 4).map((line) => line.split(',')[0])).toEqual(rows.slice(0, 3).map((row) => row.reasonLabel));
    expect(rows.slice(0, 2).map((row) => row.reasonLabel)).toEqual([REFUSALS.ping_missing!.label, 'Body cannot be read']);
    const open = (await office.get(`${LOGS}/calls/${rows[2]!._id}`)).json;
    expect(open.body).toContain('r•••@example.com');
    expect(JSON.stringify(open)).not.toContain('refused@');
    expect(open.answer).toContain('key_revoked');
    const unread = (await office.get(`${LOGS}/calls/${rows[1]!._id}`)).json;
    expect(unread.body).not.toContain('broken');
    expect((await calls('&code=key_revoked')).rows).toHaveLength(1);
    expect((await calls('&end=refused&call=post')).rows.map((row) => row.code)).toEqual(['ping_missing']);
    // Nothing of the person stands in the table itself.
    const stored = await node.db.selectFrom('api_call').selectAll().execute();
    expect(JSON.stringify(stored.map(({ wire, ...row }) => ({ ...row, wire: wire.toString('latin1') })))).not.toMatch(/refused@|broken@/);
  });

  it('finds any text of a call and of our answer, as it is shown', async () => {
    const codesOf = async (text: string) => (await calls(`&text=${encodeURIComponent(text)}`)).rows.map((row) => row.code);
    expect(await codesOf('"code":"lead_sold"')).toEqual(Array(4).fill('lead_sold'));
    expect(await codesOf('KEY_revoked')).toEqual(['key_revoked']);
    expect(await codesOf('post /api/v1/leads/post')).toEqual(['ping_missing']);
    expect((await codesOf('"email": "p•••@example.com"')).length).toBe(4);
    for (const value of ['person0@', 'refused@example.com', 'broken@example', '2125550100']) expect(await codesOf(value)).toEqual([]);
    expect((await calls('&text=lead_sold&end=refused')).rows).toEqual([]);
  });

  it('H5: shows a refused call to an owner who says why', async () => {
    const [row] = (await calls('&code=key_revoked')).rows;
    const { json } = await office.post(`${LOGS}/calls/${row!._id}/unmask`, { reason: 'Asked by the publisher' });
    expect(json.body).toContain('refused@example.com');
    expect((await changes()).at(-1)).toMatchObject({
      record_id: row!._id,
      after: { reason: 'Asked by the publisher', what: 'the publisher’s call' },
    });
    const sold = await office.post(`${LOGS}/calls/${leads[0]}/unmask`, { reason: 'Asked by the publisher' });
    expect(sold.json.body).toContain('person0@example.com');
    expect(JSON.stringify(sold.json)).not.toContain(office.world.key);
  });

  it('keeps questions after a lead, and calls that were answered again', async () => {
    const headers = { authorization: `Bearer ${office.world.key}` };
    await fetch(`${node.url}/api/v1/leads/${leads[0]}`, { headers });
    await fetch(`${node.url}/api/v1/leads/somebody@example.com`, { headers });
    await office.lead('person3@example.com', { phone: '2125550103' });
    const { rows } = await eventually(
      () => calls('&call=status'),
      ({ rows }) => rows.length >= 2,
    );
    expect(rows.map((row) => [row.end, row.path, row.leadId])).toEqual([
      ['refused', '/api/v1/leads/{id}', null],
      ['asked', '/api/v1/leads/{id}', leads[0]],
    ]);
    const again = await eventually(
      () => calls('&end=replayed'),
      ({ rows }) => rows.length > 0,
    );
    expect(again.rows.map((row) => [row.leadId, row.code])).toEqual([[leads[3], 'lead_replayed']]);
    expect((await calls(`&q=${leads[3]}`)).rows.map((row) => row.end)).toEqual(['replayed', 'sold']);
  });

  it('pages over both sorts of calls, each once, in order', async () => {
    const all = (await calls()).rows.map((row) => row._id);
    expect(all).toEqual(all.toSorted().reverse());
    const seen: string[] = [];
    let before: string | null = null;
    do {
      const page: CallLogAnswer = await calls(`&limit=2${before ? `&before=${before}` : ''}`);
      seen.push(...page.rows.map((row) => row._id));
      before = page.older;
    } while (before);
    expect(seen).toEqual(all);
  });

  it('a flood of refused calls is counted, not kept one by one, and leads go on', async () => {
    const revoked = await insertKey(node.db, office.world.organizationId, office.world.publisherTierId, { revoked_at: new Date(0) });
    await node.planBook.reload(office.world.organizationId);
    const before = (await calls('&code=key_revoked&limit=200')).rows.length;
    const flood = Array.from({ length: 600 }, () => node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${revoked}` }));
    await Promise.all(flood);
    expect((await office.lead('after-the-flood@example.com', { phone: '2125550177' })).json.status).toBe('accepted');
    const told = await eventually(
      () => node.db.selectFrom('api_call').select(['more']).where('code', '=', 'key_revoked').execute(),
      (rows) => rows.reduce((sum, row) => sum + 1 + row.more, 0) === before + 600,
    );
    // Of at most two windows.
    expect(told.length - before).toBeLessThanOrEqual(402);
    expect(told.reduce((sum, row) => sum + 1 + row.more, 0)).toBe(before + 600);
  }, 60_000);

  it('console §4: calls are found by the internal reason of their lead, and no others with them', async () => {
    const { json } = await office.lead('no address', { phone: '2125550178' });
    const { rows } = await calls('&reason=publisher-validation-failed');
    expect(rows.map((row) => [row.leadId, row.end, row.reasonLabel])).toEqual([[json.leadId, 'invalid', 'Invalid Data']]);
    expect((await calls('&reason=publisher-validation-failed&end=refused')).rows).toEqual([]);
    expect((await calls('&reason=buyer-all-tier-failed')).rows).toEqual([]);
    expect((await calls("&reason=' or true --")).rows).toEqual([]);
    expect((await office.get(`${LOGS}/calls?region=us&vertical=payday&reason=${'x'.repeat(81)}`)).statusCode).toBe(400);
    const asked = { region: 'us', vertical: 'payday', isDownloadCSV: 'true', reason: 'publisher-validation-failed' };
    const text = await office.form('/api/v1/download-file/call-log', new URLSearchParams(asked));
    expect(text.trim().split('\r\n')).toHaveLength(2);
  });

  it('another organization’s calls are none', async () => {
    const stranger = await openOffice(node, taker);
    const [refused] = (await calls('&code=body_malformed')).rows;
    for (const path of [`attempts/${leads[0]}-0`, `calls/${leads[0]}`, `calls/${refused!._id}`]) {
      expect((await stranger.get(`${LOGS}/${path}`)).statusCode).toBe(404);
      expect((await stranger.post(`${LOGS}/${path}/unmask`, { reason: 'none of mine' })).statusCode).toBe(404);
    }
    expect((await calls('', stranger)).rows).toEqual([]);
    expect((await attempts('', stranger)).rows).toEqual([]);
  });
});
