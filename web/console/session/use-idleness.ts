import { useEffect, useEffectEvent, useState } from 'react';
import { sayPresent } from '../api/account.ts';
import { type Idleness, idlenessAt } from './idle.ts';
import { noteAction, PRESENT_FOR_MS, readLastAction } from './last-action.ts';

const tickMs = 1000;
const actions = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'scroll', 'touchstart'] as const;

/** Watches all tabs by one note in the browser's store. `onOver` is called once, in each tab. */
export function useIdleness(onOver: () => void): { idleness: Idleness; stay: () => void } {
  const [idleness, setIdleness] = useState<Idleness>({ state: 'active' });
  const over = useEffectEvent(onOver);
  useEffect(() => {
    noteAction(Date.now());
    let ended = false;
    let toldAt = Date.now();
    const look = () => {
      if (ended) return;
      const now = Date.now();
      const found = idlenessAt(readLastAction(), now);
      setIdleness((before) => (before.state === 'active' && found.state === 'active' ? before : found));
      if (found.state === 'over') {
        ended = true;
        over();
      } else if (found.state === 'active' && now - readLastAction() < PRESENT_FOR_MS && now - toldAt > PRESENT_FOR_MS) {
        // Somebody who reads one page for long is there all the same, and the server would not know.
        toldAt = now;
        void sayPresent().catch(() => null);
      }
    };
    const act = () => {
      const now = Date.now();
      // Whoever comes back too late does not get in by moving the mouse first.
      if (ended || idlenessAt(readLastAction(), now).state === 'over') return look();
      if (now - readLastAction() < tickMs) return;
      noteAction(now);
      look();
    };
    const timer = setInterval(look, tickMs);
    for (const action of actions) window.addEventListener(action, act, { capture: true, passive: true });
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      for (const action of actions) window.removeEventListener(action, act, { capture: true });
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return { idleness, stay: () => noteAction(Date.now()) };
}
