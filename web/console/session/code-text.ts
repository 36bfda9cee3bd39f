/** Account §5: a two-factor code is required; spaces are removed before it is looked at. */
export const plainCode = (text: string): string => text.replace(/\s/g, '');

export const checkCode = (text: string): string | null => (plainCode(text) === '' ? 'Enter the code' : null);

/** Six digits are a whole authenticator code: nothing more is to be typed. */
export const isWholeCode = (text: string): boolean => /^\d{6}$/.test(plainCode(text));
