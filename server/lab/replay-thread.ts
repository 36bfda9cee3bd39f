/**
 * The thread that replays run in, one after the other. It stays for a while after each: the next one, of the same tree a little changed as a rule, finds
 * a program that is compiled already, and is a third faster.
 */
import { totalmem } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ReplayMessage, ReplayTask } from './replay.worker.ts';

export type ReplayProgress = { done: number; total: number };
/** `stopped`: from outside. `lost`: it ended without a word, or by an error that nobody caught. */
export type ThreadEnd =
  | Exclude<ReplayMessage, { kind: 'progress' }>
  | { kind: 'stopped' }
  | { kind: 'lost'; error: NodeJS.ErrnoException; isThrown: boolean };

export interface ReplayThread {
  /** One at a time. */
  run(task: ReplayTask, told: (progress: ReplayProgress) => void): Promise<ThreadEnd>;
  /** Ends it, and with it what it is at. */
  stop(): Promise<void>;
}

const KEEP_MS = 120_000;
/** Duplicates of a million leads take one to two thousand; a machine that is smaller than that must not lose its node to a replay. */
const MOST_MEMORY_MB = Math.min(4_096, Math.floor(ownMemory() / 2 ** 21));
/** Of it for what is new: a page of leads is gone again before it would have to be moved among what stays. */
const YOUNG_MEMORY_MB = Math.min(192, Math.floor(MOST_MEMORY_MB / 8));

/** In bytes, of the machine or of the container that this is in, whichever is less. */
function ownMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(totalmem(), constrained) : totalmem();
}

export function openReplayThread(program = new URL('./replay.worker.ts', import.meta.url)): ReplayThread {
  let worker: Worker | undefined;
  let keeping: NodeJS.Timeout | undefined;
  let isStopped = false;

  function take(): Worker {
    clearTimeout(keeping);
    worker ??= begin();
    worker.ref();
    return worker;
  }

  function begin(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: MOST_MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MEMORY_MB };
    const begun = new Worker(program, { execArgv: [], resourceLimits });
    // Of one that is at nothing. What it is at hears of it as well.
    begun.on('error', () => {});
    begun.on('exit', () => {
      if (worker === begun) worker = undefined;
    });
    return begun;
  }

  function keep(): void {
    worker?.unref();
    keeping = setTimeout(() => void stop(), KEEP_MS);
    keeping.unref();
  }

  async function stop(): Promise<void> {
    clearTimeout(keeping);
    const ended = worker;
    worker = undefined;
    isStopped = true;
    await ended?.terminate();
  }

  return {
    stop,
    run(task, told) {
      return new Promise((resolve) => {
        const at = take();
        isStopped = false;
        const finish = (end: ThreadEnd) => {
          for (const [event, listener] of Object.entries(listeners)) at.off(event, listener);
          if (end.kind === 'done' || end.kind === 'refused') keep();
          else void stop();
          resolve(end);
        };
        const listeners = {
          message: (message: ReplayMessage) => {
            if (message.kind === 'progress') told(message);
            else finish(message);
          },
          error: (error: Error) => finish({ kind: 'lost', error, isThrown: true }),
          exit: (code: number) => {
            const error = new Error(`The thread of a replay ended with code ${code}.`);
            finish(isStopped ? { kind: 'stopped' } : { kind: 'lost', error, isThrown: false });
          },
        };
        for (const [event, listener] of Object.entries(listeners)) at.on(event, listener);
        at.postMessage(task);
      });
    },
  };
}
