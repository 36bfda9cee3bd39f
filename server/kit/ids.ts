import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

// One draw of random bytes serves many ids.
const ID_BYTES = 16;
const pool = Buffer.alloc(ID_BYTES * 256);
let used = pool.length;

/** A new id (UUID version 7) that sorts by `instant`, milliseconds since the epoch. */
export function newId(instant: number = Date.now()): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + ID_BYTES);
  used += ID_BYTES;
  return v7({ msecs: Math.floor(instant), random });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True for the exact form in which ids are given out; anything else names nothing. */
export function isId(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text);
}

/** The least id of an instant: ids at or after it were made at or after it. The same rule as uuid7_floor in SQL. */
export function idFloor(instant: number): string {
  const hex = Math.max(0, Math.floor(instant)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Milliseconds since the epoch at which an id was made. */
export function idInstant(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
