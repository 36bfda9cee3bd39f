/** Server-sent events with our own second wind: the browser gives up for good when a reconnect is answered with an error. */
export function openEvents(
  url: string,
  { onOpen, onLost, heard }: { onOpen?: () => void; onLost?: () => void; heard: Readonly<Record<string, (data: string) => void>> },
): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = 1000;
  let after = '';
  const connect = () => {
    // The browser says by itself how far it came only on a connection that it renews by itself.
    source = new EventSource(after ? `${url}${url.includes('?') ? '&' : '?'}after=${after}` : url);
    source.addEventListener('open', () => {
      waitMs = 1000;
      onOpen?.();
    });
    for (const [name, hear] of Object.entries(heard))
      source.addEventListener(name, (event: MessageEvent<string>) => {
        after = event.lastEventId;
        hear(event.data);
      });
    source.addEventListener('error', () => {
      onLost?.();
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(connect, waitMs);
      waitMs = Math.min(waitMs * 2, 30_000);
    });
  };
  connect();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}

/** Calls at once, then at most every `everyMs`, and never forgets the last call. */
export function atMostEvery(everyMs: number, action: () => void): { call: () => void; stop: () => void } {
  let last = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    last = Date.now();
    action();
  };
  return {
    call: () => {
      if (timer) return;
      const waitMs = last + everyMs - Date.now();
      if (waitMs <= 0) run();
      else timer = setTimeout(run, waitMs);
    },
    stop: () => clearTimeout(timer),
  };
}
