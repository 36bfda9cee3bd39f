/** Days begin where the engine and the database both say so. */
import { expect, it } from 'vitest';
import { timeZoneName } from '#contract/tier.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { startNode } from '#test/harness/node.ts';

it('every zone that can be written is one the database knows, by the same hour', async () => {
  const database = await freshDatabase();
  const node = await startNode(database.url);
  try {
    const offered = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'US/Eastern', 'Etc/GMT+5'].filter(
      (name) => timeZoneName.safeParse(name).success,
    );
    expect(offered.length).toBeGreaterThan(400);
    const { rows } = await node.pool.query(
      `select z as name, to_char(timestamptz '2026-07-01 12:00Z' at time zone z, 'YYYY-MM-DD HH24:MI') as wall from unnest($1::text[]) z`,
      [offered],
    );
    const wall = (timeZone: string) =>
      new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(Date.UTC(2026, 6, 1, 12));
    expect(rows.filter((row) => row.wall !== wall(row.name))).toEqual([]);
  } finally {
    await node.close();
    await database.drop();
  }
});

it.each(['+05:30', '-08:00', '+0530', 'US/Pacific-New', 'PST', 'Mars/Olympus', ''])('%j is no zone', (name) =>
  expect(timeZoneName.safeParse(name).success).toBe(false),
);
