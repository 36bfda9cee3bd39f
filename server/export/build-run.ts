/**
 * Makes the file of a run, a stretch at a time. Every lead of the feed stands in one run: in that which covers the moment it came, or, where it had
 * not ended when that was made, in the first that finds it ended. A run that is made anew has the same leads as the first time.
 */
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { CSV_MARK } from '#contract/csv.ts';
import { FILE_KEPT_DAYS } from '#contract/export.ts';
import { DAY_MS } from '#engine/zone.ts';
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import { fileDay } from '#server/kit/csv-file.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import { inTenant } from '#server/kit/tenant.ts';
import type { Tx } from '#server/record/record-model.ts';
import { type ExportField, listExportFields, openRowWriter, showsPersons } from './export-columns.ts';
import { addPart, beginFile, endFile, findFile, holdPersons } from './export-file.sql.ts';
import { type ExportRow, hasEnded, isWanted, nextLeadIds, readExportRows } from './export-rows.sql.ts';
import { type ClaimedRun, type FeedRow, holdRun, type RunRow } from './feed-run.sql.ts';

const LEADS_OF_A_STEP = 500;
const YIELD_EVERY = 20;
const FIRST = '00000000-0000-0000-0000-000000000000';

type Phase = 'begin' | 'heldOver' | 'window' | 'changes';
interface Place {
  phase: Phase;
  after: string;
  part: number;
  /** Of the feed, as what is there of the file was made. */
  version: number;
}
const BEGIN: Place = { phase: 'begin', after: FIRST, part: 0, version: 0 };

/** False where the run is another node's by then, or this one is closing. */
export async function buildRun(
  db: Db,
  keys: OrganizationKeys,
  claimed: ClaimedRun,
  leaseMs: number,
  isClosing: () => boolean,
): Promise<boolean> {
  let place: Place | undefined = readPlace(claimed.run.place, claimed.feed);
  while (place) {
    if (isClosing()) return false;
    const from: Place = place;
    const next = await inTenant(db, claimed.run.organization_id, async (tx) => {
      if (!(await holdRun(tx, claimed, leaseMs))) return 'lost' as const;
      const made = await step(tx, keys, claimed, from);
      await tx
        .updateTable('export_run')
        .set(made ? { place: JSON.stringify(made) } : { is_built: true, was_built: true, place: '{}' })
        .where('organization_id', '=', claimed.run.organization_id)
        .where('id', '=', claimed.run.id)
        .execute();
      return made;
    });
    if (next === 'lost') return false;
    place = next;
  }
  return true;
}

/** The beginning where nothing is there yet, or where the feed was edited since: a file has one set of columns. */
const readPlace = (kept: unknown, { version }: FeedRow): Place => {
  const place = kept as Partial<Place>;
  return place.phase === undefined || place.version !== version ? BEGIN : (place as Place);
};

/** Where it goes on; undefined when the file is whole. */
async function step(tx: Tx, keys: OrganizationKeys, { feed, run }: ClaimedRun, place: Place): Promise<Place | undefined> {
  const { organization_id: organizationId, vertical_id: verticalId, content } = feed;
  await holdPersons(tx, organizationId);
  const fields = await listExportFields(tx, organizationId, verticalId);
  const writer = openRowWriter(content, fields, keys, feed.send_changes);
  if (place.phase === 'begin') return begin(tx, keys, feed, run, fields, writer.head);
  const file = await findFile(tx, organizationId, run.id);
  // A person in it was erased meanwhile.
  if (!file || file.erased_at) return BEGIN;
  const ids = await idsOf(tx, feed, run, place);
  const rows = await readExportRows(tx, organizationId, verticalId, ids, content, 'unasked');
  const wanted = await judge(tx, feed, run, place.phase, ids, rows);
  const lines: string[] = [];
  for (const [at, row] of wanted.entries()) {
    if (at % YIELD_EVERY === 0) await setImmediate();
    lines.push(writer.write(row, place.phase === 'changes' ? 'changed' : 'new'));
  }
  const leadIds = wanted.map(({ id }) => id);
  if (wanted.length > 0) await addPart(tx, keys, { id: run.id, keptUntil: file.kept_until }, place.part, lines.join(''), leadIds);
  const part = wanted.length > 0 ? place.part + 1 : place.part;
  if (ids.length === LEADS_OF_A_STEP) return { ...place, after: ids.at(-1)!, part };
  const next = afterPhase(place.phase, feed);
  if (next) return { ...place, phase: next, after: FIRST, part };
  await end(tx, organizationId, run.id);
  return undefined;
}

const afterPhase = (phase: Phase, feed: FeedRow): Phase | undefined =>
  phase === 'heldOver' ? 'window' : phase === 'window' && feed.send_changes ? 'changes' : undefined;

async function begin(tx: Tx, keys: OrganizationKeys, feed: FeedRow, run: RunRow, fields: ExportField[], head: string): Promise<Place> {
  const { content } = feed;
  const keptUntil = new Date(Date.now() + FILE_KEPT_DAYS * DAY_MS);
  await beginFile(tx, feed.organization_id, {
    ...{ id: run.id, verticalId: feed.vertical_id, name: nameOf(feed, run), format: content.format, keptUntil },
    unmasked: showsPersons(content, fields),
  });
  await addPart(tx, keys, { id: run.id, keptUntil }, 0, content.format === 'csv' ? CSV_MARK + head : '', []);
  return { phase: 'heldOver', after: FIRST, part: 1, version: feed.version };
}

/** By the day and minute up to which it covers leads; the run's own letters, because an hour may come twice. */
function nameOf({ name, content }: FeedRow, run: RunRow): string {
  const zone = content.timeZone;
  const minute = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    run.to_at,
  );
  const plain = name
    .normalize('NFKD')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-.]+|-+$/g, '');
  return `${plain || 'leads'}-${fileDay(run.to_at.getTime(), zone)}-${minute.replace(':', '')}-${run.id.slice(-6)}.${content.format}`;
}

/** The next leads of a phase, whatever becomes of them. */
function idsOf(tx: Tx, feed: FeedRow, run: RunRow, { phase, after }: Place): Promise<string[]> {
  const { organization_id: organizationId, vertical_id: verticalId } = feed;
  const [from, before] = [idFloor(run.from_at.getTime()), idFloor(run.to_at.getTime())];
  if (phase === 'window')
    return nextLeadIds(tx, { organizationId, verticalId, after: after > from ? after : from, before }, LEADS_OF_A_STEP);
  return phase === 'heldOver' ? heldOverIds(tx, feed, run, after) : changedIds(tx, feed, run, after);
}

async function heldOverIds(tx: Tx, feed: FeedRow, run: RunRow, after: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('export_held_over')
    .select('lead_id')
    .where('organization_id', '=', feed.organization_id)
    .where('feed_id', '=', feed.id)
    .where('lead_id', '>', after)
    .where((where) =>
      run.was_built
        ? where('taken_run', '=', run.id)
        : where.and([where.or([where('taken_run', 'is', null), where('taken_run', '=', run.id)]), where('missed_run', '<>', run.id)]),
    )
    .orderBy('lead_id')
    .limit(LEADS_OF_A_STEP)
    .execute();
  return rows.map((row) => row.lead_id);
}

/** Leads of earlier runs that were settled or given back in the time that this one covers; not those that wait to be sent at all, or were sent as they are now. */
async function changedIds(tx: Tx, feed: FeedRow, run: RunRow, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct c.lead_id as id from (
      select s.lead_id, s.settled_at as at from settlement s
        join lead l on l.organization_id = s.organization_id and l.id = s.lead_id and l.vertical_id = ${feed.vertical_id}::uuid
        where s.organization_id = ${feed.organization_id}::uuid and s.settled_at >= ${run.from_at} and s.settled_at < ${run.to_at}
      union all
      select x.lead_id, x.returned_at from lead_return x
        where x.organization_id = ${feed.organization_id}::uuid and x.vertical_id = ${feed.vertical_id}::uuid
          and x.returned_at >= ${run.from_at} and x.returned_at < ${run.to_at}) c
    where c.lead_id > ${after}::uuid and c.lead_id >= ${idFloor(feed.began_at.getTime())}::uuid and c.lead_id < ${idFloor(run.from_at.getTime())}::uuid
      and not exists (select from export_held_over h where h.organization_id = ${feed.organization_id}::uuid and h.feed_id = ${feed.id}::uuid
        and h.lead_id = c.lead_id and (h.taken_run is null or h.taken_run = ${run.id}::uuid or h.taken_at >= c.at))
    order by 1 limit ${LEADS_OF_A_STEP}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Those that stand in the file. The first time it is noted which leads are held over, and which that were are taken. */
async function judge(
  tx: Tx,
  feed: FeedRow,
  run: RunRow,
  phase: Phase,
  ids: readonly string[],
  rows: readonly ExportRow[],
): Promise<ExportRow[]> {
  const own = { organization_id: feed.organization_id, feed_id: feed.id };
  const wanted = rows.filter((row) => isWanted(row, feed.content));
  if (phase === 'changes') return wanted.filter(hasEnded);
  if (run.was_built) return phase === 'heldOver' ? wanted : without(wanted, await missedOf(tx, feed, run, ids));
  const ended = rows.filter(hasEnded);
  if (phase === 'window') {
    // Made anew before it was whole: what had not ended then may have since.
    const missed = await missedOf(tx, feed, run, ids);
    const open = rows.filter((row) => !hasEnded(row) && !missed.has(row.id));
    if (open.length > 0)
      await tx
        .insertInto('export_held_over')
        .values(open.map((row) => ({ ...own, lead_id: row.id, missed_run: run.id })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    return without(wanted.filter(hasEnded), missed);
  }
  // What is of another publisher or campaign than the feed is by now waits for nothing.
  const known = new Set(rows.map((row) => row.id));
  const taken = [...ended.map((row) => row.id), ...ids.filter((id) => !known.has(id))];
  if (taken.length > 0)
    await tx
      .updateTable('export_held_over')
      .set({ taken_run: run.id, taken_at: sql`clock_timestamp()` })
      .where('organization_id', '=', feed.organization_id)
      .where('feed_id', '=', feed.id)
      .where('lead_id', 'in', taken)
      .execute();
  return wanted.filter(hasEnded);
}

const without = (rows: ExportRow[], ids: ReadonlySet<string>) => rows.filter((row) => !ids.has(row.id));

async function missedOf(tx: Tx, feed: FeedRow, run: RunRow, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .selectFrom('export_held_over')
    .select('lead_id')
    .where('organization_id', '=', feed.organization_id)
    .where('feed_id', '=', feed.id)
    .where('missed_run', '=', run.id)
    .where('lead_id', 'in', ids)
    .execute();
  return new Set(rows.map((row) => row.lead_id));
}

async function end(tx: Tx, organizationId: string, id: string): Promise<void> {
  await endFile(tx, organizationId, id);
  const file = (await findFile(tx, organizationId, id))!;
  await tx
    .updateTable('export_run')
    .set({ row_count: file.row_count, byte_count: file.byte_count })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}
