/** BINs looked up, and moves of many ranges. */
import { CompiledQuery, sql } from 'kysely';
import type { FoundBin } from '#contract/bin.ts';
import { UNSORTED } from '#engine/move.ts';
import type { Db } from '#server/kit/database.ts';
import { columnOf, holdsText } from '#server/record/record-condition.ts';
import type { Tx } from '#server/record/record-model.ts';
import { binRange } from './bin.models.ts';
import { readBinDigits, sayBinRange } from './bin-digits.ts';
import { movesFor, NARROWEST_FIRST, rangesAround } from './find-bin.sql.ts';

export interface MovePlace {
  campaignId: string | null;
  publisherId: string | null;
}

interface Found {
  at: number;
  first_bin: number | null;
  last_bin: number;
  digits: number;
  scheme: string;
  issuer: string;
  type: string;
  category: string;
  country: string;
  move: number | null;
  combination: number | null;
  move_first: number;
  move_last: number;
  move_digits: number;
}

/** One answer for each text, in their order. */
export async function lookUpBins(db: Db, organizationId: string, texts: readonly string[], place: MovePlace): Promise<FoundBin[]> {
  // Of a card number the rest is forgotten here.
  const asked = texts.map((text) => readBinDigits(text.replace(/[\s-]/g, '').replace(/^(\d{8})\d{4,11}$/, '$1')));
  const known = asked.flatMap((span, at) => (span ? [{ at, ...span }] : []));
  const [organization, low, high] = ['$1::uuid', 'a.low', 'a.high'];
  const text = `select a.at, n.*, d.* from unnest($2::int[], $3::int[], $4::int[]) as a (at, low, high)
    left join lateral (
      select r.first_bin, r.last_bin, r.digits, r.scheme, r.issuer, r.type, r.category, r.country
        from ${rangesAround(organization, low, high)} ${NARROWEST_FIRST} limit 1
    ) as n on true
    left join lateral (
      select m.move, m.combination, r.first_bin as move_first, r.last_bin as move_last, r.digits as move_digits
        from ${rangesAround(organization, low, high)} ${movesFor(organization, '$5::uuid', '$6::uuid')}
        ${NARROWEST_FIRST}, m.combination limit 1
    ) as d on true`;
  const values = [
    organizationId,
    known.map(({ at }) => at),
    known.map(({ first }) => first),
    known.map(({ last }) => last),
    place.campaignId,
    place.publisherId,
  ];
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, values) as CompiledQuery<Found>);
  const byPlace = new Map(rows.map((row) => [row.at, row]));
  return asked.map((span, at) => viewFound(span, byPlace.get(at)));
}

function viewFound(span: ReturnType<typeof readBinDigits>, row: Found | undefined): FoundBin {
  const told = {
    scheme: row?.scheme ?? '',
    issuer: row?.issuer ?? '',
    type: row?.type ?? '',
    category: row?.category ?? '',
    country: row?.country ?? '',
  };
  const has = row !== undefined && row.first_bin !== null;
  return {
    bin: span ? String(span.first).padStart(8, '0').slice(0, span.digits) : null,
    range: has ? sayBinRange({ first: row.first_bin!, last: row.last_bin, digits: row.digits }) : null,
    ...told,
    move: row?.move ?? UNSORTED,
    combination: row?.combination ?? null,
    decidedBy: row?.move ? sayBinRange({ first: row.move_first, last: row.move_last, digits: row.move_digits }) : null,
  };
}

/** What a list of ranges is narrowed to. `moveForAll`: null is no move, undefined any. */
export interface SoughtRanges {
  search: string;
  moveForAll?: number | null | undefined;
}

/** Gives every range that is sought the move for this campaign and affiliate, or takes it away; how many it was. */
export async function moveBins(
  tx: Tx,
  organizationId: string,
  { search, moveForAll }: SoughtRanges,
  place: MovePlace,
  move: number | null,
): Promise<number> {
  const texts = binRange.search!.map((name) => holdsText(binRange.fields[name]!, search, organizationId));
  const named = search === '' ? sql`true` : sql`(${sql.join(texts, sql` or `)})`;
  const found =
    moveForAll === undefined ? named : sql`${named} and ${columnOf(binRange.fields.move!)} is not distinct from ${moveForAll}::int`;
  const { campaignId, publisherId } = place;
  const statement =
    move === null
      ? sql`delete from bin_move m using bin_range t where t.organization_id = ${organizationId}::uuid and ${found}
          and m.organization_id = t.organization_id and m.bin_range_id = t.id
          and m.campaign_id is not distinct from ${campaignId}::uuid and m.publisher_id is not distinct from ${publisherId}::uuid`
      : sql`insert into bin_move as m (organization_id, id, bin_range_id, campaign_id, publisher_id, move)
          select t.organization_id, gen_random_uuid(), t.id, ${campaignId}::uuid, ${publisherId}::uuid, ${move}
            from bin_range t where t.organization_id = ${organizationId}::uuid and ${found}
          on conflict (organization_id, bin_range_id, campaign_id, publisher_id) do update set move = excluded.move, version = m.version + 1, updated_at = now()
            where m.move <> excluded.move`;
  return Number((await statement.execute(tx)).numAffectedRows ?? 0);
}
