/** A history as a file (account §7): a log, jobs, or what a record did, all of it, the newest first, asked for by a hidden form. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { type CsvCell, csvAnswer, type csvForm, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import type { Config } from '#server/kit/config.ts';
import { requireOwnForm, requireReading, sendCsv, takeForms } from '#server/kit/csv-file.ts';
import type { Db } from '#server/kit/database.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { FILE_PAGE, type WalkedPage, walkPages } from '#server/kit/walk-pages.ts';
import type { Tx } from '#server/record/record-model.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';

/** A page of the lines of such a history; one that is not full is the last. */
export const historyPage = <Row extends { id: string }>(rows: readonly Row[], line: (row: Row) => CsvCell[]): WalkedPage<CsvCell[]> =>
  linesPage(rows, (row) => [line(row)]);

/** The same where a row has several lines. */
export const linesPage = <Row extends { id: string }>(rows: readonly Row[], lines: (row: Row) => CsvCell[][]): WalkedPage<CsvCell[]> => ({
  rows: rows.flatMap(lines),
  older: rows.length < FILE_PAGE ? null : rows.at(-1)!.id,
});

export interface HistoryCall<Form> {
  tx: Tx;
  person: SignedIn;
  form: Form;
}

export interface OpenHistory {
  /** The file's. */
  name: string;
  header: string[];
  read: (before: string | undefined) => Promise<WalkedPage<CsvCell[]>>;
}

export interface HistoryFile<Form extends typeof csvForm> {
  /** What it is asked for as. */
  list: string;
  summary: string;
  form: Form;
  /** Throws where it is not open to the person; asked for again with each page. */
  open: (call: HistoryCall<z.output<Form>>) => OpenHistory | Promise<OpenHistory>;
}

/** In a plugin of its own, whose routes then take forms. */
export function sendHistory<Form extends typeof csvForm>(
  instance: FastifyInstance,
  { db, config }: { db: Db; config: Config },
  { list, summary, form, open }: HistoryFile<Form>,
): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const cookies = sessionCookies(config.appEnv);
  takeForms(app);
  app.post(
    `${DOWNLOAD_FILE_URL}/${list}`,
    {
      schema: {
        tags: ['console'],
        summary: `${summary}, as CSV, asked for by a hidden form`,
        consumes: ['application/x-www-form-urlencoded'],
        body: form as typeof csvForm,
        response: csvAnswer,
      },
    },
    async (request, reply) => {
      requireOwnForm(request);
      const asked = request.body as z.output<Form>;
      const enter = async <T>(use: (history: OpenHistory, reader: SignedIn) => T | Promise<T>): Promise<T> => {
        const person = await requireSignedIn(db, cookies, request);
        return inTenant(db, person.organizationId, async (tx) => use(await open({ tx, person, form: asked }), person));
      };
      const file = await enter(({ name, header }, reader) => ({ name, header, reader, zone: asked.timeZone }));
      const rows = walkPages(async (before) => {
        requireReading(reply);
        return enter(({ read }) => read(before));
      });
      return sendCsv(reply, { ...file, rows });
    },
  );
}
