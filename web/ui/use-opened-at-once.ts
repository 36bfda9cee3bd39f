import { useEffect, useRef, useState } from 'react';

/** A menu that is made when it is asked for: its button has the focus before it opens, so that it gets it back. */
export function useOpenedAtOnce() {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    button.current?.focus();
    setOpened(true);
  }, []);
  return { opened, onChange: setOpened, button };
}
