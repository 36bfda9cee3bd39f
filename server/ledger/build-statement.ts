/** A company's account over a month: as it is shown, and line by line for a file. */
import type { CsvCell } from '#contract/csv.ts';
import { PROVISIONAL_FOR_MS, type StatementAnswer } from '#contract/ledger.ts';
import { formatMoney } from '#engine/money.ts';
import type { Instant } from '#engine/plan.ts';
import { capWindowAt } from '#engine/window.ts';
import { wallTime } from '#server/kit/csv-file.ts';
import type { Db } from '#server/kit/database.ts';
import { idInstant } from '#server/kit/ids.ts';
import type { Party } from './entry.sql.ts';
import { type EntryRow, listEntries, listGroups, readOpening, type Span } from './statement.sql.ts';

export const CSV_PAGE = 500;

/** A month of the zone: 23 or 25 hours of one of its days included. */
export function spanOf(month: string, zone: string): Span {
  const { windowStartAt, resetsAt } = capWindowAt('month', zone, Date.parse(`${month}-15T12:00:00Z`));
  return { from: windowStartAt!, to: resetsAt! };
}

/** While it runs, and as long after its end as its sales may still be on their way. */
export const isMonthProvisional = (month: string, zone: string, now: Instant): boolean => now < spanOf(month, zone).to + PROVISIONAL_FOR_MS;

/** `db`: one snapshot, in which the party was found. */
export async function buildStatement(
  db: Db,
  organizationId: string,
  party: Party & { name: string },
  query: { month: string; timeZone: string },
): Promise<StatementAnswer> {
  const span = spanOf(query.month, query.timeZone);
  const now = Date.now();
  const { name, currency } = await db
    .selectFrom('organization')
    .select(['name', 'currency'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const byHand = await listEntries(db, organizationId, party, span, { kinds: ['payment', 'adjustment'] });
  const groups = await listGroups(db, organizationId, party, span);
  const opening = await readOpening(db, organizationId, party, span);
  return {
    status: true,
    partyName: party.name,
    organizationName: name,
    currency,
    month: query.month,
    isProvisional: isMonthProvisional(query.month, query.timeZone, now),
    from: new Date(span.from).toISOString(),
    to: new Date(span.to).toISOString(),
    opening,
    // What is told adds up, whatever is entered at this moment.
    closing: formatMoney(
      [opening, ...groups.map((one) => one.amount), ...byHand.map((one) => one.amount)].reduce((sum, one) => sum + toExact(one), 0),
    ),
    groups,
    entries: byHand.map((entry) => ({
      _id: entry.id,
      at: timeOf(entry),
      kind: entry.kind as 'payment' | 'adjustment',
      amount: entry.amount,
      note: entry.note,
      userName: entry.user_name,
    })),
  };
}

const timeOf = (entry: EntryRow): string => new Date(idInstant(entry.id)).toISOString();

/** The opening balance, then entry by entry what the account came to. */
export async function* statementLines(
  pageFrom: (after: string | undefined) => Promise<EntryRow[]>,
  opening: string,
  zone: string,
): AsyncGenerator<CsvCell[]> {
  yield ['', 'opening balance', '', '', '', opening, '', ''];
  let balance = toExact(opening);
  let after: string | undefined;
  do {
    const page = await pageFrom(after);
    for (const entry of page) {
      balance += toExact(entry.amount);
      const { kind, tier_name, lead_id, amount, note, user_name } = entry;
      yield [wallTime(timeOf(entry), zone), kind, tier_name, lead_id, amount, formatMoney(balance), note, user_name];
    }
    after = page.length === CSV_PAGE ? page.at(-1)!.id : undefined;
  } while (after);
}

/** Of a balance, which may have more digits than an amount. */
function toExact(text: string): number {
  const [whole, fraction = ''] = text.replace('-', '').split('.');
  const amount = Number(whole) * 10_000 + Number(fraction.padEnd(4, '0'));
  return text.startsWith('-') ? -amount : amount;
}
