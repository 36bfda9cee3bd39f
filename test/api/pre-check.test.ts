/** engine §5, console §3: a service that calls nobody is asked by tiers like any other, and the lead says what it found. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LeadView } from '#contract/lead.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { metricOf } from '#test/harness/metrics.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let second: ScriptedBuyer;
let office: Office;

beforeAll(async () => {
  node = await startTestWorld();
  [buyer, second] = [await startBuyer(() => ACCEPT), await startBuyer(() => ACCEPT)];
  office = await openOffice(node, buyer, {
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: buyer.url, buyer: 'Ann' },
          { url: second.url, buyer: 'Bob' },
        ],
      },
    ],
    fields: [{ field_name: 'cert', field_human_name: 'Certificate', type: 'string', privacy_class: 'P1' }],
  });
});
afterAll(async () => {
  await node.stop();
  await Promise.all([buyer.close(), second.close()]);
});

const EMAIL = { kind: 'email', field: 'email', disposable: ['mailinator.com'], whenEmpty: 'refuse' };
const ADDRESS = { kind: 'address', stateField: 'state', zipField: 'zip', whenEmpty: 'pass' };
let made = 0;
const add = (check: unknown, more = {}) =>
  office.post('/api/v1/common/post-add-data', {
    model: 'service',
    name: `Check ${made++}`,
    verticalId: office.world.verticalId,
    endpoint: { check, ...more },
  });
const ask = (model: 'buyerTier' | 'publisherTier', id: string, field: 'thirdParty' | 'p2c', serviceId: string | null) =>
  office.change(model, id, { [field]: serviceId && { serviceId, timeLimitMs: 1000, onFailure: 'refuse' } });
const view = async (leadId: string): Promise<LeadView> => (await office.get(`/api/console/leads/${leadId}`)).json.lead;

describe('engine §5: ready-made checks', () => {
  it('before the tree refuse the lead with their reason, on the lead and for the publisher; nobody is called', async () => {
    const service = (await add(EMAIL)).json.data;
    expect((await ask('publisherTier', office.world.publisherTierId, 'p2c', service._id)).statusCode).toBe(200);
    const before = buyer.calls.length + second.calls.length;
    const refused = await office.lead('someone@eu.mailinator.com');
    expect(refused.json.status).not.toBe('accepted');
    expect(await metricOf(node.url, 'sluice_service_calls_total', { kind: 'ready-made', outcome: 'refused' })).toBe(1);
    const lead = await view(refused.json.leadId);
    expect([lead.status, lead.reason]).toEqual(['rejected', 'publisher-tier-p2c-api-failed']);
    expect(lead.why).toContain('said no: mailinator.com gives out addresses that are thrown away');
    expect(lead.why).not.toContain('someone');
    expect(buyer.calls.length + second.calls.length).toBe(before);
    const sold = await office.lead('pre-check1@example.com', { zip: '10001' });
    expect(sold.json.status).toBe('accepted');
    expect((await view(sold.json.leadId)).steps.some(({ code, text }) => code === 'p2c-passed' && text.includes(service.name))).toBe(true);
    await ask('publisherTier', office.world.publisherTierId, 'p2c', null);
  });

  it('of a buyer tier pass it by, and the next one buys', async () => {
    const service = (await add(ADDRESS)).json.data;
    expect((await ask('buyerTier', office.world.tiers[0]!.buyerTierId, 'thirdParty', service._id)).statusCode).toBe(200);
    const { json } = await office.lead('pre-check2@example.com', { state: 'CA', zip: '10001' });
    const lead = await view(json.leadId);
    expect(lead.buyers.map((one) => one.buyerName)).toEqual(['Bob']);
    expect(lead.verdicts[0]).toMatchObject({ buyerName: 'Ann', outcome: 'filtered' });
    expect(lead.verdicts[0]!.text).toContain('the ZIP code lies in NY, not in CA');
    expect(
      (await view((await office.lead('pre-check3@example.com', { state: 'NY', zip: '10001' })).json.leadId)).buyers[0]!.buyerName,
    ).toBe('Ann');
    // Paused, it judges nothing: the tier's rule for failures decides.
    await office.change('service', service._id, { status: 'paused' });
    const paused = await view((await office.lead('pre-check4@example.com', { state: 'NY', zip: '10001' })).json.leadId);
    expect(paused.verdicts[0]!.text).toContain('its service is paused');
    await office.change('service', service._id, { status: 'active' });
    // Rules that are changed hold for the next lead.
    await office.change('service', service._id, { endpoint: { check: { kind: 'consent', field: 'cert', hosts: [] } } });
    expect((await view((await office.lead('pre-check5@example.com')).json.leadId)).verdicts[0]!.text).toContain(
      'there is no consent certificate',
    );
    expect((await view((await office.lead('pre-check6@example.com', { cert: 'abc' })).json.leadId)).buyers[0]!.buyerName).toBe('Ann');
    await ask('buyerTier', office.world.tiers[0]!.buyerTierId, 'thirdParty', null);
  });

  it('look only at fields that the vertical has and that fit; what they look at is not removed', async () => {
    const wrong: [unknown, string][] = [
      [{ ...EMAIL, field: 'nothing' }, 'service_check_invalid'],
      [{ ...EMAIL, field: 'state' }, 'service_check_invalid'],
      [{ ...ADDRESS, zipField: 'email' }, 'service_check_invalid'],
      [{ ...EMAIL, disposable: ['Not A Domain'] }, 'record_value_invalid'],
      [{ ...EMAIL, kind: 'horoscope' }, 'record_value_invalid'],
    ];
    for (const [check, code] of wrong) {
      const answer = await add(check);
      expect([answer.statusCode, answer.json.code]).toEqual([400, code]);
    }
    const neither = await office.post('/api/v1/common/post-add-data', {
      model: 'service',
      name: 'Neither',
      verticalId: office.world.verticalId,
      endpoint: {},
    });
    expect([neither.statusCode, neither.json.code]).toEqual([400, 'record_value_invalid']);
    expect((await add({ kind: 'consent', field: 'cert', hosts: [] })).statusCode).toBe(200);
    const { json } = await office.post('/api/v1/common/get/condition-data', { model: 'field', condition: { fieldName: 'cert' } });
    const removal = await office.post('/api/v1/common/post-delete-data', { model: 'field', _id: json.data[0]._id });
    expect([removal.statusCode, removal.json.uses.join(' ')]).toEqual([409, expect.stringContaining('Third-party service Check')]);
  });

  it('are tried with values of one’s own, by who may set the vertical up', async () => {
    const attempt = (check: unknown, lead: Record<string, string>, as = office) =>
      as.post('/api/console/service/try-check', { verticalId: office.world.verticalId, check, lead });
    expect((await attempt(EMAIL, { email: 'a@mailinator.com' })).json).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('mailinator.com'),
    });
    expect((await attempt(ADDRESS, { state: 'ny', zip: '10001' })).json).toMatchObject({ outcome: 'passed', reason: null });
    expect((await attempt({ ...EMAIL, field: 'zip' }, {})).json.code).toBe('service_check_invalid');
    expect((await attempt(EMAIL, {}, await signIn(node, office.world, { role: 'member' }))).statusCode).toBe(403);
  });

  it('console §1: move with the configuration', async () => {
    const { json: document } = await office.get('/api/v1/configuration/export');
    const kept = document.services.filter((one: { data: { endpoint: { check?: unknown } } }) => one.data.endpoint.check);
    expect(kept.length).toBeGreaterThan(1);
    const other = await openOffice(node, buyer, { groups: [] });
    await node.pool.query(
      `insert into field (organization_id, id, vertical_id, position, field_name, field_human_name, type, privacy_class)
         values ($1, gen_random_uuid(), $2, 90, 'cert', 'Certificate', 'string', 'P1')`,
      [other.world.organizationId, other.world.verticalId],
    );
    const taken = await other.post('/api/v1/configuration/import', { document });
    expect([taken.statusCode, taken.json.added.service]).toEqual([200, document.services.length]);
  });
});
