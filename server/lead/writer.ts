/** One connection that writes batches, and survives the database going away and coming back. */
import pg from 'pg';

/** The database cannot be reached or did not answer; nothing is known to be written. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

export interface Writer {
  /**
   * Runs one statement, which is a transaction of its own. When the connection dies while it runs, the outcome is unknown;
   * it is then sent once more with `retry` true. Throws StoreUnavailable when the database is away, the database's own error
   * when the statement is wrong.
   */
  write(make: (retry: boolean) => Statement): Promise<pg.QueryResult>;
  close(): Promise<void>;
}

const CONNECT_WITHIN_MS = 1_500;
const GIVE_UP_MS = 1_500;
const ANSWER_WITHIN_MS = 5_000;
/** A deadlock with somebody else's transaction: nothing was written, and the next try will do. */
const TRIES = 4;

/**
 * For connections that write leads: one plan for every statement, by index. Planning anew each time costs more than the
 * statement itself, and a plan made while a table was still small must not go on reading it whole.
 */
export const BY_INDEX =
  'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off';

export function openWriter(connectionString: string): Writer {
  let client: Promise<pg.Client> | undefined;

  function connect(): Promise<pg.Client> {
    const mine = openConnection(connectionString, () => {
      // Only this connection's own end may clear it: a newer one may have taken its place.
      if (client === mine) client = undefined;
    });
    return mine;
  }

  async function connected(): Promise<pg.Client> {
    if (!client) client = connect();
    const mine = client;
    try {
      return await mine;
    } catch (error) {
      if (client === mine) client = undefined;
      throw new StoreUnavailable('The database cannot be reached.', { cause: error });
    }
  }

  async function send(statement: Statement): Promise<pg.QueryResult> {
    const open = await connected();
    const mine = client;
    try {
      return await open.query(statement);
    } catch (error) {
      const lost = classify(error);
      if (lost instanceof ConnectionLost) {
        if (client === mine) client = undefined;
        open.end().catch(() => {});
      }
      throw lost;
    }
  }

  return {
    async write(make) {
      let retry = false;
      for (let tried = 1; ; tried++) {
        try {
          return await send(make(retry));
        } catch (error) {
          const again = error instanceof ConnectionLost ? !retry : isRollback(error) && tried < TRIES;
          if (error instanceof ConnectionLost && retry) throw new StoreUnavailable('The database did not answer.', { cause: error });
          if (!again) throw error;
          retry ||= error instanceof ConnectionLost;
        }
      }
    },
    async close() {
      const open = await client?.catch(() => undefined);
      await open?.end().catch(() => {});
    },
  };
}

async function openConnection(connectionString: string, lost: () => void): Promise<pg.Client> {
  const fresh = new pg.Client({
    connectionString,
    application_name: 'sluice writer',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    keepAlive: true,
  });
  fresh.on('error', lost);
  fresh.on('end', lost);
  try {
    await fresh.connect();
    await fresh.query(BY_INDEX);
    // The server gives up before we do: what we then say was not written was not.
    await fresh.query(`set statement_timeout = ${GIVE_UP_MS}; set lock_timeout = ${GIVE_UP_MS}`);
    return fresh;
  } catch (error) {
    fresh.end().catch(() => {});
    throw error;
  }
}

class ConnectionLost extends Error {}

function isRollback(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '40P01' || code === '40001';
}

/** An error with a five-character SQLSTATE came from a living server; all else, and a server shutting down, lost the connection. */
function classify(error: unknown): Error {
  const code = (error as { code?: string }).code;
  if (code === '57014' || code === '55P03') return new StoreUnavailable('The database is too slow.', { cause: error });
  const fromServer = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E');
  const shuttingDown = code?.startsWith('57P') || code?.startsWith('53') || code?.startsWith('08');
  if (fromServer && !shuttingDown) return error as Error;
  return new ConnectionLost('The connection was lost.', { cause: error });
}
