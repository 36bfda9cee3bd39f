/**
 * Milliseconds since the epoch with fractions, from the monotonic clock, so that a step of the wall clock never shortens or
 * lengthens somebody's time limit. Taken up anew each minute, so that it does not drift away from the wall.
 */
export function openClock(): { now: () => number; close: () => void } {
  let offset = Date.now() - performance.now();
  const anchor = setInterval(() => {
    offset = Date.now() - performance.now();
  }, 60_000);
  anchor.unref();
  return { now: () => offset + performance.now(), close: () => clearInterval(anchor) };
}
