/** Whether the server was reached last time: a laptop can be on line and the server out of reach (console §8 "disconnected"). */
let isReached = true;
const listeners = new Set<() => void>();

export function noteReached(reached: boolean): void {
  if (reached === isReached) return;
  isReached = reached;
  for (const listener of listeners) listener();
}

/** What a proxy answers in the place of a server that is away. */
const AWAY = [502, 503, 504];

/** `isOurs`: the answer is JSON, as every answer of the server is. */
export const noteAnswer = (httpStatus: number, isOurs: boolean): void => noteReached(isOurs || !AWAY.includes(httpStatus));

export const serverIsReached = (): boolean => isReached;
export function watchReached(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Asks for nothing but an answer; it is no sign of anybody's presence, and needs no session. */
export async function lookForServer(): Promise<void> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store' });
    const answer: unknown = await response.json().catch(() => null);
    noteAnswer(response.status, answer !== null);
  } catch {
    noteReached(false);
  }
}
