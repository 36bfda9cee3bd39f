/** compile(configuration) -> Plan: once per change, held in memory, swapped atomically (engine.md). */
import { compileBuyerTier, compilePublisherTier, type Fault, marginProblem, type SuppressionLists } from './compile-tier.ts';
import type { BuyerTierPlan, CampaignPlan, GroupPlan, Member, Plan, PromotionPlan, PublisherTierPlan, VerticalPlan } from './compiled.ts';
import type { Explanation } from './decision.ts';
import { factsWanted } from './facts.ts';
import { readFieldPatterns } from './field.ts';
import { isMoney } from './money.ts';
import { bankFieldOf, binFieldOf, withMoveFields } from './move.ts';
import type {
  AbTestConfig,
  BuyerTierConfig,
  CampaignConfig,
  Configuration,
  GroupConfig,
  PublisherTierConfig,
  VariantConfig,
  VerticalConfig,
} from './plan.ts';
import { shareProblem } from './price.ts';
import type { Problem } from './problem.ts';
import { compilePromotion, promotionsFor } from './promotion.ts';
import { BUCKETS, scalePrice, splitProblem } from './split.ts';
import { isTimeZone } from './zone.ts';

interface Draft {
  configuration: Configuration;
  problems: Problem[];
  buyerTiers: Map<string, BuyerTierConfig>;
  lists: SuppressionLists;
  /** A tier may stand in campaigns of several verticals and is compiled once for each. */
  compiledTiers: Map<string, BuyerTierPlan | string[]>;
  /** By campaign: the running test, and what each of its variants is compiled to. */
  splits: Map<string, { test: AbTestConfig; plans: CampaignPlan[] }>;
}

/** Never throws on a faulty configuration: the faulty part is left out, with a problem that says why. */
export function compile(configuration: Configuration): { plan: Plan; problems: Problem[] } {
  const draft: Draft = {
    configuration,
    problems: [],
    buyerTiers: new Map(),
    compiledTiers: new Map(),
    lists: new Map(),
    splits: new Map(),
  };
  const { id, timeZone, currency } = configuration.organization;
  if (!isTimeZone(timeZone)) report(draft, 'organization', id, `the time zone ${timeZone} does not exist`, 'warning');
  draft.buyerTiers = byId(draft, 'buyerTier', configuration.buyerTiers);
  draft.lists = byId(draft, 'suppressionList', configuration.suppressionLists ?? []);
  const verticals = compileAll(byId(draft, 'vertical', configuration.verticals), (config) => compileVertical(draft, config));
  const campaigns = compileAll(byId(draft, 'campaign', configuration.campaigns), (config) => compileCampaign(draft, config, verticals));
  const promotions = compilePromotions(draft);
  compileTests(draft, campaigns);
  const tiers = compilePublisherTiers(draft, campaigns, promotions);
  return {
    plan: Object.freeze({ organizationId: id, currency, timeZone, verticals, campaigns, promotions, ...tiers }),
    problems: draft.problems,
  };
}

function report(draft: Draft, kind: Problem['kind'], id: string, text: string, severity: Problem['severity']): void {
  draft.problems.push({ kind, id, severity, text });
}

/** The first of several with one id stands. */
function byId<T extends { id: string }>(draft: Draft, kind: Problem['kind'], configs: T[]): Map<string, T> {
  const found = new Map<string, T>();
  for (const config of configs) {
    if (found.has(config.id)) report(draft, kind, config.id, 'the id is used twice, the first stands', 'warning');
    else found.set(config.id, config);
  }
  return found;
}

function compileAll<T, P>(configs: Map<string, T>, compileOne: (config: T) => P | undefined): Map<string, P> {
  const plans = new Map<string, P>();
  for (const [id, config] of configs) {
    const plan = compileOne(config);
    if (plan !== undefined) plans.set(id, plan);
  }
  return plans;
}

/** A faulty field detail is a warning: leads must not stop because of one pattern. */
function compileVertical(draft: Draft, config: VerticalConfig): VerticalPlan {
  const own = new Set(config.fields.map((field) => field.fieldName));
  const warn = (text: string) => report(draft, 'vertical', config.id, text, 'warning');
  if (own.size < config.fields.length) warn('two fields have one name, the last stands');
  if (!own.has(config.primaryField)) warn(`the primary field ${config.primaryField} does not exist`);
  for (const field of config.fields) {
    if (field.type === 'choice' && !field.options?.length) warn(`the choice ${field.fieldName} has no options and accepts nothing`);
  }
  for (const [name, pattern] of readFieldPatterns(config.fields))
    if (typeof pattern === 'string') warn(`the field ${name} is taken without its pattern: ${pattern}`);
  return verticalPlan(config);
}

/** What rules of tiers are compiled against. */
export function verticalPlan(config: VerticalConfig): VerticalPlan {
  const fields = new Map(withMoveFields(config.fields).map((field) => [field.fieldName, field]));
  return { config, country: config.country, fields, bankField: bankFieldOf(config.fields), binField: binFieldOf(config.fields) };
}

function compileCampaign(draft: Draft, config: CampaignConfig, verticals: Map<string, VerticalPlan>): CampaignPlan | undefined {
  const vertical = verticals.get(config.verticalId);
  const fault = vertical ? campaignProblem(config) : `the vertical ${config.verticalId} does not exist`;
  if (fault === undefined && vertical) return compileTree(draft, config, vertical);
  report(draft, 'campaign', config.id, fault ?? '', 'leftOut');
  return undefined;
}

function campaignProblem(config: CampaignConfig): string | undefined {
  const fault = readable(() => campaignFault(config));
  return Array.isArray(fault) ? fault[0] : fault;
}

function campaignFault(config: CampaignConfig): string | undefined {
  if (!Number.isSafeInteger(config.maxSales) || config.maxSales < 1) return 'the number of sales must be 1 or more';
  if (!(config.timeLimitMs > 0)) return 'the time limit must be more than 0 ms';
  if (config.floor !== undefined && !(isMoney(config.floor) && config.floor >= 0)) return 'the floor is not an amount';
  return marginProblem(config.margin);
}

function compileTree(draft: Draft, config: CampaignConfig, vertical: VerticalPlan): CampaignPlan {
  const seated = new Set<string>();
  const leftOut: { buyerTierId: string; groupId: string; why: Explanation }[] = [];
  const groups = config.groups.map((group) => compileGroup(draft, group, vertical, seated, leftOut));
  return { config, vertical, groups, leftOut };
}

function compileGroup(
  draft: Draft,
  config: GroupConfig,
  vertical: VerticalPlan,
  seated: Set<string>,
  leftOut: { buyerTierId: string; groupId: string; why: Explanation }[],
): GroupPlan {
  const members: Member[] = [];
  for (const [position, { buyerTierId, weight = 1 }] of config.members.entries()) {
    if (seated.has(buyerTierId)) {
      report(draft, 'group', config.id, `the buyer tier ${buyerTierId} stands in this tree already, its first place counts`, 'warning');
      continue;
    }
    seated.add(buyerTierId);
    const tier = weight >= 0 ? findTier(draft, buyerTierId, vertical) : [`the weight of ${buyerTierId} must be 0 or more`];
    if (Array.isArray(tier)) leftOut.push(leaveOut(draft, config.id, buyerTierId, tier));
    else members.push({ tier, groupId: config.id, weight, position });
  }
  return { config, members };
}

function findTier(draft: Draft, buyerTierId: string, vertical: VerticalPlan): BuyerTierPlan | string[] {
  const key = `${vertical.config.id} ${buyerTierId}`;
  const kept = draft.compiledTiers.get(key);
  if (kept) return kept;
  const config = draft.buyerTiers.get(buyerTierId);
  const tier = config
    ? readable(() => inWords(compileBuyerTier(config, vertical, draft.lists)))
    : [`the buyer tier ${buyerTierId} does not exist`];
  draft.compiledTiers.set(key, tier);
  if (config && Array.isArray(tier)) for (const text of tier) report(draft, 'buyerTier', buyerTierId, text, 'leftOut');
  return tier;
}

const inWords = <T extends object>(compiled: T | Fault[]): T | string[] =>
  Array.isArray(compiled) ? compiled.map(({ text }) => text) : compiled;

/** What was stored may have any shape; a part that cannot even be read is left out like one that is wrong. */
function readable<T>(compileOne: () => T): T | string[] {
  try {
    return compileOne();
  } catch (error) {
    return [`its configuration cannot be read (${(error as Error).message})`];
  }
}

function leaveOut(draft: Draft, groupId: string, buyerTierId: string, faults: string[]) {
  if (!draft.buyerTiers.has(buyerTierId)) report(draft, 'group', groupId, faults[0]!, 'leftOut');
  return { buyerTierId, groupId, why: { code: 'left-out-of-plan', params: { problem: faults[0]! } } satisfies Explanation };
}

function compilePublisherTiers(
  draft: Draft,
  campaigns: Map<string, CampaignPlan>,
  promotions: Plan['promotions'],
): Pick<Plan, 'publisherTiers' | 'brokenPublisherTiers'> {
  const publisherTiers = new Map<string, PublisherTierPlan>();
  const brokenPublisherTiers = new Map<string, Explanation>();
  for (const config of byId(draft, 'publisherTier', draft.configuration.publisherTiers).values()) {
    const tier = compileSeat(draft, config, campaigns, promotions);
    if (!Array.isArray(tier)) {
      const why = shareProblem(config.priceModel, tier.campaign.config.margin);
      if (why) report(draft, 'publisherTier', config.id, why, 'warning');
      publisherTiers.set(config.id, splitSeat(draft, tier));
    } else {
      brokenPublisherTiers.set(config.id, { code: 'left-out-of-plan', params: { problem: tier[0]! } });
      for (const text of tier) report(draft, 'publisherTier', config.id, text, 'leftOut');
    }
  }
  return { publisherTiers, brokenPublisherTiers };
}

function compileSeat(
  draft: Draft,
  config: PublisherTierConfig,
  campaigns: Map<string, CampaignPlan>,
  promotions: Plan['promotions'],
): PublisherTierPlan | string[] {
  const campaign = campaigns.get(config.campaignId);
  if (!campaign) return [`the campaign ${config.campaignId} does not exist or cannot be used`];
  const rules = readable(() => inWords(compilePublisherTier(config, campaign.vertical, draft.lists)));
  if (Array.isArray(rules)) return rules;
  const own = promotionsFor(config, campaign.config.verticalId, promotions.values());
  return { config, campaign, promotions: own, ...rules, wanted: factsWanted(rules, [campaign]) };
}

/** One that cannot be read pays nothing. */
function compilePromotions(draft: Draft): Map<string, PromotionPlan> {
  return compileAll(byId(draft, 'promotion', draft.configuration.promotions ?? []), (config) => {
    const plan = readable(() => compilePromotion(config));
    if (!Array.isArray(plan) && typeof plan !== 'string') return plan;
    report(draft, 'promotion', config.id, Array.isArray(plan) ? plan[0]! : plan, 'leftOut');
    return undefined;
  });
}

/** The plans of a campaign's variants, by campaign; where one of them cannot be used the whole test waits, and all goes by the live campaign. */
function compileTests(draft: Draft, campaigns: Map<string, CampaignPlan>): void {
  for (const test of byId(draft, 'abTest', draft.configuration.abTests ?? []).values()) {
    const campaign = campaigns.get(test.campaignId);
    const plans = campaign && test.variants.map((variant) => compileVariant(draft, campaign, variant));
    const fault =
      splitProblem(test) ??
      (plans ? plans.find((plan) => typeof plan === 'string') : 'its campaign cannot be used') ??
      (draft.splits.has(test.campaignId) ? 'its campaign is under test already' : undefined);
    if (typeof fault === 'string') report(draft, 'abTest', test.id, fault, 'leftOut');
    else draft.splits.set(test.campaignId, { test, plans: plans as CampaignPlan[] });
  }
}

function compileVariant(draft: Draft, campaign: CampaignPlan, { name, groups, margin, floor }: VariantConfig): CampaignPlan | string {
  const config = { ...campaign.config, ...(groups && { groups }), ...(margin && { margin }), ...(floor !== undefined && { floor }) };
  const fault = campaignProblem(config);
  if (fault) return `the variant ${name} cannot be used: ${fault}`;
  return groups ? compileTree(draft, config, campaign.vertical) : { ...campaign, config };
}

function splitSeat(draft: Draft, seat: PublisherTierPlan): PublisherTierPlan {
  const split = draft.splits.get(seat.config.campaignId);
  if (!split) return seat;
  // What is looked up is known before the variant is.
  const wanted = factsWanted(seat, [seat.campaign, ...split.plans]);
  let below = 0;
  const variants = split.test.variants.map(({ id, name, sharePercent, pricePercent }, at) => {
    below += (sharePercent * BUCKETS) / 100;
    const priceModel = pricePercent === undefined ? seat.config.priceModel : scalePrice(seat.config.priceModel, pricePercent);
    return { variantId: id, name, below, seat: { ...seat, wanted, campaign: split.plans[at]!, config: { ...seat.config, priceModel } } };
  });
  return { ...seat, wanted, split: { testId: split.test.id, name: split.test.name, variants } };
}
