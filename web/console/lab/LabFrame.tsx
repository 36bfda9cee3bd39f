import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { BackMark, SetUpPage } from '../set-up/SetUpPage.tsx';
import { PlaceTabs } from '../shell/PlaceTabs.tsx';
import { type LabTab, labPath } from './lab-path.ts';
import './lab.css';

const tabs: readonly { path: LabTab; label: string }[] = [
  { path: '', label: 'Send a lead' },
  { path: '/samples', label: 'Sample leads' },
  { path: '/replay', label: 'Replay' },
  { path: '/eligibility', label: 'Eligibility' },
];

interface LabFrameProps {
  title: string;
  tab: LabTab;
  /** A page below the tab's own: with the way back to it. */
  isInner?: boolean;
  action?: ReactNode;
  children: ReactNode;
}

/** The pages of the testing lab, as tabs beside each other. */
export function LabFrame({ title, tab, isInner = false, action, children }: LabFrameProps) {
  const { place } = usePlaceIds();
  const here = tabs.find(({ path }) => path === tab)!;
  return (
    <SetUpPage
      title={title}
      tabs={
        <>
          <PlaceTabs of="growth" />
          <nav className="lab-tabs no-print" aria-label="Testing lab">
            {tabs.map(({ path, label }) => (
              <Link
                key={path}
                to={labPath(place, path) as '/'}
                activeOptions={{ exact: true }}
                activeProps={{}}
                {...(path === tab && { 'aria-current': 'page' as const })}
              >
                {label}
              </Link>
            ))}
          </nav>
        </>
      }
      back={
        isInner && (
          <Link to={labPath(place, tab) as '/'} className="link row">
            <BackMark /> {here.label}
          </Link>
        )
      }
      action={action}
    >
      {children}
    </SetUpPage>
  );
}
