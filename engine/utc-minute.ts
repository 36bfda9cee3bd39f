/** '2026-11-28 05:00 UTC'; the console shows it in the reporting zone. */
export function utcMinute(instant: number): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? 'at an unknown time' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
