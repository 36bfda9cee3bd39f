import type { Pool } from 'pg';

/** Copies the organization's oldest buyer tier so many times, as 'Tier 1', 'Tier 2', ...; they stand in no tree. */
export async function copyTiers(pool: Pool, organizationId: string, count: number): Promise<void> {
  const { rows } = await pool.query<{ list: string }>(
    `select string_agg(quote_ident(column_name), ', ') as list from information_schema.columns
      where table_name = 'buyer_tier' and column_name not in ('id', 'name') and is_generated = 'NEVER'`,
  );
  const columns = rows[0]!.list;
  await pool.query(
    `insert into buyer_tier (id, name, ${columns})
     select gen_random_uuid(), 'Tier ' || n, ${columns}
       from (select * from buyer_tier where organization_id = $1 order by id limit 1) one, generate_series(1, $2::int) n`,
    [organizationId, count],
  );
  await pool.query('analyze buyer_tier');
}
