/** A list of records as a file (account §7): every record that its condition and search find, with the columns that are shown. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type CsvCell, csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import { listBody, recordsDownload } from '#contract/record.ts';
import { requireOwnForm, sendCsv, takeForms } from '#server/kit/csv-file.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { holdsStorable } from '#server/kit/storable.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import type { RecordParts } from './record-call.ts';
import { forbidden, requireModel } from './record-change.ts';
import { readCondition, requireSortable } from './record-condition.ts';
import { kindOf, type RecordModel, type Row } from './record-model.ts';
import { walkRecords } from './walk-records.ts';

export async function recordCsvRoutes(instance: FastifyInstance, { db, config }: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const cookies = sessionCookies(config.appEnv);
  takeForms(app);

  app.post(
    `${DOWNLOAD_FILE_URL}/records`,
    {
      schema: {
        tags: ['console'],
        summary: 'The records that a list finds, as CSV, asked for by a hidden form',
        consumes: ['application/x-www-form-urlencoded'],
        body: recordsDownload,
        response: csvAnswer,
      },
    },
    async (request, reply) => {
      requireOwnForm(request);
      const person = await requireSignedIn(db, cookies, request);
      const { columns, timeZone, name } = request.body;
      const listing = readListing(request.body.listing);
      const model = requireModel(listing.model);
      if (!model.mayRead(person)) throw forbidden();
      const conditions = readCondition(model, listing.condition);
      for (const { field } of listing.sort ?? []) requireSortable(model, field);
      const fields = fieldsOf(model, columns);
      const heads = readHeads(request.body.heads);
      const walk = walkRecords({
        db,
        model,
        listing: {
          conditions,
          ...(listing.search && { search: listing.search }),
          ...(listing.sort && { sort: listing.sort }),
          ...(listing.withArchived && { withArchived: true }),
        },
        enter: () => requireSignedIn(db, cookies, request),
      });
      async function* rows(): AsyncGenerator<CsvCell[]> {
        for await (const row of walk) yield [...fields.map((field) => cellOf(model, field, row)), String(row.id)];
      }
      return sendCsv(reply, {
        name,
        zone: timeZone,
        reader: person,
        header: [...fields, 'id'].map((field) => heads[field] ?? field),
        rows: rows(),
      });
    },
  );
}

function readListing(text: string) {
  try {
    const listing = listBody.parse(JSON.parse(text));
    if (holdsStorable(listing)) return listing;
  } catch {
    // Told below.
  }
  throw new HttpError(400, 'request_invalid', 'listing: must be the JSON text of a list.');
}

function readHeads(text: string): Record<string, string> {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text));
  } catch {
    throw new HttpError(400, 'request_invalid', 'heads: must be the JSON text of an object of texts.');
  }
}

/** In the order asked for. Secrets are in no file, whatever is asked for. */
function fieldsOf(model: RecordModel, asked: string): string[] {
  const known = Object.entries(model.fields).filter(([, field]) => kindOf(field) !== 'sealed');
  const names = new Set(known.map(([name]) => name));
  return asked === '' ? [...names] : [...new Set(asked.split(','))].filter((name) => names.has(name));
}

function cellOf(model: RecordModel, name: string, row: Row): CsvCell {
  const field = model.fields[name]!;
  const stored = row[field.column];
  const told = field.read ? field.read(stored as never, { row, recordId: String(row.id), keys: noKeys }) : stored;
  if (field.csv) return field.csv((told ?? null) as never);
  if (told === null || told === undefined) return null;
  if (told instanceof Date) return told.toISOString();
  return typeof told === 'object' ? JSON.stringify(told) : (told as CsvCell);
}

function noKeys(): never {
  throw new Error('A file of records opens nothing that is sealed.');
}
