/**
 * The words of the engine: what an organization has configured (Configuration, plain JSON as read from the database)
 * and what it is compiled into (Plan, see compile.ts). Types only; nothing here runs.
 *
 * Money is an integer count of ten-thousandths of the currency unit (12.5000 = 125000), see money.ts.
 * Instants are milliseconds since the epoch, UTC. Local dates are 'YYYY-MM-DD', local times 'HH:MM'.
 */

/** Integer ten-thousandths of the currency unit; at most 9 integer and 4 fraction digits (9_999_999_999_999). */
export type Money = number;
/** Milliseconds since the epoch, UTC. */
export type Instant = number;

export type FieldType =
  | 'string'
  | 'email'
  | 'phone'
  | 'url'
  | 'number'
  | 'integer'
  | 'date'
  | 'boolean'
  | 'choice'
  | 'state'
  | 'zip'
  | 'ip'
  | 'money'
  | 'routing'
  | 'bin';
/** P0 public, P1 business, P2 personal, P3 sensitive. */
export type PrivacyClass = 'P0' | 'P1' | 'P2' | 'P3';

export interface FieldConfig {
  fieldName: string;
  fieldHumanName: string;
  type: FieldType;
  required: boolean;
  minChar?: number;
  maxChar?: number;
  /** Numeric bounds for number, integer and money (money in currency units here, as a person writes it). */
  min?: number;
  max?: number;
  /** Linear-time regular expression (RE2 syntax), tested against the normalised text. */
  pattern?: string;
  /** Accepted values of a choice; compared without case, stored as written here. */
  options?: string[];
  privacyClass: PrivacyClass;
  /** May be shown to buyers at ping, before anyone has bought. */
  inPing: boolean;
}

export interface VerticalConfig {
  id: string;
  slug: string;
  regionSlug: string;
  name: string;
  /** Decides phone, zip, state and date reading: us or uk. */
  country: 'us' | 'uk';
  primaryField: string;
  fields: FieldConfig[];
}

/** One leaf compares one field; branches nest freely. */
export type Filter = { all: Filter[] } | { any: Filter[] } | { not: Filter } | FilterLeaf;
export type FilterLeaf =
  | { field: string; is: 'equal' | 'notEqual'; value: string | number | boolean }
  | { field: string; is: 'in' | 'notIn'; value: (string | number)[] }
  | { field: string; is: 'between'; value: [number | string, number | string] }
  | { field: string; is: 'atLeast' | 'atMost' | 'moreThan' | 'lessThan'; value: number | string }
  | { field: string; is: 'contains' | 'startsWith' | 'endsWith' | 'matches'; value: string }
  | { field: string; is: 'present' | 'absent' };

/** Opening hours per local weekday, Monday first; an empty list is closed, `to` '24:00' is midnight. Half-open [from, to). */
export interface Hours {
  timeZone: string;
  week: [Span[], Span[], Span[], Span[], Span[], Span[], Span[]];
}
export interface Span {
  from: string;
  to: string;
}
/** Local days, both ends included. */
export interface PauseDates {
  timeZone: string;
  days: { from: string; to: string; note?: string }[];
}

export type CapMeasure = 'sold' | 'sent' | 'money';
export type CapPeriod = 'hour' | 'day' | 'week' | 'month' | 'overall';
/** `limit` counts leads, or is Money for measure money. The window is the local hour, civil day, Monday week or month of `timeZone`. */
export interface CapConfig {
  measure: CapMeasure;
  period: CapPeriod;
  limit: number;
  timeZone: string;
}

/** The same consumer again within `windowDays`: same value in any, or in all, of `fields`. Empty values never match. */
export interface DuplicateRule {
  fields: string[];
  match: 'any' | 'all';
  windowDays: number;
  /** received: every lead that got this far counts; sold: only sold ones do. */
  counts: 'received' | 'sold';
}

/** fixed: `price` per sold lead. minimum: revenue less our margin, never under `price`. share: `sharePercent` of revenue. */
export type PriceModel = { kind: 'fixed'; price: Money } | { kind: 'minimum'; price: Money } | { kind: 'share'; sharePercent: number };
export type Margin = { kind: 'fixed'; amount: Money } | { kind: 'percent'; percent: number };

/** An outside service asked whether to go on. onFailure: what an error or time-out of the service itself means. */
export interface OutsideCheckConfig {
  serviceId: string;
  timeLimitMs: number;
  onFailure: 'pass' | 'refuse';
}

export type ActiveStatus = 'active' | 'paused' | 'archived';

export interface PublisherTierConfig {
  id: string;
  publisherId: string;
  publisherStatus: ActiveStatus;
  campaignId: string;
  name: string;
  subId: string;
  status: ActiveStatus;
  priceModel: PriceModel;
  filter?: Filter;
  hours?: Hours;
  pauseDates?: PauseDates;
  caps: CapConfig[];
  duplicate?: DuplicateRule;
  /** Ids of the lists whose people are not taken. */
  suppressionLists?: string[];
  /** P2C: asked once per lead, after the duplicate check and before the tree. */
  p2c?: OutsideCheckConfig;
}

/**
 * Pauses a tier that keeps failing: when at least `minimumCalls` were made in the look-back and `failurePercent` or more of them failed,
 * nothing is sent to it for `pauseMinutes`; then single leads try whether it works again.
 */
export interface BreakerConfig {
  failurePercent: number;
  minimumCalls: number;
  lookBackMinutes: number;
  pauseMinutes: number;
}

/**
 * Gives a tier only `sharePercent` of its leads while, of at least `minimumCalls` in the look-back, `failurePercent` or more failed or
 * `slow.percent` or more took longer than `slow.afterMs`. One of the two at least is there.
 */
export interface ThrottleConfig {
  sharePercent: number;
  failurePercent?: number;
  slow?: { afterMs: number; percent: number };
  minimumCalls: number;
  lookBackMinutes: number;
}

/** What a tier pays: a known price, or a bid it gives at ping (or first in its answer to the post). */
export type TierPrice = { kind: 'fixed'; price: Money } | { kind: 'bid'; minimum?: Money };

export interface BuyerTierConfig {
  id: string;
  buyerId: string;
  buyerName: string;
  buyerStatus: ActiveStatus;
  name: string;
  status: ActiveStatus;
  /** pingPost: asked for a bid first, then posted. post: posted straight away. */
  delivery: 'pingPost' | 'post';
  price: TierPrice;
  /** A bid under it is "accepted, not posted". */
  floor?: Money;
  /** Post price that differs from the ping price. */
  postPriceRule: 'take' | 'refuse' | 'takeAndFlag';
  /** Multiplies the bid for ranking only; 1 by default. */
  qualityFactor: number;
  filter?: Filter;
  hours?: Hours;
  pauseDates?: PauseDates;
  caps: CapConfig[];
  /** Caps of the buyer behind the tier, shared by all its tiers. */
  buyerCaps: CapConfig[];
  /** What the buyer may owe, 0 where it pays in advance; absent where nobody counts. */
  fundsLimit?: Money;
  duplicate?: DuplicateRule;
  /** Ids of the lists whose people are not offered, such as the buyer's own customers. */
  suppressionLists?: string[];
  /** Third-party validation: asked after the duplicate check, before anything is sent to the buyer. */
  thirdParty?: OutsideCheckConfig;
  breaker?: BreakerConfig;
  throttle?: ThrottleConfig;
  timeLimitMs: number;
  /** After a post without an answer in time, or without one that tells anything: offer the lead to the next, or keep lead and caps until settled. */
  afterTimeout: 'next' | 'hold';
}

export type GroupMode = 'priority' | 'highestPrice' | 'auction' | 'roundRobin' | 'weighted';

export interface GroupConfig {
  id: string;
  name: string;
  mode: GroupMode;
  timeLimitMs?: number;
  members: { buyerTierId: string; weight?: number }[];
}

export interface CampaignConfig {
  id: string;
  name: string;
  verticalId: string;
  status: ActiveStatus;
  /** The least we keep of a sale; a tier that would leave less is filtered. */
  margin: Margin;
  /** Bids and prices under it are not posted. */
  floor?: Money;
  /** 1 is exclusive; N sells to up to N different buyers. */
  maxSales: number;
  timeLimitMs: number;
  groups: GroupConfig[];
  /** Values of one field that give a known result without touching a buyer, e.g. {field:'email', sold:'sold@example.com', ...}. */
  testValues?: { field: string; sold?: string; rejected?: string; timeout?: string; error?: string };
}

/** What a promotion pays on top of the payout: an amount, or a percent of it. */
export type Raise = { kind: 'fixed'; amount: Money } | { kind: 'percent'; percent: number };
/** Whose leads are promoted. Of several the narrowest counts: publisher tier, sub id, publisher, campaign, in this order. */
export type PromotionTarget =
  | { kind: 'publisherTier'; publisherTierId: string }
  | { kind: 'subId'; subId: string }
  | { kind: 'publisher'; publisherId: string }
  | { kind: 'campaign'; campaignId: string };

/** A dated payout rise, paid out of our margin. */
export interface PromotionConfig {
  id: string;
  name: string;
  verticalId: string;
  status: ActiveStatus;
  target: PromotionTarget;
  raise: Raise;
  /** Local days of `timeZone`, both included; without `to` it has no end. */
  from: string;
  to?: string;
  timeZone: string;
  /** All day when absent. */
  hours?: Hours;
  /** Sold leads that it pays for at most, and what it pays in all at most. */
  leadCap?: number;
  moneyCap?: Money;
  /** May take the margin below the campaign's least, though never below nothing; otherwise what does not fit is cut. */
  belowMargin: boolean;
}

/** One way a campaign under test is run; what is left out is as in the live campaign. One without any change is the control. */
export interface VariantConfig {
  id: string;
  name: string;
  /** Whole percent of the consumers; those of a test come to 100. */
  sharePercent: number;
  groups?: GroupConfig[];
  margin?: Margin;
  floor?: Money;
  /** The publishers' prices in percent of what their tiers say. */
  pricePercent?: number;
}

/** A running A/B test: the campaign's consumers split over variants. */
export interface AbTestConfig {
  id: string;
  campaignId: string;
  name: string;
  variants: VariantConfig[];
}

/** How the entries of a list are written: as the value itself, or as one of its hashes. */
export type EntryForm = 'plain' | 'md5' | 'sha1' | 'sha256';

/** People who are not to be contacted, or not to be offered to somebody; its entries stay with the shell. */
export interface SuppressionListConfig {
  id: string;
  name: string;
  /** Compared with every e-mail or phone field of the lead, or with the text of one named field. */
  holds: 'email' | 'phone' | 'text';
  /** The field that a list of texts is compared with. */
  fieldName?: string;
  form: EntryForm;
}

/** Everything one organization's routing depends on. */
export interface Configuration {
  organization: { id: string; timeZone: string; currency: string };
  verticals: VerticalConfig[];
  campaigns: CampaignConfig[];
  publisherTiers: PublisherTierConfig[];
  buyerTiers: BuyerTierConfig[];
  promotions?: PromotionConfig[];
  abTests?: AbTestConfig[];
  suppressionLists?: SuppressionListConfig[];
}
