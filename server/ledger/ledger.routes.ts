/** A company's account: what it stands at, what is entered by hand, and its statement over a month. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type CsvCell, csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import {
  type AccountAnswer,
  type AccountKind,
  accountAnswer,
  accountQuery,
  entryAddedAnswer,
  newEntryBody,
  PROVISIONAL_FOR_MS,
  type StatementAnswer,
  statementAnswer,
  statementDownload,
  statementQuery,
} from '#contract/ledger.ts';
import { MESSAGES } from '#contract/message.ts';
import { formatMoney, parseMoney } from '#engine/money.ts';
import type { Instant } from '#engine/plan.ts';
import { capWindowAt } from '#engine/window.ts';
import { buyer } from '#server/buyer/buyer.models.ts';
import { insertChange, nameOfChanger } from '#server/change-log/change-log.sql.ts';
import { requireOwnForm, sendCsv, takeForms, wallTime } from '#server/kit/csv-file.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { idInstant, isId } from '#server/kit/ids.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { publisher } from '#server/publisher/publisher.models.ts';
import { findRow, lockRow } from '#server/record/record.sql.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import { requireOwn } from '#server/record/record-change.ts';
import type { RecordModel, Row, Tx } from '#server/record/record-model.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { type Entry, findBalance, houseOf, insertEntries, type Party } from './entry.sql.ts';
import { isNewCall } from './entry-call.sql.ts';
import { findFunds } from './funds.sql.ts';
import { type EntryRow, listEntries, listGroups, readOpening, type Span } from './statement.sql.ts';

const MODELS: Record<AccountKind, RecordModel> = { buyer, publisher };
const CSV_PAGE = 500;

export async function ledgerRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db } = options;
  const asPerson = openRecordCall(options);
  const cookies = sessionCookies(options.config.appEnv);

  /** Reads in one snapshot what the person reaches. */
  async function read<T>(request: FastifyRequest, use: (tx: Tx, person: SignedIn) => Promise<T>): Promise<T> {
    const person = await requireSignedIn(db, cookies, request);
    return inTenant(db, person.organizationId, (tx) => use(tx, person));
  }

  app.get(
    '/api/console/ledger/account',
    {
      schema: {
        tags: ['console'],
        summary: 'What a company’s account stands at',
        querystring: accountQuery,
        response: { 200: accountAnswer },
      },
    },
    (request) =>
      read(request, async (tx, person) => {
        const { party } = await requireParty(tx, person, request.query);
        return readAccount(tx, person.organizationId, party);
      }),
  );

  app.post(
    '/api/console/ledger/entries',
    {
      schema: {
        tags: ['console'],
        summary: 'Enter a payment or an adjustment; an entry stays, another one takes it back',
        body: newEntryBody,
        response: { 200: entryAddedAnswer },
      },
    },
    (request) =>
      asPerson(request, async ({ tx, person, address }) => {
        const { key, ...asked } = request.body;
        const { partyKind, partyId, kind, amount: text, note } = asked;
        const { party, row } = await requireParty(tx, person, { partyKind, partyId }, true);
        requireOwn(MODELS[partyKind], row);
        const answer = async () => ({ ...(await readAccount(tx, person.organizationId, party)), msg: MESSAGES.entryAdded });
        if (key && !(await isNewCall(tx, person.organizationId, key, asked))) return answer();
        const amount = parseMoney(text)!;
        // An adjustment is between the party and the house; a payment comes from outside, or goes there.
        const own: Entry = { party, kind, amount, note };
        const house: Entry = { party: houseOf(person.organizationId), kind, amount: -amount, note };
        const by = { userId: person.userId, userName: nameOfChanger(person) };
        await insertEntries(tx, person.organizationId, Date.now(), kind === 'adjustment' ? [own, house] : [own], by);
        const after = { kind, amount: formatMoney(amount), note };
        const logged = { address, model: 'ledgerEntry', recordId: partyId, recordName: String(row.name), after };
        await insertChange(tx, person, { ...logged, action: 'add', before: {}, rollsBack: null });
        return answer();
      }),
  );

  app.get(
    '/api/console/ledger/statement',
    {
      schema: {
        tags: ['console'],
        summary: 'A company’s account over a month',
        querystring: statementQuery,
        response: { 200: statementAnswer },
      },
    },
    (request) => read(request, (tx, person) => readStatement(tx, person, request.query)),
  );

  takeForms(app);
  app.post(
    `${DOWNLOAD_FILE_URL}/statement`,
    {
      schema: {
        tags: ['console'],
        summary: 'A company’s account over a month, entry by entry, as CSV, asked for by a hidden form',
        consumes: ['application/x-www-form-urlencoded'],
        body: statementDownload,
        response: csvAnswer,
      },
    },
    async (request, reply) => {
      requireOwnForm(request);
      const { timeZone: zone, month } = request.body;
      const { name, personId, opening } = await read(request, async (tx, person) => {
        const { party, row } = await requireParty(tx, person, request.body);
        const opening = await readOpening(tx, person.organizationId, party, spanOf(month, zone));
        return { name: String(row.name), personId: person.userId, opening };
      });
      const pageFrom = (after: string | undefined) =>
        read(request, async (tx, person) => {
          const { party } = await requireParty(tx, person, request.body);
          return listEntries(tx, person.organizationId, party, spanOf(month, zone), { limit: CSV_PAGE, ...(after && { after }) });
        });
      const isProvisional = isMonthProvisional(month, zone, Date.now());
      const header = [`Time (${zone})`, 'Kind', 'Tier', 'Lead id', 'Amount', 'Balance', 'Note', 'Entered by'];
      return sendCsv(reply, {
        name: `statement-${name}-${month}${isProvisional ? '-provisional' : ''}`,
        zone,
        personId,
        header,
        rows: linesOf(pageFrom, opening, zone),
      });
    },
  );
}

/** The company, where the person may set it up; locked until the transaction ends when something is entered for it. */
async function requireParty(
  tx: Tx,
  person: SignedIn,
  { partyKind, partyId }: { partyKind: AccountKind; partyId: string },
  isChanging = false,
): Promise<{ party: Party; row: Row }> {
  const model = MODELS[partyKind];
  const find = isChanging ? lockRow : findRow;
  const row = isId(partyId) && model.mayRead(person) ? await find(tx, model, person, partyId) : undefined;
  if (!row) throw new HttpError(404, `${partyKind}_unknown`, `There is no such ${partyKind} in your reach.`);
  return { party: { kind: partyKind, id: partyId }, row };
}

async function readAccount(tx: Db, organizationId: string, party: Party): Promise<AccountAnswer> {
  const { currency } = await tx.selectFrom('organization').select('currency').where('id', '=', organizationId).executeTakeFirstOrThrow();
  const balance = await findBalance(tx, organizationId, party);
  const funds = party.kind === 'buyer' ? await findFunds(tx, organizationId, party.id) : undefined;
  return {
    status: true,
    currency,
    balance: formatMoney(balance),
    reserved: funds ? formatMoney(funds.reserved) : null,
    left: funds ? formatMoney(funds.limit + balance - funds.reserved) : null,
  };
}

/** A month of the zone: 23 or 25 hours of one of its days included. */
export function spanOf(month: string, zone: string): Span {
  const { windowStartAt, resetsAt } = capWindowAt('month', zone, Date.parse(`${month}-15T12:00:00Z`));
  return { from: windowStartAt!, to: resetsAt! };
}

/** While it runs, and as long after its end as its sales may still be on their way. */
export const isMonthProvisional = (month: string, zone: string, now: Instant): boolean => now < spanOf(month, zone).to + PROVISIONAL_FOR_MS;

async function readStatement(
  tx: Tx,
  person: SignedIn,
  query: { partyKind: AccountKind; partyId: string; month: string; timeZone: string },
): Promise<StatementAnswer> {
  const { organizationId } = person;
  const { party, row } = await requireParty(tx, person, query);
  const span = spanOf(query.month, query.timeZone);
  const now = Date.now();
  const { name, currency } = await tx
    .selectFrom('organization')
    .select(['name', 'currency'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const byHand = await listEntries(tx, organizationId, party, span, { kinds: ['payment', 'adjustment'] });
  const groups = await listGroups(tx, organizationId, party, span);
  const opening = await readOpening(tx, organizationId, party, span);
  return {
    status: true,
    partyName: String(row.name),
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
async function* linesOf(
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
