import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { autoLogin } from '../api/account.ts';
import { loadSession, root } from '../root-route.tsx';
import { Waiting } from '../shell/Waiting.tsx';
import { enterConsole } from './enter-console.ts';
import { type LandingSearch, memberToRegister, readLandingSearch } from './landing-search.ts';
import { leaveNotice } from './notice.ts';

/** Account §2: the app root takes a sign-in over from another sub-domain; the address with the token is gone at once. */
async function takeOver({ userSessionId = '', orgId = '', next }: LandingSearch): Promise<void> {
  try {
    await autoLogin(userSessionId, orgId);
  } catch (error) {
    leaveNotice(error instanceof Error ? error.message : 'This sign-in link is no longer good. Sign in again.');
    throw redirect({ to: '/login', search: {}, replace: true });
  }
  await enterConsole(next);
  // The page is being loaded anew: nothing else is to be shown until then.
  await new Promise(() => {});
}

/** The pages of whoever is not signed in. `goHome` knows where the signed-in begin, `passPublic` sends them there. */
export function sessionRoutes(goHome: () => Promise<never>, passPublic: (href: string) => Promise<void>) {
  const index = createRoute({
    getParentRoute: () => root,
    path: '/',
    validateSearch: readLandingSearch,
    beforeLoad: async ({ search, preload }) => {
      if (search.isAutoLogin && !preload) await takeOver(search);
      const teamId = memberToRegister(search);
      if (teamId) throw redirect({ href: `/member-register/${encodeURIComponent(teamId)}`, replace: true });
      // Somebody who is signed in reads what became of an invitation, and goes on from there.
      if (!search.isInvitationSuccess && (await loadSession()).status) await goHome();
    },
    component: lazyRouteComponent(() => import('./Landing.tsx'), 'Landing'),
    pendingComponent: Waiting,
    pendingMs: 200,
  });
  const login = createRoute({
    getParentRoute: () => root,
    path: '/login',
    validateSearch: (raw: Record<string, unknown>): Pick<LandingSearch, 'next' | 'email' | 'isOpenLoginModal'> => {
      const { next, email, isOpenLoginModal } = readLandingSearch(raw);
      return { next, email, isOpenLoginModal };
    },
    beforeLoad: async ({ search, location }) => {
      // Account §2: the modal stands over the landing.
      if (search.isOpenLoginModal) throw redirect({ to: '/', search, replace: true });
      // A page that was asked for goes before where somebody begins.
      if (search.next && (await loadSession().catch(() => null))?.status) throw redirect({ href: search.next, replace: true });
      await passPublic(location.href);
    },
    component: lazyRouteComponent(() => import('./SignIn.tsx'), 'SignIn'),
    pendingComponent: Waiting,
  });
  const forgotPassword = createRoute({
    getParentRoute: () => root,
    path: '/forgot-password',
    beforeLoad: ({ location }) => passPublic(location.href),
    component: lazyRouteComponent(() => import('./AskByEmail.tsx'), 'ForgotPassword'),
  });
  const resetMfa = createRoute({
    getParentRoute: () => root,
    path: '/reset-mfa',
    validateSearch: (raw: Record<string, unknown>): { token?: string | undefined } =>
      typeof raw.token === 'string' ? { token: raw.token.slice(0, 200) } : {},
    beforeLoad: ({ location }) => passPublic(location.href),
    component: lazyRouteComponent(() => import('./ResetMfa.tsx'), 'ResetMfa'),
  });
  const reset = createRoute({
    getParentRoute: () => root,
    path: '/reset/$token',
    component: lazyRouteComponent(() => import('./ResetPassword.tsx'), 'ResetPassword'),
  });
  const confirmEmail = createRoute({
    getParentRoute: () => root,
    path: '/invitation-confirm-email/$userId',
    validateSearch: (raw: Record<string, unknown>): { token?: string | undefined; email?: string | undefined } => ({
      ...(typeof raw.token === 'string' && { token: raw.token.slice(0, 200) }),
      ...(typeof raw.email === 'string' && { email: raw.email.slice(0, 254) }),
    }),
    component: lazyRouteComponent(() => import('./ConfirmEmail.tsx'), 'ConfirmEmail'),
  });
  return [index, login, forgotPassword, resetMfa, reset, confirmEmail] as const;
}
