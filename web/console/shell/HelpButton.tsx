import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { helpKeyOf, PORTAL_HELP } from '#contract/help-page.ts';
import type { BoundTo } from '#contract/session.ts';
import { IconHelpCircle } from '#web/ui/icons.ts';
import { sessionQuery } from '../api/session.ts';
import { loadHelpInTime } from './help-script.ts';
import { useHelpTrigger } from './use-help-trigger.ts';

/** The help trigger of every page (console §1), of whoever is signed in and of nobody. */
export function HelpButton({ bound = null }: { bound?: BoundTo | null }) {
  const session = useQuery(sessionQuery);
  // Nothing is fetched before it is known from where.
  const host = session.isPending ? undefined : (session.data?.helpHost ?? null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const key = bound && /^\/setup\/home-/.test(path) ? PORTAL_HELP[bound.kind] : helpKeyOf(path);
  const { props, isLoading, hasFailed } = useHelpTrigger({ id: key }, host);
  useEffect(() => (host === undefined ? undefined : loadHelpInTime(host)), [host]);
  // Help speaks of one page: it goes with it.
  const last = useRef(path);
  useEffect(() => {
    if (last.current !== path) window.SluiceHelp?.close();
    last.current = path;
  }, [path]);
  return (
    <ActionIcon
      variant="transparent"
      className="header-icon"
      size={32}
      aria-label="Help on this page"
      title={hasFailed ? 'The help could not be loaded. Press to try again.' : 'Help on this page'}
      loading={isLoading}
      {...props}
    >
      <IconHelpCircle size={20} />
    </ActionIcon>
  );
}
