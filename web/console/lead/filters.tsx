/** What leads and their logs can be narrowed by: one list, from which each page takes its own. */
import type { LeadChoiceKind, LeadFiltersAnswer } from '#contract/lead.ts';
import type { ChipOption } from '#web/ui/FilterChip.tsx';
import { formatElapsed } from '#web/ui/format.ts';
import { callEnds, callKinds, outcomes, SLOW } from '../log/log-search.ts';
import { callEndWord, callKindWord } from '../log/log-words.ts';
import { REFUSED_FOR, REFUSED_WITH } from '../log/refused-for.ts';
import { attemptWord, statuses, statusWord, type Word } from './lead-words.ts';
import { StatusText, WordText } from './StatusText.tsx';

/** `field` is the member of the address that it narrows by. */
export type Filter<Field extends string = string> =
  /** Typed, and looked for on Enter. */
  | { is: 'text'; field: Field; name: string; label: string; placeholder: string; className: string; none?: string }
  /** The members period, from and to. */
  | { is: 'period' }
  /** A record; `none` is what an empty one is called. */
  | { is: 'record'; field: Field; name: string; of: LeadChoiceKind; many: string; none?: string; isShown?: Shown }
  /** One of a few, which the server may have to be asked for. */
  | {
      is: 'few';
      field: Field;
      name: string;
      options: (known: LeadFiltersAnswer | undefined) => readonly ChipOption[];
      /** Of what is typed and not among them. */
      asTyped?: (text: string) => ChipOption | undefined;
    };

/** `whenSet`: reports lead there, and nobody looks for it otherwise. */
type Shown = 'whenSet' | ((known: LeadFiltersAnswer | undefined) => boolean);

const words = <Value extends string>(values: readonly Value[], of: Record<Value, Word>): ChipOption[] =>
  values.map((value) => ({ value, label: of[value].label, mark: <WordText word={of[value]} /> }));
const fixed = (options: readonly ChipOption[]) => () => options;

const STATUSES = statuses.map((value) => ({ value, label: statusWord[value].label, mark: <StatusText status={value} /> }));
const OUTCOMES = words(outcomes, attemptWord);
const ENDS = words(callEnds, callEndWord);
const CALLS = callKinds.map((value) => ({ value, label: callKindWord[value] }));
const LEGS = [
  { value: 'ping', label: 'Ping' },
  { value: 'post', label: 'Post' },
];
const TIMES = SLOW.map((value) => ({ value, label: `${formatElapsed(Number(value))} or more` }));
const sameWord = (value: string): ChipOption => ({ value, label: value });
/** Those that buyers answer with most; any other is typed. */
const STATUS_CODES = [
  ...['2xx', '3xx', '4xx', '5xx', '200', '201', '202', '204', '301', '302', '307', '400', '401', '403', '404', '405', '409', '413', '415'],
  ...['422', '429', '500', '502', '503', '504'],
];
const HTTP_ANSWERS = [{ value: 'none', label: 'No answer' }, ...STATUS_CODES.map(sameWord)];
const typedStatus = (text: string): ChipOption | undefined => (/^[1-5]\d\d$/.test(text) ? sameWord(text) : undefined);
const TESTS = [
  { value: 'false', label: 'Real leads only' },
  { value: 'true', label: 'Test leads only' },
];
const PINGS = [
  { value: 'false', label: 'Leads only' },
  { value: 'true', label: 'Bare pings only' },
];

const PRICES = [{ value: 'true', label: 'Another price than bid' }];

export const FILTERS = {
  period: { is: 'period' },
  q: {
    is: 'text',
    field: 'q',
    name: 'Search',
    className: 'lead-search',
    label: 'Search by lead id, email, phone or primary field',
    placeholder: 'Lead id, email or phone, then Enter',
  },
  subId: {
    is: 'text',
    field: 'subId',
    name: 'Sub id',
    className: 'filter-sub-id',
    none: 'none',
    label: 'Leads of one sub id',
    placeholder: 'Sub id, then Enter',
  },
  said: {
    is: 'text',
    field: 'reason',
    name: 'Reason',
    className: 'log-reason',
    label: 'Search by what the buyer said',
    placeholder: 'Buyer’s reason',
  },
  text: {
    is: 'text',
    field: 'text',
    name: 'Text',
    className: 'log-text',
    label: 'Search by any text that went over the wire, as it is shown',
    placeholder: 'Text sent or answered',
  },
  campaign: { is: 'record', field: 'campaignId', name: 'Campaign', of: 'campaign', many: 'campaigns' },
  publisher: { is: 'record', field: 'publisherId', name: 'Publisher', of: 'publisher', many: 'publishers' },
  publisherTier: { is: 'record', field: 'publisherTierId', name: 'Publisher tier', of: 'publisherTier', many: 'publisher tiers' },
  buyer: { is: 'record', field: 'buyerId', name: 'Buyer', of: 'buyer', many: 'buyers' },
  buyerTier: { is: 'record', field: 'buyerTierId', name: 'Buyer tier', of: 'buyerTier', many: 'buyer tiers' },
  triedBuyer: { is: 'record', field: 'triedBuyerId', name: 'Tried buyer', of: 'buyer', many: 'buyers', isShown: 'whenSet' },
  triedTier: { is: 'record', field: 'triedTierId', name: 'Tried buyer tier', of: 'buyerTier', many: 'buyer tiers', isShown: 'whenSet' },
  triedGroup: { is: 'record', field: 'triedGroupId', name: 'Tried in group', of: 'group', many: 'groups', isShown: 'whenSet' },
  soldBuyer: { is: 'record', field: 'soldBuyerId', name: 'Bought by', of: 'buyer', many: 'buyers', isShown: 'whenSet' },
  soldTier: { is: 'record', field: 'soldTierId', name: 'Bought by tier', of: 'buyerTier', many: 'buyer tiers', isShown: 'whenSet' },
  price: { is: 'few', field: 'otherPrice', name: 'Sold at', options: fixed(PRICES) },
  variant: {
    is: 'record',
    field: 'variantId',
    name: 'Variant',
    of: 'variant',
    many: 'variants',
    none: 'none',
    isShown: (known: LeadFiltersAnswer | undefined) => known?.hasVariants === true,
  },
  page: { is: 'record', field: 'pageId', name: 'Page', of: 'page', many: 'pages', isShown: 'whenSet' },
  status: { is: 'few', field: 'status', name: 'Status', options: fixed(STATUSES) },
  reason: {
    is: 'few',
    field: 'reason',
    name: 'Reason',
    options: (known: LeadFiltersAnswer | undefined) => [...(known?.reasons ?? []), { value: '', label: 'No reason' }],
  },
  /** Of calls: those that made no lead have none either, so that it says nothing to have none. */
  callReason: {
    is: 'few',
    field: 'reason',
    name: 'Reason',
    options: (known: LeadFiltersAnswer | undefined) => known?.reasons ?? [],
  },
  filterReason: {
    is: 'few',
    field: 'filterReason',
    name: 'Filter reason',
    options: (known: LeadFiltersAnswer | undefined) => known?.filterReasons ?? [],
  },
  state: {
    is: 'few',
    field: 'state',
    name: 'State',
    options: (known: LeadFiltersAnswer | undefined) => [...(known?.states ?? []), { value: '', label: 'Not known' }],
  },
  outcome: { is: 'few', field: 'outcome', name: 'Outcome', options: fixed(OUTCOMES) },
  http: { is: 'few', field: 'http', name: 'HTTP', options: fixed(HTTP_ANSWERS), asTyped: typedStatus },
  refusedWith: { is: 'few', field: 'http', name: 'Refused with', options: fixed(REFUSED_WITH.map(sameWord)), asTyped: typedStatus },
  leg: { is: 'few', field: 'leg', name: 'Leg', options: fixed(LEGS) },
  took: { is: 'few', field: 'tookMs', name: 'Took', options: fixed(TIMES) },
  end: { is: 'few', field: 'end', name: 'Ended as', options: fixed(ENDS) },
  code: { is: 'few', field: 'code', name: 'Refused for', options: fixed(REFUSED_FOR) },
  call: { is: 'few', field: 'call', name: 'Call', options: fixed(CALLS) },
  test: { is: 'few', field: 'test', name: 'Test', options: fixed(TESTS) },
  pings: { is: 'few', field: 'pings', name: 'Pings', options: fixed(PINGS) },
} as const satisfies Record<string, Filter>;
