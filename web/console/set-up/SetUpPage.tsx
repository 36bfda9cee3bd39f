import type { ReactNode } from 'react';
import { IconArrowLeft } from '#web/ui/icons.ts';
import { usePlaceName } from '../shell/use-place.ts';
import { usePlaceIds } from './place-ids.ts';
import { SetUpTabs } from './SetUpTabs.tsx';

interface SetUpPageProps {
  title: string;
  /** Instead of those of the set-up area. */
  tabs?: ReactNode;
  back?: ReactNode;
  /** Beside the title. */
  beside?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** The frame of the set-up screens: title, second-level tabs, and the way back from a form to its list. */
export function SetUpPage({ title, tabs, back, beside, action, children }: SetUpPageProps) {
  const { place } = usePlaceIds();
  const placeName = usePlaceName();
  return (
    <div className="page">
      <title>{`${title} · ${placeName} · Sluice`}</title>
      <div className="page-head">
        <h1>{title}</h1>
        <span className="muted">{placeName}</span>
        {beside}
        {action && <span className="push">{action}</span>}
      </div>
      {tabs ?? <SetUpTabs place={place} />}
      {back && <p className="set-up-back">{back}</p>}
      {children}
    </div>
  );
}

export const BackMark = () => <IconArrowLeft size={15} aria-hidden />;
