/** engine §2: kept answers of a buyer are judged at every save of its endpoint and every publishing of its tree, and hold nothing of a person. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SAMPLES_MOST } from '#contract/answer-sample.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';
import { jsonEndpoint } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let office: Office;
let tierId: string;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer();
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});
beforeEach(async () => {
  buyer.answer(() => ACCEPT);
  office = await openOffice(node, buyer);
  tierId = office.world.tiers[0]!.buyerTierId;
});

const YES = { leg: 'post', answer: { statusCode: 200, headers: {}, body: ACCEPT.body! }, expected: { outcome: 'accepted', price: '20' } };
const keep = (more: Record<string, unknown> = {}) =>
  office.post('/api/v1/common/post-add-data', { model: 'answerSample', buyerTierId: tierId, name: 'Bought', ...YES, ...more });
const samples = async () =>
  (await office.post('/api/v1/common/get/condition-data', { model: 'answerSample', condition: { buyerTierId: tierId } })).json.data;
/** The price is looked for where it does not stand. */
const misreading = () => {
  const { post } = jsonEndpoint(buyer.url, 'post');
  return { post: { ...post, response: { ...post.response, price: { at: [{ path: 'amount' }] } } } };
};
const campaign = () => `/api/console/campaigns/${office.world.campaignId}`;

async function publish() {
  const { json } = await office.get(`${campaign()}/tree`);
  const draft = await office.post(`${campaign()}/draft`, { groups: json.live, state: json.state });
  expect(draft.statusCode).toBe(200);
  return office.post(`${campaign()}/publish`, { state: draft.json.state, note: '' });
}

describe('engine §2: samples of a buyer tier', () => {
  it('an endpoint that misreads one is not saved, and the refusal names the sample and the difference', async () => {
    expect((await keep()).statusCode).toBe(200);
    const refused = await office.change('buyerTier', tierId, { endpoint: misreading() });
    expect([refused.statusCode, refused.json.code]).toEqual([422, 'endpoint_sample_failed']);
    expect(refused.json.msg).toContain('Sample “Bought”: No price is read, and should be 20.');
    expect(refused.json.errors).toEqual([{ field: 'endpoint.samples', message: 'Sample “Bought”: No price is read, and should be 20.' }]);
    const { rows } = await node.pool.query('select endpoint from buyer_tier where id = $1', [tierId]);
    expect(rows[0].endpoint.post.response.price).toEqual({ at: [{ path: 'price' }] });
    expect((await office.change('buyerTier', tierId, { name: 'Other name' })).statusCode).toBe(200);
    const [sample] = await samples();
    expect((await office.change('answerSample', sample._id, { expected: { outcome: 'accepted' } })).statusCode).toBe(200);
    expect((await office.change('buyerTier', tierId, { endpoint: misreading() })).statusCode).toBe(200);
  });

  it('one that fails keeps its tree from being published, and is no hindrance once it is removed', async () => {
    expect((await publish()).statusCode).toBe(200);
    // Kept as it should be read, before the endpoint does.
    const { json } = await keep({ expected: { outcome: 'rejected' } });
    const refused = await publish();
    expect([refused.statusCode, refused.json.code]).toEqual([409, 'tree_sample_failed']);
    expect(refused.json.msg).toContain('Ann, Tier: Sample “Bought”: It is read as accepted, and should be declined.');
    expect((await office.post('/api/v1/common/post-delete-data', { model: 'answerSample', _id: json.data._id })).statusCode).toBe(200);
    expect(await samples()).toEqual([]);
    expect((await publish()).statusCode).toBe(200);
    expect((await office.change('answerSample', json.data._id, { status: 'active' })).statusCode).toBe(200);
    expect((await publish()).statusCode).toBe(409);
  });

  it('one that fails keeps an A/B test with its tier from being started', async () => {
    const { json } = await office.get(`${campaign()}/tree`);
    const groups = json.live.map((group: object) => ({ ...group, mode: 'roundRobin' }));
    expect((await office.post(`${campaign()}/draft`, { groups, state: json.state })).statusCode).toBe(200);
    const variants = [
      { name: 'Control', sharePercent: 50 },
      { name: 'Other', sharePercent: 50, tree: { from: 'draft' } },
    ];
    const made = await office.post('/api/console/ab-tests', { campaignId: office.world.campaignId, name: 'Trees', variants });
    const start = () => office.post(`/api/console/ab-tests/${made.json.test._id}/start`, { version: made.json.test.version });
    const sample = (await keep({ expected: { outcome: 'rejected' } })).json.data;
    const refused = await start();
    expect([refused.statusCode, refused.json.code]).toEqual([409, 'tree_sample_failed']);
    expect((await office.change('answerSample', sample._id, { expected: { outcome: 'accepted' } })).statusCode).toBe(200);
    expect((await start()).json.test.status).toBe('running');
  });

  it('they are judged while an endpoint is written, with what is read now', async () => {
    const judge = (endpoint: unknown, as = office) => as.post('/api/console/endpoint/samples', { endpoint, samples: [YES] });
    expect((await judge(jsonEndpoint(buyer.url, 'post'))).json.judgements).toEqual([
      { differences: [], read: { outcome: 'accepted', price: '20.00', redirectUrl: 'https://buyer.example/thanks?id=1' } },
    ]);
    expect((await judge(misreading())).json.judgements[0].differences).toEqual(['No price is read, and should be 20.']);
    expect((await judge({})).statusCode).toBe(400);
    expect((await judge(misreading(), await signIn(node, office.world, { role: 'member' }))).statusCode).toBe(403);
  });

  it('are sealed at rest, and in no log', async () => {
    const { json } = await keep({ answer: { ...YES.answer, headers: { 'x-note': 'tell-tale-header' } } });
    expect(json.data.answer.headers).toEqual({ 'x-note': 'tell-tale-header' });
    await office.change('answerSample', json.data._id, { answer: { ...YES.answer, body: '{"result":"tell-tale-body"}' } });
    await office.post('/api/v1/common/post-delete-data', { model: 'answerSample', _id: json.data._id });
    const { rows } = await node.pool.query('select answer, expected from answer_sample where id = $1', [json.data._id]);
    for (const sealed of Object.values<Buffer>(rows[0])) expect(sealed.toString('latin1')).not.toMatch(/tell-tale|accepted|result/);
    const log = await node.pool.query('select action, before, after from change_log where record_id = $1 order by id', [json.data._id]);
    expect(log.rows.map((row) => row.action)).toEqual(['add', 'edit', 'remove']);
    expect(log.rows[1].after).toEqual({ answer: 'changed' });
    expect(JSON.stringify(log.rows)).not.toMatch(/tell-tale|20\.00/);
  });

  it('a tier keeps so many and no more, each under a name of its own; a stranger has none of them', async () => {
    for (let at = 0; at < SAMPLES_MOST; at += 1) expect((await keep({ name: `Sample ${at}` })).statusCode).toBe(200);
    const over = await keep({ name: 'One more' });
    expect([over.statusCode, over.json.code]).toEqual([409, 'sample_too_many']);
    expect((await keep({ name: 'sample 3' })).json.code).toBe('record_name_taken');
    const other = await openOffice(node, buyer);
    expect(
      (await other.post('/api/v1/common/post-add-data', { model: 'answerSample', buyerTierId: tierId, name: 'Mine', ...YES })).statusCode,
    ).toBe(404);
    const [sample] = await samples();
    expect((await other.change('answerSample', sample._id, { name: 'Mine' })).statusCode).toBe(404);
  });

  it('the answer to a real attempt is kept without the person, with only the headers that are read', async () => {
    const personal = { email: 'grace.hopper@example.com', phone: '2125550187', first_name: 'Grace' };
    buyer.answer(() => ({
      headers: { 'x-request': 'grace.hopper@example.com', 'retry-after': '0' },
      body: JSON.stringify({
        result: 'accepted',
        price: '20.00',
        echo: { ...personal, tel: '(212) 555-0187' },
        redirect: 'https://buyer.example/?e=grace.hopper%40example.com',
      }),
    }));
    const { leadId } = (await office.lead(personal.email, personal)).json;
    const path = `/api/console/leads/${leadId}/attempts/0/sample`;
    const { json } = await office.get(path);
    expect(json.expected).toMatchObject({ outcome: 'accepted', price: '20.00' });
    expect(Object.keys(json.answer.headers).sort()).toEqual(['content-type', 'retry-after']);
    expect(JSON.stringify(json)).not.toMatch(/hopper|Grace|555-?0187|5550187/);
    const kept = await office.post(path, { name: 'A real one', expected: json.expected });
    expect([kept.statusCode, kept.json.msg]).toEqual([200, 'The answer is kept as a sample of its tier.']);
    const [sample] = await samples();
    expect(sample).toMatchObject({ name: 'A real one', leg: 'post', answer: json.answer, expected: json.expected });
    expect((await office.change('buyerTier', tierId, { endpoint: jsonEndpoint(buyer.url, 'post') })).statusCode).toBe(200);
    expect((await office.change('buyerTier', tierId, { endpoint: misreading() })).statusCode).toBe(422);
  });

  it('an attempt without an answer gives none, and a lead of others is not there', async () => {
    buyer.answer(() => ({ reset: true }));
    const { leadId } = (await office.lead('reset@example.com')).json;
    const path = `/api/console/leads/${leadId}/attempts`;
    expect((await office.get(`${path}/0/sample`)).json.code).toBe('attempt_unanswered');
    expect((await office.get(`${path}/7/sample`)).statusCode).toBe(404);
    const other = await openOffice(node, buyer);
    expect((await other.get(`${path}/0/sample`)).json.code).toBe('lead_unknown');
  });

  it('console §1: they move with the configuration; one that fails stays behind, and is noted', async () => {
    await keep();
    await keep({ name: 'Wrong', expected: { outcome: 'rejected' } });
    const { json: document } = await office.get('/api/v1/configuration/export');
    expect(document.buyerTiers[0].samples).toEqual([{ name: 'Bought', ...YES }]);
    expect(document.notes).toEqual(['Sample Wrong of Ann, Tier stayed behind: the endpoint reads it otherwise than it should.']);
    const empty = await openOffice(node, buyer, { groups: [] });
    const taken = await empty.post('/api/v1/configuration/import', { document });
    expect([taken.statusCode, taken.json.added.answerSample]).toEqual([200, 1]);
    const list = await empty.post('/api/v1/common/get/condition-data', { model: 'answerSample', condition: {} });
    expect(list.json.data).toMatchObject([{ name: 'Bought', ...YES }]);
    expect((await empty.post('/api/v1/configuration/import', { document })).json.kept.answerSample).toBeUndefined();
  });
});
