/**
 * Seals anew, by the SECRET_KEY of today, what only the one before opens: keys of organizations, second factors and mail that waits. What those keys seal
 * themselves stays as it is. A row at a time, each only as it was read, beside all that goes on; begun again it goes on with what is left.
 */
import type pg from 'pg';
import { boundToOrganization, type MasterKey, renewSeal } from '#server/kit/crypto.ts';
import { boundTo as boundToMail } from '#server/mail/mail.ts';
import { boundTo as boundToFactor } from '#server/two-factor/two-factor.sql.ts';

interface Sealed {
  /** For whoever runs the installation. */
  what: string;
  table: 'organization' | 'app_user' | 'mail';
  column: 'data_key' | 'mfa_secret' | 'content';
  boundTo: (id: string) => string;
}

/** All that SECRET_KEY seals by itself. */
const SEALED: readonly Sealed[] = [
  { what: 'keys of organizations', table: 'organization', column: 'data_key', boundTo: boundToOrganization },
  { what: 'second factors', table: 'app_user', column: 'mfa_secret', boundTo: boundToFactor },
  { what: 'mails', table: 'mail', column: 'content', boundTo: boundToMail },
];

export interface Renewed {
  what: string;
  /** Sealed anew now. */
  renewed: number;
  /** Sealed by today's key when they were looked at. */
  asTheyAre: number;
  /** Neither key opens them. */
  closed: number;
}

const PAGE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

export async function renewSeals(pool: pg.Pool, masterKey: MasterKey): Promise<Renewed[]> {
  const done: Renewed[] = [];
  for (const sealed of SEALED) done.push(await renewTable(pool, masterKey, sealed));
  return done;
}

async function renewTable(pool: pg.Pool, masterKey: MasterKey, { what, table, column, boundTo }: Sealed): Promise<Renewed> {
  const tally: Renewed = { what, renewed: 0, asTheyAre: 0, closed: 0 };
  for (let after = FIRST; ; ) {
    const { rows } = await pool.query<{ id: string; sealed: Buffer }>(
      `select id, ${column} as sealed from ${table} where id > $1 and ${column} is not null order by id limit ${PAGE}`,
      [after],
    );
    for (const { id, sealed } of rows) tally[await renewOne(id, sealed)] += 1;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PAGE) return tally;
  }

  async function renewOne(id: string, sealed: Buffer): Promise<'renewed' | 'asTheyAre' | 'closed'> {
    let anew: Buffer | undefined;
    try {
      anew = renewSeal(masterKey, boundTo(id), sealed);
    } catch {
      return 'closed';
    }
    if (!anew) return 'asTheyAre';
    // Whoever changed it meanwhile sealed it by today's key.
    const { rowCount } = await pool.query(`update ${table} set ${column} = $2 where id = $1 and ${column} = $3`, [id, anew, sealed]);
    return rowCount === 1 ? 'renewed' : 'asTheyAre';
  }
}
