/** Leads that nobody is working on any more: ended by one node at a time, in pieces, and read without looking through all that came beside them. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openPool } from '#server/kit/database.ts';
import { idInstant, newId } from '#server/kit/ids.ts';
import { endForgotten, interruptLeads, listOpen } from '#server/node/interrupt-leads.ts';
import { REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { copyLead } from '#test/harness/many-leads.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice } from '#test/harness/office.ts';

const MINUTE = 60_000;
let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let office: Office;
let ids: string[];

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => REJECT);
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});
beforeEach(async () => {
  office = await openOffice(node, buyer);
  ids = [];
  for (let at = 0; at < 5; at++) ids.push((await office.lead(`lost${at}.${newId()}@example.com`)).json.leadId);
  // As if their node had died before it stored what became of them.
  await node.pool.query('delete from lead_result where lead_id = any($1)', [ids]);
});

const later = () => Date.now() + 21 * MINUTE;
const forgotten = (errors: unknown[] = []) => endForgotten(node.pool, node.planBook, later(), (error) => void errors.push(error));
const idsOf = (leads: { leadId: string }[]) => leads.map(({ leadId }) => leadId).sort();
const endedOf = async () =>
  (await node.pool.query(`select lead_id as "leadId" from lead_result where lead_id = any($1) and reason = 'interrupted'`, [ids])).rows;

/** A node that stores what became of a lead, and is not through with it. */
async function beginStoring(leadId: string): Promise<pg.Client> {
  const slow = new pg.Client({ connectionString: node.database.url });
  await slow.connect();
  await slow.query('begin');
  await slow.query(
    `insert into lead_result select organization_id, id, vertical_id, campaign_id, publisher_tier_id, test, 'unsold', null, 0, 0, 0, 0, 0, null, 0, 0, 0, now(), '[]', 'x'
      from lead where id = $1`,
    [leadId],
  );
  return slow;
}

it('G1: one that cannot be ended keeps no other, is told, and ends with the next look', async () => {
  const [, broken] = ids;
  await node.pool.query(`create function break() returns trigger language plpgsql as $$ begin
      if new.lead_id = '${broken}' then raise exception 'broken'; end if; return new; end $$;
    create trigger break before insert on lead_result for each row execute function break()`);
  const errors: unknown[] = [];
  expect(idsOf(await forgotten(errors))).toEqual(ids.filter((id) => id !== broken));
  expect(errors.map((error) => (error as Error).message)).toEqual(['broken']);
  await node.pool.query('drop trigger break on lead_result; drop function break()');
  expect(idsOf(await forgotten())).toEqual([broken]);
  expect(idsOf(await endedOf())).toEqual(ids);
});

it('G1: one that its slow node is just storing keeps no other, and is left to that node', async () => {
  const slow = await beginStoring(ids[2]!);
  const errors: unknown[] = [];
  expect(idsOf(await forgotten(errors))).toEqual(ids.filter((id) => id !== ids[2]));
  expect(errors.map((error) => (error as { code: string }).code)).toEqual(['55P03']);
  await slow.query('commit');
  await slow.end();
  expect(await forgotten()).toEqual([]);
  expect(idsOf(await endedOf())).toEqual(ids.filter((id) => id !== ids[2]));
});

it('G1: one of a lost node whose last statement is under way still ends with a later look, as soon as that is over', async () => {
  const lost = newId();
  const slow = await beginStoring(ids[2]!);
  await node.pool.query('update lead set node_id = $1 where id = any($2)', [lost, ids]);
  await node.pool.query(`insert into node (id, seen_at) values ($1, now() - interval '1 minute')`, [lost]);
  const known = async () => (await node.pool.query('select from node where id = $1', [lost])).rowCount;
  await expect.poll(async () => idsOf(await endedOf()), { timeout: 20_000 }).toEqual(ids.filter((id) => id !== ids[2]));
  await interruptLeads(node.pool, node.planBook, 10_000);
  expect(await known()).toBe(1);
  // Its node is gone, and nothing of what it began was stored.
  await slow.query('rollback');
  await slow.end();
  await expect.poll(async () => idsOf(await endedOf()), { timeout: 20_000 }).toEqual(ids);
  await expect.poll(known, { timeout: 20_000 }).toBe(0);
});

it('G1: several nodes at the same moment end each lead of a lost node once, though what is kept of one was damaged', async () => {
  const lost = newId();
  const dead = () => interruptLeads(node.pool, node.planBook, 10_000);
  await node.pool.query(`insert into node (id, seen_at) values ($1, now() - interval '1 minute')`, [lost]);
  await node.pool.query('update lead set node_id = $1, ping_id = id where id = any($2)', [lost, ids]);
  await node.pool.query(`update lead set fields = 'torn' where id = $1`, [ids[0]]);
  // The node itself looks every two seconds, and may be the one.
  const ended = (await Promise.all([dead(), dead(), forgotten(), forgotten()])).flat();
  await expect.poll(async () => idsOf(await endedOf()), { timeout: 20_000 }).toEqual(ids);
  expect(new Set(idsOf(ended)).size).toBe(ended.length);
  await expect.poll(async () => (await node.pool.query('select from node where id = $1', [lost])).rowCount, { timeout: 20_000 }).toBe(0);
});

it('reads each lead of its span a few times, however many came', async () => {
  const { organizationId } = office.world;
  const { leadId } = (await office.lead(`like.${newId()}@example.com`)).json;
  const count = Number(process.env.LOST_LEADS ?? 4_000);
  await copyLead(node.db, { organizationId, leadId, from: idInstant(leadId) - 2 * 3_600_000, count });
  const read = async (use: (client: pg.ClientBase) => Promise<unknown>) => {
    const rows = async () => {
      const pool = openPool(node.database.url, 1);
      const found = await pool.query(
        `select (select sum(seq_tup_read) from pg_stat_user_tables where relname ~ '^lead_(result_)?\\d') + (select sum(idx_tup_read) from pg_stat_user_indexes where relname ~ '^lead_(result_)?\\d') as read`,
      );
      await pool.end();
      return Number(found.rows[0].read);
    };
    const before = await rows();
    const pool = openPool(node.database.url, 1);
    const client = await pool.connect();
    await use(client);
    client.release();
    await pool.end();
    return (await rows()) - before;
  };
  let open: string[] = [];
  const rows = await read(async (client) => {
    open = await listOpen(client, organizationId, { from: Date.now() - 3 * 3_600_000, to: later() });
  });
  expect(open).toEqual(ids);
  expect(rows).toBeLessThan(count * 25);
});
