/** Data-subject requests (console §2 lead-flow/data-request): one consumer found, handed out, erased, and figures as before. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileDay } from '#contract/csv.ts';
import type { FindPersonAnswer } from '#contract/data-request.ts';
import { isOver, type JobView } from '#contract/job.ts';
import { openJson } from '#server/kit/crypto.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { readPage } from '#server/lab/stored-leads.sql.ts';
import type { Explained } from '#server/lead/intake.ts';
import { closeRequest, insertRequest } from '#server/portal/change-request.sql.ts';
import { forgetReturnNotes, listReturnNotes } from '#server/return/return-notes.sql.ts';
import { settleLead } from '#server/settlement/settle-lead.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { everythingOf } from '#test/harness/everything.ts';
import { waitForJobOf } from '#test/harness/jobs.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';
import { dollars, LEAD } from '#test/harness/world.ts';

const BASE = '/api/console/data-requests';
const PERSON = { email: 'grace.hopper@example.com', phone: '2125550188', first_name: 'Gracelyn' };
const OTHER = { email: 'someone.else@example.com', phone: '2125550199', first_name: 'Somebody' };

let node: Awaited<ReturnType<typeof startTestWorld>>;
let taker: ScriptedBuyer;
let refuser: ScriptedBuyer;
let service: ScriptedBuyer;
let office: Office;
const NOTE = 'Jane Hopper, 212-555-0188, says she never applied';
/** Those of the person, as they came. */
const own: string[] = [];

const send = (fields: object, path = '/api/v1/leads') =>
  node.post(path, { ...LEAD, ...fields }, { authorization: `Bearer ${office.world.key}` });
const find = async (q: string, by = office): Promise<FindPersonAnswer> => (await by.post(`${BASE}/find`, { q })).json;
const erase = (more: object = {}, by = office) =>
  by.post(`${BASE}/erase`, { q: PERSON.email, reason: 'Request 17 of the consumer', confirm: 'ERASE', ...more });
async function waitFor(jobId: string): Promise<JobView> {
  for (let tries = 0; ; tries++) {
    const { json } = await office.get(`/api/v1/jobs/${jobId}`);
    if (isOver(json.job.status) || tries > 200) return json.job;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
const giveBack = (leadId: string) =>
  office.post(`/api/console/leads/${leadId}/return`, { saleIndex: 0, reason: 'Wrong number', note: NOTE });
/** As the portal of its buyer asks, and somebody says no. */
async function askAndDecline(leadId: string): Promise<void> {
  const { organizationId, verticalId, tiers } = office.world;
  const by = { userId: organizationId, name: 'Somebody else' };
  await inTenant(node.db, organizationId, async (tx) => {
    const row = await insertRequest(
      tx,
      { organizationId, ...by },
      {
        ...{ bound: { kind: 'buyer', companyId: tiers[1]!.buyerId }, model: 'leadReturn', recordId: leadId, recordName: `Lead ${leadId}` },
        ...{ saleIndex: 0, verticalId, before: {}, after: { reason: 'Wrong number' }, note: 'Her sister, Mrs. Hopper, answers there' },
      },
    );
    await closeRequest(tx, row, { status: 'declined', by, answer: 'Hopper is her own name' });
  });
}
const everything = () => everythingOf(node, office.world.organizationId);
const TRACES = /hopper|gracelyn|5550188|555-0188|555 0188/i;

beforeAll(async () => {
  node = await startTestWorld();
  taker = await startBuyer(({ body }) => {
    const { email } = JSON.parse(body) as { email: string };
    return {
      ...ACCEPT,
      body: JSON.stringify({ result: 'accepted', price: '20', id: `B-${email}`, redirect: `https://buyer.example/go?e=${email}` }),
    };
  });
  refuser = await startBuyer(({ body }) => ({
    body: JSON.stringify({ result: 'rejected', reason: `${JSON.parse(body).first_name} was here before` }),
  }));
  service = await startBuyer(() => ACCEPT);
  office = await openOffice(node, taker, {
    services: { check: { url: service.url } },
    publisher: { p2c: { service: 'check' } },
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
  for (const more of [
    {},
    { email: 'GRACE.hopper@example.com', phone: '(212) 555-0188', monthly_income: '4100' },
    { phone: '2125550188', monthly_income: '4200', nickname: 'Hopper of Yale' },
  ])
    own.push((await send({ ...PERSON, ...more })).json.leadId);
  await send(PERSON);
  await send({ ...PERSON, state: 'Nowhere' });
  await send(PERSON, '/api/v1/leads/post');
  await send(OTHER);
  await office.post('/api/console/lab/samples', { region: 'us', vertical: 'payday', name: 'From life', fields: { ...LEAD, ...PERSON } });
  await office.post('/api/console/lab/samples', { region: 'us', vertical: 'payday', name: 'Made up', fields: { ...LEAD, ...OTHER } });
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect((await giveBack(own[0]!)).json.status).toBe(true);
  await askAndDecline(own[1]!);
});
afterAll(async () => {
  await node.stop();
  await Promise.all([taker.close(), refuser.close(), service.close()]);
});

describe('finding a consumer', () => {
  it.each([PERSON.email, 'GRACE.HOPPER@EXAMPLE.COM', '(212) 555-0188', '+1 212 555 0188'])('by %s: every lead, masked', async (q) => {
    const { leads, total, older } = await find(q);
    expect([leads.length, total, older]).toEqual([4, 4, null]);
    expect(JSON.stringify(leads)).not.toMatch(TRACES);
  });

  it('H3: says who was sent which field, and when', async () => {
    const { leads } = await find(PERSON.email);
    const first = leads.at(-1)!;
    expect(first.seenBy.map(({ who, what }) => [who, what])).toEqual([
      ['check', 'check'],
      ['Naysayer, Naysayer tier', 'post'],
      ['Taker, Taker tier', 'post'],
    ]);
    expect(first.seenBy.at(-1)!.fields).toEqual(['First name', 'Email', 'Phone', 'State', 'ZIP code', 'Monthly income']);
    expect(first.held).toMatchObject({ attempts: 2, checks: 1, link: true });
    const invalid = leads.find(({ lead }) => lead.status === 'invalid')!;
    expect(invalid.seenBy).toEqual([]);
  });

  it('a stranger, a member without the page, and a value that nobody has find nothing', async () => {
    const stranger = await openOffice(node, taker);
    expect((await find(PERSON.email, stranger)).leads).toEqual([]);
    expect((await erase({}, stranger)).json.code).toBe('data_request_nobody');
    const lead = (await find(PERSON.email)).leads[0]!.lead._id;
    expect((await find(lead, stranger)).leads).toEqual([]);
    expect((await find(lead)).leads.map((one) => one.lead._id)).toEqual([lead]);
    const member = await signIn(node, office.world, { role: 'member', permissions: [] });
    for (const call of ['find', 'export', 'erase'])
      expect(
        (
          await member.post(`${BASE}/${call}`, {
            q: PERSON.email,
            ...(call !== 'find' && { reason: 'curious' }),
            ...(call === 'export' && { format: 'json' }),
            ...(call === 'erase' && { confirm: 'ERASE' }),
          })
        ).statusCode,
      ).toBe(403);
    expect((await find('nobody@example.com')).total).toBe(0);
  });
});

describe('handing out', () => {
  it('H5: gives every value, to who says why, and the change log knows', async () => {
    const { json, text } = await office.post(`${BASE}/export`, { q: PERSON.email, reason: 'Request 16', format: 'json' });
    expect(json.leads).toHaveLength(4);
    expect(json.leads.at(-1).fields).toMatchObject({ email: PERSON.email, phone: '+12125550188', first_name: 'Gracelyn' });
    expect(text).toContain('Hopper of Yale');
    expect(json.leads.flatMap(({ returnNotes }: { returnNotes: { note: string; answer: string }[] }) => returnNotes)).toMatchObject([
      { note: 'Her sister, Mrs. Hopper, answers there', answer: 'Hopper is her own name' },
      { note: NOTE, answer: '' },
    ]);
    expect(text).not.toContain(office.world.key);
    const csv = await office.post(`${BASE}/export`, { q: PERSON.email, reason: 'Request 16', format: 'csv' });
    expect(csv.text).toContain(`email,${PERSON.email},"check; Naysayer, Naysayer tier; Taker, Taker tier"`);
    const [line] = (await office.get('/api/v1/change-log?model=personalData')).json.changes;
    expect(line).toMatchObject({
      action: 'look',
      recordName: 'one person, handed out',
      after: { reason: 'Request 16', leads: 4, format: 'csv' },
    });
    expect((await office.post(`${BASE}/export`, { q: PERSON.email, reason: '', format: 'json' })).statusCode).toBe(400);
  });

  it('account §7, H5: a CSV is asked for by a form, with a reason, and called by its day; the change log knows of it as well', async () => {
    const ask = (fields: object, by = office) =>
      by.formAnswer('/api/v1/download-file/data-request', new URLSearchParams({ isDownloadCSV: 'true', ...fields }));
    const zone = 'America/New_York';
    const answer = await ask({ q: PERSON.email, reason: 'Request 18', timeZone: zone });
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="data-request-${fileDay(Date.now(), zone)}.csv"`);
    const lines = (await answer.text()).split('\r\n');
    expect(lines[0]).toContain('Lead id,Received (UTC)');
    const ofLeads = lines.filter((line) => !line.includes(',refused call,') && !line.includes(',sample lead'));
    expect(ofLeads.filter((line) => line.includes(`,email,${PERSON.email},`))).toHaveLength(4);
    const looks = async () => (await office.get('/api/v1/change-log?model=personalData')).json.changes as { after: object }[];
    const before = await looks();
    expect(before[0]).toMatchObject({
      action: 'look',
      recordName: 'one person, handed out',
      after: { reason: 'Request 18', leads: 4, format: 'csv' },
    });
    const refused = async (answered: Promise<Response>) => [
      (await answered).status,
      ((await (await answered).json()) as { code: string }).code,
    ];
    expect(await refused(ask({ q: 'nobody@example.com', reason: 'Request 18' }))).toEqual([404, 'data_request_nobody']);
    for (const fields of [{ q: PERSON.email }, { q: PERSON.email, reason: '' }, { reason: 'Request 18' }])
      expect((await ask(fields)).status).toBe(400);
    const member = await signIn(node, office.world, { role: 'member', permissions: [] });
    expect(await refused(ask({ q: PERSON.email, reason: 'curious' }, member))).toEqual([403, 'page_forbidden']);
    expect(await looks()).toEqual(before);
  });
});

describe('erasing', () => {
  it('needs the word and a reason', async () => {
    for (const more of [{ confirm: 'erase' }, { confirm: undefined }, { reason: '' }]) expect((await erase(more)).statusCode).toBe(400);
    expect((await find(PERSON.email)).total).toBe(4);
  });

  it('H4: takes the person out of everything that is kept, leaves figures and everybody else as they are, and proves it', async () => {
    const figures = async () => {
      const { json } = await office.get('/api/console/overview?region=us&vertical=payday&timeZone=UTC');
      return {
        today: json.today,
        publishers: json.topPublishers,
        buyers: json.topBuyers.map(({ p50Ms: _, ...one }: Record<string, unknown>) => one),
      };
    };
    const before = await figures();
    const [lead] = (await find(PERSON.email)).leads.filter((one) => one.lead.status === 'sold');
    const kept = (await office.get(`/api/console/leads/${lead!.lead._id}`)).json.lead;
    expect(await everything()).toMatch(TRACES);
    // Another organization's erasure empties no note of ours.
    const stranger = await openOffice(node, taker);
    for (const id of own)
      await inTenant(node.db, stranger.world.organizationId, (tx) => forgetReturnNotes(tx, stranger.world.organizationId, id));
    expect((await office.get('/api/v1/change-log?model=leadReturn')).json.changes[0].after.note).toBe(NOTE);
    expect((await everything()).split(NOTE)).toHaveLength(3);

    const { json } = await erase();
    const job = await waitFor(json.jobId);
    expect(job).toMatchObject({ status: 'done', kind: 'erasure' });
    expect(job.tally).toMatchObject({ leads: 4, refusedCalls: 1, samples: 1, checks: 3, links: 3, calls: 1 });

    expect(await everything()).not.toMatch(TRACES);
    expect(await figures()).toEqual(before);
    expect((await find(PERSON.email)).total).toBe(0);
    expect((await find('(212) 555-0188')).total).toBe(0);
    expect((await find(OTHER.email)).total).toBe(1);
    expect((await office.post(`${BASE}/export`, { q: OTHER.email, reason: 'still there', format: 'json' })).text).toContain('Somebody');

    const now = (await office.get(`/api/console/leads/${lead!.lead._id}`)).json.lead;
    expect(now.erasedAt).toEqual(expect.any(String));
    for (const part of ['status', 'revenue', 'payout', 'margin', 'time', 'attempts', 'buyers'])
      expect([part, now[part]]).toEqual([part, kept[part]]);
    expect(now.verdicts.map((one: { text: string }) => one.text)).toEqual(['The buyer declined: •••.', kept.verdicts[1].text]);
    expect(now.attemptList.map((one: { outcome: string; price: string }) => [one.outcome, one.price])).toEqual(
      kept.attemptList.map((one: { outcome: string; price: string }) => [one.outcome, one.price]),
    );
    expect(now.fields.map((one: { fieldName: string }) => one.fieldName)).toEqual(['state', 'zip', 'monthly_income']);
    expect(now.inbound.body).toBe('');

    const lines = (await office.get(`/api/v1/change-log?recordId=${json.jobId}`)).json.changes;
    expect(
      lines.map((one: { action: string; recordName: string; userName: string }) => [one.action, one.recordName, one.userName]),
    ).toEqual([
      ['erase', 'one person, done', 'Una User'],
      ['erase', 'one person, asked for', 'Una User'],
    ]);
    expect(lines[0].after).toMatchObject({ reason: 'Request 17 of the consumer', leads: 4 });
    expect(JSON.stringify(lines)).not.toMatch(TRACES);
  }, 60_000);

  it('H4: takes the notes of returns along, which may name the person in other words; what is written afterwards is not kept', async () => {
    const { organizationId } = office.world;
    expect(await inTenant(node.db, organizationId, (tx) => listReturnNotes(tx, organizationId, own[0]!))).toMatchObject([{ note: '•••' }]);
    expect(await inTenant(node.db, organizationId, (tx) => listReturnNotes(tx, organizationId, own[1]!))).toMatchObject([
      { note: '•••', answer: '•••' },
    ]);
    expect((await giveBack(own[2]!)).json.returned).toMatchObject({ reason: 'Wrong number', note: '•••' });
    const { changes } = (await office.get('/api/v1/change-log?model=leadReturn')).json;
    expect(changes.map(({ after }: { after: object }) => after)).toMatchObject([
      { reason: 'Wrong number', note: '•••', revenue: '20.00' },
      { reason: 'Wrong number', note: '•••', revenue: '20.00' },
    ]);
    expect(await everything()).not.toMatch(TRACES);
  });

  it('a replay leaves such leads out', async () => {
    const { keys, organizationId } = node.planBook.find(office.world.organizationId)!;
    const { verticalId, campaignId } = office.world;
    const span = { organizationId, verticalId, campaignId, publisherTierId: null, from: 0, to: Date.now() + 1000 };
    const { leads } = await readPage(node.db, keys, span, { after: undefined, size: 100, asksServices: false });
    expect(leads.map(({ lead }) => lead?.fields.email)).toEqual([OTHER.email]);
  });

  it('every page that shows such a lead still opens, and the publisher still gets its answer', async () => {
    const rows = (await office.get('/api/console/leads?region=us&vertical=payday')).json.rows;
    expect(rows).toHaveLength(5);
    for (const { _id } of rows) {
      expect((await office.get(`/api/console/leads/${_id}`)).statusCode).toBe(200);
      expect((await office.get(`/api/console/logs/calls/${_id}`)).statusCode).toBe(200);
      const asked = await fetch(`${node.url}/api/v1/leads/${_id}`, { headers: { authorization: `Bearer ${office.world.key}` } });
      expect(asked.status).toBe(200);
    }
    expect((await office.get('/api/console/logs/attempts?region=us&vertical=payday')).statusCode).toBe(200);
    const sold = rows.find((row: { status: string }) => row.status === 'sold');
    const answer = (await (
      await fetch(`${node.url}/api/v1/leads/${sold._id}`, { headers: { authorization: `Bearer ${office.world.key}` } })
    ).json()) as { status: string; price: string };
    expect(answer).toMatchObject({ status: 'accepted', price: '16.00' });
    expect((await erase()).json.code).toBe('data_request_nobody');
  });
});

it('console §6: an erasure is there for who has the page in all of its verticals, and tells nobody what it was given', async () => {
  const owner = await openOffice(node, taker);
  const { regionId, verticalId } = owner.world;
  const vertical = { model: 'vertical', name: 'Auto', slug: 'auto', regionId, primaryField: 'email' };
  const autoId = (await owner.post('/api/v1/common/post-add-data', vertical)).json.data._id;
  const memberOf = (...verticalIds: string[]) => {
    const pages = [{ value: 'leadFlow-DataRequest', pageChecked: true }];
    const verticals = verticalIds.map((id) => ({ verticalId: id, verticalChecked: true, pages }));
    return signIn(node, owner.world, { role: 'member', permissions: [{ regionId, regionChecked: true, verticals }] });
  };
  const [narrow, wide, elsewhere] = [await memberOf(verticalId), await memberOf(verticalId, autoId), await memberOf(autoId)];
  await owner.lead(PERSON.email);
  await owner.lead(OTHER.email);
  const everywhere = (await erase({}, owner)).json.jobId;
  const here = (await erase({ q: OTHER.email }, narrow)).json.jobId;
  const listed = async (by: Office) => (await by.get('/api/v1/jobs?kind=erasure')).json.jobs.map(({ _id }: JobView) => _id);
  expect(await listed(owner)).toEqual([here, everywhere]);
  expect(await listed(wide)).toEqual([here, everywhere]);
  expect(await listed(narrow)).toEqual([here]);
  expect(await listed(elsewhere)).toEqual([]);
  for (const [by, jobId] of [
    [narrow, everywhere],
    [elsewhere, everywhere],
    [elsewhere, here],
  ] as const) {
    expect((await by.get(`/api/v1/jobs/${jobId}`)).json.code).toBe('job_unknown');
    expect((await by.post(`/api/v1/jobs/${jobId}/cancel`, {})).json.code).toBe('job_unknown');
  }
  for (const [by, jobId] of [
    [owner, everywhere],
    [wide, everywhere],
    [narrow, here],
  ] as const)
    expect(await waitForJobOf(by, jobId)).toMatchObject({ status: 'done', settings: {}, tally: { leads: 1 } });
  expect((await narrow.post(`/api/v1/jobs/${here}/cancel`, {})).json.code).toBe('job_over');
});

it('a month of calls that made no lead goes 90 days after its end', async () => {
  const { dropOldMonths } = await import('#server/node/drop-old-months.ts');
  await sql`select ensure_month_partitions('2020-03-01')`.execute(node.db);
  const end = Date.parse('2020-04-01T00:00:00Z');
  expect(await dropOldMonths(node.pool, end + 89 * 86_400_000)).toBe(0);
  // While somebody reads it, it stays, and nobody waits.
  const reader = await node.pool.connect();
  await reader.query('begin; select count(*) from api_call');
  expect(await dropOldMonths(node.pool, end + 91 * 86_400_000)).toBe(0);
  await reader.query('rollback');
  reader.release();
  expect(await dropOldMonths(node.pool, end + 91 * 86_400_000)).toBe(1);
  expect(
    (await sql`select to_regclass('api_call_2020_03') as it, to_regclass('lead_2020_03') as lead`.execute(node.db)).rows[0],
  ).toMatchObject({
    it: null,
    lead: 'lead_2020_03',
  });
});

it('H4: a lead that is held may be erased while it is settled: neither writes over the other, and the buyer’s name of it goes where it is the person’s', async () => {
  office = await openOffice(node, taker, { groups: [{ mode: 'priority', tiers: [{ url: taker.url, buyer: 'Later' }] }] });
  taker.answer(({ body }) => ({ body: JSON.stringify({ result: 'pending', id: `B-${JSON.parse(body).email}` }) }));
  const { leadId } = (await send(PERSON)).json;
  const organization = node.planBook.find(office.world.organizationId)!;
  const { organizationId, keys } = organization;
  const { buyerTierId } = office.world.tiers[0]!;
  const changer = { organizationId, userId: organizationId, firstName: 'Later', lastName: '', email: '' };
  const order = { leadId, buyerTierId, outcome: 'bought', price: dollars(20), via: 'person', changer, address: '' } as const;
  const job = await inTenant(node.db, organizationId, async (tx) => {
    await settleLead(tx, organization, order, Date.now());
    const { json } = await erase();
    // The erasing waits for what is not committed yet.
    await new Promise((resolve) => setTimeout(resolve, 500));
    return json.jobId;
  });
  expect(await waitFor(job)).toMatchObject({ status: 'done' });
  const row = await node.db.selectFrom('lead_result').select('explained').where('lead_id', '=', leadId).executeTakeFirstOrThrow();
  expect(openJson<Explained>(keys, 'lead_result.explained', leadId, row.explained)).toMatchObject({
    why: { code: 'settled-bought' },
    sales: [{ revenue: dollars(20) }],
  });
  expect(await everything()).not.toMatch(TRACES);
});
