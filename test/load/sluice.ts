/** One node of the product under load, in a process of its own. */
import type { AddressInfo } from 'node:net';
import { openInstallation } from '#server/installation.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';

/** LEAVE_MS: how long it goes on answering when it is told to stop. MAX_IN_FLIGHT: how many leads it takes at once; without it, more than any of these benchmarks sends. */
const leaveMs = Number(process.env.LEAVE_MS ?? 0);
const maxInFlight = Number(process.env.MAX_IN_FLIGHT ?? 20_000);
const installation = await openInstallation({ ...TEST_CONFIG, leaveMs, maxInFlight, buyerConcurrency: 20_000 }, process.argv[2]!);
await installation.app.listen({ port: 0, host: '127.0.0.1' });
process.on('message', async (message) => {
  if (message === 'reload') {
    for (const { id } of await installation.db.selectFrom('organization').select('id').execute()) await installation.planBook.reload(id);
    process.send?.({ reloaded: true });
  }
  if (message === 'memory') process.send?.({ rssBytes: process.memoryUsage.rss() });
});
process.on('SIGTERM', async () => {
  await installation.close();
  process.exit(0);
});
process.send?.({ port: (installation.app.server.address() as AddressInfo).port });
