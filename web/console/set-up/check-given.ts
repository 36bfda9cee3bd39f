/** For fields that a record cannot do without. */
export const checkGiven = (text: string): string | null => (text.trim() === '' ? 'This is required.' : null);

/** A decimal, maybe negative; what is none would be lost on the way. */
export const checkNumber = (text: string): string | null => (/^-?\d+(\.\d+)?$/.test(text.trim()) ? null : 'This is not a number.');
export const checkNumberIfAny = (text: string): string | null => (text.trim() === '' ? null : checkNumber(text));
