import { RE2JS } from 're2js';
import { expect, test, vi } from 'vitest';
import { compile } from './compile.ts';
import type { Configuration } from './plan.ts';
import { configurationOf, type Scenario } from './scenario.ts';
import { leadOf } from './scenario-lead.ts';
import { createWorld, runLead } from './simulate.ts';

function story(parts: Partial<Scenario>): Configuration {
  return configurationOf({
    title: '',
    story: '',
    groups: [{ name: 'main', mode: 'priority', members: ['ann'] }],
    buyerTiers: { ann: {} },
    leads: [],
    ...parts,
  });
}

function decide(configuration: Configuration) {
  const world = createWorld(Date.parse('2026-11-27T15:00:00Z'), { answer: () => ({ outcome: 'accepted' }) });
  return runLead(compile(configuration).plan, leadOf({ at: '', expect: { status: 'sold' } }, 'lead', world.clock.now), world).decision;
}

test('engine: a share and a margin that are more than the whole price are told', () => {
  const withShare = (price: string, margin: string) => compile(story({ publisherTier: { price }, campaign: { margin } })).problems;
  expect(withShare('share 80%', '20%')).toEqual([]);
  expect(withShare('share 80%', '21%')).toMatchObject([
    {
      kind: 'publisherTier',
      severity: 'warning',
      text: expect.stringContaining('80 percent for the publisher and a margin of 21 percent'),
    },
  ]);
});

test('engine: a sound configuration has no problems', () => {
  expect(compile(story({})).problems).toEqual([]);
});

test('engine: a publisher tier whose campaign is missing is refused with the reason, not an error', () => {
  const configuration = story({});
  const decision = decide({ ...configuration, campaigns: [] });
  expect(decision).toMatchObject({ status: 'rejected', reason: 'publisher-tier-filter-failed', why: { code: 'left-out-of-plan' } });
  expect(compile({ ...configuration, campaigns: [] }).problems).toEqual([
    { kind: 'publisherTier', id: 'publisherTier', severity: 'leftOut', text: 'the campaign campaign does not exist or cannot be used' },
  ]);
});

test('engine: a publisher tier nobody knows is an error', () => {
  expect(decide({ ...story({}), publisherTiers: [] })).toMatchObject({ status: 'error', why: { code: 'publisher-tier-unknown' } });
});

test('engine: a campaign of an unknown vertical, or with a margin over 100 %, is left out', () => {
  expect(compile({ ...story({}), verticals: [] }).problems[0]).toMatchObject({
    kind: 'campaign',
    text: 'the vertical vertical does not exist',
  });
  expect(compile(story({ campaign: { margin: '101%' } })).problems[0]).toMatchObject({
    kind: 'campaign',
    text: 'the margin must be 0 to 100 percent',
  });
});

test('engine: a tier that stands twice in one tree has its first place', () => {
  const configuration = story({
    groups: [
      { name: 'a', mode: 'priority', members: ['ann'] },
      { name: 'b', mode: 'priority', members: ['ann'] },
    ],
  });
  expect(compile(configuration).problems[0]).toMatchObject({ kind: 'group', id: 'b', severity: 'warning' });
  expect(decide(configuration).verdicts.map((verdict) => verdict.groupId)).toEqual(['a']);
});

test('engine: all that is wrong with a tier is told at once', () => {
  const configuration = story({});
  const tier = {
    ...configuration.buyerTiers[0]!,
    timeLimitMs: 0,
    qualityFactor: Number.NaN,
    floor: 0.5,
    caps: [{ measure: 'sold' as const, period: 'day' as const, limit: 1.5, timeZone: 'UTC' }],
    duplicate: { fields: ['shoe'], match: 'any' as const, windowDays: 0, counts: 'sold' as const },
  };
  expect(compile({ ...configuration, buyerTiers: [tier] }).problems.map((problem) => problem.text)).toEqual([
    'the field shoe of the duplicate check does not exist',
    'the duplicate window must be more than 0 days',
    'a cap limit must be a whole number, 0 or more',
    'a price or floor is not an amount',
    'the time limit must be more than 0 ms',
    'the quality factor must be more than 0 and at most 1000',
  ]);
});

test('engine: a wrong field pattern is a warning and is not applied', () => {
  const configuration = structuredClone(story({}));
  configuration.verticals[0]!.fields[0] = { ...configuration.verticals[0]!.fields[0]!, pattern: '(?=a)' };
  expect(compile(configuration).problems[0]).toMatchObject({ kind: 'vertical', severity: 'warning' });
  expect(decide(configuration).status).toBe('sold');
});

test('engine: field patterns that are too much for one lead are warnings, and the fields are taken without them', () => {
  const configuration = structuredClone(story({}));
  const [field] = configuration.verticals[0]!.fields;
  configuration.verticals[0]!.fields.push(
    ...Array.from({ length: 9 }, (_, at) => ({ ...field!, fieldName: `more${at}`, required: false, pattern: '[ab]{500}' })),
  );
  const { problems } = compile(configuration);
  expect(problems.map(({ severity, text }) => [severity, text.split(':')[0]])).toEqual([
    ['warning', 'the field more7 is taken without its pattern'],
    ['warning', 'the field more8 is taken without its pattern'],
  ]);
  expect(decide(configuration).status).toBe('sold');
});

test('engine: a stored filter that is too large leaves its tier out with words; the next tier sells', () => {
  const filter = { field: 'email', is: 'matches' as const, value: '\\pL{1000}'.repeat(50) };
  const configuration = story({
    groups: [{ name: 'main', mode: 'priority', members: ['ann', 'bob'] }],
    buyerTiers: { ann: { filter }, bob: {} },
  });
  const { problems } = compile(configuration);
  expect(problems).toMatchObject([{ kind: 'buyerTier', id: 'ann', severity: 'leftOut', text: expect.stringMatching(/too large/) }]);
  expect(decide(configuration)).toMatchObject({ status: 'sold', sales: [{ buyerTierId: 'bob' }] });
});

test('engine: compiling a configuration again compiles no pattern again', () => {
  const filter = {
    any: Array.from({ length: 20 }, (_, at) => ({ field: 'email', is: 'matches' as const, value: `^reload${at}[ab]{20}` })),
  };
  const configuration = story({ buyerTiers: { ann: { filter } } });
  const compilePattern = vi.spyOn(RE2JS, 'compile');
  compile(configuration);
  expect(compilePattern).toHaveBeenCalledTimes(20);
  compile(structuredClone(configuration));
  expect(compilePattern).toHaveBeenCalledTimes(20);
  vi.restoreAllMocks();
});

test('engine: two caps on one counter are one, the lower', () => {
  const decision = decide(
    story({ buyerTiers: { ann: { caps: ['5 sold per day', '0 sold per day in America/Toronto', '0 sold per day'] } } }),
  );
  expect(decision.verdicts[0]).toMatchObject({ outcome: 'filtered', filterReasonKey: 1 });
});

test('engine: a promotion that cannot be read pays nothing, and says why; the lead is sold all the same', () => {
  const promotion = { name: 'Wrong', raise: '1.00', for: 'campaign', days: 'from 2026-11-01' };
  const configuration = structuredClone(story({ publisherTier: { price: 'fixed 10.00' }, promotions: [promotion] }));
  expect(decide(configuration).sales[0]?.payout).toBe(110_000);
  const [sound] = configuration.promotions!;
  for (const [fault, text] of [
    [{ timeZone: 'Mars/Olympus' }, 'the time zone Mars/Olympus does not exist'],
    [{ to: '2026-10-01' }, 'its first day must be a day, and not after its last'],
    [{ raise: { kind: 'fixed', amount: 0 } }, 'the raise must be an amount above 0'],
    [{ raise: { kind: 'percent', percent: 2_000 } }, 'the raise must be more than 0 and at most 1000 percent'],
  ] as const) {
    configuration.promotions = [{ ...sound!, ...fault }];
    expect(compile(configuration).problems).toEqual([{ kind: 'promotion', id: 'Wrong', severity: 'leftOut', text }]);
    expect(decide(configuration).sales[0]?.payout).toBe(100_000);
  }
});

test('engine: a test that cannot run splits nobody, and says why', () => {
  const variants = [
    { name: 'Control', share: '50%' },
    { name: 'B', share: '50%', floor: '1.00' },
  ];
  const configuration = structuredClone(story({ variants }));
  expect(
    compile(configuration)
      .plan.publisherTiers.get('publisherTier')
      ?.split?.variants.map(({ below }) => below),
  ).toEqual([5_000, 10_000]);
  const [sound] = configuration.abTests!;
  const [control, b] = sound!.variants;
  for (const [faulty, text] of [
    [[control!, { ...b!, sharePercent: 40 }], 'the shares of the variants must come to 100 percent'],
    [[{ ...control!, floor: 1 }, b!], 'one variant must be the control, which changes nothing'],
    [
      [control!, { ...b!, margin: { kind: 'percent' as const, percent: 101 } }],
      'the variant B cannot be used: the margin must be 0 to 100 percent',
    ],
    [[control!], 'a test has 2 to 5 variants'],
    [[control!, { ...b!, pricePercent: 0 }], 'prices must be 1 to 500 percent of what the tiers say'],
  ] as const) {
    configuration.abTests = [{ ...sound!, variants: [...faulty] }];
    expect(compile(configuration).problems).toEqual([{ kind: 'abTest', id: 'test', severity: 'leftOut', text }]);
    expect(compile(configuration).plan.publisherTiers.get('publisherTier')?.split).toBeUndefined();
  }
});
