import { REFUSALS } from '#contract/refusal.ts';

/** What calls are refused for. Those without a key that is ours are nobody's, and stand in no log. */
export const REFUSED_FOR = Object.entries(REFUSALS)
  .filter(([code]) => code !== 'key_missing' && code !== 'key_unknown')
  .map(([value, { label }]) => ({ value, label: `${label} (${value})` }));

const statuses = Object.values(REFUSALS).map(({ statusCode }) => String(statusCode));
/** The HTTP statuses of all refusals, the classes first. */
export const REFUSED_WITH = ['4xx', '5xx', ...[...new Set(statuses)].sort()];
