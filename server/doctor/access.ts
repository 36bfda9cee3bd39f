/** What the database lets its roles do, and the copy that reports are read from. */
import pg from 'pg';
import type { Config } from '#server/kit/config.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

interface Roles {
  user: string;
  is_super: boolean;
  makes_roles: boolean;
  tenant: boolean;
  may_be: boolean | null;
  tenant_is_more: boolean | null;
  foreign_tables: number;
  open_tables: number;
}

/** For a database of this version. `ownDatabase`: made by an operator, not the one that Sluice brings along. */
export async function lookAtRoles(client: pg.ClientBase, ownDatabase: boolean): Promise<Finding[]> {
  const { rows } = await client.query<Roles>(`select current_user::text as user,
    (select rolsuper from pg_roles where rolname = current_user) as is_super,
    (select rolcreaterole from pg_roles where rolname = current_user) as makes_roles,
    to_regrole('sluice_tenant') is not null as tenant,
    (select pg_has_role(current_user, oid, 'set') from pg_roles where rolname = 'sluice_tenant') as may_be,
    (select rolsuper or rolbypassrls or rolcanlogin or rolcreaterole from pg_roles where rolname = 'sluice_tenant') as tenant_is_more,
    (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not pg_has_role(current_user, relowner, 'usage')) as foreign_tables,
    (select count(*)::int from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and not c.relrowsecurity
      and c.relname <> 'session' and coalesce(obj_description(c.oid), '') not like 'reference%') as open_tables`);
  const role = rows[0]!;
  const found: Finding[] = [];
  if (!role.tenant || !role.may_be)
    found.push(
      bad(
        `The role sluice_tenant is not there, or ${role.user} may not work as it: nobody can be signed in.`,
        `As an administrator: create role sluice_tenant nologin; grant sluice_tenant to "${role.user}".`,
      ),
    );
  if (role.tenant_is_more)
    found.push(
      bad(
        'The role sluice_tenant may more than it needs: the wall between organizations may not stand.',
        'alter role sluice_tenant nologin nosuperuser nobypassrls nocreaterole.',
      ),
    );
  if (role.foreign_tables > 0)
    found.push(
      bad(
        `Tables that ${role.user} does not own: ${role.foreign_tables}. The next version cannot change them.`,
        `As their owner or an administrator: reassign owned by ... to "${role.user}".`,
      ),
    );
  if (role.open_tables > 0)
    found.push(
      bad(
        `Tables of organizations without row-level security: ${role.open_tables}.`,
        'Put back what was altered: alter table ... enable row level security.',
      ),
    );
  if (ownDatabase && role.is_super)
    found.push(
      warn(
        `Nodes sign in as ${role.user}, a superuser of the whole server.`,
        'Give Sluice a role of its own: docs/operate/roles.md says what it needs.',
      ),
    );
  else if (ownDatabase && role.makes_roles)
    found.push(warn(`${role.user} may make roles, which only the first start needed.`, `alter role "${role.user}" nocreaterole.`));
  return found.length > 0
    ? found
    : [ok(`${role.user} owns the tables; what people ask for runs as sluice_tenant, behind row-level security.`)];
}

/** Older than this its figures are not read. */
const BEHIND_S = 30;
const WITHIN_MS = 5_000;

export async function lookAtCopy({ databaseReplicaUrl }: Pick<Config, 'databaseReplicaUrl'>): Promise<Finding[]> {
  if (!databaseReplicaUrl) return [ok('No copy is set; reports are read from the database itself.')];
  const client = new pg.Client({
    connectionString: databaseReplicaUrl,
    application_name: 'sluice doctor',
    connectionTimeoutMillis: WITHIN_MS,
  });
  client.on('error', () => {});
  const mend = 'Look at DATABASE_REPLICA_URL and its server. Until then reports take from what leads need.';
  try {
    await client.connect();
    const { rows } = await client.query<{ follows: boolean; behind: number }>(
      `select pg_is_in_recovery() as follows, case when not pg_is_in_recovery() or pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
        else coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0) end::float8 as behind`,
    );
    const { follows, behind } = rows[0]!;
    if (!follows)
      return [warn('DATABASE_REPLICA_URL leads to a database that follows no other: its figures may be somebody else’s, or old.', mend)];
    if (behind > BEHIND_S) return [warn(`The copy is ${Math.round(behind)} s behind; it is left alone.`, mend)];
    return [ok(`The copy follows, ${Math.round(behind)} s behind.`)];
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return [warn(`The copy cannot be read (${code ?? message.split('\n')[0]}).`, mend)];
  } finally {
    await client.end().catch(() => {});
  }
}
