/** `npm run doctor`: looks this installation over with the settings it starts with, and says in plain words what is wrong. Changes nothing. */
import { reachDatabase } from '#server/installation.ts';
import { ConfigError, readConfig } from '#server/kit/config.ts';
import { examine, write } from './examine.ts';

try {
  const config = readConfig();
  const database = await reachDatabase(config);
  try {
    const parts = await examine(config, database.url);
    console.log(write(parts));
    process.exitCode = parts.some(({ findings }) => findings.some(({ level }) => level === 'bad')) ? 1 : 0;
  } finally {
    await database.leave();
  }
} catch (error) {
  // What keeps Sluice from starting keeps it from being looked at.
  console.error(error instanceof ConfigError ? ` BAD   ${error.message}` : error);
  process.exitCode = 1;
}
