import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { Factor } from '#contract/error.ts';
import { onProofNeeded } from '../api/client.ts';

const ProofDialog = lazy(() => import('./ProofDialog.tsx').then((module) => ({ default: module.ProofDialog })));

interface Asked {
  needs: readonly Factor[];
  answer: (proven: boolean) => void;
}

/** Asks for a fresh proof where a call was refused for want of one, and lets the call go on or end. */
export function ProofWatch() {
  const [asked, setAsked] = useState<Asked>();
  const waiting = useRef<Asked['answer']>(undefined);
  useEffect(() => {
    const stop = onProofNeeded(
      (needs) =>
        new Promise((answer) => {
          waiting.current = answer;
          setAsked({ needs, answer });
        }),
    );
    return () => {
      stop();
      // Nobody is there to give it any more: the call ends, and later ones ask anew.
      waiting.current?.(false);
    };
  }, []);
  if (!asked) return null;
  const end = (proven: boolean) => {
    setAsked(undefined);
    asked.answer(proven);
  };
  return (
    <Suspense>
      <ProofDialog needs={asked.needs} onProven={() => end(true)} onClose={() => end(false)} />
    </Suspense>
  );
}
