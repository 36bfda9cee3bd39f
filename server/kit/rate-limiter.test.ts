import { describe, expect, it } from 'vitest';
import { networkOf } from './caller.ts';
import { GateFull, openGate } from './gate.ts';
import { openRateLimiter } from './rate-limiter.ts';

const MINUTE = 60_000;

describe('a limit', () => {
  it('lets so many through per window, and says how long to wait', () => {
    const limiter = openRateLimiter();
    for (let n = 0; n < 3; n++) expect(limiter.take('a', 3, MINUTE, 1_000)).toBe(0);
    expect(limiter.take('a', 3, MINUTE, 1_000)).toBe(59_000);
    expect(limiter.take('b', 3, MINUTE, 1_000)).toBe(0);
  });

  it('counts what is given back as never taken, in the same window and in the next', () => {
    const limiter = openRateLimiter();
    for (let n = 0; n < 3; n++) limiter.take('a', 3, MINUTE, 50_000);
    limiter.giveBack('a', MINUTE, 50_000);
    expect(limiter.take('a', 3, MINUTE, 50_000)).toBe(0);
    expect(limiter.take('a', 3, MINUTE, 50_000)).toBeGreaterThan(0);
    for (let n = 0; n < 3; n++) limiter.giveBack('a', MINUTE, 50_000);
    for (let n = 0; n < 3; n++) expect(limiter.take('a', 3, MINUTE, 60_000)).toBe(0);
  });

  it('half remembers the window before, so that nobody gets two windows’ worth at the edge', () => {
    const limiter = openRateLimiter();
    for (let n = 0; n < 10; n++) limiter.take('a', 10, MINUTE, 59_000);
    expect(limiter.take('a', 10, MINUTE, 60_000)).toBeGreaterThan(0);
    limiter.giveBack('a', MINUTE, 59_000);
    expect(limiter.take('a', 10, MINUTE, 90_000)).toBe(0);
  });
});

describe('who a caller is to a limit', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::ffff', '2001:db8:1:2::/64'],
    ['garbage', 'unreadable'],
  ])('%s is %s', (address, network) => expect(networkOf(address)).toBe(network));
});

describe('a gate', () => {
  it('lets two in, has three wait in order, and turns the rest away at once', async () => {
    const gate = openGate(2, 3);
    const inside: number[] = [];
    const leave: (() => void)[] = [];
    const work = (n: number) =>
      gate.enter(() => {
        inside.push(n);
        return new Promise<void>((resolve) => leave.push(resolve));
      });
    const five = [1, 2, 3, 4, 5].map(work);
    await expect(work(6)).rejects.toThrow(GateFull);
    expect(inside).toEqual([1, 2]);
    leave[0]!();
    await five[0];
    await expect.poll(() => inside).toEqual([1, 2, 3]);
    const seventh = work(7);
    for (let n = 1; n < 6; n++) {
      await expect.poll(() => leave.length).toBeGreaterThan(n);
      leave[n]!();
    }
    await Promise.all([...five, seventh]);
    expect(inside).toEqual([1, 2, 3, 4, 5, 7]);
  });

  it('is left by work that fails, too', async () => {
    const gate = openGate(1, 0);
    await expect(gate.enter(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await gate.enter(async () => 'in')).toBe('in');
  });
});
