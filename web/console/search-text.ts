/**
 * The search part of an address, flat: every value is a text, a repeated name a list.
 * The router's own JSON round trip turns `q=1e5` into 100000 and rounds long ids.
 */
export function parseSearch(text: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const known = found[name];
    found[name] = known === undefined ? value : [known, value].flat();
  }
  return found;
}

/** Names whose empty value says something: of no sub id, of a state that is not known, of no A/B test, of no reason; of payments without a lead, a buyer or a BIN. */
const OF_NONE: readonly string[] = [
  ...['subId', 'state', 'variantId', 'reason'],
  ...['campaignId', 'publisherId', 'publisherTierId', 'buyerId', 'buyerTierId', 'bin'],
];
const isSaid = (name: string, value: unknown) => value !== undefined && value !== null && (value !== '' || OF_NONE.includes(name));

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, values] of Object.entries(search)) {
    for (const value of [values].flat()) if (isSaid(name, value)) params.append(name, String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
