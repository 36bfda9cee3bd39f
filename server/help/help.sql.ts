import { sql } from 'kysely';
import type { Db } from '#server/kit/database.ts';

/** What stands in an entry, and whether anybody sees it. */
export interface HelpState {
  kind: string;
  key: string;
  tags: string[];
  body: unknown;
  is_removed: boolean;
}

/** What the product brings of an entry. */
export interface Shipped {
  tags: string[];
  body: unknown;
}

export interface HelpRow extends HelpState {
  version: number;
  shipped: Shipped | null;
  is_own: boolean;
  changed_at: Date;
  changed_by: string;
}

/** Everything, removed entries too, in the order of keys. */
export async function listHelp(db: Db): Promise<HelpRow[]> {
  return (await db.selectFrom('help_entry').selectAll().orderBy('kind').orderBy('key').execute()) as HelpRow[];
}

/** One change of help at a time, over all nodes: a new entry has no row to lock. */
export async function lockHelp(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('sluice help'))`.execute(tx);
}

export async function findHelp(db: Db, kind: string, key: string): Promise<HelpRow | undefined> {
  return (await db.selectFrom('help_entry').selectAll().where('kind', '=', kind).where('key', '=', key).executeTakeFirst()) as
    | HelpRow
    | undefined;
}

export interface HelpChange extends HelpState {
  version: number;
  shipped: Shipped | null;
  is_own: boolean;
  changed_by: string;
}

/** Brings entries into their next version and keeps it beside the earlier ones. */
export async function putHelp(tx: Db, changes: HelpChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = JSON.stringify(changes);
  await sql`
    with given as (
      select * from jsonb_to_recordset(${rows}::jsonb) as g (
        kind text, key text, tags text[], body jsonb, version integer, is_removed boolean, shipped jsonb, is_own boolean, changed_by text)),
    put as (
      insert into help_entry as e (kind, key, tags, body, version, is_removed, shipped, is_own, changed_by)
      select kind, key, tags, body, version, is_removed, nullif(shipped, 'null'), is_own, changed_by from given
      on conflict (kind, key) do update set tags = excluded.tags, body = excluded.body, version = excluded.version,
        is_removed = excluded.is_removed, shipped = excluded.shipped, is_own = excluded.is_own, changed_at = now(), changed_by = excluded.changed_by
      returning kind, key, version, tags, body, is_removed, changed_at, changed_by)
    insert into help_version (kind, key, version, tags, body, is_removed, changed_at, changed_by)
    select kind, key, version, tags, body, is_removed, changed_at, changed_by from put`.execute(tx);
}

/** What the product brings of an entry that somebody has made their own: remembered, not shown. */
export async function setShipped(tx: Db, kind: string, key: string, shipped: Shipped | null): Promise<void> {
  await tx
    .updateTable('help_entry')
    .set({ shipped: shipped && JSON.stringify(shipped) })
    .where('kind', '=', kind)
    .where('key', '=', key)
    .execute();
}

const MOST_VERSIONS = 200;

/** Newest first. */
export function listVersions(db: Db, kind: string, key: string) {
  return db
    .selectFrom('help_version')
    .selectAll()
    .where('kind', '=', kind)
    .where('key', '=', key)
    .orderBy('version', 'desc')
    .limit(MOST_VERSIONS)
    .execute();
}

export function findVersion(db: Db, kind: string, key: string, version: number) {
  return db
    .selectFrom('help_version')
    .selectAll()
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('version', '=', version)
    .executeTakeFirst();
}
