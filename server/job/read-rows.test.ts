import { expect, test } from 'vitest';
import { JOB_PART_BYTES } from '#contract/job.ts';
import type { JobWork } from './job-kind.ts';
import { FIRST_ROW, type RowPlace, readRows } from './read-rows.ts';

test('console §2: of a line of a million columns no more than two parts are held at once, and none of its cells', async () => {
  const body = Buffer.from(`${Array.from({ length: 1_000_000 }, (_, at) => `c${at}`).join(',')}\nreal@example.com\n`);
  const parts = Math.ceil(body.length / JOB_PART_BYTES);
  expect(parts).toBeGreaterThan(10);
  let held: number[] = [];
  const readPart = async (part: number) => {
    held.push(part);
    return body.subarray(part * JOB_PART_BYTES, (part + 1) * JOB_PART_BYTES);
  };
  const work = { parts, readPart } as unknown as JobWork;
  const rows: unknown[] = [];
  let place: RowPlace = FIRST_ROW;
  for (let isEnd = false; !isEnd; ) {
    held = [];
    const read = await readRows(work, place, 4_000, ',');
    expect(held.length).toBeLessThanOrEqual(2);
    rows.push(...read.rows);
    ({ next: place, isEnd } = read);
  }
  expect(rows).toEqual([
    { line: 1, problem: 'tooLong' },
    { line: 2, cells: ['real@example.com'] },
  ]);
});
