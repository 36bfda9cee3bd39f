/** The help content of the installation, for super admins. */
import { noop } from '@tanstack/react-query';
import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { helpQuery } from '../api/help.ts';
import { onlyMeant } from '../only-meant.ts';
import { queryClient } from '../query-client.ts';
import { readHelpSearch } from './help-search.ts';

const entry = lazyRouteComponent(() => import('./HelpEntryPage.tsx'), 'HelpEntryPage');

export const helpContentRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/help-content',
      validateSearch: onlyMeant(readHelpSearch),
      loader: () => void queryClient.query(helpQuery).catch(noop),
      component: lazyRouteComponent(() => import('./HelpContentPage.tsx'), 'HelpContentPage'),
    }),
    createRoute({ getParentRoute: () => parent, path: '/help-content/new', component: entry }),
    createRoute({ getParentRoute: () => parent, path: '/help-content/$kind/$key', component: entry }),
  ] as const;
