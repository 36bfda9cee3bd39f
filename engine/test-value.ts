/** Test leads: a known result, the same every time, without an effect (engine.md, Intake API). */
import type { Fields } from './filter.ts';
import { percentOf } from './money.ts';
import type { CampaignConfig, Money, PriceModel } from './plan.ts';

export type TestResult = 'sold' | 'rejected' | 'timeout' | 'error';

const RESULTS: TestResult[] = ['sold', 'rejected', 'timeout', 'error'];
/** 10.00: a share of it is what a test sale pays. */
const NOMINAL_REVENUE: Money = 100_000;

/** The result of the test value a lead carries, whether its sender calls it a test or not; undefined where it carries none. */
export function testResultOf(campaign: CampaignConfig, fields: Fields): TestResult | undefined {
  const { testValues } = campaign;
  const value = testValues && fields[testValues.field]?.toLowerCase();
  return value ? RESULTS.find((result) => testValues[result]?.trim().toLowerCase() === value) : undefined;
}

export function testPayout(model: PriceModel): Money {
  return model.kind === 'share' ? percentOf(NOMINAL_REVENUE, model.sharePercent, 'down') : model.price;
}
