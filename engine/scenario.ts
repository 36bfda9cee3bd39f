/** Readable stories (scenarios/*.json): the short form a product person writes, and how it becomes a configuration and a world. */
import type { Decision } from './decision.ts';
import type { LeadFacts } from './facts.ts';
import type { RouteMode } from './lead.ts';
import { parseMoney } from './money.ts';
import type {
  AbTestConfig,
  BreakerConfig,
  BuyerTierConfig,
  CampaignConfig,
  CapConfig,
  CapMeasure,
  CapPeriod,
  Configuration,
  DuplicateRule,
  FieldConfig,
  GroupConfig,
  GroupMode,
  Hours,
  Margin,
  Money,
  PauseDates,
  PriceModel,
  PromotionConfig,
  PromotionTarget,
  PublisherTierConfig,
  Span,
  SuppressionListConfig,
  TierPrice,
} from './plan.ts';

export interface Scenario {
  title: string;
  story: string;
  /** Zone of hours, pauses and caps that name none; New York by default. */
  zone?: string;
  campaign?: ShortCampaign;
  publisherTier?: ShortTier & { price?: string };
  groups: { name: string; mode: GroupMode; members: string[]; weights?: number[]; timeLimitMs?: number }[];
  promotions?: ShortPromotion[];
  /** Variants of the campaign in percent of the consumers. */
  variants?: ShortVariant[];
  buyerTiers: Record<string, ShortBuyerTier>;
  leads: ShortLead[];
}

/** raise: '2.00' or '10%'. for: the target's kind, or 'subId 7'. days: '2026-11-27 to 2026-11-30' or 'from 2026-11-27'. hours: 'Mon-Fri 09:00-17:00'. */
export interface ShortPromotion {
  name: string;
  raise: string;
  for: string;
  days: string;
  hours?: string;
  status?: 'active' | 'paused' | 'archived';
  leads?: number;
  money?: string;
  belowMargin?: boolean;
}

/** share: '30%'. price: '90%' of what the publisher tiers say. */
export interface ShortVariant {
  name: string;
  share: string;
  groups?: Scenario['groups'];
  margin?: string;
  floor?: string;
  price?: string;
}

/** margin: '10%' or '2.00'. */
export interface ShortCampaign extends Partial<Omit<CampaignConfig, 'margin' | 'floor' | 'groups'>> {
  margin?: string;
  floor?: string;
}

/** caps: '50 sold per day', '100.00 money per week in Europe/London', '5 sent overall'. hours: 'Mon-Fri 09:00-17:00'. */
export interface ShortTier {
  status?: 'active' | 'paused' | 'archived';
  caps?: string[];
  hours?: string;
  pause?: string;
  duplicate?: string;
  filter?: PublisherTierConfig['filter'];
  check?: 'pass' | 'refuse';
  /** Names of suppression lists. */
  lists?: string[];
}

/** price: '20.00', 'bid' or 'bid from 5.00'. Its buyer is of its own unless named. */
export interface ShortBuyerTier extends ShortTier {
  buyer?: string;
  buyerStatus?: 'active' | 'paused' | 'archived';
  buyerCaps?: string[];
  /** What its buyer may owe: '0.00' where it pays in advance. */
  funds?: string;
  price?: string;
  delivery?: 'post' | 'pingPost';
  floor?: string;
  postPriceRule?: BuyerTierConfig['postPriceRule'];
  qualityFactor?: number;
  timeLimitMs?: number;
  /** '70% of 10 in 5 minutes, pause 5 minutes'. */
  breaker?: string;
  afterTimeout?: BuyerTierConfig['afterTimeout'];
}

/** answers: what each buyer tier says, 'accepts 20.00', 'bids 12.00 valid 30s', 'declines: no credit', 'times out', ...; see readAnswer. checks: what the service asked for a tier says; see readVerdict. */
export interface ShortLead {
  at: string;
  mode?: RouteMode;
  test?: boolean;
  patienceMs?: number;
  fields?: Record<string, unknown>;
  bucket?: number;
  /** Names of the lists that hold the lead. */
  onLists?: string[];
  /** Its person was erased and is not to be taken again. */
  wasErased?: true;
  bank?: LeadFacts['bank'];
  bin?: LeadFacts['bin'];
  answers?: Record<string, string | { ping?: string; post?: string }>;
  checks?: Record<string, string>;
  expect: Expectation;
}

export interface Expectation {
  status: Decision['status'];
  reason?: string;
  /** The sentence on the lead as a whole. */
  says?: string;
  /** 'ann at 20.00 pays 18.00'. */
  sold?: string[];
  offers?: string[];
  /** What the publisher is told of several sales at its ping: 'pays 18.00'. */
  promised?: string[];
  /** 'ann ping', 'bob post', in order. */
  calls?: string[];
  errors?: string[];
  /** What is said of promotions and of the variant, in order. */
  said?: string[];
  /** Outcome and sentence per buyer tier: 'filtered 1: Hourly sold cap reached ...'. */
  why?: Record<string, string>;
}

const FIELDS: FieldConfig[] = [
  { fieldName: 'email', fieldHumanName: 'Email', type: 'email', required: true, privacyClass: 'P2', inPing: false },
  { fieldName: 'phone', fieldHumanName: 'Phone', type: 'phone', required: false, privacyClass: 'P2', inPing: false },
  { fieldName: 'state', fieldHumanName: 'State', type: 'state', required: true, privacyClass: 'P1', inPing: true },
  { fieldName: 'zip', fieldHumanName: 'Zip', type: 'zip', required: false, privacyClass: 'P1', inPing: true },
  { fieldName: 'income', fieldHumanName: 'Income', type: 'money', required: false, privacyClass: 'P1', inPing: true, min: 0 },
  { fieldName: 'routingNumber', fieldHumanName: 'Routing number', type: 'routing', required: false, privacyClass: 'P3', inPing: false },
  { fieldName: 'bin', fieldHumanName: 'BIN', type: 'bin', required: false, privacyClass: 'P2', inPing: true },
  { fieldName: 'birthDate', fieldHumanName: 'Birth date', type: 'date', required: false, privacyClass: 'P2', inPing: false },
];

export function configurationOf(scenario: Scenario): Configuration {
  const zone = scenario.zone ?? 'America/New_York';
  return {
    organization: { id: 'organization', timeZone: zone, currency: 'USD' },
    verticals: [{ id: 'vertical', slug: 'payday', regionSlug: 'us', name: 'Payday', country: 'us', primaryField: 'email', fields: FIELDS }],
    campaigns: [campaignOf(scenario)],
    publisherTiers: [publisherTierOf(scenario, zone)],
    buyerTiers: Object.entries(scenario.buyerTiers).map(([id, tier]) => buyerTierOf(id, tier, zone)),
    ...(scenario.promotions && { promotions: scenario.promotions.map((short) => promotionOf(short, zone)) }),
    ...(scenario.variants && { abTests: [testOf(scenario.variants)] }),
    suppressionLists: listsOf(scenario),
  };
}

/** Every list that a tier names; a story calls it by its name. */
function listsOf({ publisherTier, buyerTiers }: Scenario): SuppressionListConfig[] {
  const names = new Set([publisherTier, ...Object.values(buyerTiers)].flatMap((tier) => tier?.lists ?? []));
  return [...names].map((name) => ({ id: name, name, holds: 'email', form: 'plain' }));
}

function campaignOf({ campaign = {}, groups }: Scenario): CampaignConfig {
  const { margin = '0.00', floor, ...rest } = campaign;
  return {
    id: 'campaign',
    name: 'Campaign',
    verticalId: 'vertical',
    status: 'active',
    maxSales: 1,
    timeLimitMs: 30_000,
    margin: marginOf(margin),
    groups: groups.map((group) => groupOf(group)),
    ...(floor === undefined ? {} : { floor: amount(floor) }),
    ...rest,
  };
}

function groupOf({ name, mode, members, weights, timeLimitMs }: Scenario['groups'][number], prefix = ''): GroupConfig {
  return {
    id: `${prefix}${name}`,
    name,
    mode,
    ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
    members: members.map((buyerTierId, index) => ({ buyerTierId, ...(weights ? { weight: weights[index] ?? 1 } : {}) })),
  };
}

function promotionOf(short: ShortPromotion, timeZone: string): PromotionConfig {
  const [, from, to] = /^(?:from )?(\S+)(?: to (\S+))?$/.exec(short.days) ?? wrong('days', short.days);
  const percent = short.raise.endsWith('%');
  return {
    id: short.name,
    name: short.name,
    verticalId: 'vertical',
    status: short.status ?? 'active',
    target: targetOf(short.for),
    raise: percent ? { kind: 'percent', percent: Number(short.raise.slice(0, -1)) } : { kind: 'fixed', amount: amount(short.raise) },
    from: from!,
    ...(to ? { to } : {}),
    timeZone,
    ...(short.hours ? { hours: hoursOf(short.hours, timeZone) } : {}),
    ...(short.leads === undefined ? {} : { leadCap: short.leads }),
    ...(short.money === undefined ? {} : { moneyCap: amount(short.money) }),
    belowMargin: short.belowMargin ?? false,
  };
}

function targetOf(text: string): PromotionTarget {
  const [kind, figure] = text.split(' ');
  switch (kind) {
    case 'publisherTier':
      return { kind, publisherTierId: 'publisherTier' };
    case 'publisher':
      return { kind, publisherId: 'publisher' };
    case 'campaign':
      return { kind, campaignId: 'campaign' };
    default:
      return kind === 'subId' && figure ? { kind, subId: figure } : wrong('a target', text);
  }
}

function testOf(variants: ShortVariant[]): AbTestConfig {
  return {
    id: 'test',
    campaignId: 'campaign',
    name: 'Test',
    variants: variants.map(({ name, share, groups, margin, floor, price }) => ({
      id: name,
      name,
      sharePercent: Number.parseInt(share, 10),
      ...(groups ? { groups: groups.map((group) => groupOf(group, `${name} `)) } : {}),
      ...(margin ? { margin: marginOf(margin) } : {}),
      ...(floor ? { floor: amount(floor) } : {}),
      ...(price ? { pricePercent: Number.parseInt(price, 10) } : {}),
    })),
  };
}

function publisherTierOf({ publisherTier = {} }: Scenario, zone: string): PublisherTierConfig {
  const { price = 'share 100%', check } = publisherTier;
  return {
    id: 'publisherTier',
    publisherId: 'publisher',
    publisherStatus: 'active',
    campaignId: 'campaign',
    name: 'Publisher tier',
    subId: '1',
    priceModel: priceModelOf(price),
    ...rulesOf(publisherTier, zone),
    ...(check ? { p2c: { serviceId: 'p2c', timeLimitMs: 500, onFailure: check } } : {}),
  };
}

function buyerTierOf(id: string, tier: ShortBuyerTier, zone: string): BuyerTierConfig {
  const { buyer = `buyer of ${id}`, check, floor } = tier;
  return {
    id,
    name: id,
    buyerId: buyer,
    buyerName: buyer,
    buyerStatus: tier.buyerStatus ?? 'active',
    delivery: tier.delivery ?? 'post',
    price: tierPriceOf(tier.price ?? '20.00'),
    postPriceRule: tier.postPriceRule ?? 'take',
    qualityFactor: tier.qualityFactor ?? 1,
    buyerCaps: (tier.buyerCaps ?? []).map((cap) => capOf(cap, zone)),
    timeLimitMs: tier.timeLimitMs ?? 1_000,
    afterTimeout: tier.afterTimeout ?? 'next',
    ...rulesOf(tier, zone),
    ...(floor === undefined ? {} : { floor: amount(floor) }),
    ...(tier.funds === undefined ? {} : { fundsLimit: amount(tier.funds) }),
    ...(tier.breaker ? { breaker: breakerOf(tier.breaker) } : {}),
    ...(check ? { thirdParty: { serviceId: 'validator', timeLimitMs: 500, onFailure: check } } : {}),
  };
}

function rulesOf(tier: ShortTier, zone: string) {
  return {
    status: tier.status ?? 'active',
    caps: (tier.caps ?? []).map((cap) => capOf(cap, zone)),
    ...(tier.filter ? { filter: tier.filter } : {}),
    ...(tier.hours ? { hours: hoursOf(tier.hours, zone) } : {}),
    ...(tier.pause ? { pauseDates: pauseOf(tier.pause, zone) } : {}),
    ...(tier.duplicate ? { duplicate: duplicateOf(tier.duplicate) } : {}),
    ...(tier.lists ? { suppressionLists: tier.lists } : {}),
  } as const;
}

function amount(text: string): Money {
  return parseMoney(text) ?? wrong('an amount', text);
}

export function wrong(what: string, text: string): never {
  throw new Error(`"${text}" does not read as ${what}.`);
}

function marginOf(text: string): Margin {
  return text.endsWith('%') ? { kind: 'percent', percent: Number(text.slice(0, -1)) } : { kind: 'fixed', amount: amount(text) };
}

function priceModelOf(text: string): PriceModel {
  const [kind, figure = ''] = text.split(' ');
  if (kind === 'share') return { kind, sharePercent: Number(figure.replace('%', '')) };
  return kind === 'fixed' || kind === 'minimum' ? { kind, price: amount(figure) } : wrong('a price model', text);
}

function tierPriceOf(text: string): TierPrice {
  if (text === 'bid') return { kind: 'bid' };
  return text.startsWith('bid from ') ? { kind: 'bid', minimum: amount(text.slice(9)) } : { kind: 'fixed', price: amount(text) };
}

function capOf(text: string, zone: string): CapConfig {
  const parts = /^([\d.]+) (sold|sent|money) (?:per (hour|day|week|month)|overall)(?: in (\S+))?$/.exec(text) ?? wrong('a cap', text);
  const measure = parts[2] as CapMeasure;
  const limit = measure === 'money' ? amount(parts[1]!) : Number(parts[1]);
  return { measure, limit, period: (parts[3] ?? 'overall') as CapPeriod, timeZone: parts[4] ?? zone };
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** 'Mon-Fri 09:00-17:00, Sat 10:00-12:00'; other days are closed. */
function hoursOf(text: string, timeZone: string): Hours {
  const week: Hours['week'] = [[], [], [], [], [], [], []];
  for (const part of text.split(', ')) {
    const [, first, last, from, to] = /^(\w{3})(?:-(\w{3}))? (\d\d:\d\d)-(\d\d:\d\d)$/.exec(part) ?? wrong('hours', part);
    const end = WEEKDAYS.indexOf(last ?? first!);
    for (let day = WEEKDAYS.indexOf(first!); day <= end; day++) (week[day] as Span[]).push({ from: from!, to: to! });
  }
  return { timeZone, week };
}

/** '2026-12-24 to 2026-12-26 Christmas'. */
function pauseOf(text: string, timeZone: string): PauseDates {
  const [, from, to, note] = /^(\S+) to (\S+)(?: (.+))?$/.exec(text) ?? wrong('pause dates', text);
  return { timeZone, days: [{ from: from!, to: to!, ...(note ? { note } : {}) }] };
}

function breakerOf(text: string): BreakerConfig {
  const parts = /^([\d.]+)% of (\d+) in (\d+) minutes, pause (\d+) minutes$/.exec(text) ?? wrong('a breaker', text);
  const [failurePercent, minimumCalls, lookBackMinutes, pauseMinutes] = parts.slice(1).map(Number) as [number, number, number, number];
  return { failurePercent, minimumCalls, lookBackMinutes, pauseMinutes };
}

/** 'any of email, phone within 30 days' or 'all of email, zip within 7 days, sold only'. */
function duplicateOf(text: string): DuplicateRule {
  const parts = /^(any|all) of (.+) within (\d+) days(, sold only)?$/.exec(text) ?? wrong('a duplicate rule', text);
  const match = parts[1] as DuplicateRule['match'];
  return { match, fields: parts[2]!.split(', '), windowDays: Number(parts[3]), counts: parts[4] ? 'sold' : 'received' };
}
