import { ActionIcon } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { helpKeyOf } from '#contract/help-page.ts';
import { IconHelpCircle } from '#web/ui/icons.ts';
import { loadHelp, loadHelpInTime, useHelpState } from './help-script.ts';

/** The help trigger of every page (console §1). Pressed before the help is there it fetches it, and opens then. */
export function HelpButton({ host }: { host: string | null }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const key = helpKeyOf(path);
  const state = useHelpState();
  const button = useRef<HTMLButtonElement>(null);
  const [isWanted, setWanted] = useState(false);
  useEffect(() => loadHelpInTime(host), [host]);
  // Help speaks of one page: it goes with it.
  const last = useRef(path);
  useEffect(() => {
    if (last.current !== path) window.SluiceHelp?.close();
    last.current = path;
  }, [path]);
  useEffect(() => {
    if (state !== 'ready' || !isWanted) return;
    setWanted(false);
    button.current?.click();
  }, [state, isWanted]);
  const want = () => {
    if (state === 'ready') return;
    setWanted(true);
    loadHelp(host);
  };
  return (
    <ActionIcon
      ref={button}
      variant="transparent"
      className="header-icon"
      size={32}
      aria-label="Help on this page"
      aria-haspopup="dialog"
      title={state === 'failed' ? 'The help could not be loaded. Press to try again.' : 'Help on this page'}
      data-sluice-help={JSON.stringify({ id: key })}
      loading={isWanted && state === 'loading'}
      onClick={want}
    >
      <IconHelpCircle size={20} />
    </ActionIcon>
  );
}
