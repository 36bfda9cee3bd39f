/** Where a visit of a lander came from, as its address tells: UTM parameters and the click ids of the large networks, and nothing else. */
const CLICK_IDS = ['gclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid', 'clickid', 'sub_id'];
const MOST = 20;
const LONGEST = 500;

export type Source = Record<string, string>;

/** Of all names and values those of a source; page and server keep the same. */
export function keepSource(given: Iterable<[name: string, value: string]>): Source {
  const found = [...given].filter(([name, value]) => value !== '' && (/^utm_\w{1,40}$/.test(name) || CLICK_IDS.includes(name)));
  return Object.fromEntries(found.slice(0, MOST).map(([name, value]) => [name, value.slice(0, LONGEST)]));
}

/** A path of ours that takes along where the visit came from. */
export function withSource(path: string, source: Source): string {
  const query = String(new URLSearchParams(source));
  return query === '' ? path : `${path}?${query}`;
}
