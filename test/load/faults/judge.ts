/** What came of a run under faults: publishers' acknowledgements against buyers' ledgers. The product's own tables are only asked what they store. */
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import type { LedgerLine } from './ledger-buyers.ts';
import type { Acknowledged, Publishers } from './publishers.ts';

export interface Verdict {
  acknowledged: number;
  soldToPublishers: number;
  boughtByBuyers: number;
  heldForSettling: number;
  interrupted: number;
  /** What is stored of the first leads with which something is wrong. */
  details: unknown[];
  /** Each must be empty. */
  faults: {
    acknowledgedButNotStored: string[];
    storedTwice: string[];
    neverEnded: string[];
    boughtTwice: string[];
    toldSoldButNotBought: string[];
    boughtButNeitherSoldNorHeld: string[];
    toldDifferently: string[];
    unanswered: string[];
    overCap: string[];
  };
}

export async function judge(
  pool: pg.Pool,
  publishers: Publishers,
  ledgerFile: string,
  caps: ReadonlyMap<number, number>,
): Promise<Verdict> {
  const bought = readFileSync(ledgerFile, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LedgerLine);
  const { acknowledged } = publishers;
  const stored = await rowsOf<{ id: string; leads: number }>(pool, 'select id::text, count(*)::int as leads from lead group by id');
  const ended = await rowsOf<{ id: string; status: string; reason: string | null }>(
    pool,
    'select lead_id::text as id, status, reason from lead_result',
  );
  const held = await rowsOf<{ id: string }>(pool, 'select distinct lead_id::text as id from reservation where unknown_since is not null');
  const isStored = new Map(stored.map(({ id, leads }) => [id, leads]));
  const endOf = new Map(ended.map((one) => [one.id, one]));
  const isHeld = new Set(held.map(({ id }) => id));
  const buyersOf = Map.groupBy(bought, ({ leadId }) => leadId);
  const tolds = Map.groupBy(acknowledged, ({ consumer }) => consumer);
  const unknown = [...buyersOf.keys()].filter((id) => endOf.get(id)?.status !== 'sold' && !isHeld.has(id));
  const sold = acknowledged.filter(({ status }) => status === 'accepted');
  const faults = {
    acknowledgedButNotStored: acknowledged.map(({ leadId }) => leadId).filter((id) => !isStored.has(id)),
    storedTwice: stored.filter(({ leads }) => leads > 1).map(({ id }) => id),
    neverEnded: stored.map(({ id }) => id).filter((id) => !endOf.has(id)),
    boughtTwice: [...buyersOf].filter(([, lines]) => lines.length > 1).map(([id]) => id),
    toldSoldButNotBought: sold.map(({ leadId }) => leadId).filter((id) => !buyersOf.has(id)),
    boughtButNeitherSoldNorHeld: unknown,
    toldDifferently: [...tolds]
      .filter(([, all]) => new Set(all.map(({ leadId, status }) => `${leadId} ${status}`)).size > 1)
      .map(([consumer]) => consumer),
    unanswered: publishers.unanswered,
    overCap: [...caps].flatMap(([buyer, cap]) => {
      const count = bought.filter((line) => line.buyer === buyer).length;
      return count > cap ? [`buyer ${buyer} bought ${count}, its cap is ${cap}`] : [];
    }),
  };
  return {
    acknowledged: tolds.size,
    soldToPublishers: new Set(sold.map(({ leadId }) => leadId)).size,
    boughtByBuyers: buyersOf.size,
    heldForSettling: isHeld.size,
    interrupted: ended.filter(({ reason }) => reason === 'interrupted').length,
    details: await detailsOf(pool, [...faults.neverEnded, ...faults.boughtTwice, ...unknown], acknowledged),
    faults,
  };
}

async function rowsOf<Row extends pg.QueryResultRow>(pool: pg.Pool, text: string): Promise<Row[]> {
  return (await pool.query<Row>(text)).rows;
}

const MOST_DETAILS = 5;

async function detailsOf(pool: pg.Pool, leads: string[], acknowledged: Acknowledged[]): Promise<unknown[]> {
  const details = [];
  for (const id of leads.slice(0, MOST_DETAILS)) {
    const [of, given] = ['where lead_id = $1', [id]];
    const { rows: results } = await pool.query(`select status, reason, finished_at, verdicts from lead_result ${of}`, given);
    const { rows: attempts } = await pool.query(
      `select attempt_index, outcome, answer, started_at, elapsed_ms, buyer_tier_id from attempt ${of}`,
      given,
    );
    const { rows: reservations } = await pool.query(`select * from reservation ${of}`, given);
    const { rows: stored } = await pool.query('select node_id, test from lead where id = $1', given);
    details.push({ id, told: acknowledged.filter(({ leadId }) => leadId === id), stored, results, attempts, reservations });
  }
  return details;
}
