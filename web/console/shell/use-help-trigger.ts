import { useEffect, useRef, useState } from 'react';
import { loadHelp, useHelpState } from './help-script.ts';

/** As the help script reads it; with the flag the modal opens at once. */
export interface HelpTrigger {
  id: string;
  helpSDk?: true;
}

/** A button that opens help: pressed before the script is there it fetches it, and opens then. `host`: null is our own, undefined not known yet. */
export function useHelpTrigger(trigger: HelpTrigger, host: string | null | undefined) {
  const state = useHelpState();
  const button = useRef<HTMLButtonElement>(null);
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    if (isWanted && host !== undefined && state === 'waiting') loadHelp(host);
  }, [state, isWanted, host]);
  useEffect(() => {
    if (!isWanted || (state !== 'ready' && state !== 'failed')) return;
    setWanted(false);
    if (state === 'ready') button.current?.click();
  }, [state, isWanted]);
  const want = () => {
    if (state === 'ready') return;
    setWanted(true);
    if (host !== undefined) loadHelp(host);
  };
  const props = { ref: button, 'aria-haspopup': 'dialog', 'data-sluice-help': JSON.stringify(trigger), onClick: want } as const;
  return { props, isLoading: isWanted && state === 'loading', hasFailed: state === 'failed' };
}
