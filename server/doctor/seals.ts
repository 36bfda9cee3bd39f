/** Whether the change logs are still what was written (reliability H5). */
import type pg from 'pg';
import { findBrokenSeal } from '#server/change-log/seal-changes.ts';
import type { Config } from '#server/kit/config.ts';
import { unwrapKeys } from '#server/kit/crypto.ts';
import { opens } from './database.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

/** A line is sealed within two hours. */
const UNSEALED_HOURS = 3;

/** A chain of an organization whose key cannot be opened is told of by lookAtKeys. */
export async function lookAtSeals(client: pg.ClientBase, { masterKey }: Config): Promise<Finding[]> {
  const { rows } = await client.query<{ id: string; name: string; data_key: Buffer; unsealed: boolean }>(
    `select o.id, o.name, o.data_key, exists (select from change_log c where c.organization_id = o.id and c.id < uuid7_floor(now() - $1 * interval '1 hour')
        and c.id >= coalesce((select max(through_id::text)::uuid from change_seal s where s.organization_id = o.id), uuid7_floor(to_timestamp(0)))) as unsealed
      from organization o order by o.name`,
    [UNSEALED_HOURS],
  );
  const found: Finding[] = [];
  for (const { id, name, data_key } of rows.filter((row) => opens(masterKey, row.id, row.data_key))) {
    const broken = await findBrokenSeal(client, unwrapKeys(masterKey, id, data_key));
    if (!broken) continue;
    const { sealNo, entries, found: there } = broken;
    const how =
      entries === there ? 'a line of it was changed, or the seal itself' : `it was made over ${entries} lines, and there are ${there}`;
    found.push(
      bad(
        `The change log of ${name} is not as it was sealed: seal ${sealNo} does not hold (${how}).`,
        'Somebody has written into the database beside Sluice. Compare with a backup, and see who can sign in to PostgreSQL.',
      ),
    );
  }
  const unsealed = rows.filter((row) => row.unsealed).length;
  if (unsealed > 0)
    found.push(
      warn(
        `The change log of ${unsealed} ${unsealed === 1 ? 'organization has' : 'organizations have'} lines of more than ${UNSEALED_HOURS} hours that are not sealed.`,
        'A running node seals them within a minute. Where nodes run, seals were taken away: each stands in the log of the nodes ("change log sealed").',
      ),
    );
  return found.length > 0 ? found : [ok('The change logs are as they were sealed.')];
}
