/** One tier compiled; whatever is wrong with it is reported and leaves it out. */
import { compileCaps } from './cap.ts';
import type { BuyerTierPlan, TierRules, VerticalPlan } from './compiled.ts';
import { compileFilter } from './filter.ts';
import { compileFunds } from './funds.ts';
import { isMoney } from './money.ts';
import type {
  BreakerConfig,
  BuyerTierConfig,
  DuplicateRule,
  Margin,
  OutsideCheckConfig,
  PriceModel,
  PublisherTierConfig,
  SuppressionListConfig,
  ThrottleConfig,
} from './plan.ts';
import { compileHours, compilePause } from './schedule.ts';

/** One thing that is wrong with a tier: which of its settings, and a sentence without its full stop that begins in lower case. */
export interface Fault {
  field: keyof BuyerTierConfig | keyof PublisherTierConfig;
  text: string;
}
/** A tier with any is left out. */
type Faults = Fault[];
/** By id. */
export type SuppressionLists = ReadonlyMap<string, SuppressionListConfig>;
const NO_LISTS: SuppressionLists = new Map();

export function compileBuyerTier(config: BuyerTierConfig, vertical: VerticalPlan, lists = NO_LISTS): BuyerTierPlan | Faults {
  const faults: Faults = [];
  const rules = compileRules(config, vertical, lists, faults);
  const buyerCaps = sound('buyerCaps', compileCaps(config.buyerId, config.buyerCaps), faults) ?? [];
  const funds = config.fundsLimit === undefined ? [] : [compileFunds(config.buyerId, config.fundsLimit)];
  checkBuyerTier(config, faults);
  const minimum = config.price.kind === 'bid' ? (config.price.minimum ?? 0) : 0;
  return faults.length > 0
    ? faults
    : { config, ...rules, buyerCaps: [...buyerCaps, ...funds], floor: Math.max(config.floor ?? 0, minimum) };
}

/** The tier's own rules; the campaign is joined by compile.ts. */
export function compilePublisherTier(config: PublisherTierConfig, vertical: VerticalPlan, lists = NO_LISTS): TierRules | Faults {
  const faults: Faults = [];
  const rules = compileRules(config, vertical, lists, faults);
  checkPriceModel(config.priceModel, faults);
  checkOutsideCheck(config.p2c, 'p2c', 'P2C', faults);
  return faults.length > 0 ? faults : rules;
}

function compileRules(
  config: PublisherTierConfig | BuyerTierConfig,
  vertical: VerticalPlan,
  lists: SuppressionLists,
  faults: Faults,
): TierRules {
  const filter = config.filter === undefined ? undefined : compileFilter(config.filter, vertical);
  faults.push(...(filter?.problems ?? []).map((text): Fault => ({ field: 'filter', text })));
  checkDuplicateRule(config.duplicate, vertical, faults);
  return {
    filter: filter?.filter,
    hours: config.hours && sound('hours', compileHours(config.hours), faults),
    pause: config.pauseDates && sound('pauseDates', compilePause(config.pauseDates), faults),
    caps: sound('caps', compileCaps(config.id, config.caps), faults) ?? [],
    lists: (config.suppressionLists ?? []).flatMap((id) => findList(id, lists, faults)),
  };
}

/** A tier whose list is gone takes nobody rather than everybody. */
function findList(id: string, lists: SuppressionLists, faults: Faults): SuppressionListConfig[] {
  const list = lists.get(id);
  if (list) return [list];
  faults.push({ field: 'suppressionLists', text: `the suppression list ${id} does not exist` });
  return [];
}

function sound<T extends object>(field: Fault['field'], compiled: T | string, faults: Faults): T | undefined {
  if (typeof compiled !== 'string') return compiled;
  faults.push({ field, text: compiled });
  return undefined;
}

function checkDuplicateRule(rule: DuplicateRule | undefined, vertical: VerticalPlan, faults: Faults): void {
  if (!rule) return;
  const stranger = rule.fields.find((name) => !vertical.config.fields.some(({ fieldName }) => fieldName === name));
  if (stranger !== undefined) faults.push({ field: 'duplicate', text: `the field ${stranger} of the duplicate check does not exist` });
  if (rule.fields.length === 0) faults.push({ field: 'duplicate', text: 'the duplicate check names no field' });
  if (!(rule.windowDays > 0 && rule.windowDays <= 36_500))
    faults.push({ field: 'duplicate', text: 'the duplicate window must be more than 0 days' });
}

function checkBuyerTier(config: BuyerTierConfig, faults: Faults): void {
  const isAmount = (amount: number | undefined) => amount === undefined || (isMoney(amount) && amount >= 0);
  const text = 'a price or floor is not an amount';
  if (!isAmount(config.price.kind === 'fixed' ? config.price.price : config.price.minimum)) faults.push({ field: 'price', text });
  if (!isAmount(config.floor)) faults.push({ field: 'floor', text });
  if (!(config.timeLimitMs > 0)) faults.push({ field: 'timeLimitMs', text: 'the time limit must be more than 0 ms' });
  if (!(config.qualityFactor > 0 && config.qualityFactor <= 1_000))
    faults.push({ field: 'qualityFactor', text: 'the quality factor must be more than 0 and at most 1000' });
  checkOutsideCheck(config.thirdParty, 'thirdParty', 'third-party', faults);
  checkBreaker(config.breaker, faults);
  checkThrottle(config.throttle, faults);
}

function checkThrottle(throttle: ThrottleConfig | undefined, faults: Faults): void {
  if (!throttle) return;
  const { sharePercent, failurePercent, slow, minimumCalls, lookBackMinutes } = throttle;
  const isPercent = (percent: number, most = 100) => percent > 0 && percent <= most;
  if (!isPercent(sharePercent, 99))
    faults.push({ field: 'throttle', text: 'the throttle must leave more than 0 and less than 100 percent of the leads' });
  if (failurePercent === undefined && !slow)
    faults.push({ field: 'throttle', text: 'the throttle must look at failures, at slow answers, or at both' });
  if ((failurePercent !== undefined && !isPercent(failurePercent)) || (slow && !(isPercent(slow.percent) && slow.afterMs > 0)))
    faults.push({ field: 'throttle', text: 'the throttle must begin at more than 0 and at most 100 percent' });
  if (![minimumCalls, lookBackMinutes].every((one) => Number.isInteger(one) && one > 0))
    faults.push({ field: 'throttle', text: 'the calls and minutes of the throttle must be whole numbers, 1 or more' });
}

function checkBreaker(breaker: BreakerConfig | undefined, faults: Faults): void {
  if (!breaker) return;
  const { failurePercent, minimumCalls, lookBackMinutes, pauseMinutes } = breaker;
  if (!(failurePercent > 0 && failurePercent <= 100))
    faults.push({ field: 'breaker', text: 'the breaker must open at more than 0 and at most 100 percent' });
  if (![minimumCalls, lookBackMinutes, pauseMinutes].every((figure) => Number.isSafeInteger(figure) && figure >= 1))
    faults.push({ field: 'breaker', text: 'the calls and minutes of the breaker must be whole numbers, 1 or more' });
}

function checkOutsideCheck(check: OutsideCheckConfig | undefined, field: 'p2c' | 'thirdParty', name: string, faults: Faults): void {
  if (check && !(check.timeLimitMs > 0)) faults.push({ field, text: `the time limit of the ${name} check must be more than 0 ms` });
}

function checkPriceModel(model: PriceModel, faults: Faults): void {
  if (model.kind === 'share') {
    if (!(model.sharePercent >= 0 && model.sharePercent <= 100))
      faults.push({ field: 'priceModel', text: 'the share must be 0 to 100 percent' });
  } else if (!(isMoney(model.price) && model.price >= 0)) faults.push({ field: 'priceModel', text: 'the price is not an amount' });
}

/** Undefined where the margin is sound. */
export function marginProblem(margin: Margin): string | undefined {
  if (margin.kind === 'percent') return margin.percent >= 0 && margin.percent <= 100 ? undefined : 'the margin must be 0 to 100 percent';
  return isMoney(margin.amount) && margin.amount >= 0 ? undefined : 'the margin is not an amount';
}
