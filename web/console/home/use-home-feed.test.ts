import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openLiveFigures } from '../api/use-live-figures.ts';
import { followHome } from './use-home-feed.ts';

describe('figures of the pages of today', () => {
  const opened: Source[] = [];
  class Source extends EventTarget {
    static readonly CLOSED = 2;
    readyState = 1;
    constructor() {
      super();
      opened.push(this);
    }
    hear(name: string) {
      this.dispatchEvent(new MessageEvent(name, { data: '{}', lastEventId: name }));
    }
    fail() {
      this.readyState = Source.CLOSED;
      this.dispatchEvent(new Event('error'));
      vi.advanceTimersByTime(2_000);
    }
    close() {}
  }
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('EventSource', Source);
    opened.length = 0;
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('are asked for when the feed is there again, once, though they are young', () => {
    const client = new QueryClient();
    client.setQueryData(['home', 'buyers'], {});
    const isOld = () => client.getQueryState(['home', 'buyers'])!.isInvalidated;
    const figures = openLiveFigures(client, 'home', 10_000);
    const leave = followHome(figures);
    opened[0]!.hear('here');
    expect(isOld()).toBe(false);
    opened[0]!.fail();
    expect([opened.length, isOld()]).toEqual([2, false]);
    opened[1]!.hear('here');
    expect(isOld()).toBe(true);
    client.setQueryData(['home', 'buyers'], {});
    opened[1]!.hear('here');
    vi.advanceTimersByTime(20_000);
    expect(isOld()).toBe(false);
    figures.stop();
    leave();
  });
});
