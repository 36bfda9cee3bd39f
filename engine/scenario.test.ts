/// <reference types="vite/client" />
import { expect, test } from 'vitest';
import { keepBreakers } from './breaker-memory.ts';
import { compile } from './compile.ts';
import type { BidOffer } from './decision.ts';
import { configurationOf, type Expectation, type Scenario, type ShortLead } from './scenario.ts';
import { answerFor, leadOf, readVerdict, tellDecision } from './scenario-lead.ts';
import { createWorld, runLead } from './simulate.ts';

const stories = import.meta.glob<Scenario>('./scenarios/*.json', { eager: true, import: 'default' });

for (const [file, scenario] of Object.entries(stories)) {
  test(`${scenario.title} (${file.slice('./scenarios/'.length)})`, () => tell(scenario));
}

/** Leads of a story share one world; the offers of a ping go to the post that follows it. */
function tell(scenario: Scenario): void {
  const { plan } = compile(configurationOf(scenario));
  let current: ShortLead = scenario.leads[0]!;
  let ping: { offers: BidOffer[]; variantId?: string } = { offers: [] };
  const world = createWorld(0, {
    breakers: keepBreakers(plan),
    answer: (call, at) => answerFor(current, call, at),
    check: ({ subject }) => readVerdict(current.checks?.[subject.id] ?? 'passed'),
  });
  for (const [index, short] of scenario.leads.entries()) {
    current = short;
    world.clock.now = Date.parse(short.at);
    const lead = leadOf(short, `lead ${index + 1}`, world.clock.now);
    const { decision } = runLead(plan, short.mode === 'post' ? { ...lead, ...ping } : lead, world);
    if (short.mode === 'ping') ping = { offers: decision.offers, ...(decision.variant && { variantId: decision.variant.variantId }) };
    expect(only(short.expect, tellDecision(decision)), `lead ${index + 1}`).toEqual(short.expect);
  }
}

/** What the story says nothing about is not compared. */
function only(expected: Expectation, told: Required<Expectation>): Partial<Expectation> {
  const entries = Object.keys(expected).map((key) => [key, told[key as keyof Expectation]]);
  const picked = Object.fromEntries(entries) as Partial<Expectation>;
  if (expected.why) picked.why = Object.fromEntries(Object.keys(expected.why).map((id) => [id, told.why[id] ?? 'no verdict']));
  return picked;
}
