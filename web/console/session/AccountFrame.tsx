import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { HelpButton } from '../shell/HelpButton.tsx';
import { Logo } from '../shell/Logo.tsx';
import { SchemeToggle } from '../shell/SchemeToggle.tsx';
import { turnScreenNumber } from './screen-number.ts';
import { useReloadSignedOut } from './use-reload-signed-out.ts';
import { drawPicture, fieldHeight, fieldWidth } from './water-pattern.ts';
import './sign-in.css';

/** The page around everything that is done before signing in: the numbered water on one side, the task on the other (console §2). */
export function AccountFrame({ title, children }: { title: string; children: ReactNode }) {
  const [number] = useState(turnScreenNumber);
  useReloadSignedOut();
  return (
    <div className="sign-in" data-water={number}>
      <title>{`${title} · Sluice`}</title>
      <WaterPicture number={number} />
      <header className="sign-in-brand">
        <Link to="/" className="sign-in-name">
          <Logo size={34} /> Sluice
        </Link>
        <p className="sign-in-claim">
          Every lead finds its channel, <br />
          and every decision is explained.
        </p>
      </header>
      <main className="sign-in-panel">
        <div className="sign-in-scheme">
          <HelpButton />
          <SchemeToggle />
        </div>
        {children}
      </main>
    </div>
  );
}

export function WaterPicture({ number }: { number: number }) {
  const strokes = useMemo(() => drawPicture(number), [number]);
  return (
    <svg className="water-picture" viewBox={`0 0 ${fieldWidth} ${fieldHeight}`} preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {strokes.map(({ d, weight }) => (
        <path key={d} d={d} className={`water-${weight}`} />
      ))}
    </svg>
  );
}
