/** The database as it is set up, and how quick it is from here. It is read, and only read. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { isAsApplied, listMigrations, MIGRATIONS } from '#db/migrate.ts';
import type { Config } from '#server/kit/config.ts';
import { type MasterKey, unwrapKeys } from '#server/kit/crypto.ts';
import { POSTGRES_MAJOR } from '#server/kit/embedded-postgres.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

const SKEW_MS = 1_000;
const LOOKS = 20;
const FAR_MS = 5;
const SLOW_COMMIT_MS = 10;

/** Room for what comes, and keys to what is there. For a database of this version. */
export const lookAtTables = async (client: pg.ClientBase, config: Config): Promise<Finding[]> => [
  ...(await lookAtPartitions(client)),
  ...(await lookAtKeys(client, config)),
];

export const lookAtServer = async (client: pg.ClientBase, config: Config): Promise<Finding[]> => [
  ...(await lookAtServerSettings(client, config)),
  await lookAtDistance(client),
  await lookAtCommit(client),
];

/** Without trying how quick it is: may be asked at any time. */
export async function lookAtServerSettings(client: pg.ClientBase, config: Pick<Config, 'databasePool'>): Promise<Finding[]> {
  const { rows } = await client.query<{
    version: string;
    fsync: string;
    pages: string;
    commit: string;
    connections: string;
    isolation: string;
    now: Date;
  }>(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
      current_setting('synchronous_commit') as commit, current_setting('max_connections') as connections,
      current_setting('default_transaction_isolation') as isolation, clock_timestamp() as now`,
  );
  const { version, fsync, pages, commit, connections, isolation, now } = rows[0]!;
  const found = [
    Number.parseInt(version, 10) >= Number(POSTGRES_MAJOR)
      ? ok(`PostgreSQL ${version}.`)
      : warn(`PostgreSQL ${version} is older than what Sluice is tested with.`, `Use PostgreSQL ${POSTGRES_MAJOR}.`),
  ];
  const unsafe = Object.entries({ fsync, full_page_writes: pages, synchronous_commit: commit }).filter(([, value]) => value === 'off');
  for (const [name] of unsafe)
    found.push(bad(`${name} is off: a lead that was acknowledged may be lost when the machine dies.`, `Set ${name} = on.`));
  if (isolation !== 'read committed')
    found.push(bad(`Transactions begin as ${isolation}: no lead is taken.`, 'Set default_transaction_isolation = read committed.'));
  // Console, readers and writers, and as much again for a node that takes over while this one ends.
  const wanted = 2 * (3 * config.databasePool + 20);
  if (Number(connections) < wanted)
    found.push(
      warn(
        `max_connections is ${connections}; a node and its successor take up to ${wanted}.`,
        `Raise it, or lower DATABASE_POOL (${config.databasePool}).`,
      ),
    );
  const skew = Math.abs(Date.now() - now.getTime());
  if (skew > SKEW_MS)
    found.push(
      bad(
        `The clocks of this machine and the database differ by ${(skew / 1000).toFixed(1)} s.`,
        'Let both be set by NTP: caps and hours follow the clock.',
      ),
    );
  return found;
}

async function lookAtDistance(client: pg.ClientBase): Promise<Finding> {
  const ms = await median(() => client.query('select 1'));
  const said = `The database answers in ${ms.toFixed(1)} ms.`;
  return ms > FAR_MS ? warn(said, 'Put node and database nearer to each other: each lead asks several times.') : ok(said);
}

/** A message in the log that nobody reads, on its way to the disk. */
async function lookAtCommit(client: pg.ClientBase): Promise<Finding> {
  const ms = await median(() => client.query(`select pg_logical_emit_message(true, 'sluice doctor', '')`));
  const said = `A commit is on disk after ${ms.toFixed(1)} ms.`;
  return ms > SLOW_COMMIT_MS ? warn(said, 'A faster disk for its write-ahead log makes every lead faster.') : ok(said);
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const found: number[] = [];
  for (let look = 0; look < LOOKS; look++) {
    const began = performance.now();
    await work();
    found.push(performance.now() - began);
  }
  return found.sort((a, b) => a - b)[LOOKS / 2]!;
}

export async function lookAtMigrations(client: pg.ClientBase): Promise<Finding[]> {
  const { rows: tables } = await client.query(`select to_regclass('migration') is not null as known`);
  const files = listMigrations();
  if (!tables[0].known) return [bad('The database is empty.', 'Start Sluice once: it makes its tables.')];
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migration');
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const found: Finding[] = [];
  const missing = files.filter((name) => !applied.has(name));
  if (missing.length > 0)
    found.push(
      bad(`Migrations that are not applied: ${missing.length}, ${missing[0]} first.`, 'Start Sluice of this version: it applies them.'),
    );
  const newer = [...applied.keys()].filter((name) => !files.includes(name));
  if (newer.length > 0)
    found.push(
      bad(`The database is of a newer version: it has ${newer.sort()[0]}.`, 'Run that version, or restore a backup from before it.'),
    );
  const edited = files.filter((name) => applied.has(name) && !isAsApplied(name, applied.get(name), checksumOf(name)));
  if (edited.length > 0)
    found.push(
      bad(
        `${edited[0]} was changed after it had been applied.`,
        'Take the release as it is; what you want beyond it is a migration of its own.',
      ),
    );
  return found.length > 0 ? found : [ok(`All ${files.length} migrations are applied.`)];
}

const checksumOf = (name: string): string =>
  createHash('sha256')
    .update(readFileSync(join(MIGRATIONS, name), 'utf8'))
    .digest('hex');

export async function lookAtPartitions(client: pg.ClientBase): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string }>(
    `select p.relname || '_' || to_char(m.month, 'YYYY_MM') as name
      from pg_partitioned_table t join pg_class p on p.oid = t.partrelid
      cross join (values (date_trunc('month', now() at time zone 'UTC')), (date_trunc('month', now() at time zone 'UTC') + interval '1 month')) as m (month)
      where p.relnamespace = 'public'::regnamespace
        and not exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = p.oid and c.relname = p.relname || '_' || to_char(m.month, 'YYYY_MM'))
      order by 1`,
  );
  if (rows.length === 0) return [ok('There is room for the leads of this month and the next.')];
  return [
    bad(
      `Partitions that are missing: ${rows.length}, ${rows[0]!.name} among them.`,
      'Start Sluice: it makes them at its start and every six hours.',
    ),
  ];
}

/** Whether SECRET_KEY is the one that the organizations were made with. */
async function lookAtKeys(client: pg.ClientBase, { masterKey }: Config): Promise<Finding[]> {
  const { rows } = await client.query<{ id: string; name: string; data_key: Buffer }>('select id, name, data_key from organization');
  const closed = rows.filter(({ id, data_key }) => !opens(masterKey, id, data_key));
  if (closed.length === 0) return [ok(`SECRET_KEY opens the key of every organization (${rows.length}).`)];
  const some = closed.length === rows.length ? 'any organization' : `${closed.length} of ${rows.length} organizations`;
  return [
    bad(
      `SECRET_KEY does not open the key of ${some}: no lead of theirs can be read or taken.`,
      'Set the SECRET_KEY that this database was made with.',
    ),
  ];
}

export function opens(masterKey: MasterKey, organizationId: string, wrapped: Buffer): boolean {
  try {
    unwrapKeys(masterKey, organizationId, wrapped);
    return true;
  } catch {
    return false;
  }
}
