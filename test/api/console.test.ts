import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyReply } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { LeadsAnswer, LeadView, OverviewAnswer } from '#contract/lead.ts';
import { pageCatalogue } from '#contract/page.ts';
import { openEventStream } from '#server/feed/live-stream.ts';
import { fileDay } from '#server/kit/csv-file.ts';
import { idInstant, newId } from '#server/kit/ids.ts';
import { walkLeads } from '#server/lead/lead.csv.ts';
import { missedLeads } from '#server/overview/missed-leads.sql.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { countWaiting } from '#test/harness/database.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let no: ScriptedBuyer;
let world: World;
let stranger: World;
let owner: string;
let strangersOwner: string;
const leads: string[] = [];

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const PLACE = 'region=us&vertical=payday';

async function signIn(email: string, password: string): Promise<string> {
  const answer = await node.post('/team-login', { email, password }, OWN_PAGE);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function get<T>(path: string, cookie: string): Promise<{ statusCode: number; json: T & { code?: string } }> {
  const response = await fetch(node.url + path, { headers: { cookie } });
  return { statusCode: response.status, json: (await response.json()) as T & { code?: string } };
}

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  no = await startBuyer(() => REJECT);
  world = await buildWorld(node.db, {
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: no.url, buyer: 'Naysayer' },
          { url: buyer.url, buyer: 'Closed', pauseDates: { timeZone: 'UTC', days: [{ from: '2020-01-01', to: '2099-12-31' }] } },
          { url: buyer.url, buyer: 'Taker' },
          { url: buyer.url, buyer: 'Late to it' },
        ],
      },
    ],
  });
  stranger = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
  await Promise.all([node.planBook.reload(world.organizationId), node.planBook.reload(stranger.organizationId)]);
  for (const place of [world, stranger]) {
    for (let at = 0; at < 5; at++) {
      const answer = await node.post(
        '/api/v1/leads',
        { ...LEAD, email: `person${at}@example.com`, phone: `212555010${at}` },
        { authorization: `Bearer ${place.key}` },
      );
      if (place === world) leads.push(answer.json.leadId);
    }
  }
  const user = await buildUser(node.db, world.organizationId);
  const other = await buildUser(node.db, stranger.organizationId);
  owner = await signIn(user.email, user.password);
  strangersOwner = await signIn(other.email, other.password);
});
afterAll(async () => {
  await node.stop();
  await Promise.all([buyer.close(), no.close()]);
});

describe('signing in (account §7)', () => {
  it('account §4: the session tells user, organization, permissions and primary field', async () => {
    const session = await get<Record<string, unknown>>('/api/v1/teamMgmt/user/is-user-is-logged-in?t=1', owner);
    expect(session.json).toMatchObject({
      status: true,
      verticalPrimaryField: 'email',
      permissionObj: { isSuperAdmin: false, isOwner: true },
    });
  });

  it('account §8, A5: a wrong password and an unknown account get the same answer', async () => {
    const user = await buildUser(node.db, world.organizationId);
    const wrong = await node.post('/team-login', { email: user.email, password: 'not it' }, OWN_PAGE);
    const unknown = await node.post('/team-login', { email: 'nobody@example.com', password: 'not it' }, OWN_PAGE);
    expect([wrong.statusCode, wrong.json]).toEqual([401, unknown.json]);
    expect(wrong.headers.get('set-cookie')).toBeNull();
  });

  it('needs the header that a foreign page cannot send', async () => {
    const answer = await node.post('/team-login', { email: 'a@example.com', password: 'x' });
    expect([answer.statusCode, answer.json.code]).toEqual([403, 'request_foreign']);
  });

  it('slows down who tries too often, and says for how long', async () => {
    const tries = [];
    for (let n = 0; n < 12; n++) tries.push(await node.post('/team-login', { email: 'target@example.com', password: 'x' }, OWN_PAGE));
    expect(tries.at(-1)!.statusCode).toBe(429);
    expect(Number(tries.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('console §7: signing out ends the session for good', async () => {
    const user = await buildUser(node.db, world.organizationId);
    const cookie = await signIn(user.email, user.password);
    await get('/admin/logout?t=1', cookie);
    expect((await get<{ status: boolean }>('/api/v1/teamMgmt/user/is-user-is-logged-in', cookie)).json.status).toBe(false);
    expect((await get(`/api/console/leads?${PLACE}`, cookie)).statusCode).toBe(401);
  });

  it('a disabled member is out at once', async () => {
    const user = await buildUser(node.db, world.organizationId);
    const cookie = await signIn(user.email, user.password);
    await node.db.updateTable('team_member').set({ status: 'disabled' }).where('user_id', '=', user.userId).execute();
    expect((await get(`/api/console/leads?${PLACE}`, cookie)).statusCode).toBe(401);
  });
});

describe('the leads list', () => {
  it('shows newest first, masked, with what was earned', async () => {
    const { json } = await get<LeadsAnswer>(`/api/console/leads?${PLACE}`, owner);
    expect(json.rows.map((row) => row._id)).toEqual([...leads].reverse());
    expect(json.rows[0]).toMatchObject({
      status: 'sold',
      revenue: '20.00',
      payout: '16.00',
      margin: '4.00',
      attempts: 2,
      primaryValue: 'p•••@example.com',
      buyers: [{ buyerName: 'Taker' }],
    });
    expect([json.total, json.totalIsExact]).toEqual([5, true]);
  });

  it('pages by cursor, both ways, without a gap or a repetition', async () => {
    const first = (await get<LeadsAnswer>(`/api/console/leads?${PLACE}&limit=2`, owner)).json;
    const second = (await get<LeadsAnswer>(`/api/console/leads?${PLACE}&limit=2&before=${first.older}`, owner)).json;
    const third = (await get<LeadsAnswer>(`/api/console/leads?${PLACE}&limit=2&before=${second.older}`, owner)).json;
    expect([...first.rows, ...second.rows, ...third.rows].map((row) => row._id)).toEqual([...leads].reverse());
    expect([first.newer, third.older]).toEqual([null, null]);
    const back = (await get<LeadsAnswer>(`/api/console/leads?${PLACE}&limit=2&after=${second.newer}`, owner)).json;
    expect(back.rows.map((row) => row._id)).toEqual(first.rows.map((row) => row._id));
  });

  it('finds one consumer by e-mail or phone in any spelling, or a lead by its id', async () => {
    for (const q of ['PERSON3@example.com ', '(212) 555-0103', leads[3]!]) {
      const { json } = await get<LeadsAnswer>(`/api/console/leads?${PLACE}&q=${encodeURIComponent(q)}`, owner);
      expect(json.rows.map((row) => row._id)).toEqual([leads[3]]);
    }
    expect((await get<LeadsAnswer>(`/api/console/leads?${PLACE}&q=nobody@example.com`, owner)).json.rows).toEqual([]);
  });

  it('filters by status, buyer tier, campaign and span', async () => {
    const count = async (query: string) => (await get<LeadsAnswer>(`/api/console/leads?${PLACE}&${query}`, owner)).json.total;
    expect(await count('status=sold')).toBe(5);
    expect(await count('status=unsold')).toBe(0);
    expect(await count(`buyerTierId=${world.tiers[2]!.buyerTierId}`)).toBe(5);
    expect(await count(`buyerTierId=${world.tiers[3]!.buyerTierId}`)).toBe(0);
    expect(await count(`campaignId=${world.campaignId}`)).toBe(5);
    expect(await count(`from=${encodeURIComponent(new Date(Date.now() + 1000).toISOString())}`)).toBe(0);
  });

  it('account §5: a span that ends before it begins, or lies later than tomorrow, is refused, in the list and in its file', async () => {
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const refusal = async (span: Record<string, string>) => {
      const { statusCode, json } = await get<{ msg: string }>(`/api/console/leads?${PLACE}&${new URLSearchParams(span)}`, owner);
      const file = await fetch(`${node.url}/api/v1/download-file/leads`, {
        method: 'POST',
        headers: { cookie: owner, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ region: 'us', vertical: 'payday', isDownloadCSV: 'true', ...span }),
      });
      expect(file.status).toBe(statusCode);
      return [statusCode, json.code, json.msg];
    };
    expect(await refusal({ from: at(-1), to: at(-2) })).toEqual([400, 'lead_span_backwards', 'The end must not be before the start.']);
    expect(await refusal({ from: at(72) })).toEqual([400, 'lead_span_future', 'Future date is not allowed.']);
    expect(await refusal({ from: at(-1), to: at(72) })).toEqual([400, 'lead_span_future', 'Future date is not allowed.']);
    expect((await refusal({ from: at(-24), to: at(23) }))[0]).toBe(200);
  });

  it.each(['limit=0', 'limit=201', 'status=nonsense', 'from=yesterday', 'limit=abc'])(
    'refuses %s with the field that is wrong',
    async (query) => {
      const { statusCode, json } = await get<{ errors: { field: string }[] }>(`/api/console/leads?${PLACE}&${query}`, owner);
      expect([statusCode, json.code]).toEqual([400, 'request_invalid']);
      expect(json.errors[0]!.field).toBe(query.split('=')[0]);
    },
  );

  it.each(["' or 1=1 --", '%', 'ü', '../..'])('survives a search for %j', async (q) => {
    const { statusCode } = await get(`/api/console/leads?${PLACE}&q=${encodeURIComponent(q)}`, owner);
    expect(statusCode).toBe(200);
  });
});

describe('a NUL', () => {
  it.each(['q', 'reason', 'region', 'vertical'])('in %s is refused, not an error of ours', async (name) => {
    const { statusCode, json } = await get(
      `/api/console/leads?${PLACE}&${name}=a%00b`.replace(name === 'region' ? 'region=us&' : '\n', ''),
      owner,
    );
    expect([statusCode, json.code]).toEqual([400, 'request_invalid']);
  });

  it('in a sign-in likewise', async () => {
    const answer = await node.post('/team-login', { email: 'a\u0000@example.com', password: 'x' }, OWN_PAGE);
    expect([answer.statusCode, answer.json.code]).toEqual([400, 'request_invalid']);
  });
});

describe('the lead page', () => {
  it('explains every buyer tier in one sentence, and the wire of every attempt', async () => {
    const { json } = await get<{ lead: LeadView }>(`/api/console/leads/${leads[0]}`, owner);
    const { lead } = json;
    expect(lead.verdicts.map((verdict) => [verdict.buyerName, verdict.outcome, verdict.filterReasonKey])).toEqual([
      ['Naysayer', 'rejected', null],
      ['Closed', 'filtered', 4],
      ['Taker', 'sold', null],
      ['Late to it', 'notReached', null],
    ]);
    for (const verdict of lead.verdicts) expect(verdict.text).toMatch(/^[A-Z].*\.$/);
    expect(lead.attemptList.map((attempt) => [attempt.buyerName, attempt.outcome, attempt.wire!.statusCode])).toEqual([
      ['Naysayer', 'rejected', 200],
      ['Taker', 'sold', 200],
    ]);
    expect(lead.attemptList[0]!.reasons).toEqual(['not wanted']);
    expect(lead.sales).toMatchObject([{ revenue: '20.00', payout: '16.00', margin: '4.00' }]);
    expect(lead.inbound).toMatchObject({ method: 'POST', path: '/api/v1/leads', statusCode: 200 });
    expect(lead.steps.length).toBeGreaterThan(4);
  });

  it('tells an hourly cap from a daily one, though both have key 1 (console §9)', async () => {
    const capped = await buildWorld(node.db, {
      groups: [
        {
          mode: 'priority',
          tiers: (['hour', 'day'] as const).map((period) => ({
            url: buyer.url,
            buyer: period,
            caps: [{ measure: 'sold', period, limit: 0, timeZone: 'UTC' }],
          })),
        },
      ],
    });
    await node.planBook.reload(capped.organizationId);
    const user = await buildUser(node.db, capped.organizationId);
    const { leadId } = (await node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${capped.key}` })).json;
    const { lead } = (await get<{ lead: LeadView }>(`/api/console/leads/${leadId}`, await signIn(user.email, user.password))).json;
    expect(lead.verdicts.map((verdict) => [verdict.filterReasonKey, verdict.capPeriod])).toEqual([
      [1, 'hour'],
      [1, 'day'],
    ]);
    expect(lead.verdicts[0]!.text).toMatch(/^Hourly sold cap/);
  });

  it('shows the time ours, the buyers’ and the database’s, adding up', async () => {
    const { time } = (await get<{ lead: LeadView }>(`/api/console/leads/${leads[0]}`, owner)).json.lead;
    expect(time.buyersMs).toBeGreaterThan(0);
    expect(Math.abs(time.totalMs - time.buyersMs - time.ownMs - time.storeMs)).toBeLessThan(0.1);
  });

  it('shows nobody’s personal data unmasked, wherever it stands', async () => {
    const text = JSON.stringify((await get(`/api/console/leads/${leads[0]}`, owner)).json);
    expect(text).not.toMatch(/person0@|2125550100|"Ada"|\(212\)|555-0100/);
    expect(text).toContain('p•••@example.com');
  });
});

describe('a stranger', () => {
  it('C1: finds no lead of another organization: by id, in lists, by search, in figures', async () => {
    for (const id of leads) expect((await get(`/api/console/leads/${id}`, strangersOwner)).statusCode).toBe(404);
    const list = (await get<LeadsAnswer>(`/api/console/leads?${PLACE}`, strangersOwner)).json;
    expect(list.rows).toHaveLength(5);
    expect(list.rows.some((row) => leads.includes(row._id))).toBe(false);
    expect((await get<LeadsAnswer>(`/api/console/leads?${PLACE}&q=${leads[0]}`, strangersOwner)).json.rows).toEqual([]);
    expect(
      (await get<LeadsAnswer>(`/api/console/leads?${PLACE}&buyerTierId=${world.tiers[0]!.buyerTierId}`, strangersOwner)).json.rows,
    ).toEqual([]);
  });

  it('console §2: the leads list is filtered by what is asked for: by a part of its name, or by its id, here alone', async () => {
    type Choices = { options: { _id: string; name: string }[]; total: number };
    const ask = async (more: string, cookie = owner) => (await get<Choices>(`/api/console/leads/choices?${PLACE}&${more}`, cookie)).json;
    const tiers = await ask('of=buyerTier');
    expect([tiers.total, tiers.options.map((one) => one.name.split(',')[0])]).toEqual([4, ['Closed', 'Late to it', 'Naysayer', 'Taker']]);
    expect((await ask('of=buyerTier&q=LATE')).options.map((one) => one._id)).toEqual([world.tiers[3]!.buyerTierId]);
    expect((await ask(`of=buyerTier&id=${world.tiers[0]!.buyerTierId}`)).options.map((one) => one.name.split(',')[0])).toEqual([
      'Naysayer',
    ]);
    expect((await ask('of=campaign')).options.map((one) => one._id)).toEqual([world.campaignId]);
    expect((await ask('of=publisherTier')).options.map((one) => one._id)).toEqual([world.publisherTierId]);
    expect(await ask(`of=buyerTier&id=${world.tiers[0]!.buyerTierId}`, strangersOwner)).toMatchObject({ options: [], total: 0 });
    const buyers = (await ask('of=buyer')).options.map((one) => one.name);
    expect(buyers).toEqual(['Closed', 'Late to it', 'Naysayer', 'Taker']);
    expect((await get(`/api/console/leads/choices?${PLACE}&of=service`, owner)).statusCode).toBe(400);
  });

  it('without a session is told to sign in, on every call of the console', async () => {
    for (const path of [
      `/api/console/leads?${PLACE}`,
      `/api/console/leads/${leads[0]}`,
      `/api/console/leads/filters?${PLACE}`,
      `/api/console/leads/choices?${PLACE}&of=buyerTier`,
      `/api/console/overview?${PLACE}`,
      `/api/console/feed?${PLACE}`,
    ]) {
      const { statusCode, json } = await get(path, '');
      expect([path, statusCode, json.code]).toEqual([path, 401, 'session_missing']);
    }
    const regions = await node.post('/api/v1/get-regions-and-verticals', {}, OWN_PAGE);
    expect(regions.statusCode).toBe(401);
  });
});

describe('a member sees what is ticked (console §6)', () => {
  const ticked = (pages: string[], verticalChecked = true) => [
    {
      regionId: world.regionId,
      regionChecked: true,
      verticals: [
        {
          verticalId: world.verticalId,
          verticalChecked,
          pages: pageCatalogue.map((page) => ({ value: page.value, pageChecked: pages.includes(page.value) })),
        },
      ],
    },
  ];
  const member = async (pages: string[], verticalChecked = true) => {
    const user = await buildUser(node.db, world.organizationId, { role: 'member', permissions: ticked(pages, verticalChecked) });
    return signIn(user.email, user.password);
  };
  const codes = async (cookie: string) => [
    (await get(`/api/console/overview?${PLACE}`, cookie)).statusCode,
    (await get(`/api/console/leads?${PLACE}`, cookie)).statusCode,
    (await get(`/api/console/leads/${leads[0]}`, cookie)).statusCode,
  ];

  it('overview only', async () => expect(await codes(await member(['overview']))).toEqual([200, 403, 404]));
  it('inbound opens the leads', async () => expect(await codes(await member(['leadFlow-Inbound']))).toEqual([403, 200, 200]));
  it('nothing', async () => expect(await codes(await member([]))).toEqual([403, 403, 404]));
  it('pages in a vertical that is not ticked', async () =>
    expect(await codes(await member(['overview', 'leadFlow-Inbound'], false))).toEqual([404, 404, 404]));
});

describe('overview and feed', () => {
  it('counts today, leaves test leads out, and names the top', async () => {
    const { json } = await get<OverviewAnswer>(`/api/console/overview?${PLACE}&timeZone=UTC`, owner);
    expect(json.today).toMatchObject({
      leads: 5,
      sold: 5,
      revenue: '100.00',
      payout: '80.00',
      margin: '20.00',
      epl: '20.00',
      attempts: 10,
      timeouts: 0,
    });
    expect(json.hours.length).toBeGreaterThanOrEqual(23);
    expect(json.hours.reduce((sum, hour) => sum + hour.leads, 0)).toBe(5);
    expect(json.topPublishers).toMatchObject([{ name: 'Publisher One', leads: 5, sold: 5 }]);
    expect(json.topBuyers.map((row) => row.name)).toEqual(['Taker', 'Naysayer']);
  });

  it('account §7, §9: has all publishers and buyers of today as files, in its words, for who may open it', async () => {
    const { json } = await get<OverviewAnswer>(`/api/console/overview?${PLACE}&timeZone=UTC`, owner);
    const file = (of: string, cookie: string) =>
      fetch(`${node.url}/api/v1/download-file/overview-${of}`, {
        method: 'POST',
        headers: { ...OWN_PAGE, cookie },
        body: new URLSearchParams({ region: 'us', vertical: 'payday', timeZone: 'UTC', isDownloadCSV: 'true' }),
      });
    const linesOf = async (of: string) => {
      const answer = await file(of, owner);
      expect(answer.headers.get('content-disposition')).toMatch(new RegExp(`${of}-today-us-payday-\\d\\d[A-Z][a-z]{2}\\d{4}\\.csv`));
      return (await answer.text()).replace('\uFEFF', '').trim().split('\r\n');
    };
    const rate = (sold: number, all: number) => ((sold / all) * 100).toFixed(1);
    expect(await linesOf('publishers')).toEqual([
      'Publisher,Leads,Accepts,Accept rate %,Payout,Revenue,Publisher id',
      ...json.topPublishers.map((row) =>
        [row.name, row.leads, row.sold, rate(row.sold, row.leads), row.payout, row.revenue, row._id].join(),
      ),
    ]);
    expect(await linesOf('buyers')).toEqual([
      'Buyer,Calls,Accepts,Accept rate %,Revenue,Time-outs,Median answer ms,Buyer id',
      ...json.topBuyers.map((row) =>
        [row.name, row.attempts, row.sold, rate(row.sold, row.attempts), row.revenue, row.timeouts, row.p50Ms, row._id].join(),
      ),
    ]);
    const named = (name: string) => node.db.updateTable('publisher').set({ name }).where('id', '=', world.publisherId).execute();
    await named('=HYPERLINK("http://evil.example")');
    // A spreadsheet would run it.
    expect((await linesOf('publishers'))[1]).toMatch(/^"'=HYPERLINK\(""http/);
    await named('Publisher One');
    const user = await buildUser(node.db, world.organizationId, { role: 'member', permissions: [] });
    expect((await file('buyers', await signIn(user.email, user.password))).status).toBe(404);
    expect((await file('buyers', strangersOwner)).status).toBe(200);
    expect(await (await file('buyers', strangersOwner)).text()).not.toContain('Taker');
  });

  it('B6, 1.2 second door without lock: ends the feed of a member whose page is taken away', async () => {
    const permissions = [
      {
        regionId: world.regionId,
        regionChecked: true,
        verticals: [{ verticalId: world.verticalId, verticalChecked: true, pages: [{ value: 'overview', pageChecked: true }] }],
      },
    ];
    const user = await buildUser(node.db, world.organizationId, { role: 'member', permissions });
    const cookie = await signIn(user.email, user.password);
    const response = await fetch(`${node.url}/api/console/feed?${PLACE}`, { headers: { cookie } });
    const reader = response.body!.getReader();
    await node.db.updateTable('team_member').set({ permissions: '[]' }).where('user_id', '=', user.userId).execute();
    const ended = async () => {
      for (;;) if ((await reader.read()).done) return true;
    };
    expect(await Promise.race([ended(), new Promise((resolve) => setTimeout(() => resolve(false), 4_000))])).toBe(true);
  });

  const listen = async (lastEventId?: string, after = '') => {
    const abort = new AbortController();
    const response = await fetch(`${node.url}/api/console/feed?${PLACE}${after && `&after=${after}`}`, {
      headers: { cookie: owner, ...(lastEventId && { 'last-event-id': lastEventId }) },
      signal: abort.signal,
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = response.body!.getReader();
    let text = '';
    /** The next event: its name, its id, and whose it is. */
    const next = async () => {
      for (;;) {
        const [, id, name, data] = /id: (\S+)\nevent: (\S+)\ndata: (.*)\n\n/.exec(text) ?? [];
        if (data !== undefined) {
          text = text.slice(text.indexOf(data) + data.length);
          return { id: id!, name: name!, leadId: (JSON.parse(data) as { _id?: string })._id };
        }
        const { value, done } = await reader.read();
        if (done) throw new Error('The feed ended.');
        text += new TextDecoder().decode(value);
      }
    };
    const lead = async () => {
      for (;;) {
        const event = await next();
        if (event.name === 'lead') return event;
      }
    };
    return { next, lead, stop: () => abort.abort() };
  };
  const sell = async (email: string): Promise<string> =>
    (await node.post('/api/v1/leads', { ...LEAD, email }, { authorization: `Bearer ${world.key}` })).json.leadId;
  const endLater = (leadId: string, ms: number) =>
    node.pool.query(`update lead_result set finished_at = clock_timestamp() + $2 * interval '1 millisecond' where lead_id = $1`, [
      leadId,
      ms,
    ]);

  it('tells of a lead within half a second, and goes on after a drop where it stopped', async () => {
    const stream = await listen();
    const began = Date.now();
    const posted = await sell('feed@example.com');
    const told = await stream.lead();
    expect(told.leadId).toBe(posted);
    expect(Date.now() - began).toBeLessThan(1500);
    stream.stop();
    const missed = await sell('missed@example.com');
    for (const again of [await listen(told.id), await listen(undefined, told.id)]) {
      const heard = [await again.lead()];
      while (heard.at(-1)!.leadId !== missed) heard.push(await again.lead());
      again.stop();
    }
  });

  it('tells after a drop of a lead that came before the last one told and ended after it', async () => {
    // Whoever listens now hears both: no word of them is on its way any more when somebody comes back.
    const before = await listen();
    const [slow, quick] = [await sell('slow@example.com'), await sell('quick@example.com')];
    expect(slow < quick).toBe(true);
    for (const awaited = new Set<string | undefined>([slow, quick]); awaited.size > 0; ) awaited.delete((await before.lead()).leadId);
    before.stop();
    await endLater(slow, 30_000);
    const again = await listen(newId(Date.now() + 25_000));
    const first = await again.next();
    expect([first.name, first.leadId]).toEqual(['lead', slow]);
    // The next drop goes on from its end.
    expect(idInstant(first.id)).toBeGreaterThan(Date.now() + 20_000);
    expect((await again.next()).name).toBe('here');
    again.stop();
    await endLater(slow, -60_000);
  });

  it('tells what ends while it looks for what was missed', async () => {
    const locking = await node.pool.connect();
    await locking.query('begin');
    await locking.query('lock table lead_result in access exclusive mode');
    const again = await listen(newId(Date.now() + 60_000));
    const waiting = () => countWaiting(node.pool);
    await expect.poll(waiting, { interval: 10 }).toBeGreaterThan(0);
    const place = `${world.organizationId} ${world.verticalId}`;
    const message = JSON.stringify({ node: newId(), place, leadIds: [leads[0]] });
    await node.pool.query(`select pg_notify('sluice_lead', $1)`, [message]);
    await locking.query('commit');
    locking.release();
    expect((await again.lead()).leadId).toBe(leads[0]);
    again.stop();
  });

  it('tells after a long drop the latest fifty', async () => {
    const from = Date.now() + 3_600_000;
    const made = `insert into lead_result select (jsonb_populate_record(r, jsonb_build_object('lead_id', n.id,
        'finished_at', to_timestamp(n.at / 1000.0)))).* from lead_result r,
      (select ($2::bigint + g * 1000) as at, ($3::uuid[])[g] as id from generate_series(1, 60) g) n where r.lead_id = $1`;
    const ids = Array.from({ length: 60 }, (_, at) => newId(from + (at + 1) * 1000));
    await node.pool.query(made, [leads[0], from, ids]);
    const missed = await missedLeads(node.db, world.organizationId, world.verticalId, from);
    expect(missed.map(({ id }) => id)).toEqual(ids.slice(10));
    await node.pool.query('delete from lead_result where lead_id = any($1)', [ids]);
  });

  it('lets go of a screen that reads no more', async () => {
    const ended = new Promise<number>((resolve) => {
      const server = createServer((_, raw) => {
        let told = 0;
        raw.on('close', () => server.close(() => resolve(told)));
        const stream = openEventStream({ raw, hijack() {}, getHeaders: () => ({}) } as unknown as FastifyReply);
        const row = { _id: 'x'.repeat(100_000) };
        for (; told < 1_000 && !raw.destroyed; told += 1) stream.tell('lead', row);
      }).listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')).pause();
        socket.on('error', () => {});
      });
    });
    expect(await ended).toBeLessThan(200);
  });
});

describe('account §7, §9: a CSV file is asked for by a hidden form', () => {
  const download = (
    fields: Record<string, string>,
    headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
    cookie = owner,
    signal?: AbortSignal,
  ) =>
    fetch(`${node.url}/api/v1/download-file/leads`, {
      method: 'POST',
      ...(signal && { signal }),
      headers: { cookie, ...headers },
      body: new URLSearchParams({ region: 'us', vertical: 'payday', isDownloadCSV: 'true', ...fields }),
    });

  it('every lead the filters find, whatever a page shows, under a name that ends in ddMMMyyyy', async () => {
    const answer = await download({ columns: 'receivedAt,status,buyers', timeZone: 'America/New_York', status: 'sold' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="leads-us-payday-\d{2}[A-Z][a-z]{2}\d{4}\.csv"$/);
    const [head, ...lines] = Buffer.from(await answer.arrayBuffer())
      .toString('utf8')
      .trimEnd()
      .split('\r\n');
    expect(head).toBe('\uFEFFReceived (America/New_York),Status,Buyers,Lead id');
    const { json: found } = await get<LeadsAnswer>(`/api/console/leads?${PLACE}&status=sold&limit=1`, owner);
    expect(lines).toHaveLength(found.total);
    expect(lines.find((one) => one.endsWith(leads[0]!))).toMatch(
      new RegExp(`^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,sold,Taker \\(.*\\),${leads[0]}$`),
    );
    const { json } = await get<{ downloadFileUrl: string }>('/api/v1/teamMgmt/user/is-user-is-logged-in', owner);
    expect(json.downloadFileUrl).toBe('/api/v1/download-file');
  });

  it('shows no more of a person than the list, and of a stranger nothing', async () => {
    const own = await (await download({})).text();
    expect(own).not.toContain('person0@example.com');
    const theirs = await (await download({}, { 'sec-fetch-site': 'same-origin' }, strangersOwner)).text();
    for (const id of leads) expect(theirs).not.toContain(id);
  });

  it('B3: a form of a foreign page, of a sibling sub-domain, and one without the word are refused', async () => {
    for (const site of ['cross-site', 'same-site', 'none']) expect((await download({}, { 'sec-fetch-site': site })).status).toBe(403);
    expect((await download({}, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await download({}, { origin: node.url })).status).toBe(200);
    expect((await download({ isDownloadCSV: 'no' })).status).toBe(400);
    expect((await download({}, { 'sec-fetch-site': 'same-origin' }, '')).status).toBe(401);
    expect((await download({ region: 'nowhere' })).status).toBe(404);
  });

  /** The list's second look-up waits for this: downloads stand still in their first page. Counting of reports would wait as well, and is kept out. */
  const lockSales = async () => {
    const client = await node.pool.connect();
    onTestFinished(() => client.release(true));
    await client.query(`begin; set local statement_timeout = 0; select pg_advisory_xact_lock(hashtext('sluice reports'))`);
    await client.query('lock table sale in access exclusive mode');
    return () => client.query('rollback');
  };

  it('F4: ends when the person may no longer see what it holds, and two are the most a person has at once', async () => {
    const pages = [{ value: 'leadFlow-Inbound', pageChecked: true }];
    const verticals = [{ verticalId: world.verticalId, verticalChecked: true, pages }];
    const permissions = [{ regionId: world.regionId, regionChecked: true, verticals }];
    const member = await buildUser(node.db, world.organizationId, { role: 'member', permissions });
    const cookie = await signIn(member.email, member.password);
    const unlock = await lockSales();
    const same = { 'sec-fetch-site': 'same-origin' };
    const running = [download({}, same, cookie), download({}, same, cookie)];
    await expect.poll(() => countWaiting(node.pool)).toBe(2);
    const third = await download({}, same, cookie);
    expect([third.status, (await third.json()).code]).toEqual([429, 'download_rate_limited']);
    await unlock();
    for (const one of await Promise.all(running)) expect((await one.text()).split('\r\n').length).toBeGreaterThan(leads.length);
    await expect.poll(async () => (await download({}, same, cookie)).status).toBe(200);
  });

  it('F4: four are the most an organization has at once: its people wait for each other, and another’s do not', async () => {
    const people = await Promise.all([0, 1, 2].map(() => buildUser(node.db, world.organizationId)));
    const cookies = await Promise.all(people.map(({ email, password }) => signIn(email, password)));
    const stranger = await buildWorld(node.db);
    await node.planBook.reload(stranger.organizationId);
    const other = await buildUser(node.db, stranger.organizationId);
    const elsewhere = await signIn(other.email, other.password);
    const unlock = await lockSales();
    const same = { 'sec-fetch-site': 'same-origin' };
    const running = [cookies[0]!, cookies[0]!, cookies[1]!, cookies[1]!].map((cookie) => download({}, same, cookie));
    await expect.poll(() => countWaiting(node.pool)).toBe(4);
    const fifth = await download({}, same, cookies[2]);
    expect([fifth.status, (await fifth.json()).code]).toEqual([429, 'download_rate_limited']);
    // It has no leads: nothing of it waits for the lock, or it waits as they do, but it is let in.
    const outside = download({}, same, elsewhere);
    await unlock();
    expect((await outside).status).toBe(200);
    for (const one of await Promise.all(running)) expect((await one.text()).split('\r\n').length).toBeGreaterThan(leads.length);
    await expect.poll(async () => (await download({}, same, cookies[2])).status).toBe(200);
  });

  it('F4: who leaves before the first row is there gives the place back', async () => {
    const person = await buildUser(node.db, world.organizationId);
    const cookie = await signIn(person.email, person.password);
    const same = { 'sec-fetch-site': 'same-origin' };
    const unlock = await lockSales();
    const leaving = new AbortController();
    const left = [0, 1].map(() => download({}, same, cookie, leaving.signal).catch((error: Error) => error.name));
    await expect.poll(() => countWaiting(node.pool)).toBe(2);
    leaving.abort();
    expect(await Promise.all(left)).toEqual(['AbortError', 'AbortError']);
    await unlock();
    await expect
      .poll(async () => (await Promise.all([0, 1].map(() => download({}, same, cookie)))).map(({ status }) => status))
      .toEqual([200, 200]);
  });

  it('B6, F4: is cut off, and does not look whole, when the session ends meanwhile', async () => {
    const organization = node.planBook.find(world.organizationId)!;
    const asked: number[] = [];
    const askAgain = async () => {
      asked.push(1);
      if (asked.length > 1) throw new Error('no longer');
    };
    const walk = walkLeads(node.db, organization, world.verticalId, { region: '', vertical: '', limit: 1 }, askAgain, 2);
    const seen: string[] = [];
    await expect(
      (async () => {
        for await (const row of walk) seen.push(row._id);
      })(),
    ).rejects.toThrow('no longer');
    expect(seen).toHaveLength(2);
  });

  it('the file’s day is the reporting zone’s', () => {
    expect(fileDay(Date.parse('2026-11-27T03:00:00Z'), 'America/New_York')).toBe('26Nov2026');
    expect(fileDay(Date.parse('2026-11-27T03:00:00Z'), 'UTC')).toBe('27Nov2026');
  });
});
