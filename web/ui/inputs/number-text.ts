/** What number fields make of what is typed or pasted (console §5). */
import { AMOUNT_DIGITS } from '#contract/console-constants.ts';

/** Digits only; everything else falls away. */
export const keepDigits = (text: string): string => text.replace(/\D/g, '');

/** The second variant: nothing at all, instead of a zero, when no digit remains; leading zeros fall away. */
export const keepNumber = (text: string): number | '' => {
  const digits = keepDigits(text).slice(0, 15);
  return digits === '' ? '' : Number(digits);
};

/** Keys that a digit field lets through: digits, backspace and delete, and those that type nothing. */
export const isDigitKey = (key: string): boolean => /^\d$/.test(key) || key === 'Backspace' || key === 'Delete' || key.length > 1;

/** Digits and one dot: up to 9 integer digits and up to 4 decimals; a lone dot is cleared, and ".5" is a half. */
export function keepAmount(text: string): string {
  const [whole = '', ...rest] = withPoint(text)
    .replace(/[^\d.]/g, '')
    .split('.');
  const integer = whole.slice(0, AMOUNT_DIGITS.integer);
  if (rest.length === 0) return integer;
  const fraction = rest.join('').slice(0, AMOUNT_DIGITS.fraction);
  return integer === '' && fraction === '' ? '' : `${integer || '0'}.${fraction}`;
}

/** Pasted as others write it, 1.250,00 and 12,50 are not a hundred times more or less: a last comma that no thousands follow is the point. */
function withPoint(text: string): string {
  const [, whole = '', fraction] = /^([^,]*),(\d+)$/.exec(text.replace(/[^\d.,]/g, '')) ?? [];
  const isPoint = fraction !== undefined && (whole.includes('.') || fraction.length !== 3);
  return isPoint ? `${whole.replaceAll('.', '')}.${fraction}` : text;
}
