/** UTM parameters and the click ids of the large networks, as the address of the visit has them. */
const CLICK_IDS = ['gclid', 'gbraid', 'wbraid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid', 'clickid', 'sub_id'];

export function sourceOf(search: string): Record<string, string> {
  const found = [...new URLSearchParams(search)].filter(
    ([name, value]) => value !== '' && (/^utm_\w{1,40}$/.test(name) || CLICK_IDS.includes(name)),
  );
  return Object.fromEntries(found.slice(0, 20).map(([name, value]) => [name, value.slice(0, 500)]));
}
