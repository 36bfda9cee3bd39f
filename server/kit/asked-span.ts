/** A span of time that somebody asks for. */
import { MESSAGES } from '#contract/message.ts';
import { HttpError } from './http-error.ts';

const HOUR_MS = 3_600_000;
/** Today and tomorrow, on the longest of days: later than that is later than tomorrow, wherever who asks may be. */
const LATEST_MS = 49 * HOUR_MS;

/**
 * Throws an HttpError where it ends before it begins, or reaches beyond `latest` (account §5: a date later than tomorrow). All are milliseconds
 * since 1970; what is left out is open. `word`: of the codes.
 */
export function requireSpan(word: string, { from, to }: { from?: number | undefined; to?: number | undefined }, latest: number): void {
  if (from !== undefined && to !== undefined && to <= from)
    throw new HttpError(400, `${word}_span_backwards`, 'The end must not be before the start.');
  if (Math.max(from ?? 0, to ?? 0) > latest) throw new HttpError(400, `${word}_span_future`, MESSAGES.futureDate);
}

/** The same of what a query says, in ISO 8601, whose time zone is not told. */
export function requireAskedSpan(
  word: string,
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now = Date.now(),
): void {
  const instant = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
  requireSpan(word, { from: instant(from), to: instant(to) }, now + LATEST_MS);
}
