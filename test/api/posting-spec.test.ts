/** Posting specifications (console §3, key 24): who opens the link, what it tells, and that its samples run. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REFUSALS } from '#contract/refusal.ts';
import { normaliseLead } from '#engine/field.ts';
import { answerExamples } from '#server/posting-spec/answer-examples.ts';
import { codeSamples } from '#server/posting-spec/code-samples.ts';
import { describePosting } from '#server/posting-spec/describe-posting.ts';
import { openApiOf } from '#server/posting-spec/openapi.ts';
import { specPage } from '#server/posting-spec/spec-page.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';
import { dollars, insertKey } from '#test/harness/world.ts';

const run = promisify(execFile);
const PLACE = 'region=us&vertical=payday';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let office: Office;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer();
  office = await openOffice(node, buyer, {
    name: 'Bold & <Brave> Leads',
    groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Secret Buyer', price: { kind: 'fixed', price: dollars(33) } }] }],
    testValues: { field: 'email', sold: 'sold@example.com', rejected: 'no@example.com' },
    publisher: { duplicate: { fields: ['email', 'phone'], match: 'any', windowDays: 30, counts: 'sold' }, pingsPerMinute: 60 },
    fields: [{ field_name: 'motto', field_human_name: 'Motto "of" <life>', type: 'string', privacy_class: 'P1' }],
  });
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

const organization = () => node.planBook.find(office.world.organizationId)!;
const spec = () => describePosting(organization(), office.world.publisherTierId, node.url)!;
const change = (to: string, by = office) => by.post(`/api/console/posting-specs/${office.world.publisherTierId}`, { change: to });
/** Of our own address, which this machine may not find by its name. */
const here = (link: string) => node.url + new URL(link).pathname;

describe('the link', () => {
  it('is off until it is switched on, another after it is renewed, and nothing when it is off', async () => {
    const list = async () => (await office.get(`/api/console/posting-specs?${PLACE}`)).json;
    expect((await list()).rows).toMatchObject([{ publisherTierName: 'Main seat', link: null, livingKeys: 1, isActive: true }]);
    const { json: on } = await change('on');
    const first = here(on.link);
    expect((await list()).rows[0].link).toBe(on.link);
    const page = await fetch(first);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const { json: renewed } = await change('renew');
    expect(renewed.link).not.toBe(on.link);
    expect((await fetch(first)).status).toBe(404);
    const second = here(renewed.link);
    expect((await fetch(second)).status).toBe(200);
    expect((await change('off')).json.link).toBeNull();
    for (const gone of [second, `${second}/openapi.json`, `${node.url}/posting-spec/AAAA`]) expect((await fetch(gone)).status).toBe(404);
    const lines = (await office.get(`/api/v1/change-log?recordId=${office.world.publisherTierId}`)).json.changes;
    expect(lines.map((one: { after: unknown }) => one.after)).toEqual([
      { postingSpecification: 'closed' },
      { postingSpecification: 'open, by a new link' },
      { postingSpecification: 'open' },
    ]);
  });

  it('the link of one tier opens no other, and none of another organization', async () => {
    const stranger = await openOffice(node, buyer);
    const { json } = await change('on');
    const bytes = Buffer.from(new URL(json.link).pathname.split('/').at(-1)!, 'base64url');
    const of = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');
    await stranger.post(`/api/console/posting-specs/${stranger.world.publisherTierId}`, { change: 'on' });
    const forged = Buffer.concat([of(stranger.world.organizationId), of(stranger.world.publisherTierId), bytes.subarray(32)]);
    expect((await fetch(`${node.url}/posting-spec/${forged.toString('base64url')}`)).status).toBe(404);
    expect((await change('off', stranger)).statusCode).toBe(404);
    expect((await stranger.get(`/api/console/posting-specs?${PLACE}`)).json.rows[0].publisherTierId).toBe(stranger.world.publisherTierId);
  });

  it('console §6: is handed out by who has the page, and by nobody else', async () => {
    const { regionId, verticalId } = office.world;
    const ticked = (page: string) => [
      { regionId, regionChecked: true, verticals: [{ verticalId, verticalChecked: true, pages: [{ value: page, pageChecked: true }] }] },
    ];
    const member = await signIn(node, office.world, { role: 'member', permissions: ticked('features-api') });
    expect((await member.get(`/api/console/posting-specs?${PLACE}`)).json).toMatchObject({ maySetUp: false, rows: [{ livingKeys: 1 }] });
    expect((await change('on', member)).statusCode).toBe(200);
    const other = await signIn(node, office.world, { role: 'member', permissions: ticked('overview') });
    expect((await other.get(`/api/console/posting-specs?${PLACE}`)).statusCode).toBe(403);
    expect((await change('off', other)).statusCode).toBe(404);
  });
});

describe('what it tells', () => {
  it('F2: fields, rules and test values, escaped; no key, buyer or price', async () => {
    const { json } = await change('on');
    const text = await (await fetch(here(json.link))).text();
    for (const { name } of spec().fields) expect(text).toContain(`<code>${name}</code>`);
    expect(text).toContain('Bold &amp; &lt;Brave&gt; Leads');
    expect(text).toContain('Motto &quot;of&quot; &lt;life&gt;');
    expect(text).toContain('when any of Email, Phone is equal to that of a lead of yours that was sold within the last 30 days');
    expect(text).toContain('<td><code>sold@example.com</code></td>');
    expect(text).toContain('At most 60 pings a minute');
    expect(text).not.toMatch(/<Brave>|Secret Buyer|\$33|33\.00|sk_[0-9a-f]/);
    expect(text).not.toContain(office.world.key.slice(0, 7));
  });

  it('every code that a call can be refused with is told, and none that cannot', () => {
    const folder = join(import.meta.dirname, '..', '..', 'server', 'lead');
    const sources = readdirSync(folder)
      .filter((name) => /^(lead\.routes|intake-room|posting\.read)\.ts$/.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    const thrown = [...sources.matchAll(/(?:new Refused\(\s*[\w.]+,\s*|refuse\(|new NoRoom\()'([a-z0-9_]+)'/g)].map(([, code]) => code!);
    expect(new Set(thrown)).toEqual(new Set(Object.keys(REFUSALS)));
    for (const [, statusCode, code] of sources.matchAll(/new Refused\(\s*(\d+),\s*'([a-z0-9_]+)'/g))
      expect([code, REFUSALS[code!]?.statusCode]).toEqual([code, Number(statusCode)]);
  });

  it('the examples are answers as they are given', () => {
    const titles = answerExamples(spec(), new Date()).map(({ answer }) => answer.status);
    expect(new Set(titles)).toEqual(new Set(['accepted', 'rejected', 'duplicate', 'invalid', 'queued', 'error']));
    expect(JSON.stringify(answerExamples({ ...spec(), isTerse: true }, new Date())[0])).not.toContain('price');
  });

  it('engine Intake: where a lead may be sold to several, page, example and OpenAPI tell of the bids of a ping; else none does', () => {
    const bidsIn = (one: ReturnType<typeof spec>) =>
      answerExamples(one, new Date()).map(({ answer }) => answer.bids?.map(({ price }) => price));
    expect(bidsIn(spec()).filter(Boolean)).toEqual([]);
    const shared = { ...spec(), maxSales: 3 };
    expect(bidsIn(shared).filter(Boolean)).toEqual([['12.50', '9.00']]);
    expect(bidsIn({ ...shared, isTerse: true }).filter(Boolean)).toEqual([]);
    const told = openApiOf(shared, new Date()) as never as { components: { schemas: { Answer: { properties: Record<string, object> } } } };
    expect(told.components.schemas.Answer.properties.bids).toMatchObject({ type: 'array', items: { required: ['price', 'expiresAt'] } });
    expect(JSON.stringify(told)).toContain('"price":"9.00"');
    const page = String(specPage(shared, new Date(), ''));
    expect(page).toContain('A lead may be sold to 3 buyers');
    expect(page).toContain('&lt;bids&gt;');
    expect(String(specPage(spec(), new Date(), ''))).not.toMatch(/may be sold to|bids/);
  });

  it('the sample lead is one that the vertical takes, and its ping too', () => {
    const vertical = organization().plan.verticals.get(office.world.verticalId)!.config;
    const { sample, pingSample } = spec();
    expect(normaliseLead(vertical, sample)).toMatchObject({ errors: [], unknown: [] });
    expect(normaliseLead(vertical, pingSample, true)).toMatchObject({ errors: [], unknown: [] });
    expect(Object.keys(pingSample)).toEqual(['state', 'zip', 'monthly_income']);
  });

  it('the OpenAPI document names what is required and where to post', async () => {
    const { json } = await change('on');
    const document = (await (await fetch(`${here(json.link)}/openapi.json`)).json()) as ReturnType<typeof openApiOf>;
    const told = openApiOf(spec(), new Date()) as never as { components: { schemas: Record<string, { required: string[] }> } };
    expect(document.openapi).toBe('3.1.0');
    expect(document.components).toEqual(told.components);
    const { Lead, Ping, PingedLead } = told.components.schemas;
    expect([Lead!.required, Ping!.required, PingedLead!.required]).toEqual([
      ['first_name', 'email', 'state'],
      ['state'],
      ['first_name', 'email', 'pingId'],
    ]);
  });
});

describe('its samples run as they are', () => {
  const POSTED = /200[\s\S]*(test|rejected)/;
  const codeOf = (language: string) => codeSamples(spec()).find((one) => one.language === language)!.code;
  const env = (key = office.world.key) => ({ ...process.env, POSTING_KEY: key });
  const stored = () =>
    node.db.selectFrom('lead').select(['id', 'test']).where('publisher_tier_id', '=', office.world.publisherTierId).execute();

  async function posts(program: string, args: string[], key?: string) {
    const { stdout } = await run(program, args, { env: env(key), timeout: 30_000 });
    return stdout;
  }

  it('in curl', async () => {
    expect(JSON.parse(await posts('sh', ['-c', codeOf('curl')]))).toMatchObject({ status: 'test', leadId: expect.any(String) });
  });
  it('in JavaScript', async () => {
    expect(await posts(process.execPath, ['--input-type=module', '-e', codeOf('JavaScript')])).toMatch(POSTED);
  });
  it('in Python, a refusal too', async () => {
    expect(await posts('python3', ['-c', codeOf('Python')])).toMatch(POSTED);
    const revoked = await insertKey(node.db, office.world.organizationId, office.world.publisherTierId, { revoked_at: new Date(0) });
    await node.planBook.reload(office.world.organizationId);
    expect(await posts('python3', ['-c', codeOf('Python')], revoked)).toMatch(/401.*key_revoked/);
  });
  it('in PHP', async () => {
    expect(await posts('php', ['-r', codeOf('PHP').replace('<?php', '')])).toMatch(POSTED);
  });
  it('as tests that nobody hears of', async () => {
    const leads = await stored();
    expect(leads.length).toBeGreaterThan(0);
    expect(leads.every(({ test }) => test)).toBe(true);
    expect(buyer.calls).toEqual([]);
  });
  it('with values that hold every quote there is', async () => {
    const hostile = `it's "so" \\ $HOME \`x\` 'quoted' \u2028 é 😀`;
    const sample = { ...spec().sample, motto: hostile };
    const codes = Object.fromEntries(codeSamples({ ...spec(), sample }).map(({ language, code }) => [language, code]));
    const known = new Set((await stored()).map(({ id }) => id));
    await posts('sh', ['-c', codes.curl!]);
    await posts(process.execPath, ['--input-type=module', '-e', codes.JavaScript!]);
    await posts('python3', ['-c', codes.Python!]);
    await posts('php', ['-r', codes.PHP!.replace('<?php', '')]);
    // Equal leads are one lead: what one language spelled otherwise would be another.
    const made = (await stored()).filter(({ id }) => !known.has(id));
    expect(made).toHaveLength(1);
    const { json } = await office.post(`/api/console/logs/calls/${made[0]!.id}/unmask`, { reason: 'the sample was kept whole' });
    expect(JSON.parse(json.body).motto).toBe(hostile);
  });
});
