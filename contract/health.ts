/** How a buyer or publisher does today, worst first; `quiet`: nothing was sent. Apart from home.ts, so that the browser can have it without the schemas. */
export const HEALTHS = ['bad', 'warn', 'good', 'quiet', 'paused'] as const;
/** On pages and in files. */
export const HEALTH_WORDS = {
  bad: 'In trouble',
  warn: 'Needs a look',
  good: 'Well',
  quiet: 'Quiet',
  paused: 'Paused',
} as const satisfies Record<(typeof HEALTHS)[number], string>;
export type Health = (typeof HEALTHS)[number];

/** Rows of one page of home-buyer and home-publisher. */
export const homePageSize = 50;
