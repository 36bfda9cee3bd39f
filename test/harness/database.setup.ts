/** Once per run: a server of the tests' own with a migrated template, which each test file copies. */
import type { TestProject } from 'vitest/node';
import { makeTemplate, startScratchServer } from './scratch.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startScratchServer();
  await makeTemplate(server);
  project.provide('postgres', server.url('DATABASE'));
  return server.stop;
}
