/** Whether a call failed because the database cannot be reached now: it may well succeed in a moment. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return (
    (code !== undefined && /^(ECONN|EPIPE|57P|08|53)/.test(code)) ||
    (message?.includes('timeout exceeded when trying to connect') ?? false) ||
    (message?.includes('Connection terminated') ?? false)
  );
}
