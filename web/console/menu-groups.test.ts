import { expect, test } from 'vitest';
import { pageCatalogue } from '#contract/page.ts';
import { groupOf, menuGroups } from './menu-groups.ts';

const all = Object.fromEntries(pageCatalogue.map(({ value }) => [value, true]));

test('console §6: a super admin goes to the first page of each group', () => {
  expect(menuGroups(all)).toEqual([
    { label: 'Reporting', route: 'lead-flow/inbound' },
    { label: 'Logs', route: 'server-logs/buyer-tier-logs' },
    { label: 'List management', route: 'data-mgmt/inbound' },
    { label: 'Growth', route: 'promotions' },
  ]);
});
test('console §6: others go to the first permitted page of the group', () => {
  expect(menuGroups({ 'leadFlow-ReasonReport': true, 'leadFlow-Trending': true, 'dataMgmt-Configuration': true })).toEqual([
    { label: 'Reporting', route: 'lead-flow/trending' },
    { label: 'List management', route: 'data-mgmt/configuration' },
  ]);
});
test.each(['leadFlow-Inbound', 'leadFlow-Outbound', 'leadFlow-Trending', 'leadFlow-DataRequest', 'leadFlow-PerformanceReport'])(
  'console §6: %s belongs to reporting',
  (value) => {
    expect(menuGroups({ [value]: true }).map((one) => one.label)).toEqual(['Reporting']);
  },
);
test('console §6: the set-up and the overview are in no group', () => {
  expect(menuGroups({ setup: true, overview: true })).toEqual([]);
});
test('time-outs, the map and the comparison stand beside the seven reports, which lead there where none of them is open', () => {
  expect(menuGroups({ 'buyer-timeout-track': true })).toEqual([{ label: 'Reporting', route: 'lead-flow/buyer-timeout-track' }]);
  expect(menuGroups({ 'buyer-timeout-track': true, 'leadFlow-ReasonReport': true })).toEqual([
    { label: 'Reporting', route: 'lead-flow/reason-report' },
  ]);
  expect(groupOf(['buyer-timeout-track'])).toBe('Reporting');
  expect(menuGroups({ 'comm-maps': true, 'compare-stats': true })).toEqual([{ label: 'Reporting', route: 'comm-maps' }]);
  expect([groupOf(['comm-maps']), groupOf(['compare-stats'])]).toEqual(['Reporting', 'Reporting']);
});
test('banks and BINs stand under list management, which leads to them where it has no other page', () => {
  const ofLists = (allowed: Record<string, boolean>) => menuGroups(allowed).map(({ label, route }) => [label, route]);
  expect(ofLists({ 'bin-lookup': true, 'bin-mgmt': true })).toEqual([['List management', 'bin-mgmt']]);
  expect(ofLists({ 'Bank-Mgmt': true, 'dataMgmt-Configuration': true })).toEqual([['List management', 'data-mgmt/configuration']]);
  expect([groupOf(['Bank-Mgmt']), groupOf(['bin-lookup'])]).toEqual(['List management', 'List management']);
});
test('the group of the page that is open is known, whichever of its pages that is', () => {
  expect(['ab-testing', 'promotions', 'testing-lab', 'leadFlow-Trending'].map((value) => groupOf([value]))).toEqual([
    ...['Growth', 'Growth', 'Growth', 'Reporting'],
  ]);
  expect(menuGroups({ 'testing-lab': true })).toEqual([{ label: 'Growth', route: 'testing-lab' }]);
  expect([groupOf(['overview']), groupOf([])]).toEqual([undefined, undefined]);
});
