import { useState } from 'react';
import type { AttemptView, CheckView } from '#contract/lead.ts';
import { useShortcuts } from '#web/ui/shortcuts.ts';

export const callDomId = (callId: string): string => `call-${callId}`;

export interface CallControl {
  isOpen: (callId: string) => boolean;
  toggle: (callId: string) => void;
  /** Opens one call and goes to it. */
  open: (callId: string) => void;
  /** Opens the last call for a buyer tier, the one that decided: an attempt, or a check that said no. */
  openTier: (buyerTierId: string) => void;
  /** Puts the focus on the neighbour of a call without opening it. */
  focusNext: (callId: string, step: 1 | -1) => void;
}

const goToCall = (callId: string) =>
  requestAnimationFrame(() => {
    const head = document.getElementById(callDomId(callId));
    head?.focus({ preventScroll: true });
    head?.scrollIntoView({ block: 'start', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
  });

/** Which checks and attempts are open; j and k walk through them, one open at a time. */
export function useOpenCalls(calls: readonly (AttemptView | CheckView)[]): CallControl {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string | null>(null);
  const openOnly = (callId: string) => {
    setOpened(new Set([callId]));
    setCurrent(callId);
    goToCall(callId);
  };
  const walk = (step: 1 | -1) => () => {
    const at = calls.findIndex((one) => one._id === current);
    const next = at < 0 ? calls[step === 1 ? 0 : calls.length - 1] : calls[at + step];
    if (next) openOnly(next._id);
  };
  useShortcuts({ j: walk(1), k: walk(-1) });
  return {
    isOpen: (callId) => opened.has(callId),
    toggle: (callId) => {
      setCurrent(callId);
      setOpened((before) => new Set(before.has(callId) ? [...before].filter((one) => one !== callId) : [...before, callId]));
    },
    open: openOnly,
    openTier: (buyerTierId) => {
      const call = calls.findLast((one) => one.buyerTierId === buyerTierId && !('leg' in one && one.leg === 'lost'));
      if (call) openOnly(call._id);
    },
    focusNext: (callId, step) => {
      const next = calls[calls.findIndex((one) => one._id === callId) + step];
      if (next) document.getElementById(callDomId(next._id))?.focus();
    },
  };
}
