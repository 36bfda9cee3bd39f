/** The report pages of lead flow below region and vertical (console §2; product.md, keys 2 to 5, 7 to 9, 12, 30 and 31). */
import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { onlyMeant } from '../only-meant.ts';
import { readListSearch } from '../set-up/list-search.ts';
import { readPaymentSearch, readReportSearch } from './report-search.ts';

const processor = lazyRouteComponent(() => import('../payment/ProcessorPage.tsx'), 'ProcessorPage');
const landingPage = lazyRouteComponent(() => import('../landing-page/LandingPage.tsx'), 'LandingPage');

export const reportRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const search = { validateSearch: onlyMeant(readReportSearch) };
  const paymentSearch = { validateSearch: onlyMeant(readPaymentSearch) };
  const getParentRoute = () => parent;
  return [
    createRoute({
      getParentRoute,
      ...search,
      path: '/lead-flow/inbound',
      component: lazyRouteComponent(() => import('./Inbound.tsx'), 'Inbound'),
    }),
    createRoute({
      getParentRoute,
      ...search,
      path: '/subId-specific-report',
      component: lazyRouteComponent(() => import('./Inbound.tsx'), 'SubIds'),
    }),
    createRoute({
      getParentRoute,
      ...search,
      path: '/lead-flow/outbound',
      component: lazyRouteComponent(() => import('./Outbound.tsx'), 'Outbound'),
    }),
    createRoute({
      getParentRoute,
      ...search,
      path: '/lead-flow/reason-report',
      component: lazyRouteComponent(() => import('./Reasons.tsx'), 'Reasons'),
    }),
    createRoute({
      getParentRoute,
      ...search,
      path: '/lead-flow/trending',
      component: lazyRouteComponent(() => import('./Trending.tsx'), 'Trending'),
    }),
    createRoute({
      getParentRoute,
      ...search,
      path: '/lead-flow/redirect-report',
      component: lazyRouteComponent(() => import('./Redirects.tsx'), 'Redirects'),
    }),
    createRoute({
      getParentRoute,
      ...search,
      path: '/lead-flow/performance-report',
      component: lazyRouteComponent(() => import('./Performance.tsx'), 'Performance'),
    }),
    createRoute({
      getParentRoute,
      ...search,
      path: '/lead-flow/buyer-timeout-track',
      component: lazyRouteComponent(() => import('./Timeouts.tsx'), 'Timeouts'),
    }),
    createRoute({
      getParentRoute,
      ...search,
      path: '/page-stats',
      component: lazyRouteComponent(() => import('../landing-page/PageStats.tsx'), 'PageStats'),
    }),
    createRoute({ getParentRoute, path: '/page-stats/pages/new', component: landingPage }),
    createRoute({ getParentRoute, path: '/page-stats/pages/$id', component: landingPage }),
    createRoute({
      getParentRoute,
      ...paymentSearch,
      path: '/payment-processor-stats',
      component: lazyRouteComponent(() => import('../payment/PaymentStats.tsx'), 'PaymentStats'),
    }),
    createRoute({
      getParentRoute,
      ...paymentSearch,
      path: '/payment-processor-stats/payments',
      component: lazyRouteComponent(() => import('../payment/PaymentList.tsx'), 'PaymentList'),
    }),
    createRoute({
      getParentRoute,
      path: '/payment-processor-stats/processors',
      validateSearch: onlyMeant(readListSearch),
      component: lazyRouteComponent(() => import('../payment/ProcessorsPage.tsx'), 'ProcessorsPage'),
    }),
    createRoute({ getParentRoute, path: '/payment-processor-stats/processors/new', component: processor }),
    createRoute({ getParentRoute, path: '/payment-processor-stats/processors/$id', component: processor }),
    createRoute({
      getParentRoute,
      ...search,
      path: '/comm-maps',
      component: lazyRouteComponent(() => import('./Maps.tsx'), 'Maps'),
    }),
    createRoute({
      getParentRoute,
      ...search,
      path: '/compare-stats',
      component: lazyRouteComponent(() => import('./Compare.tsx'), 'Compare'),
    }),
  ] as const;
};
