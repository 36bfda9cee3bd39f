/** Files that a hidden form of our own page asks for (account §7, §9): streamed, so that a large one costs no memory. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CSV_MARK, type CsvCell, csvLine, fileDay } from '#contract/csv.ts';
import { HttpError } from './http-error.ts';
import { openTurnstile } from './turnstile.ts';

export { fileDay };

const FORM_MAX_BYTES = 64 * 1024;
/** A line alone costs a system call. */
const CHUNK_LENGTH = 16 * 1024;

/** Lets the routes of this plugin take forms. */
export function takeForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: FORM_MAX_BYTES }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
}

/** A form cannot send our header; where it was sent from, the browser says itself. */
export function requireOwnForm(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site'];
  if (request.headers['x-requested-with'] === 'sluice') return;
  const isOwn = site === undefined ? URL.parse(request.headers.origin ?? '')?.host === request.host : site === 'same-origin';
  if (!isOwn) throw new HttpError(403, 'request_foreign', 'Download files from the console itself.');
}

/** Who has it sent, and in which organization. */
export interface Reader {
  userId: string;
  organizationId: string;
}

export interface CsvFile {
  /** Becomes `name-ddMMMyyyy.csv`, the day being that of the time zone. */
  name: string;
  zone: string;
  reader: Reader;
  header: string[];
  rows: AsyncIterable<CsvCell[]>;
}

const MOST = 8;
const ofPeople = openTurnstile(2, MOST);
/** Others find places left, however many people of one organization are at it. */
const ofOrganizations = openTurnstile(MOST / 2, MOST);
/** Longer than a page of rows may take. */
const READS_WITHIN_MS = 90_000;

/** Takes a place; what it returns gives it back, once. */
function enter({ userId, organizationId }: Reader): () => void {
  const leaves = [ofPeople.enter(userId), ofOrganizations.enter(organizationId)];
  const leave = () => {
    for (const one of leaves) one?.();
  };
  if (leaves.every((one) => one !== undefined)) return leave;
  leave();
  throw new HttpError(429, 'download_rate_limited', 'Other downloads are under way. Try again when they are done.', {
    retryAfterSeconds: 10,
  });
}

/** For what looks far for its next row: throws where nobody reads the file any more. */
export function requireReading(reply: FastifyReply): void {
  if (reply.raw.destroyed) throw new HttpError(499, 'download_left', 'Nobody reads this file any more.');
}

/** The first row is made before anything is sent: what cannot be made is refused as by every call. */
export async function sendCsv(reply: FastifyReply, file: CsvFile): Promise<FastifyReply> {
  const leave = enter(file.reader);
  const rows = file.rows[Symbol.asyncIterator]();
  const first = await rows
    .next()
    .then((row) => {
      requireReading(reply);
      return row;
    })
    .catch(async (error: unknown) => {
      leave();
      await rows.return?.();
      throw error;
    });
  async function* lines() {
    try {
      let text = CSV_MARK + csvLine(file.header);
      for (let row = first; !row.done; row = await rows.next()) {
        text += csvLine(row.value);
        if (text.length < CHUNK_LENGTH) continue;
        yield text;
        text = '';
      }
      if (text !== '') yield text;
    } finally {
      await rows.return?.();
      leave();
    }
  }
  const fileName = `${file.name.replace(/[^\w.-]+/g, '-')}-${fileDay(Date.now(), file.zone)}.csv`;
  // A reader who is gone before the first line was asked for leaves as well.
  reply.raw.once('close', leave);
  // One who reads no further gives the place back.
  reply.raw.setTimeout(READS_WITHIN_MS, () => reply.raw.destroy());
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .serializer((body) => body as never)
    .send(Readable.from(lines()) as never);
}

/** Columns that are asked for by their ids, by commas, in our order; unknown ones fall away, and none asked for means all. */
export function askedColumns<Column extends { id: string }>(columns: readonly Column[], asked: string): readonly Column[] {
  const wanted = new Set(asked.split(','));
  const shown = columns.filter(({ id }) => wanted.has(id));
  return shown.length > 0 ? shown : columns;
}

const wallClocks = new Map<string, Intl.DateTimeFormat>();

/** "2026-11-27 13:05:09", as spreadsheets read instants. */
export function wallTime(instant: Date | string, zone: string): string {
  const known = wallClocks.get(zone);
  const clock = known ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  if (!known) wallClocks.set(zone, clock);
  return clock.format(new Date(instant));
}
