import { setTimeout as sleep } from 'node:timers/promises';

const EVEN_MS = 250;

/** Does the work within a time that is always the same, so that nobody can tell by the clock whether an account exists. */
export async function evenly(work: () => Promise<unknown>): Promise<void> {
  await Promise.all([work(), sleep(EVEN_MS)]);
}
