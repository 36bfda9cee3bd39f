import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Tries again, waiting twice as long each time, until it works or `times` are used up; then the last error is thrown, as is at once one
 * that is not worth another try.
 */
export async function retrying<T>(
  times: number,
  firstPauseMs: number,
  work: () => Promise<T>,
  isWorthIt: (error: unknown) => boolean = () => true,
): Promise<T> {
  for (let tried = 1, pause = firstPauseMs; ; tried++, pause *= 2) {
    try {
      return await work();
    } catch (error) {
      if (tried >= times || !isWorthIt(error)) throw error;
      await sleep(pause);
    }
  }
}
