import { expect, test } from 'vitest';
import { CALL_OUTCOME_WORDS, OUTCOME_WORDS } from '#contract/outcome-words.ts';
import { attemptWord, outcomeWord } from '../lead/lead-words.ts';
import { outcomes } from '../log/log-search.ts';
import { compareFigures } from './compare-figures.ts';
import { MEASURES } from './measures.ts';
import { attemptColumns, leadColumns } from './outcome-columns.tsx';

const NAMES = ['attempts', 'sold', 'rejected', 'terrors', 'timeouts', 'filtered'] as const;

test('console §3: sold is Accepts, rejected Declines, terrors Error', () => {
  expect(OUTCOME_WORDS).toEqual({
    ...{ attempts: 'Attempts', sold: 'Accepts', rejected: 'Declines', terrors: 'Error', timeouts: 'Time-outs', filtered: 'Filtered' },
  });
});

test('console §3: columns, measures, comparisons and logs have one word for an outcome', () => {
  for (const columns of [leadColumns, attemptColumns])
    expect(columns.flatMap(({ id, head }) => (NAMES.some((one) => one === id) ? [head] : []))).toEqual(Object.values(OUTCOME_WORDS));
  for (const name of ['attempts', 'sold', 'timeouts'] as const) expect(MEASURES[name]?.label).toBe(OUTCOME_WORDS[name]);
  const none = { attempts: 1, sold: 1, rejected: 1, terrors: 1, timeouts: 1, filtered: 1 };
  const compared = compareFigures(none as never, none as never).map(({ label }) => label);
  for (const name of NAMES) expect(compared).toContain(OUTCOME_WORDS[name]);
  for (const name of outcomes) expect(attemptWord[name].label).toBe(CALL_OUTCOME_WORDS[name]);
  for (const name of ['sold', 'rejected', 'terrors', 'timeouts', 'filtered'] as const)
    expect(outcomeWord[name].label).toBe(OUTCOME_WORDS[name]);
});
