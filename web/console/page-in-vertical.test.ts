import { expect, test } from 'vitest';
import { pageCatalogue } from '#contract/page.ts';
import { listOfEdit, pageInVertical, pageOfPath } from './page-in-vertical.ts';

const all = Object.fromEntries(pageCatalogue.map(({ value }) => [value, true]));

test.each([
  ['publishers/7/edit', '', 'publishers'],
  ['publishers/7', '', 'publishers'],
  ['campaigns/7/edit', '', 'campaigns'],
  ['buyers/7/edit', '', 'buyers'],
  ['tier/edit/7', '', 'publishers'],
  ['tier/edit/7', '?buyerId=3', 'buyers'],
  ['tier/add', '?publisherId=3', 'publishers'],
  ['contact/edit/7', '', 'contact'],
  ['third-party-service/7', '', 'third-party-service'],
  ['third-party-service/new', '', 'third-party-service'],
  ['tier/edit/7', '?of=publisher', 'publishers'],
  ['tier/edit/7', '?of=buyer', 'buyers'],
  ['leads/7', '', 'leads'],
  ['page-stats/pages/7', '', 'page-stats'],
  ['testing-lab/samples/7', '', 'testing-lab/samples'],
  ['testing-lab/replay/7', '', 'testing-lab/replay'],
])('console §4: the edit screen %s%s returns to its list %s', (page, search, list) => {
  expect(listOfEdit(page, search)).toBe(list);
});

test.each(['publishers', 'testing-lab/replay', 'campaigns', 'overview', 'lead-flow/inbound', 'bin-mgmt/bin-lookup', 'flow-control'])(
  'console §4: %s is no edit screen',
  (page) => {
    expect(listOfEdit(page)).toBe(page);
  },
);

test('console §4: the page stays where it is allowed in the new vertical', () => {
  expect(pageInVertical('lead-flow/trending', all)).toBe('lead-flow/trending');
  expect(pageInVertical('leads', { serverLogs: true })).toBe('leads');
  expect(pageInVertical('server-logs/api-process-logs', { serverLogs: true })).toBe('server-logs/api-process-logs');
  expect(pageInVertical('publishers/7/edit', { setup: true, overview: true })).toBe('publishers');
});

test('console §4: otherwise the first allowed page opens, overview first', () => {
  expect(pageInVertical('lead-flow/trending', { setup: true, overview: true })).toBe('overview');
  expect(pageInVertical('lead-flow/trending', { 'compare-stats': true, promotions: true })).toBe('promotions');
  expect(pageInVertical('publishers/7/edit', { 'Page-Stats': true })).toBe('page-stats');
  expect(pageInVertical('nowhere', all)).toBe('overview');
  expect(pageInVertical('overview', { overview: false })).toBeUndefined();
  expect(pageInVertical('nowhere', { 'leadFlow-Inbound': true })).toBe('lead-flow/inbound');
});

test('console §4: from a page without a vertical the way leads to the overview', () => {
  expect(pageInVertical(null, all)).toBe('overview');
  expect(pageInVertical(null, { setup: true })).toBe('flow-control');
});

test.each([
  ['/setup/us/payday/lead-flow/inbound?from=1', 'lead-flow/inbound'],
  ['/setup/us/payday/overview', 'overview'],
  ['/setup/us/payday', null],
  ['/setup/us/no-vertical', null],
  ['/setup/home-buyer', null],
  ['/team', null],
])('console §2: the page of %s is %s', (path, page) => {
  expect(pageOfPath(path)).toBe(page);
});
