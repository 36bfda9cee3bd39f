/** reliability T1–T3, G1, G2, in short; `npm run faults` has the long form. */
import { expect, it } from 'vitest';
import { runFaults } from '#test/load/faults/run-faults.ts';

it('engine Crash, G1, G2: nodes and database killed under load: nothing acknowledged is lost, nothing sold twice, no cap passed', {
  timeout: 480_000,
}, async () => {
  const seed = process.env.FAULT_SEED ?? String(Date.now());
  const { faults, details, ...figures } = await runFaults({ node: 3, bothNodes: 1, database: 1, everything: 1 }, seed);
  // The seed stands beside what it found, and what is stored of it.
  const found = Object.fromEntries(Object.entries(faults).filter(([, leads]) => leads.length > 0));
  expect({ seed, found, details }).toEqual({ seed, found: {}, details: [] });
  expect(figures.acknowledged).toBeGreaterThan(100);
  expect(figures.soldToPublishers).toBeGreaterThan(50);
  // What a kill leaves in doubt are leads that were under way at that moment, and no others.
  expect(figures.interrupted).toBeLessThanOrEqual(figures.underWayAtKills);
});
