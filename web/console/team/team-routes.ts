/** Pages of the team and the organization; those in the frame pass the guard with it. */
import { noop } from '@tanstack/react-query';
import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { onlineQuery, teamQuery } from '../api/team.ts';
import { queryClient } from '../query-client.ts';
import { Waiting } from '../shell/Waiting.tsx';

export const framedRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/team',
      loader: () => void queryClient.query(teamQuery).catch(noop),
      component: lazyRouteComponent(() => import('./Team.tsx'), 'Team'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/organization-edit',
      component: lazyRouteComponent(() => import('../organization/OrganizationEdit.tsx'), 'OrganizationEdit'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/preferences',
      component: lazyRouteComponent(() => import('../organization/Preferences.tsx'), 'Preferences'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/change-profile',
      component: lazyRouteComponent(() => import('../organization/Profile.tsx'), 'Profile'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/change-password',
      component: lazyRouteComponent(() => import('../session/ChangePassword.tsx'), 'ChangePassword'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/monitor/online-users',
      loader: () => void queryClient.query(onlineQuery).catch(noop),
      component: lazyRouteComponent(() => import('./OnlineUsers.tsx'), 'OnlineUsers'),
    }),
    createRoute({ getParentRoute: () => parent, path: '/home', component: lazyRouteComponent(() => import('./Home.tsx'), 'Home') }),
    createRoute({
      getParentRoute: () => parent,
      path: '/no-permission',
      component: lazyRouteComponent(() => import('./NoPermission.tsx'), 'NoPermission'),
    }),
  ] as const;

/** `pass` sends away who has nothing to do there. */
export const publicTeamRoutes = <Parent extends AnyRoute>(parent: Parent, pass: (href: string) => Promise<void>) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/register',
      beforeLoad: ({ location }) => pass(location.href),
      component: lazyRouteComponent(() => import('../registration/Register.tsx'), 'Register'),
      pendingComponent: Waiting,
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/member-register/$teamId',
      beforeLoad: ({ location }) => pass(location.href),
      component: lazyRouteComponent(() => import('../registration/MemberRegister.tsx'), 'MemberRegister'),
      pendingComponent: Waiting,
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/invitation/$teamId',
      beforeLoad: ({ location }) => pass(location.href),
      component: lazyRouteComponent(() => import('../registration/InvitationPage.tsx'), 'InvitationPage'),
      pendingComponent: Waiting,
    }),
  ] as const;
