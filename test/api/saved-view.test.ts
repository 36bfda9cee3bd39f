/** Saved views of reports: a member's own, and those shared in a vertical. Nothing of another member's private ones is told. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pageCatalogue } from '#contract/page.ts';
import { MOST_VIEWS, VIEW_PAGES, type ViewsAnswer } from '#contract/saved-view.ts';
import { newId } from '#server/kit/ids.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';

const URL = '/api/console/views';
let node: Awaited<ReturnType<typeof startTestWorld>>;
let owner: Office;

beforeAll(async () => {
  node = await startTestWorld();
});
afterAll(() => node.stop());
beforeEach(async () => {
  owner = await openOffice(node, undefined);
});

const here = { region: 'us', vertical: 'payday' };
const add = (more: Record<string, unknown> = {}, by = owner) =>
  by.post(URL, { ...here, page: 'inbound', name: 'Morning', search: { period: 'thisWeek', by: 'campaign', sort: '-sold' }, ...more });
const added = async (more: Record<string, unknown> = {}, by = owner) => {
  const { json, statusCode } = await add(more, by);
  expect([statusCode, json.msg]).toEqual([200, 'View saved.']);
  return json.view as ViewsAnswer['views'][number];
};
const views = async (by = owner, page = 'inbound'): Promise<ViewsAnswer['views']> =>
  (await by.get(`${URL}?${new URLSearchParams({ ...here, page })}`)).json.views;
const names = async (by = owner, page = 'inbound') => (await views(by, page)).map(({ name }) => name);
const change = (view: { _id: string; version: number }, changed: Record<string, unknown>, by = owner) =>
  by.post(`${URL}/${view._id}`, { version: view.version, ...changed });
const memberOf = (...pages: string[]) => {
  const { regionId, verticalId } = owner.world;
  const verticals = [{ verticalId, verticalChecked: true, pages: pages.map((value) => ({ value, pageChecked: true })) }];
  return signIn(node, owner.world, { role: 'member', permissions: [{ regionId, regionChecked: true, verticals }] });
};

describe('a view', () => {
  it('keeps the address of a report by a name, is renamed, changed and told by name', async () => {
    const view = await added();
    await added({ name: 'alpha', search: {} });
    expect(await names()).toEqual(['alpha', 'Morning']);
    expect((await views())[1]).toEqual({
      ...{ _id: view._id, name: 'Morning', search: { period: 'thisWeek', by: 'campaign', sort: '-sold' }, shared: false, isOwn: true },
      ...{ ownerName: 'Una User', mayEdit: true, isDefault: false, version: 1, notes: [] },
    });
    const { json } = await change(view, { name: 'Evening', search: { period: 'yesterday' } });
    expect(json.view).toMatchObject({ name: 'Evening', search: { period: 'yesterday' }, version: 2 });
    expect(await names(owner, 'outbound')).toEqual([]);
  });

  it('that somebody changed meanwhile is not written over', async () => {
    const view = await added();
    await change(view, { name: 'One' });
    const { statusCode, json } = await change(view, { name: 'Other' });
    expect([statusCode, json.code]).toEqual([409, 'view_stale']);
    expect(await names()).toEqual(['One']);
  });

  it('is taken away and brought back as it was', async () => {
    const view = await added();
    const removed = (await owner.post(`${URL}/${view._id}/remove`, {})).json;
    expect([removed.msg, await names()]).toEqual(['View “Morning” deleted.', []]);
    expect((await change(view, { name: 'X' })).statusCode).toBe(404);
    expect((await owner.post(`${URL}/${view._id}/remove`, {})).statusCode).toBe(404);
    expect((await owner.post(`${URL}/${view._id}/restore`, {})).statusCode).toBe(200);
    expect((await owner.post(`${URL}/${view._id}/restore`, {})).statusCode).toBe(200);
    expect((await views())[0]).toMatchObject({ name: 'Morning', search: view.search });
  });

  it('keeps that the leads list is narrowed to sales at another price than bid', async () => {
    const search = { otherPrice: 'true', period: 'thisMonth' };
    expect(await added({ page: 'leads', search })).toMatchObject({ search, notes: [] });
  });

  it('console §3: keeps that payments are narrowed to those of none, and many columns', async () => {
    const search = { publisherId: '', bin: '', reason: '', columns: 'chargedBackAmountChange,'.repeat(23) };
    for (const page of ['payments', 'payment-list']) expect(await added({ page, search })).toMatchObject({ search, notes: [] });
  });

  it('comes not back onto a name that was given anew', async () => {
    const view = await added();
    await owner.post(`${URL}/${view._id}/remove`, {});
    await added({ name: 'MORNING' });
    expect((await owner.post(`${URL}/${view._id}/restore`, {})).json.code).toBe('view_name_taken');
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ page: 'payees' }, 'page'],
    [{ page: 'leads', search: { q: 'somebody@example.com' } }, 'search'],
    [{ page: 'call-log', search: { text: 'somebody' } }, 'search'],
    [{ search: 'x' }, 'search'],
    [{ search: { evil: '1' } }, 'search'],
    [{ search: { by: 7 } }, 'search'],
    [{ search: { by: 'x'.repeat(601) } }, 'search'],
    [{ search: { by: 'a\0' } }, ''],
    [{ shared: 'yes' }, 'shared'],
    [{ userId: newId() }, 'userId'],
  ])('console §5: %j is refused in words', async (more, word) => {
    const { statusCode, json } = await add(more);
    expect([statusCode, json.status]).toEqual([400, false]);
    expect(JSON.stringify(json)).toContain(word);
    expect(await names()).toEqual([]);
  });

  it('console §5: two of one name are refused, also at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => add({ name: n % 2 ? 'Same' : 'SAME' })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)!.json).toMatchObject({
      code: 'view_name_taken',
      errors: [{ field: 'name' }],
    });
  });

  it('console §5: there are so many for a page and member and no more, also at the same moment', async () => {
    for (let n = 2; n < MOST_VIEWS; n++) await added({ name: `View ${n}` });
    const gone = await added({ name: 'Gone' });
    await owner.post(`${URL}/${gone._id}/remove`, {});
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => add({ name: `Late ${n}` })));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2);
    const refused = answers.find(({ statusCode }) => statusCode === 409)!;
    expect(refused.json).toMatchObject({ code: 'view_limit', msg: expect.stringContaining(`${MOST_VIEWS} views`) });
    expect((await owner.post(`${URL}/${gone._id}/restore`, {})).json.code).toBe('view_limit');
    await added({ page: 'outbound' });
    await added({ name: 'Mine' }, await memberOf('leadFlow-Inbound'));
  });

  it('of leads and logs is for whoever opens them, and says what is archived', async () => {
    const search = { status: 'unsold', filterReason: '7', triedTierId: owner.world.tiers[0]!.buyerTierId, period: 'today' };
    const log = { outcome: 'rejected', leg: 'post', tookMs: '1000' };
    await added({ page: 'leads', name: 'Filtered', search, shared: true });
    await added({ page: 'attempt-log', name: 'Slow', search: log, shared: true });
    await added({ page: 'call-log', name: 'Refused', search: { end: 'refused', code: 'key_revoked' }, shared: true });
    const reader = await memberOf('leadFlow-Outbound');
    expect(await views(reader, 'leads')).toMatchObject([{ name: 'Filtered', search, isOwn: false }]);
    const refused = async (by: Office, page: string) => (await by.get(`${URL}?${new URLSearchParams({ ...here, page })}`)).statusCode;
    expect([await refused(reader as Office, 'attempt-log'), await refused(reader as Office, 'call-log')]).toEqual([403, 403]);
    const logReader = await memberOf('serverLogs');
    expect(await names(logReader as Office, 'attempt-log')).toEqual(['Slow']);
    expect(await names(logReader as Office, 'call-log')).toEqual(['Refused']);
    expect(await refused((await memberOf('leadFlow-Trending')) as Office, 'leads')).toBe(403);
    await node.db.updateTable('buyer_tier').set({ status: 'archived' }).where('id', '=', search.triedTierId).execute();
    expect((await views(owner, 'leads'))[0]!.notes).toEqual([expect.stringContaining('is archived')]);
  });

  it('has a page of the catalogue for every report', () => {
    const values = pageCatalogue.map(({ value }) => value);
    for (const value of Object.values(VIEW_PAGES).flat()) expect(values).toContain(value);
  });
});

describe('the view that a page opens with', () => {
  it('is one for each member and page, ends with the view, and is nobody else’s', async () => {
    const [one, other] = [await added({ shared: true }), await added({ name: 'Other' })];
    const set = (view: { _id: string }, isDefault: boolean, by = owner) => by.post(`${URL}/${view._id}/default`, { isDefault });
    const defaults = async (by = owner) => (await views(by)).filter(({ isDefault }) => isDefault).map(({ name }) => name);
    await set(one, true);
    await set(other, true);
    expect(await defaults()).toEqual(['Other']);
    await set(one, false);
    expect(await defaults()).toEqual(['Other']);
    await set(other, false);
    expect(await defaults()).toEqual([]);
    const member = await memberOf('leadFlow-Inbound');
    await set(one, true, member);
    expect([await defaults(), await defaults(member)]).toEqual([[], ['Morning']]);
    expect((await set(other, true, member)).statusCode).toBe(404);
    await owner.post(`${URL}/${one._id}/remove`, {});
    expect(await defaults(member)).toEqual([]);
    expect((await set(one, true, member)).statusCode).toBe(404);
  });
});

describe('console §3: whose a view is', () => {
  it('another member’s private view is not there, whatever is asked of it', async () => {
    const view = await added();
    const member = await memberOf('leadFlow-Inbound', 'setup');
    expect(await names(member)).toEqual([]);
    expect((await change(view, { name: 'Mine' }, member)).statusCode).toBe(404);
    for (const what of ['remove', 'restore']) expect((await member.post(`${URL}/${view._id}/${what}`, {})).statusCode).toBe(404);
    expect((await member.post(`${URL}/${view._id}/default`, { isDefault: true })).statusCode).toBe(404);
    for (const id of [newId(), 'x', '%00']) expect((await owner.post(`${URL}/${id}/remove`, {})).statusCode).toBeGreaterThanOrEqual(400);
  });

  it('a shared one is seen by who has the page there, and changed by its author and who sets up', async () => {
    const view = await added({ shared: true });
    const reader = await memberOf('leadFlow-Inbound');
    expect(await views(reader)).toMatchObject([{ name: 'Morning', isOwn: false, ownerName: 'Una User', mayEdit: false, shared: true }]);
    expect((await change(view, { name: 'Mine' }, reader)).json).toMatchObject({
      code: 'view_not_yours',
      msg: expect.stringContaining('Una User'),
    });
    expect((await reader.post(`${URL}/${view._id}/remove`, {})).statusCode).toBe(403);
    expect((await add({ name: 'Ours', shared: true }, reader)).json.code).toBe('view_share_forbidden');
    const own = await added({ name: 'Mine' }, reader);
    expect((await change(own, { shared: true }, reader)).statusCode).toBe(403);
    const setter = await memberOf('leadFlow-Inbound', 'setup');
    expect((await change(view, { name: 'Ours' }, setter)).json.view).toMatchObject({ name: 'Ours', isOwn: false, mayEdit: true });
    expect(await names(reader)).toEqual(['Mine', 'Ours']);
    await change({ ...view, version: 2 }, { shared: false });
    expect(await names(reader)).toEqual(['Mine']);
  });

  it('is told to nobody without the page, and no more to who lost it', async () => {
    const view = await added({ shared: true });
    const without = await memberOf('leadFlow-Outbound', 'setup');
    expect((await without.get(`${URL}?${new URLSearchParams({ ...here, page: 'inbound' })}`)).statusCode).toBe(403);
    expect((await add({}, without)).statusCode).toBe(403);
    expect((await change(view, { name: 'X' }, without)).statusCode).toBe(404);
    const member = await memberOf('leadFlow-Inbound');
    await added({ name: 'Mine' }, member);
    await node.db
      .updateTable('team_member')
      .set({ permissions: '[]' })
      .where('organization_id', '=', owner.world.organizationId)
      .where('role', '=', 'member')
      .execute();
    expect((await member.get(`${URL}?${new URLSearchParams({ ...here, page: 'inbound' })}`)).statusCode).toBeGreaterThanOrEqual(403);
  });

  it('another organization’s and another vertical’s are not there', async () => {
    const view = await added({ shared: true });
    const stranger = await openOffice(node, undefined);
    expect(await names(stranger)).toEqual([]);
    expect((await change(view, { name: 'X' }, stranger)).statusCode).toBe(404);
    expect((await owner.get(`${URL}?${new URLSearchParams({ ...here, vertical: 'auto', page: 'inbound' })}`)).statusCode).toBe(404);
    expect((await fetch(`${node.url}${URL}?${new URLSearchParams({ ...here, page: 'inbound' })}`)).status).toBe(401);
    expect((await node.post(URL, { ...here, page: 'inbound', name: 'X', search: {} })).statusCode).toBeGreaterThanOrEqual(401);
  });
});

it('console §4: a view of a group, a variant or a page that is gone says so, and one of none does not', async () => {
  const { groupId } = owner.world.tiers[0]!;
  const note = (word: string) => `A ${word} of this view is not there any more. Take that filter away.`;
  const notesOf = async (search: Record<string, string>) => {
    const view = await added({ page: 'leads', name: `Of ${Object.entries(search).join(' ')}`.slice(0, 50), search });
    return (await views(owner, 'leads')).find(({ _id }: { _id: string }) => _id === view._id)!.notes.toSorted();
  };
  expect(await notesOf({ triedGroupId: groupId })).toEqual([]);
  expect(await notesOf({ variantId: '' })).toEqual([]);
  expect(await notesOf({ triedGroupId: newId() })).toEqual([note('group')]);
  expect(await notesOf({ variantId: newId(), pageId: newId() })).toEqual([note('page'), note('variant')]);
});

it('console §4: a view whose publisher is archived opens, and says so', async () => {
  const { publisherId, campaignId } = owner.world;
  await added({ search: { publisherId, campaignId } });
  await added({ name: 'Pair', page: 'compare', search: { of: 'publisher', a: publisherId, b: newId() } });
  expect((await views())[0]!.notes).toEqual([]);
  await node.db
    .updateTable('publisher')
    .set({ status: 'archived' })
    .where('organization_id', '=', owner.world.organizationId)
    .where('id', '=', publisherId)
    .execute();
  expect((await views())[0]!.notes).toEqual(['The publisher Publisher One is archived.']);
  expect((await views(owner, 'compare'))[0]!.notes).toEqual([
    'The publisher Publisher One is archived.',
    'A publisher of this view is not there any more. Take that filter away.',
  ]);
  const span = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' };
  const report = await owner.get(`/api/console/reports/inbound?${new URLSearchParams({ ...here, ...span, publisherId })}`);
  expect(report.statusCode).toBe(200);
});
