import { type MouseEventHandler, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '#web/ui/icons.ts';
import { ApiError } from '../api/client.ts';
import type { LeftNotice } from './notice.ts';
import './sign-in.css';

const alertMs = 3000;

/** Account §9: alerts go after 3 s, but a refusal that carries a status stays. */
export function FormAlert({ error, onHide }: { error: Error | null; onHide?: () => void }) {
  const stays = !onHide || (error instanceof ApiError && error.httpStatus > 0);
  const hold = useHideAfter(stays ? undefined : onHide);
  if (!error) return null;
  return (
    <div className="sign-in-alert" role="alert" {...hold}>
      <IconAlertTriangle size={18} aria-hidden />
      <span>{error.message}</span>
    </div>
  );
}

/** Good news, which goes by itself as every alert does; what a person must still know is a PageNote. */
export function FormNotice({ children }: { children: string }) {
  const [isShown, setShown] = useState(true);
  const hold = useHideAfter(isShown ? () => setShown(false) : undefined);
  // The region itself stays: assistive technology reads out what comes into one it knows.
  return (
    <div className="sign-in-news" role="status">
      {isShown && (
        <div className="sign-in-alert sign-in-good" {...hold}>
          <IconCheck size={18} aria-hidden />
          <span>{children}</span>
        </div>
      )}
    </div>
  );
}

/** Why somebody is here, or what is to be done next: a part of the page, which stays. */
export function PageNote({ children }: { children: ReactNode }) {
  return (
    <p className="page-note" role="status">
      <IconInfoCircle size={18} aria-hidden />
      <span>{children}</span>
    </p>
  );
}

/** What the page before left to say: good news goes, why somebody is here stays. */
export function Notice({ notice }: { notice: LeftNotice | null }) {
  if (!notice) return null;
  return notice.tone === 'good' ? <FormNotice>{notice.text}</FormNotice> : <PageNote>{notice.text}</PageNote>;
}

interface Hold {
  onMouseEnter: MouseEventHandler;
  onMouseLeave: MouseEventHandler;
  onFocus: () => void;
  onBlur: () => void;
  tabIndex: -1;
}

/** Hides after 3 s, but nothing that somebody reads: while the pointer or the focus is on it, it stays, and 3 s more. */
function useHideAfter(hide: (() => void) | undefined): Hold {
  const held = useRef({ pointer: false, focus: false });
  const goes = hide !== undefined;
  const over = useEffectEvent(() => !held.current.pointer && !held.current.focus && hide?.());
  useEffect(() => {
    if (!goes) return;
    const timer = setInterval(() => over(), alertMs);
    return () => clearInterval(timer);
  }, [goes]);
  const hold = (by: 'pointer' | 'focus', holds: boolean) => () => {
    held.current[by] = holds;
  };
  return {
    onMouseEnter: hold('pointer', true),
    onMouseLeave: hold('pointer', false),
    onFocus: hold('focus', true),
    onBlur: hold('focus', false),
    // A tap or a click puts the focus on it; the way of the keyboard does not stop here.
    tabIndex: -1,
  };
}
