/**
 * Keeps the table of erasures and the file outside of the database alike. What the table lacks was lost with a database of which a backup was put back, and is
 * made again; what the file lacks was asked for at another node. At a start that is done before anything is answered, then every minute.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Db } from '#server/kit/database.ts';
import type { PlanBook } from '#server/plan/plan-book.ts';
import { listDueAgain, listErasures, listKnown } from './erasure.sql.ts';
import type { Erasure } from './erasure.ts';
import { goOverAgain, makeAgain } from './make-again.ts';
import { appendToRegister, type KeysOf, readRegister, requireWritable } from './register-file.ts';

export interface ErasureRegister {
  /** On disk when it resolves. */
  note(erasure: Erasure): Promise<void>;
  /** Looks at what is new on both sides, and goes over erasures whose time has come. */
  keepAlike(now: number): Promise<void>;
}

export interface RegisterOptions {
  db: Db;
  pool: pg.Pool;
  planBook: Pick<PlanBook, 'find' | 'reload'>;
  path: string;
  /** A sentence for whoever runs the installation. */
  warn: (what: string) => void;
}

const PAGE = 1_000;
const LOOK_AGAIN_MS = 200;
const DAY_MS = 86_400_000;
const DUE_AT_ONCE = 20;

/** Resolves when the table has all that the file has, and the other way round. Throws ConfigError where the file cannot be written. */
export async function openErasureRegister({ db, pool, planBook, path, warn }: RegisterOptions): Promise<ErasureRegister> {
  await requireWritable(path);
  const keysOf: KeysOf = (organizationId) => planBook.find(organizationId)?.keys;
  /** Of the last day, what the file has: a database that lost no more than its last moments is caught by them. */
  const recent = new Map<string, Erasure>();
  let end = 0;

  /** What was added to the file since, by id: several nodes may have added the same. */
  async function readOn(): Promise<Map<string, Erasure>> {
    const read = await readRegister(path, end, keysOf);
    end = read.end;
    if (read.damaged > 0) warn(`Lines of ${path} that cannot be read: ${read.damaged}. Erasures may be missing: npm run doctor says more.`);
    return new Map(read.erasures.map((one) => [one.id, one]));
  }

  function keepRecent(erasures: Iterable<Erasure>, now: number): void {
    for (const one of erasures) recent.set(one.id, one);
    for (const [id, { askedAt }] of recent) if (askedAt.getTime() < now - DAY_MS) recent.delete(id);
  }

  /** One node at a time: the others find it done. */
  async function makeMissing(erasures: readonly Erasure[]): Promise<void> {
    const client = await pool.connect();
    let failed: Error | undefined;
    try {
      while (!(await client.query(`select pg_try_advisory_lock(hashtext('sluice erasures')) as mine`)).rows[0].mine)
        await sleep(LOOK_AGAIN_MS);
      const missing = await listMissing(db, erasures);
      // Each goes through the damaged things of its organization once more.
      const unsearched = new Map<string, number>();
      for (const one of missing) {
        const count = await makeAgain(db, keysOf(one.organizationId)!, one);
        unsearched.set(one.organizationId, Math.max(count, unsearched.get(one.organizationId) ?? 0));
      }
      // A node that has just begun knows by it whose leads are looked up.
      for (const organizationId of new Set(missing.map((one) => one.organizationId))) await planBook.reload(organizationId);
      if (missing.length > 0) warn(`Erasures that the database did not know were made again: ${missing.length}.`);
      const damaged = [...unsearched.values()].reduce((sum, count) => sum + count, 0);
      if (damaged > 0)
        warn(
          `Refused calls and sample leads that were damaged and could not be searched for who was erased: ${damaged}. A sound backup has them.`,
        );
      await client.query(`select pg_advisory_unlock(hashtext('sluice erasures'))`);
    } catch (error) {
      failed = error as Error;
      throw error;
    } finally {
      // A connection that failed may still hold the lock: it is closed, not kept.
      client.release(failed);
    }
  }

  async function addMissing(since: Date, isThere: (id: string) => boolean): Promise<void> {
    for (let after: string | undefined; ; ) {
      const page = await listErasures(db, since, after, PAGE);
      const missing = page.filter(({ id }) => !isThere(id));
      await appendToRegister(path, missing, keysOf);
      keepRecent(missing, Date.now());
      after = page.at(-1)?.id;
      if (page.length < PAGE) return;
    }
  }

  /** All of both sides; what is older than a day is not held on to. */
  async function makeAlike(): Promise<void> {
    const all = await readOn();
    if ((await listMissing(db, [...all.values()])).length > 0) await makeMissing([...all.values()]);
    await addMissing(new Date(0), (id) => all.has(id));
    keepRecent(all.values(), Date.now());
  }

  await makeAlike();

  return {
    async note(erasure) {
      if (!keysOf(erasure.organizationId)) throw new Error('The key of the organization is not known.');
      await appendToRegister(path, [erasure], keysOf);
      keepRecent([erasure], Date.now());
    },
    async keepAlike(now) {
      keepRecent((await readOn()).values(), now);
      const missing = await listMissing(db, [...recent.values()]);
      if (missing.length > 0) await makeMissing(missing);
      await addMissing(new Date(now - DAY_MS), (id) => recent.has(id));
      for (const erasure of await listDueAgain(db, new Date(now), DUE_AT_ONCE)) {
        const keys = keysOf(erasure.organizationId);
        if (keys) await goOverAgain(db, keys, erasure);
      }
    },
  };
}

const LOOK_EVERY_MS = 60_000;

export function keepRegularly(register: ErasureRegister, onError: (error: unknown) => void): { close(): Promise<void> } {
  let running: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    running ??= register
      .keepAlike(Date.now())
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}

/** In the order in which they were asked for. */
async function listMissing(db: Db, erasures: readonly Erasure[]): Promise<Erasure[]> {
  const missing: Erasure[] = [];
  const sorted = [...erasures].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (let from = 0; from < sorted.length; from += PAGE) {
    const page = sorted.slice(from, from + PAGE);
    const known = await listKnown(
      db,
      page.map(({ id }) => id),
    );
    missing.push(...page.filter(({ id }) => !known.has(id)));
  }
  return missing;
}
