/** Carries replays out, one at a time on each node. One whose node is lost is begun anew by another, and comes to the same figures. */
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { PlanBook } from '#server/plan/plan-book.ts';
import { type ClaimedReplay, claimReplay, endReplay, giveReplayBack, noteProgress, type ReplayEnd } from './replay.sql.ts';
import type { ReplayTask } from './replay.worker.ts';
import { openReplayThread, type ThreadEnd } from './replay-thread.ts';
import type { ReplayWork } from './run-replay.ts';
import { NO_SETTINGS, triedConfiguration } from './tried-configuration.ts';

export interface ReplayRunner {
  /** There is something to do, or something that is under way was cancelled. */
  wake(): void;
  /** Ends what is under way and leaves it to others. */
  close(): Promise<void>;
}

const LEASE_MS = 15_000;
const LOOK_EVERY_MS = 2_000;
const NOTE_EVERY_MS = 1_000;
/** Nodes are lost for many reasons; a replay that so many were lost with may be one. */
const MOST_LOST = 3;
const TOO_OFTEN_LOST = `It was begun ${MOST_LOST} times, and each time its node was lost. Choose a shorter span, and see that the node has memory enough.`;
const THREAD_LOST =
  'Its thread ended before the replay did. Nothing was changed. Start it again; where it ends so again, choose a shorter span.';
const TOO_MUCH = 'The span has more in it than this machine can hold. Choose a shorter one.';
const FAILED_BY_US = 'Something failed on our side. Nothing was changed. Start the replay again.';

export function openReplayRunner(options: {
  db: Db;
  databaseUrl: string;
  nodeId: string;
  planBook: PlanBook;
  onError: (error: unknown) => void;
  /** What the thread runs. */
  program?: URL;
}): ReplayRunner {
  const { db, databaseUrl, nodeId, planBook, onError } = options;
  const replayThread = openReplayThread(options.program);
  let isClosing = false;
  let running: Promise<void> | undefined;
  /** Notes progress at once, and so hears of a cancelling. */
  let look: (() => void) | undefined;

  async function runAll(): Promise<void> {
    while (!isClosing) {
      const replay = await claimReplay(db, nodeId, LEASE_MS);
      if (!replay) return;
      if (isClosing) return giveReplayBack(db, nodeId, replay);
      const end = await runOne(replay);
      if (end) await endReplay(db, replay.organizationId, replay.id, end, nodeId);
      else if (isClosing) await giveReplayBack(db, nodeId, replay);
    }
  }

  /** Undefined where it was stopped from outside. */
  async function runOne(replay: ClaimedReplay): Promise<ReplayEnd | undefined> {
    if (replay.lost >= MOST_LOST) return { status: 'failed', failure: TOO_OFTEN_LOST };
    try {
      const task = taskOf(replay);
      return await inThread(replay, task);
    } catch (error) {
      if (error instanceof HttpError) return { status: 'failed', failure: error.message };
      onError(error);
      return { status: 'failed', failure: FAILED_BY_US };
    }
  }

  function taskOf(replay: ClaimedReplay): ReplayTask {
    const organization = planBook.find(replay.organizationId);
    if (!organization) throw new Error('The organization of a replay has no plan.');
    return { databaseUrl, keys: organization.keys satisfies OrganizationKeys, work: workOf(organization, replay) };
  }

  /** Undefined where it was stopped from outside. */
  async function inThread(replay: ClaimedReplay, task: ReplayTask): Promise<ReplayEnd | undefined> {
    let progress = { done: 0, total: 0 };
    let isOver = false;
    const note = () =>
      void noteProgress(db, nodeId, replay, progress, LEASE_MS).then(async (isOurs) => {
        if (!isOurs && !isOver) await replayThread.stop();
      }, onError);
    const timer = setInterval(note, NOTE_EVERY_MS);
    look = note;
    const end = await replayThread.run(task, ({ done, total }) => {
      progress = { done, total };
    });
    isOver = true;
    clearInterval(timer);
    look = undefined;
    return endOf(end);
  }

  function endOf(end: ThreadEnd): ReplayEnd | undefined {
    if (end.kind === 'stopped') return undefined;
    if (end.kind === 'done') return { status: 'done', result: end.result };
    if (end.kind === 'refused') return { status: 'failed', failure: end.why };
    onError(end.kind === 'lost' ? end.error : new Error(`A replay failed: ${end.error}`));
    if (end.kind === 'failed') return { status: 'failed', failure: FAILED_BY_US };
    if (end.error.code === 'ERR_WORKER_OUT_OF_MEMORY') return { status: 'failed', failure: TOO_MUCH };
    return { status: 'failed', failure: end.isThrown ? FAILED_BY_US : THREAD_LOST };
  }

  function wake(): void {
    look?.();
    if (isClosing || running) return;
    running = runAll()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  }

  const timer = setInterval(wake, LOOK_EVERY_MS);
  timer.unref();
  return {
    wake,
    async close() {
      isClosing = true;
      clearInterval(timer);
      await replayThread.stop();
      await running;
    },
  };
}

/** What buyers may spend is left out: no history is kept of their balances. */
export function workOf(organization: NonNullable<ReturnType<PlanBook['find']>>, replay: ClaimedReplay): ReplayWork {
  const { campaignId, verticalId, organizationId, settings } = replay;
  const { publisherTierId, from, to, unrecorded } = settings;
  const tried = (groups: ClaimedReplay['published'], with_: typeof settings.settings) => {
    const configuration = triedConfiguration(organization, campaignId, groups, with_, (place) => `new ${place}`);
    return { ...configuration, buyerTiers: configuration.buyerTiers.map(({ fundsLimit: _, ...tier }) => tier) };
  };
  return {
    span: { organizationId, verticalId, campaignId, publisherTierId, from: Date.parse(from), to: Date.parse(to) },
    published: tried(replay.published, NO_SETTINGS),
    changed: tried(replay.changed, settings.settings),
    unrecorded,
    repriced: settings.settings.buyerTiers.flatMap(({ _id, price }) => (price === null ? [] : [_id])),
  };
}
