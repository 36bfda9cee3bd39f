/** product.md "fast over tens of millions": what no index finds is looked for among so many leads at a time, and found all the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOOKED_AT, pageOf } from '#server/kit/looked-at.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { copyLead } from '#test/harness/many-leads.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';
import { dollars, insertKey, LEAD } from '#test/harness/world.ts';

const PORTAL = '/api/console/portal';
const HOUR_MS = 3_600_000;

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let owner: Office;
let clicks: Office;
let ann: Office;
/** Of the first publisher tier: two that nobody took, older than all that follows. */
const rejected: string[] = [];
/** Given back, older than all that follows. */
let returned: string;
/** Of the second publisher tier, and older as well. */
const beside: string[] = [];
let manyFrom: number;

async function bound(kind: 'buyer' | 'publisher', companyId: string): Promise<Office> {
  const person = await signIn(node, owner.world, { role: 'member' });
  const { user } = (await person.get('/api/v1/teamMgmt/user/is-user-is-logged-in')).json;
  const { members } = (await owner.get('/api/v1/teamMgmt/team/members')).json;
  const { _id } = members.find((one: { email: string }) => one.email === user.email);
  expect((await owner.post('/api/v1/teamMgmt/team/bind', { _id, bound: { kind, companyId } })).json.status).toBe(true);
  const session = await node.post('/team-login', { email: user.email, password: 'correct-horse-1' }, OWN_PAGE);
  const headers = { ...OWN_PAGE, cookie: session.headers.get('set-cookie')!.split(';')[0]! };
  return {
    ...person,
    get: async (path) => ({ statusCode: 0, json: await (await fetch(node.url + path, { headers })).json() }),
    form: async (path, body) => (await fetch(node.url + path, { method: 'POST', body, headers })).text(),
  };
}
const OWN_PAGE = { 'x-requested-with': 'sluice' };

const sell = async (email: string, key = owner.world.key): Promise<string> => {
  const { json } = await node.post('/api/v1/leads', { ...LEAD, email }, { authorization: `Bearer ${key}` });
  return json.leadId;
};

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  owner = await openOffice(node, buyer);
  const { organizationId, publisherId, campaignId, tiers } = owner.world;
  const second = crypto.randomUUID();
  await node.db
    .insertInto('publisher_tier')
    .values({
      ...{ organization_id: organizationId, id: second, publisher_id: publisherId, campaign_id: campaignId, name: 'Second seat' },
      price_model: JSON.stringify({ kind: 'fixed', price: dollars(1) }),
    })
    .execute();
  const secondKey = await insertKey(node.db, organizationId, second);
  await node.planBook.reload(organizationId);
  clicks = await bound('publisher', publisherId);
  ann = await bound('buyer', tiers[0]!.buyerId);
  const sold = await sell('sold@example.com');
  returned = await sell('returned@example.com');
  expect((await owner.post(`/api/console/leads/${returned}/return`, { saleIndex: 0, reason: 'Duplicate' })).statusCode).toBe(200);
  buyer.answer(() => REJECT);
  for (const name of ['a', 'b']) rejected.push(await sell(`${name}@example.com`));
  for (const name of ['c', 'd', 'e']) beside.push(await sell(`${name}@example.com`, secondKey));
  // Two and a half pages of the first tier that were sold, later than all of those.
  manyFrom = Date.now() + HOUR_MS;
  await copyLead(node.db, { organizationId, leadId: sold, from: manyFrom, count: LOOKED_AT * 2.5 });
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

interface Page {
  rows: { _id?: string; leadId?: string }[];
  older: string | null;
  newer?: string | null;
  lookedTo: string | null;
}

/** Every page from the newest to the end. */
async function walk(who: Office, path: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let before = ''; pages.length < 20; before = `&before=${pages.at(-1)!.older}`) {
    pages.push((await who.get(path + before)).json);
    if (pages.at(-1)!.older === null) break;
  }
  return pages;
}
const idsOf = (pages: Page[]) => pages.flatMap(({ rows }) => rows.map((row) => row._id ?? row.leadId!));

describe('product: a portal narrowed to what no index finds', () => {
  it('looks at so many leads, says how far back it came, and finds each on a later page', async () => {
    const pages = await walk(clicks, `${PORTAL}/publisher/leads?status=rejected`);
    // Both tiers are looked at together, half as many of each.
    expect(pages).toHaveLength(6);
    expect(pages[0]!.rows).toEqual([]);
    expect(pages[0]!.lookedTo).toBe(new Date(manyFrom + LOOKED_AT * 2 + 1).toISOString());
    expect(pages.at(-1)!.lookedTo).toBeNull();
    expect(idsOf(pages)).toEqual([...rejected, ...beside].sort().reverse());
  });

  it('looks back in one tier alone', async () => {
    const pages = await walk(clicks, `${PORTAL}/publisher/leads?subId=elsewhere&tierId=${owner.world.publisherTierId}`);
    expect(pages.map(({ rows, lookedTo }) => [rows.length, lookedTo])).toEqual([
      [0, new Date(manyFrom + LOOKED_AT * 1.5 + 1).toISOString()],
      [0, new Date(manyFrom + LOOKED_AT * 0.5 + 1).toISOString()],
      [0, null],
    ]);
  });

  it('finds a consumer at once, however many came after', async () => {
    const pages = await walk(clicks, `${PORTAL}/publisher/leads?q=a@example.com`);
    expect([pages.length, idsOf(pages)]).toEqual([1, [rejected[0]]]);
  });

  it('shows a buyer what it gave back behind all that it kept', async () => {
    const pages = await walk(ann, `${PORTAL}/buyer/leads?returned=true`);
    expect(pages.map(({ rows }) => rows.length)).toEqual([0, 0, 1]);
    expect(idsOf(pages)).toEqual([returned]);
    const file = await ann.form(
      '/api/v1/download-file/portal-buyer-leads',
      new URLSearchParams({ isDownloadCSV: 'true', returned: 'true' }),
    );
    expect(file.trim().split('\n')).toHaveLength(2);
    expect(file).toContain(returned);
  });
});

describe('console §2: the leads list narrowed to what no index finds', () => {
  const LIST = '/api/console/leads?region=us&vertical=payday';

  it('goes back page by page and finds each, and forth again the same way', async () => {
    const pages = await walk(owner, `${LIST}&reason=buyer-all-tier-failed`);
    expect(pages.map(({ rows, lookedTo }) => [rows.length, lookedTo])).toEqual([
      [0, new Date(manyFrom + LOOKED_AT * 1.5 + 1).toISOString()],
      [0, new Date(manyFrom + LOOKED_AT * 0.5 + 1).toISOString()],
      [5, null],
    ]);
    expect(idsOf(pages)).toEqual([...rejected, ...beside].sort().reverse());
    expect(pages.map(({ newer }) => newer === null)).toEqual([true, false, false]);
    const forth = (await owner.get(`${LIST}&reason=buyer-all-tier-failed&after=${pages[1]!.newer}`)).json;
    expect([forth.rows.length, forth.lookedTo]).toEqual([0, pages[0]!.lookedTo]);
    // From the first lead on, with all that follow it: as many as may be looked at.
    const first = [...rejected].sort()[0];
    const next = (await owner.get(`${LIST}&reason=buyer-all-tier-failed&after=${first}`)).json;
    expect(next.rows).toHaveLength(4);
    expect(next.older).toBe([...rejected, ...beside].sort()[1]);
    expect(next.newer > next.rows[0]._id).toBe(true);
  });

  it('counts what it looked at, and says that there may be more', async () => {
    const count = async (query: string) => {
      const { total, totalIsExact } = (await owner.get(LIST + query)).json;
      return [total, totalIsExact];
    };
    expect(await count('&reason=buyer-all-tier-failed')).toEqual([0, false]);
    expect(await count(`&reason=buyer-all-tier-failed&to=${new Date(manyFrom).toISOString()}`)).toEqual([5, true]);
    // By index.
    expect(await count('&status=unsold')).toEqual([5, true]);
    expect(await count('&status=unsold&limit=2')).toEqual([5, true]);
    expect(await count(`&status=unsold&from=${new Date(manyFrom).toISOString()}`)).toEqual([0, true]);
    expect(await count('&status=unsold&test=true')).toEqual([0, true]);
    expect(await count('&status=unsold&test=false')).toEqual([5, true]);
    expect(await count('&q=a@example.com')).toEqual([1, true]);
  });

  it('has all of them in its file', async () => {
    const body = new URLSearchParams({
      region: 'us',
      vertical: 'payday',
      reason: 'buyer-all-tier-failed',
      columns: 'status',
      isDownloadCSV: 'true',
    });
    const file = await owner.form('/api/v1/download-file/leads', body);
    for (const id of [...rejected, ...beside]) expect(file).toContain(id);
    expect(file.trim().split('\n')).toHaveLength(6);
  });
});

it('a page ends where one of several tiers was left, whatever others have behind that', () => {
  const at = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
  expect(pageOf([at(9), at(7), at(3)], 2, String, null)).toMatchObject({ rows: [at(9), at(7)], older: at(7), lookedTo: null });
  expect(pageOf([at(9), at(7), at(3)], 2, String, at(8))).toMatchObject({ rows: [at(9)], older: at(8) });
  expect(pageOf([at(9), at(7), at(3)], 2, String, at(1))).toMatchObject({ rows: [at(9), at(7)], older: at(7), lookedTo: null });
  expect(pageOf([at(9)], 2, String, null)).toEqual({ rows: [at(9)], older: null, lookedTo: null });
});

it('a lead whose sealed fields were damaged stands in lists without its person, and takes no other away', async () => {
  const list = (await owner.get('/api/console/leads?region=us&vertical=payday')).json;
  expect(list.rows.length).toBeGreaterThan(0);
  expect(list.rows[0].primaryValue).toBe('cannot be opened');
  const own = (await clicks.get(`${PORTAL}/publisher/leads`)).json;
  expect(own.rows[0].primaryValue).toBe('cannot be opened');
});
