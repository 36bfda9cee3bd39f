/** What nodes should be doing: whether they live, and what waits for too long. */
import type pg from 'pg';
import type { Config } from '#server/kit/config.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

interface Waiting {
  living: number;
  dead: number;
  outdated: number;
  marks: string | null;
  jobs: number;
  mails: number;
  hooks: number;
  held: number;
}

const MINUTE = `interval '1 minute'`;

export async function lookAtWork(client: pg.ClientBase, { smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding[]> {
  const { rows } = await client.query<Waiting>(`select
    (select count(*)::int from node where seen_at > now() - interval '10 seconds') as living,
    (select count(*)::int from node where seen_at < now() - ${MINUTE}) as dead,
    (select count(*)::int from node where seen_at > now() - interval '10 seconds' and last_migration < (select max(name) from migration)) as outdated,
    (select extract(epoch from now() - min(marked_at))::int::text from report_mark) as marks,
    (select count(*)::int from job where status = 'running' and lease_until < now() - 10 * ${MINUTE}) as jobs,
    (select count(*)::int from mail where sent_at is null and gave_up_at is null and created_at < now() - 15 * ${MINUTE}) as mails,
    (select count(*)::int from webhook where status = 'active' and failing_since < now() - 60 * ${MINUTE}) as hooks,
    (select count(*)::int from reservation where purpose = 'post' and unknown_since < now() - interval '7 days') as held`);
  const { living, dead, outdated, marks, jobs, mails, hooks, held } = rows[0]!;
  const found: Finding[] = [];
  if (living === 0) found.push(warn('No node runs at the moment.', 'What follows is about the time before it stopped; start Sluice.'));
  else found.push(ok(living === 1 ? 'One node runs.' : `${living} nodes run.`));
  if (outdated > 0)
    found.push(
      warn(
        `Nodes of an older version than the database: ${outdated}.`,
        'End the upgrade: stop them one after the other and start the new version.',
      ),
    );
  if (dead > 0 && living > 0)
    found.push(
      bad(
        `Nodes that died and are not cleared away: ${dead}.`,
        'Look at the log of a living node: it should finish their leads within seconds.',
      ),
    );
  if (Number(marks ?? 0) > 600)
    found.push(
      bad(
        `Reports have not been counted for ${Math.round(Number(marks) / 60)} minutes.`,
        'Look for errors of the roller in the log; reports stay right, and get slower.',
      ),
    );
  if (jobs > 0)
    found.push(
      bad(`Background jobs that are begun and that nobody works on: ${jobs}.`, 'Look at the log; a node takes them up when it can.'),
    );
  // Without a mail server it stays in the mailbox, which the settings tell of.
  if (mails > 0 && smtpUrl) found.push(warn(`Mails that wait for longer than a quarter of an hour: ${mails}.`, 'Look at the mail server.'));
  if (hooks > 0)
    found.push(
      warn(`Webhooks that have taken nothing for an hour: ${hooks}.`, 'Tell their organizations; they are paused after five days.'),
    );
  if (held > 0)
    found.push(
      warn(
        `Leads held for longer than a week: ${held}.`,
        'Their organizations settle them under "To settle": until then their caps stay taken.',
      ),
    );
  return found;
}
