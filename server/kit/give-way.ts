/**
 * Where PostgreSQL runs on this machine and under our hand, what a connection asks gives way to all else there: its server process becomes "nice", so that a report has what the
 * leads leave of the processors, and takes nothing from them. Elsewhere nothing happens; there a replica does the same (DATABASE_REPLICA_URL).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type pg from 'pg';

/**
 * As `nice` has it: of a processor that another wants whole, who looks gets about a tenth and who counts a quarter, since looking costs more the longer nothing is counted. Where
 * nobody else wants it they get all of it.
 */
export const LOOKING = 10;
export const COUNTING = 5;
/** Linux lets an ordinary user change groups of processes so often only. */
const AGAIN_AFTER_MS = [150, 400, 1_000];

/** A helper process would not give way. */
export const NO_HELPERS = '-c max_parallel_workers_per_gather=0';

/** To be done with every new connection. */
export const givingWay =
  (niceness: number) =>
  (client: pg.ClientBase): Promise<void> =>
    giveWay(client, niceness);

async function giveWay(client: pg.ClientBase, niceness: number): Promise<void> {
  const { rows } = await client.query<{ pid: number; port: number }>('select pg_backend_pid() as pid, inet_client_port() as port');
  const { pid, port } = rows[0]!;
  if (!isServerOf(pid, port)) return;
  attempt(() => setPriority(pid, niceness));
  void giveWayAsGroup(pid, port, niceness);
}

/** Each server process is a session of its own, and those are what Linux shares the processors among, where it groups them (sched_autogroup). */
async function giveWayAsGroup(pid: number, port: number, niceness: number): Promise<void> {
  for (const ms of [0, ...AGAIN_AFTER_MS]) {
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms).unref());
    if (!isServerOf(pid, port) || attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(niceness), { flag: 'r+' })) !== 'EAGAIN')
      return;
  }
}

/** The process of that number may be another machine's, and here be anybody: PostgreSQL's says who it serves. */
function isServerOf(pid: number, port: number): boolean {
  try {
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return title.startsWith('postgres: ') && title.includes(`(${port})`);
  } catch {
    return false;
  }
}

/** What kept it from that, as the system calls it. */
function attempt(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
