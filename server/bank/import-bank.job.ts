/** Takes banks in from a file: new ones are added, known ones get the name and move that the file brings. */
import { sql } from 'kysely';
import { readFieldValue } from '#engine/field-value.ts';
import type { Move } from '#engine/move.ts';
import { type Importer, importStep } from '#server/import/import-step.ts';
import { readMove } from '#server/import/read-move.ts';
import type { JobKind } from '#server/job/job-kind.ts';
import { newId } from '#server/kit/ids.ts';
import { mayManageBanks } from '#server/suppression/suppression.policy.ts';
import { ROUTING_PROBLEM, SORT_CODE_PROBLEM } from './bank.models.ts';

interface ReadBank {
  code: string;
  name: string;
  move: Move | null;
}

const LONGEST_NAME = 120;

const importer: Importer<ReadBank> = {
  read(cell, _work, { country = 'us' }) {
    // A spreadsheet takes the zeros that a number begins with.
    const written = cell('code').replace(/[\s-]/g, '');
    const code = readFieldValue(
      { type: 'routing' },
      country,
      /^\d+$/.test(written) ? written.padStart(country === 'us' ? 9 : 6, '0') : written,
    );
    if (code === undefined) return country === 'us' ? ROUTING_PROBLEM : SORT_CODE_PROBLEM;
    const name = cell('name').slice(0, LONGEST_NAME);
    const move = readMove(cell('move'));
    if (typeof move === 'string') return move;
    return { code, name, move: move ?? null };
  },
  async store(tx, { organizationId }, { mode, country = 'us' }, banks) {
    if (mode === 'remove') {
      const codes = banks.map(({ code }) => code);
      const { numDeletedRows } = await tx
        .deleteFrom('bank')
        .where('organization_id', '=', organizationId)
        .where('country', '=', country)
        .where('code', 'in', codes)
        .executeTakeFirst();
      return { removed: Number(numDeletedRows), unknown: banks.length - Number(numDeletedRows) };
    }
    const last = [...new Map(banks.map((one) => [one.code, one])).values()];
    const { rows } = await sql<{ added: number }>`
      with put as (
        insert into bank (organization_id, id, country, code, name, move)
        select ${organizationId}::uuid, n.id, ${country}, n.code, coalesce(nullif(n.name, ''), 'Bank ' || n.code), coalesce(n.move, 4)
          from unnest(${last.map(() => newId())}::uuid[], ${last.map((one) => one.code)}::text[], ${last.map((one) => one.name)}::text[],
            ${last.map((one) => one.move)}::smallint[]) as n (id, code, name, move) order by n.code
        on conflict (organization_id, country, code) do update
          set name = coalesce((select nullif(n.name, '') from unnest(${last.map((one) => one.code)}::text[], ${last.map((one) => one.name)}::text[]) as n (code, name)
              where n.code = excluded.code), bank.name), version = bank.version + 1, updated_at = now(),
            move = coalesce((select n.move from unnest(${last.map((one) => one.code)}::text[], ${last.map((one) => one.move)}::smallint[]) as n (code, move)
              where n.code = excluded.code), bank.move)
        returning xmax = 0 as is_new
      )
      select count(*) filter (where is_new)::int as added from put`.execute(tx);
    const added = rows[0]!.added;
    return { added, known: banks.length - added };
  },
  async removeRest(tx, { organizationId, startedAt, settings }, most) {
    const { country = 'us' } = settings as { country?: string };
    const { numAffectedRows } = await sql`delete from bank where (organization_id, id) in (
      select organization_id, id from bank where organization_id = ${organizationId}::uuid and country = ${country} and move = 4
        and updated_at < ${startedAt} limit ${most}) and move = 4 and updated_at < ${startedAt}`.execute(tx);
    return Number(numAffectedRows ?? 0);
  },
};

export const bankImport: JobKind = {
  kind: 'bankImport',
  may: mayManageBanks,
  inTurn: true,
  step: (tx, work) => importStep(tx, work, importer),
};
