/** Fields and values of a record in the words of its form, where they stand outside of it. */

/** What a form calls a field otherwise than its name says. */
const LABELS: Record<string, string> = {
  publisherId: 'Publisher',
  buyerId: 'Buyer',
  campaignId: 'Campaign',
  serviceId: 'Service',
  priceModel: 'Price',
  postPriceRule: 'When the post pays another price',
  timeLimitMs: 'Time limit in ms',
  afterTimeout: 'Without an answer',
  thirdParty: 'Third-party validation',
  p2c: 'P2C',
  ipAllow: 'Addresses that may post',
  always200: 'Always HTTP 200',
  terse: 'Terse answers',
  pingsPerMinute: 'Pings per minute at most',
  maxSales: 'Buyers at most per lead',
  fieldHumanName: 'Label',
  fieldName: 'Name',
  sharePercent: 'Percent',
  url: 'URL',
};

const plainWords = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** 'caps.0.limit' as 'Caps › 1 › limit'. */
export function fieldWords(place: string): string {
  const [first = '', ...rest] = place.split('.');
  const below = rest.map((name) => (/^\d+$/.test(name) ? String(Number(name) + 1) : (LABELS[name] ?? plainWords(name))));
  return [LABELS[first] ?? capital(plainWords(first)), ...below].join(' › ');
}

/** 'nothing', 'yes', 'sold, declined', 'measure: sold, limit: 3'. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.map(valueWords).join(typeof value[0] === 'object' ? '; ' : ', ');
  if (typeof value !== 'object') return String(value);
  const parts = Object.entries(value).filter(([, part]) => part !== null && part !== undefined && part !== '');
  return parts.length === 0
    ? 'nothing'
    : parts.map(([name, part]) => `${(LABELS[name] ?? plainWords(name)).toLowerCase()}: ${valueWords(part)}`).join(', ');
}
