/** `npm run rotate-keys`: with a new SECRET_KEY, and the one before as SECRET_KEY_ALSO, seals everything anew (docs/operate/keys.md). Nodes may run meanwhile. */
import { reachDatabase } from '#server/installation.ts';
import { ConfigError, readConfig } from '#server/kit/config.ts';
import { openPool } from '#server/kit/database.ts';
import { renewSeals } from './renew-seals.ts';

try {
  const config = readConfig();
  if (!config.masterKey.alsoOpens)
    throw new ConfigError(
      'SECRET_KEY_ALSO: set it to the secret of before, and SECRET_KEY to the new one; docs/operate/keys.md tells all steps.',
    );
  const database = await reachDatabase(config);
  const pool = openPool(database.url, 1);
  try {
    const done = await renewSeals(pool, config.masterKey);
    for (const { what, renewed, asTheyAre, closed } of done)
      console.log(
        `${what}: ${renewed} sealed anew, ${asTheyAre} were already${closed > 0 ? `, ${closed} that neither secret opens` : ''}.`,
      );
    const isWhole = done.every(({ closed }) => closed === 0);
    console.log(
      isWhole
        ? 'The secret of before opens nothing any more: start nodes without SECRET_KEY_ALSO.'
        : 'Look for the secret that opens the rest before you take SECRET_KEY_ALSO away.',
    );
    process.exitCode = isWhole ? 0 : 1;
  } finally {
    await pool.end();
    await database.leave();
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
