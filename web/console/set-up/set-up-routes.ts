/** The set-up area below region and vertical (account §2, console §2). */
import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { isMonth } from '../ledger/month.ts';
import { onlyMeant } from '../only-meant.ts';
import { readInnerLists, readListSearch } from './list-search.ts';

interface FormSearch {
  like?: string | undefined;
  of?: 'buyer' | 'publisher' | undefined;
  buyerId?: string | undefined;
  publisherId?: string | undefined;
  campaignId?: string | undefined;
}

/** What a form begins with; whatever is not an id falls away. */
export function readFormSearch(raw: Record<string, unknown>): FormSearch {
  const id = (value: unknown) => (typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value) ? value : undefined);
  const found: FormSearch = {
    like: id(raw.like),
    of: raw.of === 'buyer' || raw.of === 'publisher' ? raw.of : undefined,
    buyerId: id(raw.buyerId),
    publisherId: id(raw.publisherId),
    campaignId: id(raw.campaignId),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The page of a record: what its form begins with, and what its lists show. */
const readRecordSearch = (raw: Record<string, unknown>) => ({ ...readFormSearch(raw), ...readInnerLists(raw) });

/** The month a statement is of; the running one when absent. */
const readStatementSearch = (raw: Record<string, unknown>): { month?: string } => (isMonth(raw.month) ? { month: raw.month } : {});

const publisher = lazyRouteComponent(() => import('./PublisherPage.tsx'), 'PublisherPage');
const buyer = lazyRouteComponent(() => import('./BuyerPage.tsx'), 'BuyerPage');
const campaign = lazyRouteComponent(() => import('./CampaignPage.tsx'), 'CampaignPage');
const contact = lazyRouteComponent(() => import('./ContactPage.tsx'), 'ContactPage');
const service = lazyRouteComponent(() => import('./ServicePage.tsx'), 'ServicePage');
const card = lazyRouteComponent(() => import('../card/CardPage.tsx'), 'CardPage');
const tier = lazyRouteComponent(() => import('./TierPage.tsx'), 'TierPage');

export const setUpRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/publishers',
      validateSearch: onlyMeant(readListSearch),
      component: lazyRouteComponent(() => import('./ListPages.tsx'), 'Publishers'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/buyers',
      validateSearch: onlyMeant(readListSearch),
      component: lazyRouteComponent(() => import('./ListPages.tsx'), 'Buyers'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/campaigns',
      validateSearch: onlyMeant(readListSearch),
      component: lazyRouteComponent(() => import('./ListPages.tsx'), 'Campaigns'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/contact',
      validateSearch: onlyMeant(readListSearch),
      component: lazyRouteComponent(() => import('./ListPages.tsx'), 'Contacts'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/third-party-service',
      validateSearch: onlyMeant(readListSearch),
      component: lazyRouteComponent(() => import('./ListPages.tsx'), 'Services'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/third-party-service/new',
      validateSearch: onlyMeant(readFormSearch),
      component: service,
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/third-party-service/$id',
      validateSearch: onlyMeant(readFormSearch),
      component: service,
    }),
    createRoute({ getParentRoute: () => parent, path: '/publishers/new', validateSearch: onlyMeant(readFormSearch), component: publisher }),
    createRoute({
      getParentRoute: () => parent,
      path: '/publishers/$id',
      validateSearch: onlyMeant(readRecordSearch),
      component: publisher,
    }),
    createRoute({ getParentRoute: () => parent, path: '/buyers/new', validateSearch: onlyMeant(readFormSearch), component: buyer }),
    createRoute({ getParentRoute: () => parent, path: '/buyers/$id', validateSearch: onlyMeant(readRecordSearch), component: buyer }),
    createRoute({
      getParentRoute: () => parent,
      path: '/publishers/$id/statement',
      validateSearch: onlyMeant(readStatementSearch),
      component: lazyRouteComponent(() => import('../ledger/Statement.tsx'), 'PublisherStatement'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/buyers/$id/statement',
      validateSearch: onlyMeant(readStatementSearch),
      component: lazyRouteComponent(() => import('../ledger/Statement.tsx'), 'BuyerStatement'),
    }),
    createRoute({ getParentRoute: () => parent, path: '/campaigns/new', validateSearch: onlyMeant(readFormSearch), component: campaign }),
    createRoute({ getParentRoute: () => parent, path: '/campaigns/$id', validateSearch: onlyMeant(readRecordSearch), component: campaign }),
    createRoute({ getParentRoute: () => parent, path: '/contact/add', validateSearch: onlyMeant(readFormSearch), component: contact }),
    createRoute({ getParentRoute: () => parent, path: '/contact/edit/$id', validateSearch: onlyMeant(readFormSearch), component: contact }),
    createRoute({
      getParentRoute: () => parent,
      path: '/cards',
      validateSearch: onlyMeant(readListSearch),
      component: lazyRouteComponent(() => import('./ListPages.tsx'), 'Cards'),
    }),
    createRoute({ getParentRoute: () => parent, path: '/cards/new', validateSearch: onlyMeant(readFormSearch), component: card }),
    createRoute({ getParentRoute: () => parent, path: '/cards/$id', validateSearch: onlyMeant(readFormSearch), component: card }),
    createRoute({ getParentRoute: () => parent, path: '/tier/add', validateSearch: onlyMeant(readFormSearch), component: tier }),
    createRoute({ getParentRoute: () => parent, path: '/tier/edit/$id', validateSearch: onlyMeant(readFormSearch), component: tier }),
    createRoute({
      getParentRoute: () => parent,
      path: '/flow-control',
      validateSearch: onlyMeant((raw): { campaign?: string | undefined } =>
        typeof raw.campaign === 'string' && /^[0-9a-f-]{36}$/.test(raw.campaign) ? { campaign: raw.campaign } : {},
      ),
      component: lazyRouteComponent(() => import('../flow/FlowControl.tsx'), 'FlowControl'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/configuration',
      component: lazyRouteComponent(() => import('./VerticalPage.tsx'), 'VerticalPage'),
    }),
  ] as const;
