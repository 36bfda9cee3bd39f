import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { RecordRow } from '../api/record.ts';
import { useSetup } from '../shell/use-place.ts';
import { dropDraft, keepDraft, readDraft } from './form-draft.ts';
import { withoutInnerLists } from './list-search.ts';

const KEEP_AFTER_MS = 300;

/** The draft of one form at this address: what it brings back, and how it is kept up to date and left behind. */
export function useFormDraft(form: string) {
  const { session } = useSetup();
  const person = session.user?._id ?? '';
  const address = useLocation({ select: ({ pathname, searchStr }) => `${pathname}${withoutInnerLists(searchStr)} ${form}` });
  const [draft, setDraft] = useState(() => readDraft(sessionStorage, address, person));
  const waiting = useRef<{ timer: number; write: () => void }>(undefined);
  const forget = () => {
    window.clearTimeout(waiting.current?.timer);
    waiting.current = undefined;
  };
  useEffect(() => {
    // Off the page, by whatever way: what was typed last is written at once.
    const write = () => waiting.current?.write();
    window.addEventListener('pagehide', write);
    return () => {
      window.removeEventListener('pagehide', write);
      write();
      window.clearTimeout(waiting.current?.timer);
    };
  }, []);
  return {
    draft,
    keep: (values: object, base: RecordRow | undefined) => {
      forget();
      const kept = { person, values: values as Record<string, unknown>, base: base ?? null };
      const write = () => {
        waiting.current = undefined;
        keepDraft(sessionStorage, address, kept);
      };
      waiting.current = { write, timer: window.setTimeout(write, KEEP_AFTER_MS) };
    },
    drop: () => {
      forget();
      dropDraft(sessionStorage, address);
      setDraft(undefined);
    },
  };
}
