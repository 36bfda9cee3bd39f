import { expect, test } from 'vitest';
import { type CapText, sayTwice, sayZero } from './CapsEditor.tsx';

const cap = (part: Partial<CapText>): CapText => ({ measure: 'sold', period: 'day', limit: '10', timeZone: 'UTC', ...part });

test('console §3: two caps on one measure and span are told of', () => {
  expect(sayTwice([cap({}), cap({ limit: '20' })])).toBe(
    'Sold leads per day are limited more than once: only the lowest of these caps counts.',
  );
  const money = cap({ measure: 'money', period: 'overall' });
  expect(sayTwice([money, { ...money, timeZone: 'Europe/London' }])).toMatch(/^Money overall is limited more than once/);
});
test('caps that differ in measure, span or the place where a day begins are none', () => {
  expect(sayTwice([])).toBeUndefined();
  expect(sayTwice([cap({}), cap({ measure: 'sent' }), cap({ period: 'week' }), cap({ timeZone: 'Europe/London' })])).toBeUndefined();
});

test.each([
  ['0', true],
  ['0.00', true],
  ['', false],
  ['1', false],
  ['0.01', false],
])('console §3: whether a cap of “%s” is said to sell nothing: %s', (limit, isSaid) => {
  const said = sayZero([cap({}), cap({ measure: 'money', limit })]);
  expect(said?.startsWith('A cap of 0 sells nothing') ?? false).toBe(isSaid);
});
