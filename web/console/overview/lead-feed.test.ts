import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LeadRow } from '#contract/lead.ts';
import { atMostEvery, feedLimit, mergeRow } from './lead-feed.ts';

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
