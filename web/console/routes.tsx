import { noop } from '@tanstack/react-query';
import { createRoute, createRouter, lazyRouteComponent, Outlet, type ParsedLocation, redirect } from '@tanstack/react-router';
import { FRONT_LOADER_MS } from '#contract/console-constants.ts';
import { abTestRoutes } from './ab-test/ab-test-routes.ts';
import { ApiError } from './api/client.ts';
import { leadFiltersQuery, leadQuery, leadsQuery, overviewQuery, recentLeadsQuery } from './api/lead.ts';
import { messagesQuery } from './api/message.ts';
import { type Places, placesQuery, recordsAt, verticalsOf } from './api/session.ts';
import { type ToSettleSearch, toSettleQuery } from './api/settlement.ts';
import { readChangeLogSearch } from './change-log/change-log-search.ts';
import { changeRequestRoutes } from './change-request/request-routes.ts';
import { dataRequestRoutes } from './data-request/data-request-routes.ts';
import { exportRoutes } from './export/export-routes.ts';
import { guardRoute, isUnknownAddress, pageNamed, permissionIn, servicesPath, standIn, startPath } from './guard.ts';
import { createHashbangHistory } from './hashbang.ts';
import { helpContentRoutes } from './help-content/help-routes.ts';
import { readHomeSearch } from './home/home-search.ts';
import { installationHealthRoutes } from './installation-health/health-routes.ts';
import { checkerRoute, labRoutes } from './lab/lab-routes.ts';
import { rememberList } from './lead/last-list.ts';
import { readLeadsSearch } from './lead/leads-search.ts';
import { jobRoutes, listRoutes } from './lists/list-routes.ts';
import { logRoutes } from './log/log-routes.ts';
import { readNext } from './next-page.ts';
import { onlyMeant } from './only-meant.ts';
import { mayReadLeads } from './paths.ts';
import { readPortalSearch } from './portal/portal-search.ts';
import { specRoutes } from './posting-spec/spec-routes.ts';
import { promotionRoutes } from './promotion/promotion-routes.ts';
import { queryClient } from './query-client.ts';
import { reportRoutes } from './report/report-routes.ts';
import { loadSession, root } from './root-route.tsx';
import { parseSearch, stringifySearch } from './search-text.ts';
import { readSecurityLogSearch } from './security-log/security-log-search.ts';
import { sessionRoutes } from './session/session-routes.ts';
import { readInnerLists } from './set-up/list-search.ts';
import { setUpRoutes } from './set-up/set-up-routes.ts';
import { missedIn } from './shell/missed.ts';
import { PageError } from './shell/PageError.tsx';
import { Waiting } from './shell/Waiting.tsx';
import { framedRoutes, publicTeamRoutes } from './team/team-routes.ts';
import { readTimeZone, rememberTimeZone } from './time-zone.ts';

const pathOf = (href: string): string => href.split(/[?#]/, 1)[0]!;
const PLACES_AGAIN_MS = 2000;
/**
 * Console §8: a load of regions and verticals that fails is silently ignored: those of before stand, and where there are none they are asked
 * for again, without a word, until they come or the person goes elsewhere. A session that ended is another matter.
 */
async function loadPlaces(signal?: AbortSignal): Promise<Places> {
  for (;;) {
    try {
      return await queryClient.query({ ...placesQuery, staleTime: Number.POSITIVE_INFINITY });
    } catch (error) {
      const known = queryClient.getQueryData(placesQuery.queryKey);
      if (known) return known;
      if (signal?.aborted || (error instanceof ApiError && error.httpStatus === 401)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PLACES_AGAIN_MS));
    }
  }
}

/** Account §2: at an unknown address nobody goes to sign in, somebody to where they begin, and is told there. */
async function goHome(lostAt?: string): Promise<never> {
  const session = await loadSession();
  if (!session.status) throw redirect({ to: '/login', search: {}, replace: true });
  throw redirect({ href: startPath(session, await loadPlaces()), replace: true, state: { ...(lostAt && { lostAt }) } });
}

/** Account §4: every address behind the sign-in passes the guard. */
async function passGuard({ href, state }: Pick<ParsedLocation, 'href' | 'state'>, signal: AbortSignal) {
  const session = await loadSession();
  const { user, organization, permissionObj } = session;
  // Account §4: who is not signed in goes to the landing, and on to this page afterwards.
  if (!session.status || !user || !organization)
    throw redirect({ to: '/', search: { isOpenLoginModal: true, next: readNext(href) }, replace: true });
  const places = await loadPlaces(signal);
  const verdict = guardRoute(href, session, places);
  if (!verdict.open) {
    const missed = isUnknownAddress(href) ? 'lostAt' : verdict.missed;
    // What was asked for first is what is told, however many steps lead away from it.
    const told = { ...(missed && { [missed]: pathOf(href) }), ...missedIn(state) };
    throw redirect({ href: verdict.to, replace: true, state: told });
  }
  // A toast has the built-in wording until the server's is here.
  void queryClient.query(messagesQuery).catch(noop);
  rememberTimeZone(user.reportingTimeZone ?? organization.reportingTimeZone);
  return { session, user, organization, permission: permissionObj, places };
}

/** Account §4: who is signed in has nothing to do at pages of the login type. When nobody can be asked, the page itself will say so. */
async function passPublic(href: string): Promise<void> {
  const session = await loadSession().catch(() => null);
  if (!session?.status) return;
  const verdict = guardRoute(href, session, await loadPlaces());
  if (!verdict.open) throw redirect({ href: verdict.to, replace: true });
}

/** The frame of every page behind the sign-in, with a region and vertical or without. */
const framed = createRoute({
  getParentRoute: () => root,
  id: 'framed',
  beforeLoad: ({ location, abortController }) => passGuard(location, abortController.signal),
  component: lazyRouteComponent(() => import('./shell/Shell.tsx'), 'Shell'),
  pendingComponent: Waiting,
  pendingMs: 200,
});

const setup = createRoute({ getParentRoute: () => framed, path: '/setup/$region', component: Outlet });

/** Account §6: open to everybody who is signed in. */
const homeBuyer = createRoute({
  getParentRoute: () => framed,
  path: '/setup/home-buyer',
  validateSearch: onlyMeant((raw) => ({ ...readHomeSearch(raw), ...readPortalSearch(raw) })),
  component: lazyRouteComponent(() => import('./home/BuyerHome.tsx'), 'BuyerHome'),
});

const homePublisher = createRoute({
  getParentRoute: () => framed,
  path: '/setup/home-publisher',
  validateSearch: onlyMeant((raw) => ({ ...readHomeSearch(raw), ...readPortalSearch(raw) })),
  component: lazyRouteComponent(() => import('./home/PublisherHome.tsx'), 'PublisherHome'),
});

/** third-party-service without a place. */
const setupHome = createRoute({
  getParentRoute: () => setup,
  path: '/',
  beforeLoad: ({ context, params }) => {
    const href = params.region === 'third-party-service' ? servicesPath(context.session, context.places) : '/home';
    throw redirect({ href, replace: true });
  },
});

const noVertical = createRoute({
  getParentRoute: () => setup,
  path: '/no-vertical',
  beforeLoad: ({ context, params, location }) => {
    const first = verticalsOf(context.places, params.region)[0];
    // Console §4: with valid slugs the page has nothing to say.
    if (!first) return;
    const overviewPath = `/setup/${params.region}/${first.slug}/overview`;
    const verdict = guardRoute(overviewPath, context.session, context.places);
    throw redirect({ href: verdict.open ? overviewPath : verdict.to, replace: true, state: missedIn(location.state) });
  },
  component: lazyRouteComponent(() => import('./shell/NoVertical.tsx'), 'NoVertical'),
});

const vertical = createRoute({
  getParentRoute: () => setup,
  path: '/$vertical',
  component: Outlet,
});

const verticalHome = createRoute({
  getParentRoute: () => vertical,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/setup/$region/$vertical/overview', params, replace: true });
  },
});

/** Addresses by another name, and those where nothing is. */
const otherNames = createRoute({
  getParentRoute: () => vertical,
  path: '$',
  beforeLoad: ({ context, params, location }) => {
    const base = `/setup/${params.region}/${params.vertical}`;
    const named = pageNamed(params._splat ?? '');
    if (named) throw redirect({ href: `${base}/${named}`, replace: true });
    const overviewPath = `${base}/overview`;
    const mayOverview = guardRoute(overviewPath, context.session, context.places).open;
    const href = standIn(params._splat ?? '', params, mayOverview);
    throw redirect({ href, replace: true, state: { lostAt: location.pathname } });
  },
});

const changeLog = createRoute({
  getParentRoute: () => framed,
  path: '/change-logs-mgmt',
  validateSearch: onlyMeant(readChangeLogSearch),
  component: lazyRouteComponent(() => import('./change-log/ChangeLog.tsx'), 'ChangeLog'),
});

const securityLog = createRoute({
  getParentRoute: () => framed,
  path: '/security-log',
  validateSearch: onlyMeant(readSecurityLogSearch),
  component: lazyRouteComponent(() => import('./security-log/SecurityLog.tsx'), 'SecurityLog'),
});

const regions = createRoute({
  getParentRoute: () => framed,
  path: '/regions',
  validateSearch: onlyMeant((raw): { region?: string | undefined } => ({
    ...readInnerLists(raw),
    ...(typeof raw.region === 'string' && /^[0-9a-f-]{36}$/.test(raw.region) && { region: raw.region }),
  })),
  component: lazyRouteComponent(() => import('./places/RegionsPage.tsx'), 'RegionsPage'),
});

const overview = createRoute({
  getParentRoute: () => vertical,
  path: '/overview',
  loader: ({ params, context: { session, places } }) => {
    void queryClient.query(overviewQuery(params, readTimeZone())).catch(noop);
    if (mayReadLeads(permissionIn(session, recordsAt(places, params).vertical)))
      void queryClient.query(recentLeadsQuery(params)).catch(noop);
  },
  component: lazyRouteComponent(() => import('./overview/Overview.tsx'), 'Overview'),
});

const leads = createRoute({
  getParentRoute: () => vertical,
  path: '/leads',
  validateSearch: onlyMeant(readLeadsSearch),
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps, preload }) => {
    if (!preload) rememberList(params, deps);
    void queryClient.query(leadsQuery({ region: params.region, vertical: params.vertical }, deps, readTimeZone())).catch(noop);
    void queryClient.query(leadFiltersQuery({ region: params.region, vertical: params.vertical })).catch(noop);
  },
  component: lazyRouteComponent(() => import('./lead/Leads.tsx'), 'Leads'),
});

const lead = createRoute({
  getParentRoute: () => vertical,
  path: '/leads/$leadId',
  loader: ({ params }) => {
    void queryClient.query(leadQuery(params.leadId)).catch(noop);
  },
  component: lazyRouteComponent(() => import('./lead/Lead.tsx'), 'Lead'),
});

const toSettle = createRoute({
  getParentRoute: () => vertical,
  path: '/leads/to-settle',
  validateSearch: onlyMeant(
    (raw): ToSettleSearch => ({
      buyerTierId: typeof raw.buyerTierId === 'string' && raw.buyerTierId !== '' ? raw.buyerTierId.slice(0, 60) : undefined,
    }),
  ),
  loaderDeps: ({ search }) => search,
  loader: ({ params: { region, vertical: slug }, deps }) => {
    void queryClient.query(toSettleQuery({ region, vertical: slug }, deps)).catch(noop);
  },
  component: lazyRouteComponent(() => import('./settlement/ToSettle.tsx'), 'ToSettle'),
});

const elsewhere = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: ({ location }) => goHome(location.pathname),
  pendingComponent: Waiting,
});

const routeTree = root.addChildren([
  ...sessionRoutes(goHome, passPublic),
  ...publicTeamRoutes(root, passPublic),
  checkerRoute(root),
  framed.addChildren([
    setup.addChildren([
      setupHome,
      noVertical,
      vertical.addChildren([
        verticalHome,
        overview,
        leads,
        toSettle,
        lead,
        ...setUpRoutes(vertical),
        ...changeRequestRoutes(vertical),
        ...reportRoutes(vertical),
        ...promotionRoutes(vertical),
        ...abTestRoutes(vertical),
        ...labRoutes(vertical),
        ...listRoutes(vertical),
        ...exportRoutes(vertical),
        ...dataRequestRoutes(vertical),
        ...logRoutes(vertical),
        ...specRoutes(vertical),
        otherNames,
      ]),
    ]),
    homeBuyer,
    homePublisher,
    ...framedRoutes(framed),
    changeLog,
    securityLog,
    regions,
    ...jobRoutes(framed),
    ...helpContentRoutes(framed),
    ...installationHealthRoutes(framed),
  ]),
  elsewhere,
]);

export const createConsoleRouter = () =>
  createRouter({
    routeTree,
    history: createHashbangHistory(),
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // Query decides what is fresh; the router's own cache would hide its answers.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: PageError,
    defaultPendingMs: 200,
    defaultPendingMinMs: FRONT_LOADER_MS,
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
