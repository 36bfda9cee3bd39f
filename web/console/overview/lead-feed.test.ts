import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LeadRow } from '#contract/lead.ts';
import { atMostEvery } from '../api/events.ts';
import { feedLimit, mergeRow, openLeadFeed } from './lead-feed.ts';

const row = (id: string, status: LeadRow['status'] = 'received') => ({ _id: id, status }) as LeadRow;

describe('rows of the feed', () => {
  test('a new lead comes first and the list never grows beyond its cap', () => {
    const rows = Array.from({ length: feedLimit }, (_, at) => row(String(at)));
    const next = mergeRow(rows, row('new'));
    expect(next).toHaveLength(feedLimit);
    expect(next[0]?._id).toBe('new');
  });
  test('a lead that is told again keeps its place', () => {
    const next = mergeRow([row('b'), row('a')], row('a', 'sold'));
    expect(next.map((one) => `${one._id} ${one.status}`)).toEqual(['b received', 'a sold']);
  });
});

describe('a connection of its own after an error', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  test('goes on after the last event that came, a lead or not', () => {
    const opened: Source[] = [];
    class Source extends EventTarget {
      static readonly CLOSED = 2;
      readyState = 1;
      readonly url: string;
      constructor(url: string) {
        super();
        this.url = url;
        opened.push(this);
      }
      hear(name: string, lastEventId: string) {
        this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(row('a')), lastEventId }));
      }
      fail() {
        this.readyState = Source.CLOSED;
        this.dispatchEvent(new Event('error'));
        vi.advanceTimersByTime(60_000);
      }
      close() {}
    }
    vi.stubGlobal('EventSource', Source);
    const onHere = vi.fn();
    const close = openLeadFeed('/feed?a=b', { onChange: () => {}, onLead: () => {}, onHere });
    opened[0]!.fail();
    opened[1]!.hear('lead', 'one');
    opened[1]!.fail();
    opened[2]!.hear('here', 'two');
    opened[2]!.fail();
    close();
    expect(opened.map(({ url }) => url)).toEqual(['/feed?a=b', '/feed?a=b', '/feed?a=b&after=one', '/feed?a=b&after=two']);
    expect(onHere).toHaveBeenCalledTimes(1);
  });
});

describe('figures refresh at most every so often', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());
  test('at once, then once for all that came in between', () => {
    const action = vi.fn();
    const refresh = atMostEvery(2000, action);
    for (let count = 0; count < 9; count += 1) refresh.call();
    expect(action).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1999);
    expect(action).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    expect(action).toHaveBeenCalledTimes(2);
  });
  test('nothing happens after stop', () => {
    const action = vi.fn();
    const refresh = atMostEvery(2000, action);
    refresh.call();
    refresh.call();
    refresh.stop();
    vi.advanceTimersByTime(5000);
    expect(action).toHaveBeenCalledTimes(1);
  });
});
