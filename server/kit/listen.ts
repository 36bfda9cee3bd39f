/** Hears NOTIFY on one connection of its own, and comes back when the database went away. */
import pg from 'pg';

export interface Listener {
  close(): Promise<void>;
}

/**
 * `on` maps channels to what to do with a payload. `connected` runs at first and after every reconnection, since what was
 * said in between is lost.
 */
export function listen(connectionString: string, on: Record<string, (payload: string) => void>, connected: () => void): Listener {
  let client: pg.Client | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ connectionString, application_name: 'sluice listener', connectionTimeoutMillis: 2_000, keepAlive: true });
    let lost = false;
    const again = () => {
      if (lost || closed) return;
      lost = true;
      timer = setTimeout(() => void connect(), 500);
    };
    fresh.on('error', again);
    fresh.on('end', again);
    fresh.on('notification', (message) => on[message.channel]?.(message.payload ?? ''));
    try {
      await fresh.connect();
      for (const channel of Object.keys(on)) await fresh.query(`listen ${pg.escapeIdentifier(channel)}`);
      client = fresh;
      connected();
    } catch {
      await fresh.end().catch(() => {});
      again();
    }
  }

  void connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
