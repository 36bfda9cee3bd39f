/** One connection that sends a whole transaction at once and survives the database going away and coming back. */
import pg from 'pg';

/** The database cannot be reached or did not answer; nothing is known to be written. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

export interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
}

export interface Pipeline {
  /**
   * Runs the statements (undefined ones are left out but keep their place) in one transaction and returns their results.
   * When the connection dies while COMMIT is under way the outcome is unknown; it is then sent once more with `retry` true.
   * Throws StoreUnavailable when the database is away, the database's own error when a statement is wrong.
   */
  transaction(make: (retry: boolean) => (Statement | undefined)[]): Promise<(pg.QueryResult | undefined)[]>;
  close(): Promise<void>;
}

const CONNECT_WITHIN_MS = 1_500;
const ANSWER_WITHIN_MS = 10_000;

export function openPipeline(connectionString: string): Pipeline {
  let client: Promise<pg.Client> | undefined;

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({
      connectionString,
      pipeline: true,
      application_name: 'sluice writer',
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
    } as pg.ClientConfig);
    const drop = () => {
      client = undefined;
    };
    fresh.on('error', drop);
    fresh.on('end', drop);
    await fresh.connect();
    return fresh;
  }

  async function connected(): Promise<pg.Client> {
    client ??= connect();
    try {
      return await client;
    } catch (error) {
      client = undefined;
      throw new StoreUnavailable('The database cannot be reached.', { cause: error });
    }
  }

  return {
    async transaction(make) {
      try {
        return await send(await connected(), make(false));
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        client = undefined;
        try {
          return await send(await connected(), make(true));
        } catch (again) {
          if (!(again instanceof ConnectionLost)) throw again;
          client = undefined;
          throw new StoreUnavailable('The database did not answer.', { cause: again });
        }
      }
    },
    async close() {
      const open = await client?.catch(() => undefined);
      await open?.end().catch(() => {});
    },
  };
}

class ConnectionLost extends Error {}

async function send(client: pg.Client, statements: (Statement | undefined)[]): Promise<(pg.QueryResult | undefined)[]> {
  const begin = client.query('begin');
  const sent = statements.map((statement) => (statement ? client.query(statement as pg.QueryConfig) : undefined));
  const commit = client.query('commit');
  const settled = await Promise.allSettled([begin, ...sent, commit]);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw classify(failed.reason);
  const commitResult = (settled.at(-1) as PromiseFulfilledResult<pg.QueryResult>).value;
  if (commitResult.command !== 'COMMIT') throw new Error('The transaction was rolled back.');
  return settled.slice(1, -1).map((one) => (one as PromiseFulfilledResult<pg.QueryResult | undefined>).value);
}

/** An error with a five-character SQLSTATE came from a living server; all else, and a server shutting down, lost the connection. */
function classify(error: unknown): Error {
  const code = (error as { code?: string }).code;
  const fromServer = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E');
  const shuttingDown = code?.startsWith('57P') || code?.startsWith('53') || code?.startsWith('08');
  if (fromServer && !shuttingDown) return error as Error;
  return new ConnectionLost('The connection was lost.', { cause: error });
}
