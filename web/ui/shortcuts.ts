import { useEffect, useEffectEvent } from 'react';

const storageKey = 'singleKeyShortcuts';
/** WCAG 2.1.4: shortcuts of one letter can be switched off. */
export const shortcutsAreOn = (): boolean => localStorage.getItem(storageKey) !== 'off';
export const switchShortcuts = (on: boolean): void => localStorage.setItem(storageKey, on ? 'on' : 'off');

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('[role="listbox"],[role="menu"]') !== null);
const dialogIsOpen = () => document.querySelector('[role="dialog"],[role="menu"]') !== null;

const sequenceMs = 1200;

/** Keys such as '?', '/', 'j' and sequences such as 'g o'; only outside fields and dialogs, and never with a modifier. */
export function useShortcuts(keys: Record<string, () => void>): void {
  const press = useEffectEvent((event: KeyboardEvent, pending: string): string => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || dialogIsOpen() || !shortcutsAreOn()) return '';
    const sequence = pending === '' ? event.key : `${pending} ${event.key}`;
    const action = keys[sequence] ?? keys[event.key];
    if (action) {
      event.preventDefault();
      action();
      return '';
    }
    return Object.keys(keys).some((name) => name.startsWith(`${event.key} `)) ? event.key : '';
  });
  useEffect(() => {
    let pending = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listen = (event: KeyboardEvent) => {
      clearTimeout(timer);
      pending = press(event, pending);
      timer = setTimeout(() => {
        pending = '';
      }, sequenceMs);
    };
    document.addEventListener('keydown', listen);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', listen);
    };
  }, []);
}
