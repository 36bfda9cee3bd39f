/** Test leads: a known result, the same every time, without an effect (engine.md, Intake API). */
import type { Fields } from './filter.ts';
import type { RouteLead } from './lead.ts';
import { percentOf } from './money.ts';
import type { CampaignConfig, Money, PriceModel } from './plan.ts';

export type TestResult = 'sold' | 'rejected' | 'timeout' | 'error';

const RESULTS: TestResult[] = ['sold', 'rejected', 'timeout', 'error'];
/** 10.00: a share of it is what a test sale pays. */
const NOMINAL_REVENUE: Money = 100_000;

/** The result of the test value a lead carries; a test lead with none of them is sold. Undefined for a real lead. */
export function testResultOf(campaign: CampaignConfig, lead: RouteLead, fields: Fields): TestResult | undefined {
  const { testValues } = campaign;
  const value = testValues && fields[testValues.field]?.toLowerCase();
  const named = value ? RESULTS.find((result) => testValues[result]?.trim().toLowerCase() === value) : undefined;
  return named ?? (lead.test ? 'sold' : undefined);
}

export function testPayout(model: PriceModel): Money {
  return model.kind === 'share' ? percentOf(NOMINAL_REVENUE, model.sharePercent, 'down') : model.price;
}
