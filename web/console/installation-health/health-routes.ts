/** How the installation is, for super admins. */
import { noop } from '@tanstack/react-query';
import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { installationHealthQuery } from '../api/installation-health.ts';
import { queryClient } from '../query-client.ts';

export const installationHealthRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/installation-health',
      loader: () => void queryClient.query(installationHealthQuery).catch(noop),
      component: lazyRouteComponent(() => import('./InstallationHealthPage.tsx'), 'InstallationHealthPage'),
    }),
  ] as const;
