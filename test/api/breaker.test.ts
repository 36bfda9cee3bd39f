/** engine "Breaker", reliability E9: a buyer that breaks is left alone by all nodes, tried by one lead at a time, and taken back when it works. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ACCEPT, REJECT, type ScriptedAnswer, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { metricOf } from '#test/harness/metrics.ts';
import { startNode, type TestNode } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type TierSpec, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const BREAKER = { failurePercent: 70, minimumCalls: 10, lookBackMinutes: 5, pauseMinutes: 5 };
const BROKEN: ScriptedAnswer = { status: 500, body: 'down' };

let database: TestDatabase;
let nodes: [TestNode, TestNode];
/** The one that breaks, and the one that must never notice. */
let ann: ScriptedBuyer;
let bob: ScriptedBuyer;

beforeAll(async () => {
  database = await freshDatabase();
  nodes = [await startNode(database.url), await startNode(database.url)];
  [ann, bob] = [await startBuyer(), await startBuyer(() => REJECT)];
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await Promise.all([ann.close(), bob.close()]);
  await database.drop();
});
beforeEach(() => {
  ann.answer(() => BROKEN);
  bob.answer(() => REJECT);
});

interface Place extends World {
  tierId: string;
  ownerEmail: string;
  cookie: string;
}

async function openPlace(tier: Partial<TierSpec> = {}): Promise<Place> {
  const world = await buildWorld(nodes[0].db, {
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: ann.url, buyer: 'Ann', name: 'First', breaker: BREAKER, ...tier },
          { url: bob.url, buyer: 'Bob', name: 'Second' },
        ],
      },
    ],
  });
  await Promise.all(nodes.map((node) => node.planBook.reload(world.organizationId)));
  const owner = await buildUser(nodes[0].db, world.organizationId);
  const cookie = await signIn(nodes[0], owner);
  ann.calls.length = 0;
  bob.calls.length = 0;
  return { ...world, tierId: world.tiers[0]!.buyerTierId, ownerEmail: owner.email, cookie };
}

/** An organization with none of it. */
async function openEmpty(): Promise<Place> {
  const world = await buildWorld(nodes[0].db);
  await nodes[0].planBook.reload(world.organizationId);
  const owner = await buildUser(nodes[0].db, world.organizationId);
  return { ...world, tierId: '', ownerEmail: owner.email, cookie: await signIn(nodes[0], owner) };
}

async function signIn(node: TestNode, { email, password }: { email: string; password: string }): Promise<string> {
  const answer = await node.post('/team-login', { email, password }, OWN_PAGE);
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}

let counter = 0;
const send = (place: World, node = nodes[0]) => {
  counter += 1;
  const lead = { ...LEAD, email: `b${counter}@example.com`, phone: `212555${String(1000 + counter)}` };
  return node.post('/api/v1/leads', lead, { authorization: `Bearer ${place.key}` });
};
const sendMany = (place: World, count: number, to: TestNode[] = nodes) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(place, to[index % to.length]!)));

const rowOf = async ({ organizationId, tierId }: Place) =>
  (await nodes[0].pool.query('select * from breaker where organization_id = $1 and buyer_tier_id = $2', [organizationId, tierId])).rows[0];
const counted = async ({ organizationId }: World) =>
  (
    await nodes[0].pool.query(
      'select coalesce(sum(calls), 0)::int as calls, coalesce(sum(failures), 0)::int as failures from breaker_minute where organization_id = $1',
      [organizationId],
    )
  ).rows[0];
const isOpen = async (place: Place) => (await rowOf(place))?.open_until !== null && (await rowOf(place)) !== undefined;
/** A node goes by what it has heard; both must have. */
const known = (place: Place) => nodes.map((node) => node.breakers.of(place.organizationId).find(place.tierId));
const bothKnow = (place: Place, isThere: boolean) =>
  expect.poll(() => known(place).every((one) => (one !== undefined) === isThere), { timeout: 3000, interval: 10 }).toBe(true);

/** Breaks ann's tier with ten calls over both nodes. */
async function breakIt(place: Place): Promise<void> {
  await sendMany(place, 10);
  await bothKnow(place, true);
  ann.calls.length = 0;
  bob.calls.length = 0;
}

/** As if the pause were over. */
async function endPause({ organizationId, tierId }: Place): Promise<void> {
  await nodes[0].pool.query(
    `update breaker set open_until = now() - interval '1 second' where organization_id = $1 and buyer_tier_id = $2`,
    [organizationId, tierId],
  );
  await nodes[0].pool.query(`select pg_notify('sluice_breaker', $1)`, [organizationId]);
  await expect
    .poll(() => nodes.every((node) => (node.breakers.of(organizationId).find(tierId)?.openUntil ?? Number.POSITIVE_INFINITY) < Date.now()))
    .toBe(true);
}

const call = (place: Place, path: string, body: unknown, cookie = place.cookie) => nodes[0].post(path, body, { ...OWN_PAGE, cookie });
const edit = (place: Place, data: object) =>
  call(place, '/api/v1/common/post-edit-data', { model: 'buyerTier', _id: place.tierId, ...data });
const closeByHand = (place: Place, cookie = place.cookie) =>
  call(place, `/api/console/buyer-tiers/${place.tierId}/close-breaker`, {}, cookie);
async function get(place: Place, path: string, node: TestNode = nodes[0]) {
  const response = await fetch(node.url + path, { headers: { ...OWN_PAGE, cookie: place.cookie } });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into by tests
  return (await response.json()) as any;
}
const mailTo = async (email: string) =>
  (await nodes[0].mailer.read(nodes[0].db, 1000)).filter((mail) => mail.recipient === email && mail.kind === 'breaker-notice');

describe('E9: a buyer that breaks', () => {
  it('opens at the threshold, counted over both nodes, and not before', async () => {
    const place = await openPlace();
    await sendMany(place, 9);
    await expect.poll(() => counted(place)).toEqual({ calls: 9, failures: 9 });
    expect(await isOpen(place)).toBe(false);
    await send(place, nodes[1]);
    await bothKnow(place, true);
    const opened = await Promise.all(nodes.map(({ url }) => metricOf(url, 'sluice_breakers_opened_total')));
    expect(opened[0]! + opened[1]!).toBe(1);
    expect(await rowOf(place)).toMatchObject({ calls: 10, failures: 10, look_back_minutes: 5, failed_probes: 0 });
  });

  it('is not called once while the breaker is open, by either node, and other buyers never notice', async () => {
    const place = await openPlace();
    await breakIt(place);
    const answers = await sendMany(place, 40);
    expect(answers.map((answer) => answer.json.status)).toEqual(Array(40).fill('rejected'));
    expect([ann.calls.length, bob.calls.length]).toEqual([0, 40]);
    const { lead } = await get(place, `/api/console/leads/${answers[0]!.json.leadId}`);
    expect(lead.verdicts[0]).toMatchObject({ buyerName: 'Ann', outcome: 'filtered', filterReasonKey: 9 });
    expect(lead.verdicts[0].text).toMatch(
      /^Breaker open until \d{4}-\d\d-\d\d \d\d:\d\d UTC: 10 of 10 calls failed in the last 5 minutes\.$/,
    );
  });

  it('counts time-outs and refused connections, and no declines', async () => {
    const place = await openPlace({ timeLimitMs: 60 });
    let calls = 0;
    ann.answer(() => (calls++ % 10 < 3 ? REJECT : calls % 2 ? { hang: true } : { reset: true }));
    for (let sent = 0; sent < 9; sent++) await send(place);
    await expect.poll(() => counted(place)).toEqual({ calls: 9, failures: 6 });
    await send(place);
    await bothKnow(place, true);
    expect(await rowOf(place)).toMatchObject({ calls: 10, failures: 7 });

    const nobody = await openPlace({ url: 'http://127.0.0.1:9' });
    await sendMany(nobody, 10);
    await bothKnow(nobody, true);
  });

  it('does not blame the buyer for what we refuse ourselves: calls over our own limit do not count', async () => {
    const place = await openPlace();
    const narrow = await startNode(database.url, { buyerConcurrency: 1 });
    let answered: (answer: ScriptedAnswer) => void = () => {};
    ann.answer(() => new Promise((resolve) => (answered = resolve)));
    const first = send(place, narrow);
    await expect.poll(() => ann.calls.length).toBe(1);
    await sendMany(place, 20, [narrow]);
    answered(REJECT);
    await first;
    await expect.poll(() => counted(place)).toEqual({ calls: 1, failures: 0 });
    expect(ann.calls.length).toBe(1);
    await narrow.close();
  });

  it('stays closed for a buyer that declines everything', async () => {
    ann.answer(() => REJECT);
    const place = await openPlace();
    await sendMany(place, 30);
    await expect.poll(() => counted(place)).toEqual({ calls: 30, failures: 0 });
    expect(await isOpen(place)).toBe(false);
  });

  it('a tier without a breaker costs nothing: no row is written for it', async () => {
    const place = await openPlace({ breaker: undefined });
    await sendMany(place, 20);
    await send(place);
    expect([await rowOf(place), await counted(place)]).toEqual([undefined, { calls: 0, failures: 0 }]);
    expect(ann.calls.length).toBe(21);
  });
});

describe('engine Breaker: half-open', () => {
  it('E9: of 20 leads that come at once over two nodes one is sent; it fails, and nothing is sent any more', async () => {
    const place = await openPlace();
    await breakIt(place);
    await endPause(place);
    ann.answer(() => ({ ...BROKEN, delayMs: 150 }));
    await sendMany(place, 20);
    expect(ann.calls.length).toBe(1);
    await expect.poll(async () => (await rowOf(place)).failed_probes).toBe(1);
    expect((await rowOf(place)).open_until.getTime()).toBeGreaterThan(Date.now() + 4 * 60_000);
    await bothKnow(place, true);
    await expect.poll(() => known(place).every((one) => one!.openUntil > Date.now())).toBe(true);
    const [answer] = await sendMany(place, 6);
    expect(ann.calls.length).toBe(1);
    const { lead } = await get(place, `/api/console/leads/${answer!.json.leadId}`);
    expect(lead.verdicts[0].text).toMatch(/10 of 10 calls failed in the last 5 minutes, and one try since\.$/);
  });

  it('nobody else is sent while the probe is out; its good answer closes the breaker, and the count begins anew', async () => {
    const place = await openPlace();
    await breakIt(place);
    await endPause(place);
    let answered: (answer: ScriptedAnswer) => void = () => {};
    ann.answer(() => new Promise((resolve) => (answered = resolve)));
    const probe = send(place, nodes[1]);
    await expect.poll(() => ann.calls.length).toBe(1);
    const others = await sendMany(place, 20);
    expect(ann.calls.length).toBe(1);
    const { lead } = await get(place, `/api/console/leads/${others[0]!.json.leadId}`);
    expect(lead.verdicts[0]).toMatchObject({ outcome: 'filtered', filterReasonKey: 9 });
    expect(lead.verdicts[0].text).toMatch(/^Breaker half-open/);
    answered(ACCEPT);
    expect((await probe).json.status).toBe('accepted');
    await bothKnow(place, false);
    expect(await counted(place)).toEqual({ calls: 0, failures: 0 });
    ann.answer(() => BROKEN);
    await sendMany(place, 9);
    await expect.poll(() => counted(place)).toEqual({ calls: 9, failures: 9 });
    expect(await isOpen(place)).toBe(false);
    expect(ann.calls.length).toBe(10);
  });

  it('a decline is a good answer, too: the buyer works', async () => {
    const place = await openPlace();
    await breakIt(place);
    await endPause(place);
    ann.answer(() => REJECT);
    await send(place);
    await bothKnow(place, false);
  });

  it('a tier that pings is probed by ping and post together', async () => {
    const place = await openPlace({ delivery: 'pingPost', price: { kind: 'bid' } });
    await breakIt(place);
    await endPause(place);
    ann.answer((one) => (one.path === '/ping' ? ACCEPT : BROKEN));
    await sendMany(place, 8);
    expect(ann.calls.map((one) => one.path)).toEqual(['/ping', '/post']);
    await expect.poll(async () => (await rowOf(place)).failed_probes).toBe(1);
    await endPause(place);
    ann.answer(() => ACCEPT);
    expect((await send(place)).json.status).toBe('accepted');
    await bothKnow(place, false);
  });

  it('the place of a probe is taken for no longer than its lead lives, so that one lost in a crash frees it', async () => {
    const place = await openPlace();
    await breakIt(place);
    await endPause(place);
    await send(place);
    const { rows } = await nodes[0].pool.query(
      `select used, resets_at, measure from counter where organization_id = $1 and period = 'probe' order by resets_at`,
      [place.organizationId],
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(rows.every((row) => row.used === 1 && row.measure === 'sent')).toBe(true);
    // The campaign gives a lead 30 s, and a slice has 15.
    expect(rows.at(-1).resets_at.getTime()).toBeLessThan(Date.now() + 30_000 + 16_000);
  });
});

describe('what is known of it', () => {
  it('a node that starts anew finds it open', async () => {
    const place = await openPlace();
    await breakIt(place);
    const third = await startNode(database.url);
    await sendMany(place, 10, [third]);
    expect([ann.calls.length, bob.calls.length]).toEqual([0, 10]);
    await third.close();
  });

  it('E9: the owner gets one mail, not one for each time that a probe fails', async () => {
    const place = await openPlace();
    await breakIt(place);
    const [mail, ...more] = await mailTo(place.ownerEmail);
    expect(more).toEqual([]);
    expect(mail!.subject).toBe('Ann, First keeps failing and is paused');
    expect(mail!.text).toContain('10 of 10 calls failed in the last 5 minutes.');
    expect(mail!.text).toContain(`/setup/us/payday/tier/edit/${place.tierId}?of=buyer`);
    for (const failed of [1, 2]) {
      await endPause(place);
      await send(place);
      await expect.poll(async () => (await rowOf(place)).failed_probes).toBe(failed);
    }
    // It works for a moment and breaks again: within the hour that is no news.
    await endPause(place);
    ann.answer(() => REJECT);
    await send(place);
    await bothKnow(place, false);
    ann.answer(() => BROKEN);
    await breakIt(place);
    expect(await mailTo(place.ownerEmail)).toHaveLength(1);
  });

  it('and none where the organization does not want it', async () => {
    const place = await openPlace();
    const data = { breakerNotices: false };
    await call(place, '/api/v1/teamMgmt/common/update', { model: 'preferences', _id: place.organizationId, data });
    await breakIt(place);
    expect(await mailTo(place.ownerEmail)).toEqual([]);
  });

  it('the overview, flow-control and the record of the tier say so', async () => {
    const place = await openPlace();
    await breakIt(place);
    const overview = await get(place, '/api/console/overview?region=us&vertical=payday&timeZone=UTC', nodes[1]);
    expect(overview.warnings[0]).toMatchObject({ kind: 'breaker', subjectId: place.tierId });
    expect(overview.warnings[0].text).toMatch(
      /^Ann, First fails since .+ UTC\. Breaker open until .+ UTC: 10 of 10 calls failed in the last 5 minutes\.$/,
    );
    const flow = await get(place, `/api/console/campaigns/${place.campaignId}/flow`);
    expect(flow.warnings.filter((one: { kind: string }) => one.kind === 'breaker')).toMatchObject([{ subjectId: place.tierId }]);
    const record = await call(place, '/api/v1/common/single-data', { model: 'buyerTier', condition: { _id: place.tierId } });
    expect(record.json.data).toMatchObject({
      breaker: BREAKER,
      breakerState: { calls: 10, failures: 10, lookBackMinutes: 5, failedProbes: 0 },
    });
    await endPause(place);
    const later = await get(place, '/api/console/overview?region=us&vertical=payday&timeZone=UTC');
    expect(later.warnings[0].text).toMatch(/Breaker half-open since .+ UTC: the next lead tries whether the buyer works again\.$/);
  });
});

describe('closed by hand, and by a change', () => {
  it('the answer to a change that closes it says so, and so does the one to a tier that comes back', async () => {
    const place = await openPlace();
    const { rows } = await nodes[0].pool.query('delete from group_member where buyer_tier_id = $1 returning 1', [place.tierId]);
    expect(rows).toHaveLength(1);
    const open = () =>
      nodes[0].pool.query(
        `insert into breaker (organization_id, buyer_tier_id, opened_at, open_until, since, calls, failures, look_back_minutes)
           values ($1, $2, now(), now() + interval '1 hour', now(), 10, 10, 5)
         on conflict (organization_id, buyer_tier_id) do update set (opened_at, open_until, since, calls, failures, look_back_minutes) =
           (excluded.opened_at, excluded.open_until, excluded.since, excluded.calls, excluded.failures, excluded.look_back_minutes)`,
        [place.organizationId, place.tierId],
      );
    const edit = (data: object) => call(place, '/api/v1/common/post-edit-data', { model: 'buyerTier', _id: place.tierId, ...data });
    await open();
    expect((await edit({ qualityFactor: 2 })).json.data.breakerState).toMatchObject({ failures: 10 });
    expect((await edit({ timeLimitMs: 1_500 })).json.data.breakerState).toBeNull();
    await call(place, '/api/v1/common/post-delete-data', { model: 'buyerTier', _id: place.tierId });
    await open();
    expect((await edit({ status: 'active' })).json.data).toMatchObject({ status: 'active', breakerState: null });
  });

  it('"Try again now" closes it on all nodes at once and stands in the change log', async () => {
    const place = await openPlace();
    await breakIt(place);
    ann.answer(() => ACCEPT);
    expect(await closeByHand(place)).toMatchObject({ statusCode: 200, json: { status: true } });
    expect((await send(place)).json.status).toBe('accepted');
    await bothKnow(place, false);
    expect(await counted(place)).toMatchObject({ failures: 0 });
    expect((await closeByHand(place)).json.code).toBe('breaker_closed');
    const log = await get(place, `/api/v1/change-log?recordId=${place.tierId}`);
    expect(log.changes[0]).toMatchObject({ recordName: 'First', action: 'edit', after: { breakerState: 'Closed by hand.' } });
    expect(log.changes[0].before.breakerState).toMatch(/^Breaker open until/);
    expect((await call(place, '/api/v1/change-log/roll-back', { _id: log.changes[0]._id })).json).toMatchObject({ code: 'change_final' });
  });

  it('only by who may set the tier up', async () => {
    const place = await openPlace();
    await breakIt(place);
    const member = await buildUser(nodes[0].db, place.organizationId, { role: 'member' });
    const stranger = await openPlace();
    expect((await closeByHand(place, await signIn(nodes[0], member))).statusCode).toBe(404);
    expect((await closeByHand(place, stranger.cookie)).statusCode).toBe(404);
    expect((await nodes[0].post(`/api/console/buyer-tiers/${place.tierId}/close-breaker`, {}, OWN_PAGE)).statusCode).toBe(401);
    expect(await isOpen(place)).toBe(true);
    const pages = [{ value: 'setup', pageChecked: true }];
    const verticals = [{ verticalId: place.verticalId, verticalChecked: true, pages }];
    const permissions = [{ regionId: place.regionId, regionChecked: true, verticals }];
    const fitter = await buildUser(nodes[0].db, place.organizationId, { role: 'member', permissions });
    expect((await closeByHand(place, await signIn(nodes[0], fitter))).statusCode).toBe(200);
  });

  it.each([
    ['the setting', { breaker: { ...BREAKER, pauseMinutes: 9 } }],
    ['no breaker any more', { breaker: null }],
    ['the time limit', { timeLimitMs: 4_000 }],
    ['a pause of the tier', { status: 'paused' }],
  ])('%s closes it, and the count begins anew', async (_what, change) => {
    const place = await openPlace();
    await breakIt(place);
    expect((await edit(place, change)).statusCode).toBe(200);
    expect([await isOpen(place), await counted(place)]).toEqual([false, { calls: 0, failures: 0 }]);
    await bothKnow(place, false);
  });

  it('the endpoint, too; another name leaves it as it is', async () => {
    const place = await openPlace();
    await breakIt(place);
    expect((await edit(place, { name: 'Renamed' })).statusCode).toBe(200);
    expect(await isOpen(place)).toBe(true);
    const { json } = await call(place, '/api/v1/common/single-data', { model: 'buyerTier', condition: { _id: place.tierId } });
    const endpoint = { ...json.data.endpoint, post: { ...json.data.endpoint.post, url: `${ann.url}/better` } };
    expect((await edit(place, { endpoint })).statusCode).toBe(200);
    expect(await isOpen(place)).toBe(false);
  });

  it.each([
    [{ failurePercent: 0 }],
    [{ failurePercent: 101 }],
    [{ minimumCalls: 0 }],
    [{ minimumCalls: 10_001 }],
    [{ lookBackMinutes: 0 }],
    [{ lookBackMinutes: 1441 }],
    [{ pauseMinutes: 1441 }],
    [{ pauseMinutes: 1.5 }],
    [{ more: 1 }],
  ])('a setting with %o is refused', async (wrong) => {
    const place = await openPlace();
    expect((await edit(place, { breaker: { ...BREAKER, ...wrong } })).statusCode).toBe(400);
  });

  it('the fewest calls are 10 where nobody says', async () => {
    const place = await openPlace();
    const { minimumCalls: _, ...rest } = BREAKER;
    expect((await edit(place, { breaker: { ...rest, pauseMinutes: 1 } })).json.data.breaker).toEqual({ ...BREAKER, pauseMinutes: 1 });
    const log = await get(place, `/api/v1/change-log?recordId=${place.tierId}`);
    expect(log.changes[0]).toMatchObject({ before: { breaker: BREAKER }, after: { breaker: { pauseMinutes: 1 } } });
    expect((await call(place, '/api/v1/change-log/roll-back', { _id: log.changes[0]._id })).statusCode).toBe(200);
    const record = await call(place, '/api/v1/common/single-data', { model: 'buyerTier', condition: { _id: place.tierId } });
    expect(record.json.data.breaker).toEqual(BREAKER);
  });

  it('the exported configuration carries the setting, and nothing of the state; an import elsewhere has it', async () => {
    const place = await openPlace();
    await breakIt(place);
    const document = await get(place, '/api/v1/configuration/export');
    const exported = document.buyerTiers.find((one: { buyer: string }) => one.buyer === 'Ann');
    expect(exported.data.breaker).toEqual(BREAKER);
    expect(exported.data).not.toHaveProperty('breakerState');
    const empty = await openEmpty();
    expect((await call(empty, '/api/v1/configuration/import', { document })).json).toMatchObject({ status: true, added: { buyerTier: 2 } });
    const { rows } = await nodes[0].pool.query('select breaker from buyer_tier where organization_id = $1 and breaker is not null', [
      empty.organizationId,
    ]);
    expect(rows).toEqual([{ breaker: BREAKER }]);
  });
});
