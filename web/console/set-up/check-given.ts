import { ipRanges } from '#contract/tier.ts';

/** For fields that a record cannot do without. */
export const checkGiven = (text: string): string | null => (text.trim() === '' ? 'This is required.' : null);

/** A decimal, maybe negative; what is none would be lost on the way. */
export const checkNumber = (text: string): string | null => (/^-?\d+(\.\d+)?$/.test(text.trim()) ? null : 'This is not a number.');
export const checkNumberIfAny = (text: string): string | null => (text.trim() === '' ? null : checkNumber(text));

/** The first that is neither an address nor a range, as the server would refuse it. */
export const checkAddresses = (texts: string[]): string | null => ipRanges.safeParse(texts).error?.issues[0]?.message ?? null;
