/**
 * Carries background jobs on, one at a time on each node and each for some seconds while others wait. A step and the note of how far it came are one transaction, so that a node may be killed at
 * any moment: when its lease is over another goes on exactly there.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { HANDED_IN_SILENT_MINUTES } from '#contract/job.ts';
import { HOUR_MS } from '#engine/zone.ts';
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { type Counting, NO_COUNTING } from '#server/metric/open-metrics.ts';
import { claimJob, endForgotten, endJob, findPart, hasFreeJob, type JobRow, leaveJob, lockJob, noteStep } from './job.sql.ts';
import { JobFailed, type JobKind } from './job-kind.ts';

export interface JobRunner {
  /** There is something to do. */
  wake(): void;
  /** Ends the step under way and leaves the rest to others. */
  close(): Promise<void>;
}

const LEASE_MS = 15_000;
const LOOK_EVERY_MS = 2_000;
const FORGOTTEN = { silentMs: HANDED_IN_SILENT_MINUTES * 60_000, withinMs: 24 * HOUR_MS };
/** After so long at one job its node looks whether another waits. */
const TURN_MS = 3_000;
/** A step that fails for a reason of ours is tried again; after so many the job has failed. */
const TRIES = 5;

export function openJobRunner(options: {
  db: Db;
  nodeId: string;
  kinds: readonly JobKind[];
  keysOf: (organizationId: string) => Promise<OrganizationKeys>;
  onError: (error: unknown) => void;
  leaseMs?: number;
  turnMs?: number;
  metrics?: Counting;
}): JobRunner {
  const { db, nodeId, onError, leaseMs = LEASE_MS, turnMs = TURN_MS, metrics = NO_COUNTING } = options;
  const kinds = new Map(options.kinds.map((one) => [one.kind, one]));
  const claimed = { kinds: [...kinds.keys()], inTurn: options.kinds.filter((one) => one.inTurn).map((one) => one.kind) };
  let isClosing = false;
  let running: Promise<void> | undefined;
  let looks = 0;

  async function runAll(): Promise<void> {
    if (looks++ % 100 === 0) await endForgotten(db, FORGOTTEN);
    while (!isClosing) {
      const job = await claimJob(db, nodeId, claimed, leaseMs);
      if (!job) return;
      await runOne(job);
    }
  }

  async function runOne({ organizationId, id, kind }: { organizationId: string; id: string; kind: string }): Promise<void> {
    const keys = await options.keysOf(organizationId);
    let since = performance.now();
    for (let failed = 0; !isClosing; ) {
      try {
        const step = await takeStep(organizationId, id, keys);
        if (step === 'done' || step === 'failed') metrics.add('sluice_jobs_total', { kind, outcome: step });
        if (step !== 'more') return;
        failed = 0;
        if (performance.now() - since < turnMs) continue;
        if (await hasFreeJob(db, claimed)) break;
        since = performance.now();
      } catch (error) {
        if (!(error instanceof JobFailed)) onError(error);
        if (!(error instanceof JobFailed) && ++failed < TRIES) {
          await sleep(200 * failed);
          continue;
        }
        const why =
          error instanceof JobFailed ? error.message : 'Something failed on our side. What was done so far stands. Start it again.';
        metrics.add('sluice_jobs_total', { kind, outcome: 'failed' });
        return inTenant(db, organizationId, async (tx) => {
          if (isMine(await lockJob(tx, organizationId, id))) await endJob(tx, organizationId, id, 'failed', why);
        });
      }
    }
    await inTenant(db, organizationId, (tx) => leaveJob(tx, organizationId, id, nodeId));
  }

  /** Not one that was cancelled, or that another node took over while this one was slow. */
  const isMine = (job: JobRow | undefined): job is JobRow => job?.status === 'running' && job.lease_holder === nodeId;

  function takeStep(organizationId: string, id: string, keys: OrganizationKeys): Promise<'more' | 'done' | 'failed' | 'lost'> {
    return inTenant(db, organizationId, async (tx) => {
      const job = await lockJob(tx, organizationId, id);
      if (!isMine(job)) return 'lost';
      const step = await kinds.get(job.kind)!.step(tx, {
        organizationId,
        id,
        subjectId: job.subject_id,
        personId: job.person_id,
        settings: job.settings,
        place: job.place,
        parts: job.parts,
        rowsDone: job.rows_done,
        errorCount: job.error_count,
        startedAt: job.started_at!,
        keys,
        readPart: (part) => findPart(tx, keys, id, part),
      });
      await noteStep(tx, organizationId, id, step, leaseMs);
      if (!step.isDone && step.failure === undefined) return 'more';
      const outcome = step.failure === undefined ? 'done' : 'failed';
      await endJob(tx, organizationId, id, outcome, step.failure);
      return outcome;
    });
  }

  function wake(): void {
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
      await running;
    },
  };
}
