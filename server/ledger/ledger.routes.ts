/** A company's account: what it stands at, what is entered by hand, and its statement over a month. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import {
  type AccountAnswer,
  type AccountKind,
  accountAnswer,
  accountQuery,
  entryAddedAnswer,
  newEntryBody,
  type StatementAnswer,
  statementAnswer,
  statementDownload,
  statementQuery,
} from '#contract/ledger.ts';
import { MESSAGES } from '#contract/message.ts';
import { formatMoney, parseMoney } from '#engine/money.ts';
import { buyer } from '#server/buyer/buyer.models.ts';
import { insertChange, nameOfChanger } from '#server/change-log/change-log.sql.ts';
import { requireOwnForm, sendCsv, takeForms } from '#server/kit/csv-file.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { publisher } from '#server/publisher/publisher.models.ts';
import { findRow, lockRow } from '#server/record/record.sql.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import { requireOwn } from '#server/record/record-change.ts';
import type { RecordModel, Row, Tx } from '#server/record/record-model.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { buildStatement, CSV_PAGE, isMonthProvisional, spanOf, statementLines } from './build-statement.ts';
import { type Entry, findBalance, houseOf, insertEntries, type Party } from './entry.sql.ts';
import { isNewCall } from './entry-call.sql.ts';
import { findFunds } from './funds.sql.ts';
import { listEntries, readOpening } from './statement.sql.ts';

const MODELS: Record<AccountKind, RecordModel> = { buyer, publisher };

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
      const { name, reader, opening } = await read(request, async (tx, person) => {
        const { party, row } = await requireParty(tx, person, request.body);
        const opening = await readOpening(tx, person.organizationId, party, spanOf(month, zone));
        return { name: String(row.name), reader: person, opening };
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
        reader,
        header,
        rows: statementLines(pageFrom, opening, zone),
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

async function readStatement(
  tx: Tx,
  person: SignedIn,
  query: { partyKind: AccountKind; partyId: string; month: string; timeZone: string },
): Promise<StatementAnswer> {
  const { party, row } = await requireParty(tx, person, query);
  return buildStatement(tx, person.organizationId, { ...party, name: String(row.name) }, query);
}
