/**
 * What stands in the database about the work of the whole installation: how much waits, how old it is, who lives. One look over small tables and partial
 * indexes, bounded in each part, that costs milliseconds however many leads there are. Read only.
 */
import type pg from 'pg';

/** Counts go so far: who has more has trouble enough. */
export const MOST = 10_000;
export const MOST_HELD = 5_000;
/** As the heartbeat of a node (node/node.ts). */
const LIVING = `interval '10 seconds'`;
const WITHIN = '5s';

/** Ages and delays in seconds; null where nothing waits. */
export interface InstallationState {
  mails: number;
  mails_oldest: number | null;
  webhook_calls: number;
  webhook_calls_overdue: number | null;
  webhooks_failing: number;
  jobs_waiting: number;
  jobs_running: number;
  jobs_stuck: number;
  jobs_oldest: number | null;
  feed_runs: number;
  feed_runs_overdue: number | null;
  held: number;
  held_oldest: number | null;
  pending: number;
  report_hours: number;
  report_oldest: number | null;
  retention_oldest: number | null;
  partition_months: number;
  nodes_living: number;
  nodes_dead: number;
  sessions: number;
  breakers_open: number;
  tiers_throttled: number;
  tiers_resting: number;
  connections_active: number;
  connections_idle: number;
  connections_in_transaction: number;
  connections_most: number;
  longest_transaction: number | null;
  server_version: string;
}

const age = (instant: string) => `extract(epoch from clock_timestamp() - ${instant})::float8`;
const EVER = (kind: 'waiting' | 'running') => `(select count(*)::int from open_job where status = '${kind}')`;

/** `hasMail`: without a mail server mails stay where they are filed, and none waits. */
const STATE = `
  with waiting_mail as (
      select created_at from mail where $1::bool and sent_at is null and gave_up_at is null order by send_after limit ${MOST}),
    waiting_call as (
      select c.due_at, w.failing_since is not null as is_failing from webhook w join organization o on o.id = w.organization_id and o.status = 'active'
        cross join lateral (select x.due_at from webhook_call x where x.organization_id = w.organization_id and x.webhook_id = w.id and x.state = 'due' order by x.due_at limit ${MOST}) as c
        where w.status = 'active' limit ${MOST}),
    open_job as (
      (select status, created_at, lease_until from job where status in ('waiting', 'running') limit ${MOST})
      union all (select status, created_at, lease_until from replay where status in ('waiting', 'running') limit ${MOST})),
    due_run as (
      select r.due_at from export_feed f join organization o on o.id = f.organization_id and o.status = 'active'
        cross join lateral (select x.due_at from export_run x where x.organization_id = f.organization_id and x.feed_id = f.id and x.state = 'due' and x.due_at <= now() limit 100) as r
        where f.status = 'active' limit ${MOST}),
    held as (
      select organization_id, lead_id, subject_id, unknown_since from reservation where unknown_since is not null and purpose = 'post' limit ${MOST_HELD}),
    mark as (select organization_id, hour_id, marked_at from report_mark limit ${MOST}),
    place as (
      select p.oid, extract(year from age(m.month, date_trunc('month', now() at time zone 'UTC'))) * 12 + extract(month from age(m.month, date_trunc('month', now() at time zone 'UTC'))) as ahead,
          exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = p.oid and c.relname = p.relname || '_' || to_char(m.month, 'YYYY_MM')) as is_there
        from pg_partitioned_table t join pg_class p on p.oid = t.partrelid and p.relnamespace = 'public'::regnamespace
        cross join generate_series(date_trunc('month', now() at time zone 'UTC'), date_trunc('month', now() at time zone 'UTC') + interval '3 months', interval '1 month') as m (month)),
    backend as (select datname, backend_type, state, xact_start, pid from pg_stat_activity)
  select
    (select count(*)::int from waiting_mail) as mails, (select ${age('min(created_at)')} from waiting_mail) as mails_oldest,
    (select count(*)::int from waiting_call) as webhook_calls, (select greatest(0, ${age('min(due_at)')}) from waiting_call where not is_failing) as webhook_calls_overdue,
    (select count(*)::int from webhook where status = 'active' and failing_since < now() - interval '1 hour') as webhooks_failing,
    ${EVER('waiting')} as jobs_waiting, ${EVER('running')} as jobs_running,
    (select count(*)::int from open_job where status = 'running' and lease_until < now() - interval '10 minutes') as jobs_stuck,
    (select ${age('min(created_at)')} from open_job where status = 'waiting') as jobs_oldest,
    (select count(*)::int from due_run) as feed_runs, (select ${age('min(due_at)')} from due_run) as feed_runs_overdue,
    (select count(*)::int from held) as held, (select ${age('min(unknown_since)')} from held) as held_oldest,
    (select count(*)::int from held h cross join lateral (select a.answer from attempt a
        where a.organization_id = h.organization_id and a.lead_id = h.lead_id and a.buyer_tier_id = h.subject_id and a.leg = 'post' order by a.attempt_index desc limit 1) as p
      where p.answer = 'pending') as pending,
    (select count(*)::int from (select distinct organization_id, hour_id from mark) as hours) as report_hours, (select ${age('min(marked_at)')} from mark) as report_oldest,
    (select ${age('min(coalesce(ran_at, updated_at))')} from retention where not on_hold and num_nonnulls(unsold_days, sold_days, wire_days) > 0) as retention_oldest,
    (select coalesce(min(ahead) filter (where not is_there), 4)::int - 1 from place) as partition_months,
    (select count(*)::int from node where seen_at > now() - ${LIVING}) as nodes_living,
    (select count(*)::int from node where seen_at <= now() - ${LIVING}) as nodes_dead,
    (select count(*)::int from session where stage = 'full' and expires_at > now() and seen_at > now() - interval '5 minutes') as sessions,
    (select count(*)::int from breaker where open_until > now()) as breakers_open,
    (select count(*)::int from throttled_tier) as tiers_throttled,
    (select count(*)::int from buyer_rest where rests_until > now()) as tiers_resting,
    (select count(*)::int from backend where state = 'active') as connections_active,
    (select count(*)::int from backend where backend_type = 'client backend' and (state = 'idle' or state is null)) as connections_idle,
    (select count(*)::int from backend where state like 'idle in transaction%') as connections_in_transaction,
    current_setting('max_connections')::int as connections_most,
    (select ${age('min(xact_start)')} from backend where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()) as longest_transaction,
    current_setting('server_version') as server_version`;

export async function readState(pool: pg.Pool, hasMail: boolean): Promise<InstallationState> {
  return readOnly(pool, async (client) => (await client.query<InstallationState>(STATE, [hasMail])).rows[0]!);
}

/** In bytes. It looks at every file of the database: not to be asked often. */
export async function readSize(pool: pg.Pool): Promise<number> {
  return readOnly(pool, async (client) => {
    const { rows } = await client.query<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes');
    return rows[0]!.bytes;
  });
}

export interface NodeRow {
  id: string;
  version: string;
  host: string;
  started_at: Date;
  seen_at: Date;
  /** Since its last heartbeat, by the clock of the database. */
  silent_ms: number;
  leads_ended: number;
  leads_under_way: number;
}

/** The newest first. */
export async function listNodes(pool: pg.Pool): Promise<NodeRow[]> {
  const { rows } = await pool.query<NodeRow>(
    `select id, version, host, started_at, seen_at, extract(epoch from clock_timestamp() - seen_at)::float8 * 1000 as silent_ms, leads_ended, leads_under_way
      from node order by started_at desc limit 200`,
  );
  return rows;
}

/** Runs `use` in a transaction that can change nothing and gives up soon. */
export async function readOnly<T>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(`begin read only; set local statement_timeout = '${WITHIN}'`);
    const found = await use(client);
    await client.query('commit');
    client.release();
    return found;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}
