/** What looking a lead up costs: `node test/load/lists.ts` fills a list of a million entries by an import, then asks for leads as intake does. */
import { performance } from 'node:perf_hooks';
import { newId } from '#server/kit/ids.ts';
import { openFactBook } from '#server/lead/fact-book.ts';
import { importFile } from '#test/harness/import.ts';
import { startNode } from '#test/harness/node.ts';
import { makeTemplate, startScratchServer } from '#test/harness/scratch.ts';
import { visit } from '#test/harness/visitor.ts';
import { buildUser, buildWorld } from '#test/harness/world.ts';

const ENTRIES = 1_000_000;
const RANGES = 300_000;
const LEADS = 20_000;
/** Leads whose query is under way at the same time. */
const TOGETHER = [1, 16, 64];

const server = await startScratchServer();
await makeTemplate(server);
const url = server.url('template_sluice');
const node = await startNode(url);
const world = await buildWorld(node.db, {
  fields: [
    { field_name: 'account', field_human_name: 'Routing number', type: 'routing', privacy_class: 'P3' },
    { field_name: 'card', field_human_name: 'Card', type: 'bin', privacy_class: 'P2' },
  ],
});
const { email, password } = await buildUser(node.db, world.organizationId);
const owner = visit(node, { host: '127.0.0.1' });
await owner.post('/team-login', { email, password });
const listId = newId();
await node.pool.query(`insert into suppression_list (organization_id, id, name, holds) values ($1, $2, 'Large', 'email')`, [
  world.organizationId,
  listId,
]);

const timed = async (what: string, rows: number, work: () => Promise<unknown>) => {
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  console.log(`${what}: ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} a second`);
};
const body = Array.from({ length: ENTRIES }, (_, n) => `person${n}@example.com`).join('\n');
await timed(`import of ${ENTRIES} e-mails`, ENTRIES, () => importFile(owner, { kind: 'suppressionImport', listId, body }, 600_000));
const bins = Array.from({ length: RANGES }, (_, n) => String(40_000_000 + n * 97)).join('\n');
await timed(`import of ${RANGES} BINs`, RANGES, () => importFile(owner, { kind: 'binImport', body: bins }, 600_000));
await node.pool.query(`insert into bin_move (organization_id, id, bin_range_id, move) select organization_id, id, id, 3 from bin_range`);
await node.pool.query(`update publisher_tier set suppression_lists = array[$1]::uuid[]`, [listId]);
await node.pool.query('vacuum analyze');
await node.planBook.reload(world.organizationId);

const facts = openFactBook(url);
const organization = node.planBook.find(world.organizationId)!;
for (const together of TOGETHER) {
  let asked = 0;
  const spent: number[] = [];
  const cpu = process.cpuUsage();
  const began = performance.now();
  const askOn = async () => {
    while (asked < LEADS) {
      const n = asked++;
      const start = performance.now();
      const fields = {
        email: `person${n * 93}@example.com`,
        phone: '+12125550123',
        card: String(40_000_000 + n * 97 * 7),
        account: '021000021',
      };
      await facts.find(organization, world.publisherTierId, fields);
      spent.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: together }, askOn));
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  spent.sort((a, b) => a - b);
  const at = (share: number) => spent[Math.floor(spent.length * share)]!.toFixed(2);
  const own = (user + system) / 1000 / LEADS;
  console.log(
    `${together} together: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${Math.round((LEADS / took) * 1000)} a second, ${own.toFixed(3)} ms of this node's CPU each`,
  );
}
await facts.close();
await node.close();
await server.stop();
