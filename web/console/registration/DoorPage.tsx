/** The pages in front of the sign-in that have a form of their own: as AccountFrame, with a heading and toasts. */
import type { ReactNode } from 'react';
import { ToastRegion } from '#web/ui/ToastRegion.tsx';
import { AccountFrame } from '../session/AccountFrame.tsx';
import './door.css';

export function DoorPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <AccountFrame title={title}>
      <div className="door">
        <h1>{title}</h1>
        {children}
      </div>
      <ToastRegion />
    </AccountFrame>
  );
}
