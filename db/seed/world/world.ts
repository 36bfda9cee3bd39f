/** What the demo world is described with: things by their slug, everything else in the words of engine/plan.ts. */

import type { DesignKey } from '#contract/card-design.ts';
import type { PublisherTierKind } from '#contract/tier.ts';
import { parseMoney } from '#engine/money.ts';
import type {
  ActiveStatus,
  BreakerConfig,
  BuyerTierConfig,
  CampaignConfig,
  CapConfig,
  CapMeasure,
  CapPeriod,
  DuplicateRule,
  FieldConfig,
  Filter,
  GroupMode,
  Hours,
  Margin,
  Money,
  OutsideCheckConfig,
  PauseDates,
  PriceModel,
  Span,
  TierPrice,
} from '#engine/plan.ts';
import type { CharacterName } from '#server/market/characters.ts';
import type { ServiceName } from '#server/market/services.ts';

export type Product = 'payday' | 'auto' | 'mortgage';
export type Country = 'us' | 'uk';

export interface WorldField extends FieldConfig {
  searchable?: boolean;
}

export interface WorldVertical {
  slug: Product;
  uid: string;
  name: string;
  primaryField: string;
  fields: WorldField[];
}

export interface WorldRegion {
  slug: Country;
  name: string;
  verticals: WorldVertical[];
}

/** A public card with a lander that asks for what every lead of its tier's vertical needs. */
export interface WorldCard {
  /** The slug of the publisher tier whose leads the lander's are. */
  tier: string;
  name: string;
  title: string;
  company: string;
  email: string;
  phone: string;
  website: string;
  about: string;
  design: DesignKey;
  linkedin: string;
  /** HTML. */
  description: string;
  consent: string;
}

/** A page of a publisher's, where some of the leads of its tier are written. */
export interface WorldLandingPage {
  /** The slug of the publisher tier. */
  tier: string;
  name: string;
  url: string;
  notes: string;
}

/** Runs from the first day on. */
export interface WorldAbTest {
  campaign: string;
  name: string;
  notes: string;
  metric: 'revenue' | 'margin';
  startedBy: string;
  /** The first is the campaign as it is. */
  variants: { name: string; sharePercent: number; tree?: WorldGroup[] }[];
}

/** Tells of the payments that consumers of the place make. */
export interface WorldProcessor {
  place: Place;
  name: string;
  notes: string;
}

export interface WorldOrganization {
  name: string;
  subDomain: string;
  timeZone: string;
  currency: string;
  regions: WorldRegion[];
  services?: WorldService[];
  publishers: WorldPublisher[];
  cards?: WorldCard[];
  landingPages?: WorldLandingPage[];
  abTests?: WorldAbTest[];
  processors?: WorldProcessor[];
  buyers: WorldBuyer[];
  campaigns: WorldCampaign[];
}

/** `us/payday`. */
export type Place = `${Country}/${Product}`;

export interface WorldService {
  /** Unique in the organization; the simulated market knows the account by it. */
  slug: string;
  name: string;
  place: Place;
  /** Who answers in the simulated market. */
  simulated: ServiceName;
  notes: string;
}

/** Which service of the organization is asked, by its slug. */
export interface WorldCheck extends Omit<OutsideCheckConfig, 'serviceId'> {
  service: string;
}

export interface WorldPublisher {
  name: string;
  affiliateId: string;
  tiers: WorldPublisherTier[];
}

export interface WorldPublisherTier {
  /** Unique in the world; its demo posting key is made of it. */
  slug: string;
  name: string;
  campaign: string;
  /** 'api' when left out. */
  kind?: PublisherTierKind;
  subId: string;
  status?: ActiveStatus;
  priceModel: PriceModel;
  filter?: Filter;
  hours?: Hours;
  pauseDates?: PauseDates;
  caps?: CapConfig[];
  duplicate?: DuplicateRule;
  p2c?: WorldCheck;
  ipAllow?: string[];
  terse?: boolean;
  always200?: boolean;
  pingsPerMinute?: number;
  /** Had another key before, seen in a page's source and revoked. */
  replacedKey?: boolean;
  traffic: Traffic;
}

/** How much of what comes through a publisher tier. */
export interface Traffic {
  perDay: number;
  /** At what time of day: office people, evenings at home, or all around the clock. */
  rhythm: 'office' | 'evening' | 'flat';
  /** Of Saturday and Sunday, against a weekday. */
  weekend: number;
  /** Per day, e.g. 0.01 grows by one percent a day. */
  growth?: number;
  /** 0 to 1: income, credit and care of its consumers. */
  quality: number;
  /** Share of leads with a faulty field, and of consumers sent again. */
  invalid: number;
  repeated: number;
  /** Asks for a bid first. */
  pings?: boolean;
  /** What its forms send on top, unknown to the vertical. */
  extra?: string[];
  format?: 'json' | 'form';
  timeoutMs?: number;
}

export interface WorldBuyer {
  slug: string;
  name: string;
  caps?: CapConfig[];
  tiers: WorldBuyerTier[];
}

export interface WorldBuyerTier {
  /** Unique in the world; the simulated market knows the tier by it. */
  slug: string;
  name: string;
  place: Place;
  /** Who answers in the simulated market. */
  character: CharacterName;
  /** How its endpoint differs from what the character usually gets. */
  speaks?: 'text' | 'basic' | 'bearer';
  status?: ActiveStatus;
  delivery: BuyerTierConfig['delivery'];
  price: TierPrice;
  floor?: Money;
  postPriceRule?: BuyerTierConfig['postPriceRule'];
  qualityFactor?: number;
  filter?: Filter;
  hours?: Hours;
  pauseDates?: PauseDates;
  caps?: CapConfig[];
  duplicate?: DuplicateRule;
  thirdParty?: WorldCheck;
  timeLimitMs: number;
  afterTimeout?: BuyerTierConfig['afterTimeout'];
  breaker?: BreakerConfig;
  /** Its overall cap is set a little above what it has bought, so that it is about to run out. */
  nearlyFull?: boolean;
}

export interface WorldCampaign {
  slug: string;
  name: string;
  place: Place;
  margin: Margin;
  floor?: Money;
  maxSales?: number;
  timeLimitMs: number;
  testValues: NonNullable<CampaignConfig['testValues']>;
  tree: WorldGroup[];
}

export interface WorldGroup {
  name: string;
  mode: GroupMode;
  timeLimitMs?: number;
  /** Buyer tier slugs. */
  members: { tier: string; weight?: number }[];
}

export function placeOf(region: WorldRegion, vertical: WorldVertical): Place {
  return `${region.slug}/${vertical.slug}`;
}

/** '12.50' as the engine counts it. */
export function money(text: string): Money {
  const amount = parseMoney(text);
  if (amount === undefined) throw new Error(`${text} is not an amount.`);
  return amount;
}

export function fixed(price: string): TierPrice & PriceModel {
  return { kind: 'fixed', price: money(price) };
}

export function bid(minimum?: string): TierPrice {
  return minimum === undefined ? { kind: 'bid' } : { kind: 'bid', minimum: money(minimum) };
}

export function cap(measure: CapMeasure, period: CapPeriod, limit: number, timeZone: string): CapConfig {
  return { measure, period, limit, timeZone };
}

export function moneyCap(period: CapPeriod, limit: string, timeZone: string): CapConfig {
  return { measure: 'money', period, limit: money(limit), timeZone };
}

/** Opening hours as a person says them: '08:00-20:00', or 'closed'. */
export function hours(timeZone: string, weekdays: string, saturday: string, sunday: string): Hours {
  const span = (text: string): Span[] => (text === 'closed' ? [] : text.split(', ').map(spanOf));
  const [sat, sun] = [span(saturday), span(sunday)];
  return { timeZone, week: [span(weekdays), span(weekdays), span(weekdays), span(weekdays), span(weekdays), sat, sun] };
}

function spanOf(text: string): Span {
  const [from, to] = text.split('-');
  return { from: from!, to: to! };
}
