/** `npm run db:describe`: migrates an empty database and writes what came of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withScratchDatabase } from '#test/harness/scratch.ts';
import { describeSchema, describeTypes } from './describe.ts';

await withScratchDatabase(async (client) => {
  writeFileSync(join(import.meta.dirname, 'schema.sql'), await describeSchema(client));
  writeFileSync(join(import.meta.dirname, 'types.ts'), await describeTypes(client));
});
