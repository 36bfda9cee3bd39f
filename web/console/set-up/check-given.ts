/** For fields that a record cannot do without. */
export const checkGiven = (text: string): string | null => (text.trim() === '' ? 'This is required.' : null);
