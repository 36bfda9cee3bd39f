import { HttpError } from './http-error.ts';

/** Whether a call failed because its own caller hung up before all of it was there. */
export const isBrokenOff = (error: unknown): boolean => /^(?:request )?aborted$/i.test((error as { message?: string }).message ?? '');

/** Whether a call failed because the database cannot be reached now: it may well succeed in a moment. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (isBrokenOff(error)) return false;
  return (
    (code !== undefined && /^(ECONN|EPIPE|57P|08|53)/.test(code)) ||
    (message?.includes('timeout exceeded when trying to connect') ?? false) ||
    (message?.includes('Connection terminated') ?? false)
  );
}

export const STORE_UNAVAILABLE = 'store_unavailable';
export const storeUnavailable = (): HttpError =>
  new HttpError(503, STORE_UNAVAILABLE, 'The database cannot be reached. Try again in a moment.', { retryAfterSeconds: 2 });
