/** The register of erasures outside the database (decision 0037). It is read, and only read. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import type pg from 'pg';
import { readRegister } from '#server/erasure/register-file.ts';
import type { Config } from '#server/kit/config.ts';
import { type OrganizationKeys, unwrapKeys } from '#server/kit/crypto.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

/** For a database of this version. */
export async function lookAtRegister(client: pg.ClientBase, { erasureRegister, dataDir, masterKey }: Config): Promise<Finding[]> {
  const found: Finding[] = [];
  if (!isWritable(erasureRegister))
    found.push(
      bad(
        `The register of erasures cannot be written at ${erasureRegister}: no node starts so.`,
        'Give the user of the nodes that folder, or set ERASURE_REGISTER to a file elsewhere.',
      ),
    );
  if (erasureRegister.startsWith(`${dataDir}${sep}postgres${sep}`))
    found.push(
      bad(
        'The register of erasures lies in the folder of the database: one backup would bring both back.',
        'Set ERASURE_REGISTER to a file outside of it.',
      ),
    );
  const { rows } = await client.query<{ id: string; data_key: Buffer }>('select id, data_key from organization');
  const keys = new Map(rows.flatMap(({ id, data_key }) => keysOf(masterKey, id, data_key)));
  const { erasures, damaged } = await readRegister(erasureRegister, 0, (organizationId) => keys.get(organizationId));
  const inFile = new Set(erasures.map(({ id }) => id));
  const { rows: table } = await client.query<{ id: string }>('select id from erasure');
  const inTable = new Set(table.map(({ id }) => id));
  if (damaged > 0)
    found.push(
      bad(
        `Lines of the register that cannot be read: ${damaged}.`,
        'Put back its newest copy; another node has one as well. Half a line at a crash was never promised to anybody.',
      ),
    );
  const lost = inFile.difference(inTable).size;
  if (lost > 0)
    found.push(
      bad(
        `Erasures that the database does not know: ${lost}. It was put back from a backup.`,
        'Start Sluice: it makes them again before it answers. Until then let nobody read this database.',
      ),
    );
  const missing = inTable.difference(inFile).size;
  if (missing > 0)
    found.push(
      warn(
        `Erasures that this register lacks: ${missing}.`,
        'A node that runs with this ERASURE_REGISTER adds them within a minute, or at its start.',
      ),
    );
  return found.length > 0 ? found : [ok(`The register knows every erasure (${inFile.size}).`)];
}

function keysOf(masterKey: Config['masterKey'], id: string, wrapped: Buffer): [string, OrganizationKeys][] {
  try {
    return [[id, unwrapKeys(masterKey, id, wrapped)]];
  } catch {
    return [];
  }
}

/** Or could be made: the nearest folder above that is there. */
function isWritable(path: string): boolean {
  let at = path;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  try {
    accessSync(at, constants.W_OK);
    return at === path || statSync(at).isDirectory();
  } catch {
    return false;
  }
}
