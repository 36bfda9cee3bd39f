import { useEffect, useEffectEvent, useRef } from 'react';
import { IconAlertTriangle, IconCheck } from '#web/ui/icons.ts';
import { ApiError } from '../api/client.ts';

const alertMs = 3000;

/** Account §9: alerts go after 3 s, but a refusal that carries a status stays. */
export function FormAlert({ error, onHide }: { error: Error | null; onHide?: () => void }) {
  const stays = !onHide || (error instanceof ApiError && error.httpStatus > 0);
  const held = useRef(false);
  const hide = useEffectEvent(() => !held.current && onHide?.());
  useEffect(() => {
    if (stays) return;
    const timer = setInterval(() => hide(), alertMs);
    return () => clearInterval(timer);
  }, [stays]);
  if (!error) return null;
  const hold = (holds: boolean) => () => {
    held.current = holds;
  };
  return (
    <div className="sign-in-alert" role="alert" onMouseEnter={hold(true)} onMouseLeave={hold(false)}>
      <IconAlertTriangle size={18} aria-hidden />
      <span>{error.message}</span>
    </div>
  );
}

/** Good news, or why somebody is here; stays. */
export function FormNotice({ tone, children }: { tone: 'good' | 'info'; children: string }) {
  return (
    <div className={`sign-in-alert sign-in-${tone}`} role="status">
      {tone === 'good' ? <IconCheck size={18} aria-hidden /> : <IconAlertTriangle size={18} aria-hidden />}
      <span>{children}</span>
    </div>
  );
}
