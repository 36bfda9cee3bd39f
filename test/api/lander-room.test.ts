/** Leads from landers take their place among all leads of a node, as posted ones do. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { insideOneMinute } from '#test/harness/minute.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { type Office, openOffice } from '#test/harness/office.ts';
import { LEAD } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let office: Office;
let cardId: string;

beforeAll(async () => {
  node = await startTestWorld({ maxInFlight: 4 });
  buyer = await startBuyer(() => ({ ...ACCEPT, delayMs: 600 }));
  // There is another, which is to be served too.
  await openOffice(node, buyer);
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});
beforeEach(async () => {
  await insideOneMinute();
  office = await openOffice(node, buyer, { publisher: { kind: 'lander' } });
  const card = {
    ...{ name: 'Grace Hopper', title: 'Admiral', company: 'Harbour', email: 'grace@harbour.example', phone: '+1 212 555 0123' },
    ...{ website: 'harbour.example', additional_information: 'Calls back today.' },
  };
  const { json } = await office.post('/api/v1/common/post-add-data', {
    ...{ model: 'card', verticalId: office.world.verticalId, ...card, hasLander: true, landerDescription: '<p>A loan?</p>' },
    ...{ publisherTierId: office.world.publisherTierId },
    landerFields: ['first_name', 'email', 'phone', 'state', 'zip', 'monthly_income'],
  });
  expect(json).toMatchObject({ status: true });
  cardId = json.data._id;
});

const submit = (at: TestNode, name: string) =>
  at.post('/api/v1/drawcard/submit-lander', {
    ...{ dc_status: 1, dc_rolodex_id: cardId, rolodexId: cardId, dc_submission: `submission-of-${name}-0123456789` },
    ...{ ...LEAD, email: `${name}@example.com` },
  });

it('D10: one that finds none is told to send it again in a moment, and is taken then', async () => {
  const answers = await Promise.all(
    ['ann', 'bob', 'cem', 'dee', 'eve', 'fay'].map(async (name) => ({ name, ...(await submit(node, name)) })),
  );
  const [taken, refused] = [answers.filter(({ statusCode }) => statusCode === 200), answers.filter(({ statusCode }) => statusCode === 429)];
  // With another organization on the node, it has its share of four places.
  expect([taken.length, refused.length]).toEqual([2, 4]);
  for (const { headers, json } of refused) expect([headers.get('retry-after'), json.code]).toEqual(['2', 'lander_busy']);
  expect(refused[0]!.json.msg).toContain('Send it again in a moment');
  const again = await submit(node, refused[0]!.name);
  expect(again.statusCode).toBe(200);
  expect(buyer.calls.filter(({ body }) => body.includes(`${refused[0]!.name}@`))).toHaveLength(1);
});

it('D10: they count as the leads of their organization, by the second and among all of a node', async () => {
  const strict = await startNode(node.database.url, { leadsPerSecond: 1, maxInFlight: 1 });
  const answers = await Promise.all(['gus', 'hal', 'ida'].map((name) => submit(strict, name)));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  expect(answers.filter(({ json }) => json.code === 'lander_busy')).toHaveLength(2);
  await strict.close();
});
