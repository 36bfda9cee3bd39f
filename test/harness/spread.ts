/**
 * What a reverse proxy does in front of several nodes, and no more: asks each now and then whether it is ready, keeps connections open, sends a call to the next
 * node that is, and tries another only where nothing was sent, because the connection was refused.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

export interface Spread {
  /** Nodes by their place; one that is undefined is gone. */
  put(place: number, url: string | undefined): void;
  isReady(place: number): boolean;
  post(path: string, headers: Record<string, string>, body: unknown): Promise<{ statusCode: number; json: unknown }>;
  close(): Promise<void>;
}

const ASKED_EVERY_MS = 100;

interface Upstream {
  url: string;
  pool: Pool;
  ready: boolean;
}

export function openSpread(): Spread {
  const upstreams = new Map<number, Upstream>();
  const left: Pool[] = [];
  let turn = 0;
  let closed = false;
  const asking = (async () => {
    while (!closed) {
      await Promise.all([...upstreams.values()].map(ask));
      await sleep(ASKED_EVERY_MS);
    }
  })();

  async function ask(upstream: Upstream): Promise<void> {
    upstream.ready = await fetch(`${upstream.url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
  }

  return {
    put(place, url) {
      const before = upstreams.get(place);
      if (before) left.push(before.pool);
      if (url) upstreams.set(place, { url, pool: new Pool(url, { connections: 16 }), ready: false });
      else upstreams.delete(place);
    },
    isReady: (place) => upstreams.get(place)?.ready ?? false,
    async post(path, headers, body) {
      const ready = [...upstreams.values()].filter((one) => one.ready);
      for (let tried = 0; tried < ready.length; tried++) {
        try {
          const answer = await ready[turn++ % ready.length]!.pool.request({
            method: 'POST',
            path,
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(body),
          });
          return { statusCode: answer.statusCode, json: await answer.body.json() };
        } catch (error) {
          if ((error as { code?: string }).code !== 'ECONNREFUSED') throw error;
        }
      }
      throw new Error('No node is ready.');
    },
    async close() {
      closed = true;
      await asking;
      await Promise.all([...left, ...[...upstreams.values()].map(({ pool }) => pool)].map((pool) => pool.close()));
    },
  };
}
