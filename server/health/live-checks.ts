/** What the doctor (server/doctor/) can look at while leads are sold: everything that is read, and nothing that tries how quick the machine is. */
import type pg from 'pg';
import { lookAtMigrations, lookAtPartitions, lookAtServerSettings } from '#server/doctor/database.ts';
import { bad, type Finding } from '#server/doctor/finding.ts';
import { lookAtMachine, lookAtSettings } from '#server/doctor/machine.ts';
import { lookAtWork } from '#server/doctor/work.ts';
import type { Config } from '#server/kit/config.ts';
import { readOnly } from './read-state.sql.ts';

export interface Check {
  part: string;
  finding: Finding;
}

/** By this node's settings, of this node's machine. A part that cannot be looked at is a finding itself. */
export async function lookLive(pool: pg.Pool, config: Config): Promise<Check[]> {
  const parts: [string, () => Finding[] | Promise<Finding[]>][] = [
    ['Settings', () => lookAtSettings(config)],
    ['Machine', () => lookAtMachine(config)],
    ['Database', () => readOnly(pool, (client) => lookAtServerSettings(client, config))],
    ['Version', () => readOnly(pool, lookAtMigrations)],
    ['Tables', () => readOnly(pool, lookAtPartitions)],
    ['Work', () => readOnly(pool, (client) => lookAtWork(client, config))],
  ];
  const found: Check[] = [];
  // One after the other: the connections are for others.
  for (const [part, look] of parts) {
    const findings = await Promise.resolve()
      .then(look)
      .catch(() => [bad('It could not be looked at.', 'Look into the log of this node; npm run doctor says more.')]);
    found.push(...findings.map((finding) => ({ part, finding })));
  }
  return found;
}
