import '@fontsource-variable/inter/wght.css';
import './mantine.css';
import '../ui/base.css';
import '../ui/print.css';
import '../ui/form.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { cssVariables, theme } from '../ui/theme.ts';
import { onSignedOut } from './api/client.ts';
import { doubtSession } from './leave-session.ts';
import { readNext } from './next-page.ts';
import { queryClient } from './query-client.ts';
import { createConsoleRouter } from './routes.tsx';
import { isIdleOver } from './session/idle.ts';
import { leaveSessionOver } from './session/notice.ts';

const router = createConsoleRouter();

onSignedOut(() => {
  const { location, matches } = router.state;
  const { href, pathname } = location;
  // After a long sleep the watch says why and leads to the sign-in: a second reason, and another way, would be in between.
  if (isIdleOver() && matches.some((match) => match.routeId === '/framed')) return;
  void doubtSession();
  // Account §4: from a protected page to the landing, and on to the page again afterwards.
  if (pathname === '/login' || pathname === '/') return;
  leaveSessionOver();
  void router.navigate({ to: '/', search: { isOpenLoginModal: true, next: readNext(href) }, replace: true });
});

// After an upgrade of the server the old page asks for files that are gone: the new page is one reload away, tried once.
window.addEventListener('vite:preloadError', (event) => {
  const lastReload = Number(sessionStorage.getItem('reloadedAt'));
  if (Date.now() - lastReload < 30_000) return;
  event.preventDefault();
  sessionStorage.setItem('reloadedAt', String(Date.now()));
  window.location.reload();
});

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no element with the id "root"');

createRoot(container).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
