/** CSV as spreadsheets read it (RFC 4180), and the form that asks for a file (account §7). */
import { z } from 'zod';
import { reportingTimeZone } from './organization.ts';

const NUMERIC = /^-?\d+(\.\d+)?$/;

/** A leading formula sign would run in a spreadsheet; a plain number such as -1.50 would not and stays a number. */
const disarm = (value: string) => (/^[=+\-@\t\r\n＝＋－＠]/.test(value) && !NUMERIC.test(value) ? `'${value}` : value);
/** A semicolon and a tab too: where those separate a list, the cell would fall apart. */
const quote = (value: string) => (/[",;\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

export type CsvCell = string | number | boolean | null;

/** Begins a file, so that a spreadsheet reads it as UTF-8. */
export const CSV_MARK = '\uFEFF';
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map((cell) => quote(disarm(String(cell ?? '')))).join(',')}\r\n`;

/** Sent by a hidden form beside a list's own filters (account §7): the names of the columns that are shown, by commas. */
export const csvForm = z.object({
  isDownloadCSV: z.literal('true'),
  columns: z.string().max(2000).default(''),
  timeZone: reportingTimeZone.default('UTC'),
});

/** "27Nov2026", the day of an instant in a time zone: so files are called (account §9). */
export function fileDay(instantMs: number, zone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, day: '2-digit', month: 'short', year: 'numeric' });
  const part = Object.fromEntries(format.formatToParts(instantMs).map(({ type, value }) => [type, value]));
  return `${part.day}${part.month}${part.year}`;
}

/** Where those forms are posted to, a list's name behind it; told to the signed-in as downloadFileUrl (account §3). */
export const DOWNLOAD_FILE_URL = '/api/v1/download-file';

export const csvAnswer = { 200: { description: 'The file.', content: { 'text/csv': { schema: z.string() } } } };
