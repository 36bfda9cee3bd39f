import { defineConfig } from 'vitest/config';

/**
 * What starts the product runs on Node alone, as the product does, and files that share a process share what they import: else a third of their time went into importing. So no
 * file may leave anything behind in its process: a spy, a fake clock, a setting.
 */
const asProduct = { isolate: false, experimental: { viteModuleRunner: false, nodeLoader: false } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['engine/**/*.test.ts', 'contract/**/*.test.ts', 'server/delivery/**/*.test.ts', 'test/walls/**/*.test.ts'],
        },
      },
      { test: { name: 'web', include: ['web/**/*.test.{ts,tsx}'] } },
      {
        test: {
          ...asProduct,
          name: 'api',
          include: ['server/**/*.test.ts', 'test/api/**/*.test.ts', 'db/**/*.test.ts'],
          exclude: ['server/delivery/**'],
          globalSetup: ['test/harness/database.setup.ts'],
          // Two files side by side: half of a file's time is waiting for the database.
          maxWorkers: 2,
          // What takes a third of it on a quiet machine may take all of it beside other work.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        test: {
          ...asProduct,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/harness/database.setup.ts'],
          testTimeout: 60_000,
          // Five processes share a small machine: what fails for want of time alone is tried once more, what is broken fails twice.
          retry: 1,
          hookTimeout: 120_000,
          // As long as Playwright waits for whatever it is told to find.
          expect: { poll: { timeout: 10_000 } },
          // Two files side by side, as above: a page waits for its node, its node for the database.
          maxWorkers: 2,
        },
      },
    ],
  },
});
