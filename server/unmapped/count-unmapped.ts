/**
 * Counts what was sent to buyers without a translation, beside the leads: nobody waits for it, and however many leads there are it is written once
 * in a while. What a write could not keep is lost: it is a warning, not a figure.
 */
import type { WireWarning } from '#server/delivery/wire.ts';
import type { Db } from '#server/kit/database.ts';
import { addUnmapped, type UnmappedCount } from './unmapped.sql.ts';

const WRITE_EVERY_MS = 2_000;

export interface UnmappedCounter {
  /** What the building of one request had to say. */
  count(organizationId: string, buyerTierId: string, warnings: readonly WireWarning[]): void;
  /** Writes what is left. */
  close(): Promise<void>;
}

export function openUnmappedCounter({
  db,
  clock,
  onError,
}: {
  db: Db;
  clock: () => number;
  onError: (error: unknown) => void;
}): UnmappedCounter {
  /** By organization, and by tier and target: as many as there are mapping rows. */
  let waiting = new Map<string, Map<string, UnmappedCount>>();
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    const taken = waiting;
    waiting = new Map();
    for (const [organizationId, counts] of taken) await addUnmapped(db, organizationId, [...counts.values()]).catch(onError);
  }

  const timer = setInterval(() => {
    if (waiting.size === 0) return;
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
  }, WRITE_EVERY_MS);
  timer.unref();

  return {
    count(organizationId, buyerTierId, warnings) {
      const targets = new Set(warnings.flatMap(({ code, at }) => (code === 'unmapped-value' && at !== undefined ? [at] : [])));
      for (const target of targets) {
        const counts = waiting.get(organizationId) ?? new Map<string, UnmappedCount>();
        waiting.set(organizationId, counts);
        const name = `${buyerTierId} ${target}`;
        const { sends = 0, firstAt = clock() } = counts.get(name) ?? {};
        counts.set(name, { buyerTierId, target, sends: sends + 1, firstAt, lastAt: clock() });
      }
    },
    async close() {
      clearInterval(timer);
      await writing;
      await writeAll();
    },
  };
}
