/**
 * Makes and sends what feeds are due. A run stays due until it is where it goes: a node that stops, or a server that is away, costs time and no lead.
 * One node at a time is at a feed; whoever takes over from one that was lost knows whether that was sending.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { type OrganizationKeys, openJson } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { type Counting, NO_COUNTING } from '#server/metric/open-metrics.ts';
import { buildRun } from './build-run.ts';
import { FEED_SECRETS, type FeedSecrets } from './export-feed.model.ts';
import { FileGone, findFile, readFile } from './export-file.sql.ts';
import { type ClaimedRun, claimRun, endRun, findFeed, holdRun, leaveRun, noteFeedFailing, planRuns, type RunRow } from './feed-run.sql.ts';
import { feedSigningOf, type Sent, sendFile, type Ways } from './send-file.ts';

export interface FeedRunner {
  /** There is something to do. */
  wake(): void;
  /** Lets what is being sent come to its end, and leaves the rest to others. */
  close(): Promise<void>;
}

export interface FeedRunnerOptions extends Ways {
  db: Db;
  keysOf: (organizationId: string) => Promise<OrganizationKeys>;
  clock: () => number;
  onError: (error: unknown) => void;
  everyMs?: number;
  leaseMs?: number;
  metrics?: Counting;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** After each try that came to nothing; after the last one it is given up. */
export const FEED_WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS];
const LEASE_MS = 60_000;
const LEAVE_MS = 20_000;
const LOOK_EVERY_MS = 5_000;
/** Runs that one node is at at once, in all and of one organization: a slow server keeps no other feed, and slow servers of one organization none of another. */
const AT_ONCE = 6;
const AT_ONCE_OF_ONE = 2;

interface SendPlace {
  /** It was about to go out. */
  isSending?: boolean;
  taken?: string[];
}

export function openFeedRunner(options: FeedRunnerOptions): FeedRunner {
  const { db, clock, onError, everyMs = LOOK_EVERY_MS, leaseMs = LEASE_MS } = options;
  /** And whose it is. */
  const running = new Map<Promise<void>, string>();
  let looking: Promise<void> | undefined;
  let isClosing = false;

  async function look(): Promise<void> {
    await planRuns(db, clock());
    while (!isClosing && running.size < AT_ONCE) {
      const owners = [...running.values()];
      const busy = owners.filter((one) => owners.filter((other) => other === one).length >= AT_ONCE_OF_ONE);
      const claimed = await claimRun(db, clock(), leaseMs, busy);
      if (!claimed) return;
      const done: Promise<void> = carryOn(claimed)
        .catch(onError)
        .finally(() => {
          running.delete(done);
          wake();
        });
      running.set(done, claimed.run.organization_id);
    }
  }

  function wake(): void {
    if (isClosing) return;
    looking ??= look()
      .catch(onError)
      .finally(() => {
        looking = undefined;
      });
  }

  async function carryOn(claimed: ClaimedRun): Promise<void> {
    const { organization_id: organizationId, id } = claimed.run;
    try {
      const keys = await options.keysOf(organizationId);
      if (!claimed.run.is_built) {
        if (!(await buildRun(db, keys, claimed, leaseMs, () => isClosing))) return void (await leaveRun(db, claimed));
        claimed.run = await readRun(db, organizationId, id);
      }
      if (isClosing) return void (await leaveRun(db, claimed));
      await send(options, keys, claimed, leaseMs);
    } catch (error) {
      if (error instanceof FileGone) return void (await leaveRun(db, claimed));
      onError(error);
      await conclude(options, claimed, { failure: 'Something failed on our side.' }, null, {});
    }
  }

  const timer = setInterval(wake, everyMs);
  timer.unref();
  return {
    wake,
    async close() {
      isClosing = true;
      clearInterval(timer);
      await looking;
      // What takes longer is taken up by another node, which knows that it was cut off.
      await Promise.race([Promise.all(running.keys()), sleep(LEAVE_MS, undefined, { ref: false })]);
    },
  };
}

const readRun = (db: Db, organizationId: string, id: string): Promise<RunRow> =>
  db.selectFrom('export_run').selectAll().where('organization_id', '=', organizationId).where('id', '=', id).executeTakeFirstOrThrow();

async function send(options: FeedRunnerOptions, keys: OrganizationKeys, claimed: ClaimedRun, leaseMs: number): Promise<void> {
  const { db, clock } = options;
  const { run } = claimed;
  // Where it goes now: what was put right since it was claimed counts.
  const feed = (await findFeed(db, run.organization_id, run.feed_id)) ?? claimed.feed;
  if (run.row_count === 0 && !feed.send_empty) return conclude(options, claimed, { failure: null }, null, {}, 'empty');
  const file = await findFile(db, run.organization_id, run.id);
  // Its bytes were kept so long and no longer, or went with a person.
  if (!file || file.erased_at || !file.whole_at || file.kept_until.getTime() <= Date.now()) return makeAnew(db, claimed);
  const { isSending = false, taken = [] } = run.place as SendPlace;
  const place: SendPlace = { isSending: true, taken };
  if (!(await holdRun(db, claimed, leaseMs, { place }))) return;
  let isLost = false;
  const holding = setInterval(() => {
    void holdRun(db, claimed, leaseMs).then(
      (isOurs) => {
        isLost ||= !isOurs;
      },
      () => {},
    );
  }, leaseMs / 3);
  const startedAt = performance.now();
  let sent: Sent;
  try {
    sent = await sendFile(options, {
      ...{ feedId: feed.id, feedName: feed.name, runId: run.id, name: file.name, format: file.format as 'csv' | 'jsonl' },
      ...{ rows: file.row_count, bytes: file.byte_count, destination: feed.destination, taken, now: clock() },
      read: () => readFile(db, keys, file),
      secrets: feed.secrets ? openJson<FeedSecrets>(keys, FEED_SECRETS, feed.id, feed.secrets) : {},
      signing: feedSigningOf(keys, feed.id, feed.secret_epoch),
      wasCutOff: isSending,
      async onTaken(address) {
        place.taken = [...(place.taken ?? []), address];
        await holdRun(db, claimed, leaseMs, { place });
      },
    });
  } finally {
    clearInterval(holding);
  }
  if (isLost) return;
  const audit = sent.failure === null && file.unmasked;
  await conclude(options, claimed, sent, Math.round(performance.now() - startedAt), { ...place, isSending: sent.isUncertain ?? false });
  if (audit) await tellOfPersons(db, claimed, file.name, file.row_count);
}

/** Whoever looks next makes it. */
async function makeAnew(db: Db, claimed: ClaimedRun): Promise<void> {
  await db
    .updateTable('export_run')
    .set({ is_built: false, place: '{}' })
    .where('organization_id', '=', claimed.run.organization_id)
    .where('id', '=', claimed.run.id)
    .where('taken_until', '=', claimed.takenUntil)
    .execute();
  await leaveRun(db, claimed);
}

async function conclude(
  { db, clock, metrics = NO_COUNTING }: FeedRunnerOptions,
  claimed: ClaimedRun,
  sent: Sent,
  elapsedMs: number | null,
  place: SendPlace,
  done: 'sent' | 'empty' = 'sent',
): Promise<void> {
  const { run } = claimed;
  const now = clock();
  const isThere = sent.failure === null;
  const tries = run.tries + 1;
  const wait = sent.isFinal ? undefined : FEED_WAITS_MS[tries - 1];
  const state = isThere ? done : wait === undefined ? 'failed' : 'due';
  metrics.add('sluice_feed_runs_total', { outcome: state === 'due' ? 'postponed' : state });
  const isEnded = await endRun(db, claimed, {
    state,
    dueAt: now + (isThere ? 0 : (wait ?? 0)),
    ...{ at: now, tries, elapsedMs, failure: sent.failure },
    remark: sent.remark ?? run.remark,
    place: isThere ? {} : place,
  });
  if (isEnded) await noteFeedFailing(db, run.organization_id, run.feed_id, isThere ? null : new Date(now));
}

/** Persons' values left the installation: the feed's doing, whoever set it up. */
async function tellOfPersons(db: Db, { feed, run }: ClaimedRun, name: string, leads: number): Promise<void> {
  const { organization_id: organizationId } = run;
  const changer = { organizationId, userId: organizationId, firstName: 'Feed', lastName: feed.name, email: '' };
  await inTenant(db, organizationId, (tx) =>
    insertChange(tx, changer, {
      ...{ address: '', model: 'leadExport', recordId: run.id, recordName: name, action: 'look', before: {}, rollsBack: null },
      after: { feed: feed.name, leads, to: feed.destination.kind, columns: feed.content.columns.join(', ') },
    }),
  );
}
