/** Work of the background that one node of the installation does at a time. */
import type pg from 'pg';

/** Does it on a connection of its own; undefined where another node is at the work of this name. */
export async function workAlone<T>(pool: pg.Pool, name: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T | undefined> {
  const client = await pool.connect();
  let failed: Error | undefined;
  try {
    const { rows } = await client.query(`select pg_try_advisory_lock(hashtext($1)) as mine`, [name]);
    if (!rows[0].mine) return undefined;
    const result = await work(client);
    await client.query(`select pg_advisory_unlock(hashtext($1))`, [name]);
    return result;
  } catch (error) {
    failed = error as Error;
    throw error;
  } finally {
    // A connection that failed may still hold the lock: it is closed, not kept.
    client.release(failed);
  }
}
