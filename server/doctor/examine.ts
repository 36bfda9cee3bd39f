/** Looks an installation over, part by part; a part that cannot be looked at is a finding itself. */
import pg from 'pg';
import type { Config } from '#server/kit/config.ts';
import { lookAtCopy, lookAtRoles } from './access.ts';
import { type Dial, lookAtCertificate } from './certificate.ts';
import { lookAtMigrations, lookAtServer, lookAtTables } from './database.ts';
import { bad, type Finding } from './finding.ts';
import { lookAtMachine, lookAtMail, lookAtSettings } from './machine.ts';
import { lookAtNames, type Resolve } from './names.ts';
import { lookAtRegister } from './register.ts';
import { lookAtSeals } from './seals.ts';
import { lookAtWork } from './work.ts';

export interface Part {
  title: string;
  findings: Finding[];
}

/** How the world outside is asked; as everybody asks it where left out. */
export interface Outside {
  resolve?: Resolve;
  dial?: Dial;
}

export async function examine(config: Config, databaseUrl: string, { resolve, dial }: Outside = {}): Promise<Part[]> {
  const parts: Part[] = [];
  const look = async (title: string, work: () => Promise<Finding[]> | Finding[]) => {
    parts.push({ title, findings: await Promise.resolve().then(work).catch(couldNotLook) });
  };
  await look('Settings', () => lookAtSettings(config));
  await look('Machine', () => lookAtMachine(config));
  await look('Mail', () => lookAtMail(config));
  await look('Names', () => lookAtNames(config, resolve));
  await look('Certificate', () => lookAtCertificate(config, dial));
  await look('Copy for reports', () => lookAtCopy(config));
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'sluice doctor', connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`set default_transaction_read_only = on; set statement_timeout = '30s'`);
    await look('Database', () => lookAtServer(client, config));
    await look('Version', () => lookAtMigrations(client));
    // All else looks into tables that may not be there.
    if (parts.at(-1)!.findings.every(({ level }) => level !== 'bad')) {
      await look('Tables', () => lookAtTables(client, config));
      await look('Change log', () => lookAtSeals(client, config));
      await look('Roles', () => lookAtRoles(client, config.databaseUrl !== undefined));
      await look('Erasures', () => lookAtRegister(client, config));
      await look('Work', () => lookAtWork(client, config));
    }
  } catch (error) {
    parts.push({ title: 'Database', findings: couldNotLook(error) });
  } finally {
    await client.end().catch(() => {});
  }
  return parts;
}

const couldNotLook = (error: unknown): Finding[] => [
  bad(`It could not be looked at: ${(error as Error).message}.`, 'Mend that first, then look again.'),
];

const MARKS = { ok: '  ok  ', warn: ' look ', bad: ' BAD  ' } as const;

/** For a terminal; the last line counts. */
export function write(parts: readonly Part[]): string {
  const lines = parts.flatMap(({ title, findings }) => [
    '',
    title,
    ...findings.flatMap(({ level, what, mend }) => [`${MARKS[level]} ${what}`, ...(mend ? [`       ${mend}`] : [])]),
  ]);
  const count = (level: Finding['level']) => parts.flatMap(({ findings }) => findings).filter((one) => one.level === level).length;
  return [...lines, '', `${count('bad')} bad, ${count('warn')} to look at, ${count('ok')} well.`].join('\n');
}
