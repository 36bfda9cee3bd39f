/** Lists, banks and BIN ranges below region and vertical, and what stands without a place: jobs and the look-up for everybody (account §6, console §2). */
import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { onlyMeant } from '../only-meant.ts';
import { readListSearch } from '../set-up/list-search.ts';

/** The list that an import fills, and the page of the history. */
export function readImportSearch(raw: Record<string, unknown>): { list?: string; page?: number } {
  const page = Math.floor(Number(raw.page));
  return {
    ...(typeof raw.list === 'string' && /^[0-9a-f-]{36}$/.test(raw.list) && { list: raw.list }),
    ...(page > 1 && page < 10_000 && { page }),
  };
}

/** Whom a look-up of BINs is for; the BINs may be of cards, and stand in no address. */
export function readLookUpSearch(raw: Record<string, unknown>): { campaignId?: string; publisherId?: string } {
  const { campaignId, publisherId } = readListSearch(raw);
  return { ...(campaignId && { campaignId }), ...(publisherId && { publisherId }) };
}

const suppressionList = lazyRouteComponent(() => import('./SuppressionListPage.tsx'), 'SuppressionListPage');
const bank = lazyRouteComponent(() => import('./BankPage.tsx'), 'BankPage');
const binRange = lazyRouteComponent(() => import('./BinRangePage.tsx'), 'BinRangePage');

export const listRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/data-mgmt/configuration',
      validateSearch: onlyMeant(readListSearch),
      component: lazyRouteComponent(() => import('./RecordPages.tsx'), 'SuppressionLists'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/data-mgmt/configuration/retention',
      component: lazyRouteComponent(() => import('./RetentionPage.tsx'), 'RetentionPage'),
    }),
    createRoute({ getParentRoute: () => parent, path: '/data-mgmt/configuration/new', component: suppressionList }),
    createRoute({ getParentRoute: () => parent, path: '/data-mgmt/configuration/$id', component: suppressionList }),
    createRoute({
      getParentRoute: () => parent,
      path: '/data-mgmt/inbound',
      validateSearch: onlyMeant(readImportSearch),
      component: lazyRouteComponent(() => import('./ImportPages.tsx'), 'ListImports'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/bank-mgmt',
      validateSearch: onlyMeant(readListSearch),
      component: lazyRouteComponent(() => import('./RecordPages.tsx'), 'Banks'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/bank-mgmt/import',
      validateSearch: onlyMeant(readImportSearch),
      component: lazyRouteComponent(() => import('./ImportPages.tsx'), 'BankImports'),
    }),
    createRoute({ getParentRoute: () => parent, path: '/bank-mgmt/new', component: bank }),
    createRoute({ getParentRoute: () => parent, path: '/bank-mgmt/$id', component: bank }),
    createRoute({
      getParentRoute: () => parent,
      path: '/bin-mgmt',
      validateSearch: onlyMeant(readListSearch),
      component: lazyRouteComponent(() => import('./RecordPages.tsx'), 'BinRanges'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/bin-mgmt/import',
      validateSearch: onlyMeant(readImportSearch),
      component: lazyRouteComponent(() => import('./ImportPages.tsx'), 'BinImports'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/bin-mgmt/bin-lookup',
      validateSearch: onlyMeant(readLookUpSearch),
      component: lazyRouteComponent(() => import('./BinLookUp.tsx'), 'BinLookUpPage'),
    }),
    createRoute({ getParentRoute: () => parent, path: '/bin-mgmt/new', component: binRange }),
    createRoute({ getParentRoute: () => parent, path: '/bin-mgmt/$id', component: binRange }),
  ] as const;

export const jobRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/bins-lookup',
      component: lazyRouteComponent(() => import('./BinLookUp.tsx'), 'BinsLookUp'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/$id/trackProcess',
      component: lazyRouteComponent(() => import('./JobPage.tsx'), 'JobPage'),
    }),
  ] as const;
