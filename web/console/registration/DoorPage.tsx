/** The look of the pages in front of the sign-in: water on one side, the form on the other. */
import { type ReactNode, useMemo, useState } from 'react';
import { ToastRegion } from '#web/ui/ToastRegion.tsx';
import { turnScreenNumber } from '../session/screen-number.ts';
import { drawPicture, fieldHeight, fieldWidth } from '../session/water-pattern.ts';
import { Logo } from '../shell/Logo.tsx';
import { SchemeToggle } from '../shell/SchemeToggle.tsx';
import '../session/sign-in.css';
import './door.css';

export function DoorPage({ title, children }: { title: string; children: ReactNode }) {
  const [number] = useState(turnScreenNumber);
  const strokes = useMemo(() => drawPicture(number), [number]);
  return (
    <div className="sign-in door" data-water={number}>
      <title>{`${title} · Sluice`}</title>
      <svg className="water-picture" viewBox={`0 0 ${fieldWidth} ${fieldHeight}`} preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        {strokes.map(({ d, weight }) => (
          <path key={d} d={d} className={`water-${weight}`} />
        ))}
      </svg>
      <header className="sign-in-brand">
        <p className="sign-in-name">
          <Logo size={34} /> Sluice
        </p>
        <p className="sign-in-claim">
          Every lead finds its channel, <br />
          and every decision is explained.
        </p>
      </header>
      <main className="sign-in-panel">
        <div className="sign-in-scheme">
          <SchemeToggle />
        </div>
        <h1>{title}</h1>
        {children}
      </main>
      <ToastRegion />
    </div>
  );
}
