/**
 * Seals the change log, hour by hour (reliability H5): a chain of keyed hashes in which a line shows that was changed, taken away or put in later.
 * Each seal is written to the node's log as well, which leaves the machine: a chain that was cut off at its end shows there.
 */
import type pg from 'pg';
import { keyedHash, type OrganizationKeys } from '#server/kit/crypto.ts';
import { idFloor } from '#server/kit/ids.ts';
import type { PlanBook } from '#server/plan/plan-book.ts';

const HOUR_MS = 3_600_000;
const NOTHING = '00000000-0000-0000-0000-000000000000';

export interface ChangeSeal {
  organizationId: string;
  /** From 1, without a gap. */
  sealNo: number;
  /** It stands for the lines before this id that the seal before it does not stand for. */
  throughId: string;
  entries: number;
  digest: string;
}

interface LastSeal {
  organization_id: string;
  seal_no: number | null;
  through_id: string | null;
  digest: string | null;
}

/** A seal stands for so many lines at most, and one run makes so many seals of an organization: the first of a long log is a chain of them. */
const BOUNDS = { lines: 10_000, seals: 200 };

/**
 * Seals what is an hour old and stands in whole hours, so that no transaction can still be under way that writes a line there. Each seal is stored by
 * itself: a run that is cut off is gone on with. Where another node makes the same, it is left to that. Returns the seals that were made. `now` in ms.
 */
export async function sealChanges(pool: pg.Pool, planBook: Pick<PlanBook, 'find'>, now: number, bounds = BOUNDS): Promise<ChangeSeal[]> {
  const through = idFloor(Math.floor((now - HOUR_MS) / HOUR_MS) * HOUR_MS);
  const { rows } = await pool.query<LastSeal>(
    `select o.id as organization_id, s.seal_no, s.through_id, s.digest from organization o
      left join lateral (select * from change_seal s where s.organization_id = o.id order by seal_no desc limit 1) s on true
      where exists (select from change_log c where c.organization_id = o.id and c.id >= coalesce(s.through_id, $1) and c.id < $2)`,
    [NOTHING, through],
  );
  const made: ChangeSeal[] = [];
  for (const last of rows) {
    const keys = planBook.find(last.organization_id)?.keys;
    if (keys) made.push(...(await sealChain(pool, keys, last, through, bounds)));
  }
  return made;
}

/** From the last seal to `through`, piece by piece. */
async function sealChain(
  pool: pg.Pool,
  keys: OrganizationKeys,
  last: LastSeal,
  through: string,
  { lines, seals }: typeof BOUNDS,
): Promise<ChangeSeal[]> {
  const made: ChangeSeal[] = [];
  for (let from = last; made.length < seals; ) {
    const throughId = await endOfPiece(pool, from, through, lines);
    const seal = await sealOne(pool, keys, from, throughId);
    if (!seal) break;
    made.push(seal);
    if (throughId === through) break;
    from = { organization_id: keys.organizationId, seal_no: seal.sealNo, through_id: throughId, digest: seal.digest };
  }
  return made;
}

/** The first line that a piece does not hold; `through` where it holds all that there are. */
async function endOfPiece(pool: pg.Pool, from: LastSeal, through: string, lines: number): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from change_log where organization_id = $1 and id >= $2 and id < $3 order by id offset $4 limit 1',
    [from.organization_id, from.through_id ?? NOTHING, through, lines],
  );
  return rows[0]?.id ?? through;
}

async function sealOne(pool: pg.Pool, keys: OrganizationKeys, last: LastSeal, throughId: string): Promise<ChangeSeal | undefined> {
  const { organizationId } = keys;
  const sealNo = (last.seal_no ?? 0) + 1;
  const { rows } = await pool.query<{ entries: number; hash: string }>('select * from hash_changes($1, $2, $3)', [
    organizationId,
    last.through_id ?? NOTHING,
    throughId,
  ]);
  const { entries, hash } = rows[0]!;
  const digest = digestOf(keys, { before: last.digest ?? '', sealNo, throughId, entries, hash });
  const stored = await pool.query(
    'insert into change_seal (organization_id, seal_no, through_id, entries, digest) values ($1, $2, $3, $4, $5) on conflict do nothing',
    [organizationId, sealNo, throughId, entries, digest],
  );
  return stored.rowCount === 1 ? { organizationId, sealNo, throughId, entries, digest } : undefined;
}

interface Sealed {
  /** The digest of the seal before it; empty for the first. */
  before: string;
  sealNo: number;
  throughId: string;
  entries: number;
  /** Of `hash_changes`. */
  hash: string;
}

const digestOf = (keys: OrganizationKeys, { before, sealNo, throughId, entries, hash }: Sealed): string =>
  keyedHash(keys, 'change seal', [before, sealNo, throughId, entries, hash].join('\n'));

/** Where the chain of an organization does not hold: the first seal that does not stand for its lines. */
export interface BrokenSeal {
  sealNo: number;
  /** Lines it was made over, and those that there are. */
  entries: number;
  found: number;
}

interface FoundSeal {
  seal_no: number;
  through_id: string;
  entries: number;
  digest: string;
  found: number;
  hash: string;
}

/** Looked at with one statement. */
const SEALS_OF_A_STEP = 20;

/** Goes through all seals of an organization, some at a time; undefined where each stands for just the lines that there are. */
export async function findBrokenSeal(
  client: Pick<pg.ClientBase, 'query'>,
  keys: OrganizationKeys,
  step = SEALS_OF_A_STEP,
): Promise<BrokenSeal | undefined> {
  let [before, sealNo, last, throughId] = ['', 0, 0, NOTHING];
  for (;;) {
    const seals = await hashAgain(client, keys.organizationId, last, throughId, step);
    for (const row of seals) {
      sealNo += 1;
      const sealed = { before, sealNo, throughId: row.through_id, entries: row.entries, hash: row.hash };
      if (row.digest !== digestOf(keys, sealed)) return { sealNo: row.seal_no, entries: row.entries, found: row.found };
      [before, last, throughId] = [row.digest, row.seal_no, row.through_id];
    }
    if (seals.length < step) return undefined;
  }
}

/** The seals after `last`, which ended at `throughId`, with what their lines come to now. */
async function hashAgain(
  client: Pick<pg.ClientBase, 'query'>,
  organizationId: string,
  last: number,
  throughId: string,
  step: number,
): Promise<FoundSeal[]> {
  const { rows } = await client.query<FoundSeal>(
    `select s.seal_no, s.through_id, s.entries, s.digest, h.entries as found, h.hash
      from (select *, lag(through_id, 1, $3) over (order by seal_no) as from_id
        from (select * from change_seal where organization_id = $1 and seal_no > $2 order by seal_no limit $4) as few) s
      cross join lateral hash_changes($1, s.from_id, s.through_id) h order by s.seal_no`,
    [organizationId, last, throughId, step],
  );
  return rows;
}
