/** One account in one spelling: it is looked up, counted and kept by this. */
export function plainEmail(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}
