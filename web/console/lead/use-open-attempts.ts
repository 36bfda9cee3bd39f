import { useState } from 'react';
import type { AttemptView } from '#contract/lead.ts';
import { useShortcuts } from '#web/ui/shortcuts.ts';

export const attemptDomId = (attemptId: string): string => `attempt-${attemptId}`;

export interface AttemptControl {
  isOpen: (attemptId: string) => boolean;
  toggle: (attemptId: string) => void;
  /** Opens one attempt and goes to it. */
  open: (attemptId: string) => void;
  /** Opens the last attempt at a buyer tier, the one that decided. */
  openTier: (buyerTierId: string) => void;
  /** Puts the focus on the neighbour of an attempt without opening it. */
  focusNext: (attemptId: string, step: 1 | -1) => void;
}

const goToAttempt = (attemptId: string) =>
  requestAnimationFrame(() => {
    const head = document.getElementById(attemptDomId(attemptId));
    head?.focus({ preventScroll: true });
    head?.scrollIntoView({ block: 'start', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
  });

/** Which attempts are open; j and k walk through them, one open at a time. */
export function useOpenAttempts(attempts: readonly AttemptView[]): AttemptControl {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string | null>(null);
  const openOnly = (attemptId: string) => {
    setOpened(new Set([attemptId]));
    setCurrent(attemptId);
    goToAttempt(attemptId);
  };
  const walk = (step: 1 | -1) => () => {
    const at = attempts.findIndex((one) => one._id === current);
    const next = at < 0 ? attempts[step === 1 ? 0 : attempts.length - 1] : attempts[at + step];
    if (next) openOnly(next._id);
  };
  useShortcuts({ j: walk(1), k: walk(-1) });
  return {
    isOpen: (attemptId) => opened.has(attemptId),
    toggle: (attemptId) => {
      setCurrent(attemptId);
      setOpened((before) => new Set(before.has(attemptId) ? [...before].filter((one) => one !== attemptId) : [...before, attemptId]));
    },
    open: openOnly,
    openTier: (buyerTierId) => {
      const attempt = attempts.findLast((one) => one.buyerTierId === buyerTierId);
      if (attempt) openOnly(attempt._id);
    },
    focusNext: (attemptId, step) => {
      const next = attempts[attempts.findIndex((one) => one._id === attemptId) + step];
      if (next) document.getElementById(attemptDomId(next._id))?.focus();
    },
  };
}
