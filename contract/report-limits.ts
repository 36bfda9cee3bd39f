/** The limits of every report. Apart from report.ts, so that the browser can have them without the schemas. */
export const MOST_POINTS = 2_000;
export const LONGEST_SPAN_YEARS = 10;
/** Rows of an answer. */
export const MOST_ROWS = 500;
/** Rows of a file of what callers choose freely, sub ids and words of payment processors, beside one for all others; other files have all. */
export const MOST_FILE_ROWS = 50_000;
