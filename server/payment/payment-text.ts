/** Texts of processors, without the card numbers that may stand in them. */

/** Of a card number the first eight digits are read; undefined where it is neither a BIN nor a card number. */
export function readBin(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  // Cards are shown as 457173******1234 by many.
  const shown = /^(\d{6,8})[xX*•.]+\d{0,4}$/.exec(digits);
  if (shown) return shown[1]!;
  if (/^\d{6,8}$/.test(digits)) return digits;
  return /^\d{12,19}$/.test(digits) ? digits.slice(0, 8) : undefined;
}

const CARD = /\d(?:[\s-]?\d){11,18}/g;

/** One line, of which whatever is as long as a card number keeps its first eight digits, and 120 characters at most. */
export const keptReason = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(CARD, (number) => `${number.replace(/\D/g, '').slice(0, 8)}…`)
    .trim()
    .slice(0, 120)
    .toWellFormed()
    .trim();

const ADDRESS = /[^\s@<>,;:]{1,64}@[^\s@<>,;:]{1,190}\.[\p{L}]{2,}/gu;
/** Whoever is meant by an e-mail address, it does not belong into a reason or a name. */
export const withoutAddresses = (text: string): string => text.replace(ADDRESS, '•••');

/** As it is shown: ids are often long numbers, so only one that has the check digit of a card is cut. */
export const shownTransaction = (text: string): string =>
  text.replace(CARD, (number) => {
    const digits = number.replace(/\D/g, '');
    return hasCheckDigit(digits) ? `${digits.slice(0, 8)}…` : number;
  });

function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((all, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
