/** Decision 0018: a statement is its entries, by the months of the reporting time zone, also one in which the clocks change. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseMoney } from '#engine/money.ts';
import { newId } from '#server/kit/ids.ts';
import { isMonthProvisional, spanOf } from '#server/ledger/build-statement.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let client: pg.Client;
let office: Office;

/** Clocks go forward in New York on 8 March 2026: that month has an hour less. */
const MONTHS = ['2026-02-01', '2026-03-01', '2026-04-01'];
const rows: { id: string; kind: string; amount: string; at: number; note: string }[] = [];

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer();
  client = new pg.Client({ connectionString: node.database.url });
  await client.connect();
  office = await openOffice(node, buyer);
  for (const month of MONTHS) await client.query('select ensure_month_partitions($1::date)', [month]);
  // An entry every 90 minutes, over the edges of the month in every zone.
  let count = 0;
  for (let at = Date.parse('2026-02-27T00:10:00Z'); at < Date.parse('2026-04-03T00:00:00Z'); at += 90 * 60_000) {
    const kind = ['revenue', 'return', 'payment', 'adjustment'][count % 4]!;
    const amount = `${kind === 'revenue' || count % 8 === 3 ? '-' : ''}${1 + (count % 37)}.${String((count * 7919) % 10_000).padStart(4, '0')}`;
    rows.push({ id: newId(at), kind, amount, at, note: kind === 'payment' ? '=HYPERLINK("http://evil")' : '' });
    count += 1;
  }
  const { organizationId, tiers, verticalId } = office.world;
  const [{ buyerId, buyerTierId }] = tiers as [World['tiers'][number]];
  for (const { id, kind, amount, note } of rows)
    await client.query(
      `insert into ledger_entry (organization_id, id, party_kind, party_id, kind, amount, vertical_id, tier_id, note) values ($1, $2, 'buyer', $3, $4, $5, $6, $7, $8)`,
      [organizationId, id, buyerId, kind, amount, verticalId, ['revenue', 'return'].includes(kind) ? buyerTierId : null, note],
    );
  await client.query(
    `insert into balance select organization_id, party_kind, party_id, sum(amount) from ledger_entry where organization_id = $1 group by 1, 2, 3`,
    [organizationId],
  );
});
afterAll(async () => {
  await client.end();
  await node.stop();
  await buyer.close();
});

type World = Office['world'];
const partyOf = ({ world }: Office) => ({ partyKind: 'buyer', partyId: world.tiers[0]!.buyerId });
const statement = async (month: string, timeZone: string, by = office) =>
  by.get(`/api/console/ledger/statement?${new URLSearchParams({ ...partyOf(office), month, timeZone })}`);
const sum = (all: { amount: string }[]) => all.reduce((total, one) => total + parseMoney(one.amount)!, 0);
const exact = (text: string) => Math.round(Number(text) * 10_000);

describe.each([
  ['UTC', '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z', 744],
  ['America/New_York', '2026-03-01T05:00:00.000Z', '2026-04-01T04:00:00.000Z', 743],
  ['Europe/London', '2026-03-01T00:00:00.000Z', '2026-03-31T23:00:00.000Z', 743],
])('a statement of March 2026 in %s', (zone, from, to, hours) => {
  it('holds every entry of the month and none of another, and adds up', async () => {
    const { json } = await statement('2026-03', zone);
    expect(json).toMatchObject({ status: true, from, to, currency: 'USD' });
    expect((Date.parse(to) - Date.parse(from)) / 3_600_000).toBe(hours);
    const within = rows.filter(({ at }) => at >= Date.parse(from) && at < Date.parse(to));
    expect(exact(json.opening)).toBe(sum(rows.filter(({ at }) => at < Date.parse(from))));
    expect(exact(json.closing)).toBe(exact(json.opening) + sum(within));
    for (const kind of ['revenue', 'return']) {
      const own = within.filter((one) => one.kind === kind);
      const group = json.groups.find((one: { kind: string }) => one.kind === kind);
      expect([group.count, exact(group.amount), group.tierName]).toEqual([own.length, sum(own), 'Tier']);
    }
    expect(json.entries.map((one: { _id: string }) => one._id)).toEqual(
      within.filter(({ kind }) => ['payment', 'adjustment'].includes(kind)).map(({ id }) => id),
    );
    const next = (await statement('2026-04', zone)).json;
    expect(next.opening).toBe(json.closing);
  });

  it('F3: is saved as CSV entry by entry, with a running balance, and no cell of it runs as a formula', async () => {
    const body = new URLSearchParams({ ...partyOf(office), month: '2026-03', timeZone: zone, isDownloadCSV: 'true' });
    const answer = await office.form('/api/v1/download-file/statement', body);
    const lines = answer.trimEnd().split('\r\n');
    const within = rows.filter(({ at }) => at >= Date.parse(from) && at < Date.parse(to));
    expect(lines.length).toBe(within.length + 2);
    const closing = lines.at(-1)!.split(',')[5]!;
    expect(closing).toBe((await statement('2026-03', zone)).json.closing);
    expect(answer).not.toMatch(/(^|,)"?=HYPERLINK/m);
    expect(answer).toContain(`"'=HYPERLINK(""http://evil"")"`);
  });
});

it('is provisional while its month runs and a quarter of an hour longer, on screen and in the name of its file', async () => {
  const { from, to } = spanOf('2026-03', 'Europe/London');
  const minutes = (count: number) => to + count * 60_000;
  expect([from, to - 1, to, minutes(14.99), minutes(15)].map((now) => isMonthProvisional('2026-03', 'Europe/London', now))).toEqual([
    ...[true, true, true, true, false],
  ]);
  const now = new Date().toISOString().slice(0, 7);
  for (const [month, isProvisional] of [
    ['2026-03', false],
    [now, true],
  ] as const) {
    expect((await statement(month, 'UTC')).json.isProvisional).toBe(isProvisional);
    const body = new URLSearchParams({ ...partyOf(office), month, timeZone: 'UTC', isDownloadCSV: 'true' });
    const answer = await office.formAnswer('/api/v1/download-file/statement', body);
    expect(answer.headers.get('content-disposition')?.includes(`-${month}-provisional-`)).toBe(isProvisional);
  }
});

it('is not there for a stranger, and a member without set-up', async () => {
  const stranger = await openOffice(node, buyer);
  expect((await statement('2026-03', 'UTC', stranger)).json).toMatchObject({ code: 'buyer_unknown' });
  const member = await signIn(node, office.world, { role: 'member' });
  expect((await statement('2026-03', 'UTC', member)).statusCode).toBe(404);
  expect(
    (await member.post('/api/console/ledger/entries', { ...partyOf(office), kind: 'payment', amount: '1', note: 'x' })).statusCode,
  ).toBe(404);
  expect((await statement('2026-13', 'UTC')).json.code).toBe('request_invalid');
});

it('of a publisher has its payouts and what was paid to it; what is entered by hand stands in the change log', async () => {
  const fresh = await openOffice(node, buyer);
  const { world } = fresh;
  await fresh.lead('a@example.com');
  const party = { partyKind: 'publisher', partyId: world.publisherId };
  expect(
    (await fresh.post('/api/console/ledger/entries', { ...party, kind: 'payment', amount: '-10.00', note: 'November' })).json,
  ).toMatchObject({ balance: '6.00' });
  expect((await fresh.post('/api/console/ledger/entries', { ...party, kind: 'payment', amount: '0.00', note: 'x' })).statusCode).toBe(400);
  const month = new Date().toISOString().slice(0, 7);
  const { json } = await fresh.get(`/api/console/ledger/statement?${new URLSearchParams({ ...party, month, timeZone: 'UTC' })}`);
  expect(json).toMatchObject({
    ...{ partyName: 'Publisher One', opening: '0.00', closing: '6.00' },
    groups: [{ kind: 'payout', tierName: 'Main seat', count: 1, amount: '16.00' }],
    entries: [{ kind: 'payment', amount: '-10.00', note: 'November', userName: 'Una User' }],
  });
  expect((await fresh.get('/api/v1/change-log')).json.changes[0]).toMatchObject({
    ...{ modelLabel: 'Ledger entry', recordName: 'Publisher One', after: { kind: 'payment', amount: '-10.00', note: 'November' } },
  });
});
