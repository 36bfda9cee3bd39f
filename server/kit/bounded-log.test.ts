import { expect, test, vi } from 'vitest';
import { type Bounds, type Kept, openBoundedLog } from './bounded-log.ts';

const BOUNDS: Bounds = {
  windowMs: 10_000,
  perWindow: 3,
  bytesPerWindow: 1_000,
  folds: false,
  mostGroups: 2,
  mostKinds: 2,
  mostKindsOfGroup: 2,
  mostWaiting: 100,
  mostWaitingBytes: 1_000,
};

function open(bounds: Partial<Bounds> = {}) {
  const written: Kept<string>[] = [];
  const failures: unknown[] = [];
  const lost: number[] = [];
  let now = 1_000_000;
  const log = openBoundedLog<string>({
    bounds: { ...BOUNDS, ...bounds },
    bytesOf: (row) => row.length,
    write: async (rows) => {
      if (rows.some(({ row }) => row === 'broken')) throw new Error('away');
      written.push(...rows);
    },
    now: () => now,
    onError: (error) => failures.push(error),
    onLost: (lines) => lost.push(lines),
  });
  const record = (group: string, kind: string, row = `${group}-${kind}`) =>
    log.record({ group, kind }, (isFolded) => (isFolded ? `${row} of many` : row));
  const lostInAll = () => lost.reduce((sum, lines) => sum + lines, 0);
  return { record, written, failures, lostInAll, close: log.close, wait: (ms: number) => (now += ms) };
}

test('lines beyond the rate of a group are counted by kind, and those of other groups stay', async () => {
  const { record, written, close } = open();
  for (let n = 0; n < 10; n++) record('a', 'x');
  record('b', 'y');
  await close();
  expect(written).toEqual([
    ...Array(3).fill({ row: 'a-x', more: 0 }),
    { row: 'b-y', more: 0 },
    // Seven came beyond: one stands for itself and six more.
    { row: 'a-x', more: 6 },
  ]);
});

test('a new window begins anew', async () => {
  const { record, written, close, wait } = open({ perWindow: 1 });
  record('a', 'x');
  wait(10_000);
  record('a', 'x');
  await close();
  expect(written).toEqual(Array(2).fill({ row: 'a-x', more: 0 }));
});

test('neither more groups, more kinds nor more bytes than there is room for are held', async () => {
  const groups = open();
  for (const group of ['a', 'b', 'c', 'd', 'e']) groups.record(group, 'x');
  await groups.close();
  // The third and fourth stand as kinds beyond the rate; the fifth has no room.
  expect(groups.written.map(({ row }) => row)).toEqual(['a-x', 'b-x', 'c-x', 'd-x']);
  expect(groups.lostInAll()).toBe(1);
  const kinds = open({ mostKinds: 10, perWindow: 1 });
  for (const kind of ['x', 'x', 'y', 'y', 'z']) kinds.record('a', kind);
  kinds.record('b', 'x');
  kinds.record('b', 'z');
  await kinds.close();
  // Of the kinds beyond the rate of a group its first two; another group has room for its own.
  expect(kinds.written.map(({ row, more }) => [row, more])).toEqual([
    ['a-x', 0],
    ['b-x', 0],
    ['a-x', 0],
    ['a-y', 1],
    ['b-z', 0],
  ]);
  expect(kinds.lostInAll()).toBe(1);
  const bytes = open({ mostWaitingBytes: 10 });
  bytes.record('a', 'x', '12345678');
  bytes.record('a', 'x', '12345678');
  await bytes.close();
  expect(bytes.written).toHaveLength(1);
  expect(bytes.lostInAll()).toBe(1);
});

test('where they fold, groups that there are too many of share one', async () => {
  const { record, written, lostInAll, close } = open({ folds: true, perWindow: 1 });
  for (const group of ['a', 'b', 'c', 'd', 'e', 'f', 'a']) record(group, 'x');
  await close();
  expect(written).toEqual([
    ...['a-x', 'b-x', 'c-x of many'].map((row) => ({ row, more: 0 })),
    { row: 'd-x of many', more: 2 },
    { row: 'a-x', more: 0 },
  ]);
  expect(lostInAll()).toBe(0);
});

test('while the database does not answer no more is held than has room, and what is lost is counted', async () => {
  vi.useFakeTimers();
  try {
    const asked: number[] = [];
    let lost = 0;
    const log = openBoundedLog<string>({
      bounds: { ...BOUNDS, perWindow: 1_000_000, bytesPerWindow: 1_000_000, mostWaiting: 1_000, mostWaitingBytes: 1_000_000 },
      bytesOf: () => 1,
      write: (rows) => {
        asked.push(rows.length);
        return new Promise(() => {});
      },
      ...{ now: () => 1_000_000, onError: () => {} },
      onLost: (lines) => {
        lost += lines;
      },
    });
    for (let n = 0; n < 100; n++) {
      for (let row = 0; row < 200; row++) log.record({ group: 'a', kind: 'x' }, () => 'row');
      await vi.advanceTimersByTimeAsync(250);
    }
    expect(asked).toEqual([200]);
    expect(20_000 - lost).toBe(200 + 1_000);
  } finally {
    vi.useRealTimers();
  }
});

test('what cannot be written is told, and the next is written all the same', async () => {
  const { record, written, failures, lostInAll, close } = open();
  record('a', 'x', 'broken');
  await new Promise((resolve) => setTimeout(resolve, 400));
  record('b', 'y');
  await close();
  expect([failures.length, lostInAll(), written]).toEqual([1, 1, [{ row: 'b-y', more: 0 }]]);
});
