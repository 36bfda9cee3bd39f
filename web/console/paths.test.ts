import { expect, test } from 'vitest';
import { permittedPages } from './paths.ts';

const labels = (pages: string[], more: { isOwner?: boolean } = {}) =>
  permittedPages({
    isSuperAdmin: false,
    isRestricted: false,
    bound: null,
    globalPermission: [],
    permissions: [],
    isOwner: false,
    pageStatePermission: Object.fromEntries(pages.map((page) => [page, true])),
    ...more,
  }).map(({ label }) => label);

test('a member sees only the menu entries he may open', () => {
  expect(labels([])).toEqual([]);
  expect(labels(['overview'])).toEqual(['Overview']);
  expect(labels(['overview', 'setup'])).toEqual(['Overview', 'Set-up']);
});
test.each(['leadFlow-Inbound', 'leadFlow-Outbound', 'serverLogs'])('%s alone opens the leads', (page) => {
  expect(labels([page])).toEqual(['Leads']);
});
test('an owner sees all of it', () => {
  expect(labels([], { isOwner: true })).toEqual(['Overview', 'Leads', 'Set-up']);
});
