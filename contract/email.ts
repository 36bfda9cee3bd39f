/** One account in one spelling: it is looked up, kept and counted by this (account §5: trimmed and lower-cased). */
export function plainEmail(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}

/** A plain ASCII address: one recipient, and no look-alike letters. */
const ADDRESS =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether `plainEmail(text)` is an address mail can go to. */
export function isEmail(plain: string): boolean {
  return plain.length <= 254 && ADDRESS.test(plain);
}
