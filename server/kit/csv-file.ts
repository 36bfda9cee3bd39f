/** Files that a hidden form of our own page asks for (account §7, §9): streamed, so that a large one costs no memory. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CSV_MARK, type CsvCell, csvLine } from '#contract/csv.ts';
import { HttpError } from './http-error.ts';
import { openTurnstile } from './turnstile.ts';

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

export interface CsvFile {
  /** Becomes `name-ddMMMyyyy.csv`, the day being that of the time zone. */
  name: string;
  zone: string;
  personId: string;
  header: string[];
  rows: AsyncIterable<CsvCell[]>;
}

const downloads = openTurnstile(2, 8);

/** The first row is made before anything is sent: what cannot be made is refused as by every call. */
export async function sendCsv(reply: FastifyReply, file: CsvFile): Promise<FastifyReply> {
  const leave = downloads.enter(file.personId);
  if (!leave)
    throw new HttpError(429, 'download_rate_limited', 'Other downloads are under way. Try again when they are done.', {
      retryAfterSeconds: 10,
    });
  const rows = file.rows[Symbol.asyncIterator]();
  const first = await rows.next().catch((error: unknown) => {
    leave();
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
      leave!();
    }
  }
  const fileName = `${file.name.replace(/[^\w.-]+/g, '-')}-${fileDay(Date.now(), file.zone)}.csv`;
  // A reader who is gone before the first line was asked for leaves as well.
  reply.raw.once('close', leave);
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .serializer((body) => body as never)
    .send(Readable.from(lines()) as never);
}

/** "27Nov2026" (account §9). */
export function fileDay(instantMs: number, zone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, day: '2-digit', month: 'short', year: 'numeric' });
  const part = Object.fromEntries(format.formatToParts(instantMs).map(({ type, value }) => [type, value]));
  return `${part.day}${part.month}${part.year}`;
}

const wallClocks = new Map<string, Intl.DateTimeFormat>();

/** "2026-11-27 13:05:09", as spreadsheets read instants. */
export function wallTime(instant: Date | string, zone: string): string {
  const known = wallClocks.get(zone);
  const clock = known ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  if (!known) wallClocks.set(zone, clock);
  return clock.format(new Date(instant));
}
