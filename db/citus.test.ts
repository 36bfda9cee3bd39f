/** Holds the schema to the rules by which Citus distributes tables (docs: "Limitations" and "Multi-tenant schema migration"). */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SWEPT_TABLES } from '#server/node/sweep.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';

/** Rows that end with what they belong to: a node leaves or is found dead, a reservation ends with its lead or is settled, and with it what its buyer said; a mark ends with the count it asks for. */
const ENDED_BY_OWNER = [
  'node',
  'reservation',
  'refused_postback',
  'job_part',
  'job_error',
  'report_mark',
  'report_slot_mark',
  ...['lead_slot', 'attempt_slot', 'latency_slot'],
  'payment_report',
  'default_view',
];
/** As many rows as people have set up (group_turn: one for each member of a group, breaker and buyer_rest: one for each buyer tier, balance: one for each company, report_progress and report_slot_progress: one for each organization, report_week: one for each week of it, change_seal: one for each hour in which something was changed), and what the product says of itself. */
const CONFIGURED = [
  ...[
    'ab_test',
    'ab_variant',
    'answer_sample',
    'app_user',
    'balance',
    'bank',
    'bin_move',
    'bin_range',
    'breaker',
    'buyer',
    'buyer_rest',
    'buyer_tier',
    'campaign',
    'card',
    'contact',
    'field',
    'group_member',
    'group_turn',
    'landing_page',
    'organization',
    'organization_key',
    'payment_processor',
    'posting_key',
    'promotion',
    'publisher',
  ],
  ...[
    'publisher_tier',
    'service',
    'suppression_list',
    'region',
    'report_progress',
    'report_slot_progress',
    'report_slots',
    'report_week',
    'retention',
    'team_member',
    'throttled_tier',
    'help_entry',
    'help_version',
    'tree_draft',
    'tree_group',
    'tree_version',
    'change_seal',
    'vertical',
    'webhook',
    'export_feed',
    'demo_world',
    'migration',
    'recovery_code',
    'sample_lead',
    'simulated_answer',
    'return_key',
    // One for each erasure on request, and for each value of such a person.
    'erasure',
    'erased_person',
  ],
];

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const TABLES = `select c.oid, c.relname as name, c.relkind, obj_description(c.oid) as comment,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id' and a.attnotnull) as tenant
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  return (await client.query(sql)).rows;
}

describe('the schema can be distributed by organization', () => {
  it('every table is either a tenant table with organization_id, or says that it is a reference table', async () => {
    const wrong = (await rows(TABLES)).filter(
      (table) =>
        table.tenant !== (table.comment !== 'reference' && !String(table.comment).startsWith('reference')) && table.name !== 'session',
    );
    expect(wrong.map((table) => table.name)).toEqual([]);
  });

  it('every primary key and unique index of a tenant table begins with, or at least holds, organization_id', async () => {
    const wrong = await rows(
      `with tenant as (${TABLES}) select t.name, i.indexrelid::regclass::text as index, i.indisprimary,
          (select array_agg(a.attname::text order by k.n) from unnest(i.indkey::int[]) with ordinality k (att, n) join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.att) as columns
        from tenant t join pg_index i on i.indrelid = t.oid where t.tenant and t.comment is distinct from 'reference' and i.indisunique`,
    );
    expect(wrong.length).toBeGreaterThan(15);
    expect(wrong.filter((index) => (index.columns as string[])[0] !== 'organization_id')).toEqual([]);
  });

  it('every tenant table has a primary key', async () => {
    expect(
      await rows(
        `with tenant as (${TABLES}) select name from tenant t where not exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary)`,
      ),
    ).toEqual([]);
  });

  it('foreign keys between tenant tables carry organization_id in the same place on both sides', async () => {
    const keys = await rows(
      `with tenant as (${TABLES}) select f.conname, t.name as from_table, o.name as to_table, t.tenant as from_tenant, o.tenant and o.comment is distinct from 'reference' as to_tenant,
          (select array_agg(a.attname::text order by k.n) from unnest(f.conkey) with ordinality k (att, n) join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.att) as own,
          (select array_agg(a.attname::text order by k.n) from unnest(f.confkey) with ordinality k (att, n) join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.att) as other
        from pg_constraint f join tenant t on t.oid = f.conrelid join tenant o on o.oid = f.confrelid where f.contype = 'f'`,
    );
    expect(keys.length).toBeGreaterThan(10);
    const wrong = keys.filter(
      (key) => key.to_tenant && ((key.own as string[])[0] !== 'organization_id' || (key.other as string[])[0] !== 'organization_id'),
    );
    expect(wrong).toEqual([]);
    // A reference table may not point into a distributed one.
    expect(keys.filter((key) => !key.from_tenant && key.to_tenant)).toEqual([]);
  });

  it('no trigger, exclusion constraint, sequence default or rule stands on a tenant table', async () => {
    expect(await rows(`select tgname from pg_trigger where not tgisinternal`)).toEqual([]);
    expect(await rows(`select conname from pg_constraint where contype = 'x'`)).toEqual([]);
    expect(await rows(`select oid::regclass from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`)).toEqual([]);
  });

  it('what only grows is partitioned by month on a time-ordered id, partitions ready for the months to come', async () => {
    const parts = await rows(
      `select p.relname as parent, count(*)::int as months from pg_inherits i join pg_class p on p.oid = i.inhparent where p.relkind = 'p' group by 1 order by 1`,
    );
    expect(parts.map((part) => part.parent)).toEqual([
      'api_call',
      'attempt',
      'attempt_tally',
      'change_log',
      'held_reference',
      'late_answer',
      'latency_tally',
      'lead',
      'lead_lookup',
      'lead_page',
      'lead_result',
      'lead_return',
      'lead_tally',
      'lead_variant',
      'ledger_entry',
      'loss_notice',
      'page_tally',
      'promotion_sale',
      'redirect',
      'sale',
      'security_log',
      'service_call',
      'settlement',
    ]);
    for (const part of parts) expect(part.months).toBeGreaterThanOrEqual(5);
  });

  it('every table is cut off by month, swept, ended by its owner, or no larger than what is configured', async () => {
    const tables = await rows(TABLES);
    const grows = tables.filter((table) => table.relkind !== 'p').map((table) => table.name as string);
    const known = [...SWEPT_TABLES, ...ENDED_BY_OWNER, ...CONFIGURED];
    expect(grows.sort()).toEqual(known.sort());
  });

  it('money is numeric(13,4) wherever it is kept', async () => {
    const columns = await rows(
      `select c.relname || '.' || a.attname as column, format_type(a.atttypid, a.atttypmod) as type from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attname in ('revenue', 'payout', 'margin', 'bid', 'price', 'floor', 'credit_limit', 'amount') and format_type(a.atttypid, null) <> 'jsonb' order by 1`,
    );
    expect(columns.length).toBeGreaterThan(8);
    expect(columns.filter((column) => column.type !== 'numeric(13,4)')).toEqual([
      // The sums of many.
      { column: 'attempt_slot.margin', type: 'numeric(19,4)' },
      { column: 'attempt_slot.payout', type: 'numeric(19,4)' },
      { column: 'attempt_slot.revenue', type: 'numeric(19,4)' },
      { column: 'attempt_tally.margin', type: 'numeric(19,4)' },
      { column: 'attempt_tally.payout', type: 'numeric(19,4)' },
      { column: 'attempt_tally.revenue', type: 'numeric(19,4)' },
      { column: 'balance.amount', type: 'numeric(19,4)' },
      { column: 'latency_slot.revenue', type: 'numeric(19,4)[]' },
      { column: 'latency_tally.revenue', type: 'numeric(19,4)[]' },
      { column: 'lead_result.margin', type: 'numeric(19,4)' },
      { column: 'lead_result.payout', type: 'numeric(19,4)' },
      { column: 'lead_result.revenue', type: 'numeric(19,4)' },
      { column: 'lead_slot.margin', type: 'numeric(19,4)' },
      { column: 'lead_slot.payout', type: 'numeric(19,4)' },
      { column: 'lead_slot.revenue', type: 'numeric(19,4)' },
      { column: 'lead_tally.margin', type: 'numeric(19,4)' },
      { column: 'lead_tally.payout', type: 'numeric(19,4)' },
      { column: 'lead_tally.revenue', type: 'numeric(19,4)' },
    ]);
  });
});
