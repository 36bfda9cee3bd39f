import type { useCombobox } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';

/**
 * The first of what was looked for is the one that Enter takes. An Enter that comes before the answer to what is `typed` waits for it, and
 * sends no form. `answer` is undefined until it is there.
 */
export function useEnterTakesFirst(combobox: ReturnType<typeof useCombobox>, typed: string, answer: object | undefined) {
  const isWaiting = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another text or answer stands there, and not when the store is another
  useEffect(() => {
    if (typed === '' || !answer) return;
    combobox.selectFirstOption();
    if (isWaiting.current) combobox.clickSelectedOption();
    isWaiting.current = false;
  }, [answer, typed]);
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !combobox.dropdownOpened) return;
      event.preventDefault();
      isWaiting.current = typed !== '' && !answer;
    },
    /** Another text, or none: nothing is waited for any more. */
    forget: () => {
      isWaiting.current = false;
    },
  };
}
