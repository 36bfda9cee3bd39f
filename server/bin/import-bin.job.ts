/** Takes a BIN list in, as they are published: one BIN a row or a range, with what is known of it. */
import { sql } from 'kysely';
import type { Move } from '#engine/move.ts';
import { type Importer, importStep } from '#server/import/import-step.ts';
import { readMove } from '#server/import/read-move.ts';
import type { JobKind } from '#server/job/job-kind.ts';
import { newId } from '#server/kit/ids.ts';
import type { Tx } from '#server/record/record-model.ts';
import { mayManageBins } from '#server/suppression/suppression.policy.ts';
import { type BinSpan, readBinRange } from './bin-digits.ts';

interface ReadBin extends BinSpan {
  scheme: string;
  issuer: string;
  type: string;
  category: string;
  country: string;
  move: Move | null;
}

const importer: Importer<ReadBin> = {
  read(cell) {
    const first = cell('first');
    // 457173-457179 in one cell is a range, too.
    const [, from = first, to = cell('last')] = /^(\d{6,19})\s*[-–]\s*(\d{6,19})$/.exec(first) ?? [];
    const span = readBinRange(from, to || from);
    if (!span) return 'is no BIN of six to eight digits, or a range that ends before it begins';
    const move = readMove(cell('move'));
    if (typeof move === 'string') return move;
    const of = (role: string, longest: number) => cell(role).slice(0, longest);
    return {
      ...span,
      scheme: of('scheme', 60),
      issuer: of('issuer', 120),
      type: of('type', 30),
      category: of('category', 60),
      country: of('country', 60),
      move: move ?? null,
    };
  },
  async store(tx, { organizationId }, { mode }, read) {
    const ranges = [...new Map(read.map((one) => [`${one.first} ${one.last}`, one])).values()];
    const removed = mode === 'remove' ? await removeRanges(tx, organizationId, ranges) : 0;
    if (mode === 'remove') return { removed, unknown: read.length - removed };
    const added = await putRanges(tx, organizationId, ranges);
    await putMoves(
      tx,
      organizationId,
      ranges.filter(({ move }) => move !== null),
    );
    return { added, known: read.length - added };
  },
  async removeRest(tx, { organizationId, startedAt }, most) {
    const { numAffectedRows } = await sql`delete from bin_range where (organization_id, id) in (
      select r.organization_id, r.id from bin_range r where r.organization_id = ${organizationId}::uuid and r.updated_at < ${startedAt}
        and not exists (select from bin_move m where m.organization_id = r.organization_id and m.bin_range_id = r.id) limit ${most}) and updated_at < ${startedAt}`.execute(
      tx,
    );
    return Number(numAffectedRows ?? 0);
  },
};

/** How many were new; of a known one only what the file says is changed. */
async function putRanges(tx: Tx, organizationId: string, ranges: ReadBin[]): Promise<number> {
  const texts = (name: 'scheme' | 'issuer' | 'type' | 'category' | 'country') => ranges.map((one) => one[name]);
  const { rows } = await sql<{ added: number }>`
    with put as (
      insert into bin_range as r (organization_id, id, first_bin, last_bin, digits, scheme, issuer, type, category, country)
      select ${organizationId}::uuid, n.* from unnest(${ranges.map(() => newId())}::uuid[], ${ranges.map((one) => one.first)}::int[],
          ${ranges.map((one) => one.last)}::int[], ${ranges.map((one) => one.digits)}::smallint[], ${texts('scheme')}::text[], ${texts('issuer')}::text[],
          ${texts('type')}::text[], ${texts('category')}::text[], ${texts('country')}::text[])
        as n (id, first_bin, last_bin, digits, scheme, issuer, type, category, country) order by n.first_bin, n.last_bin
      on conflict (organization_id, width, first_bin, last_bin) do update set
        scheme = coalesce(nullif(excluded.scheme, ''), r.scheme), issuer = coalesce(nullif(excluded.issuer, ''), r.issuer),
        type = coalesce(nullif(excluded.type, ''), r.type), category = coalesce(nullif(excluded.category, ''), r.category),
        country = coalesce(nullif(excluded.country, ''), r.country), version = r.version + 1, updated_at = now()
      returning xmax = 0 as is_new
    )
    select count(*) filter (where is_new)::int as added from put`.execute(tx);
  return rows[0]!.added;
}

/** For all campaigns and all affiliates. */
async function putMoves(tx: Tx, organizationId: string, ranges: ReadBin[]): Promise<void> {
  if (ranges.length === 0) return;
  await sql`insert into bin_move as m (organization_id, id, bin_range_id, move)
    select r.organization_id, n.id, r.id, n.move from unnest(${ranges.map(() => newId())}::uuid[], ${ranges.map((one) => one.first)}::int[],
        ${ranges.map((one) => one.last)}::int[], ${ranges.map((one) => one.move)}::smallint[]) as n (id, first_bin, last_bin, move)
      join bin_range r on r.organization_id = ${organizationId}::uuid and r.first_bin = n.first_bin and r.last_bin = n.last_bin
    on conflict (organization_id, bin_range_id, campaign_id, publisher_id) do update set move = excluded.move, version = m.version + 1, updated_at = now()`.execute(
    tx,
  );
}

async function removeRanges(tx: Tx, organizationId: string, ranges: ReadBin[]): Promise<number> {
  const { numAffectedRows } =
    await sql`delete from bin_range r using unnest(${ranges.map((one) => one.first)}::int[], ${ranges.map((one) => one.last)}::int[])
    as n (first_bin, last_bin) where r.organization_id = ${organizationId}::uuid and r.first_bin = n.first_bin and r.last_bin = n.last_bin`.execute(
      tx,
    );
  return Number(numAffectedRows ?? 0);
}

export const binImport: JobKind = {
  kind: 'binImport',
  may: mayManageBins,
  inTurn: true,
  step: (tx, work) => importStep(tx, work, importer),
};
