/** Whether the server was reached last time: a laptop can be on line and the server out of reach (console §8 "disconnected"). */
let isReached = true;
const listeners = new Set<() => void>();

export function noteReached(reached: boolean): void {
  if (reached === isReached) return;
  isReached = reached;
  for (const listener of listeners) listener();
}

export const serverIsReached = (): boolean => isReached;
export function watchReached(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
