import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconArrowLeft } from '#web/ui/icons.ts';
import { usePlaceName, useSetup } from '../shell/use-place.ts';
import { usePlaceIds } from './place-ids.ts';
import '../shell/page-tabs.css';

const TABS = [
  { to: '/setup/$region/$vertical/flow-control', label: 'Flow control' },
  { to: '/setup/$region/$vertical/campaigns', label: 'Campaigns' },
  { to: '/setup/$region/$vertical/publishers', label: 'Publishers' },
  { to: '/setup/$region/$vertical/buyers', label: 'Buyers' },
  { to: '/setup/$region/$vertical/third-party-service', label: 'Services' },
  { to: '/setup/$region/$vertical/contact', label: 'Contacts' },
  { to: '/setup/$region/$vertical/configuration', label: 'Vertical' },
] as const;

/** The frame of the set-up screens: title, second-level tabs, and the way back from a form to its list. */
export function SetUpPage({ title, back, action, children }: { title: string; back?: ReactNode; action?: ReactNode; children: ReactNode }) {
  const { place } = usePlaceIds();
  const placeName = usePlaceName();
  const { permission } = useSetup();
  return (
    <div className="page">
      <title>{`${title} · ${placeName} · Sluice`}</title>
      <div className="page-head">
        <h1>{title}</h1>
        <span className="muted">{placeName}</span>
        {action && <span className="push">{action}</span>}
      </div>
      <nav className="page-tabs no-print" aria-label="Set-up pages">
        {TABS.map((tab) => (
          <Link key={tab.to} to={tab.to} params={place} activeProps={{ 'aria-current': 'page' }}>
            {tab.label}
          </Link>
        ))}
        {(permission?.isOwner || permission?.isSuperAdmin) && (
          <Link to="/change-logs-mgmt" activeProps={{ 'aria-current': 'page' }}>
            Change log
          </Link>
        )}
      </nav>
      {back && <p className="set-up-back">{back}</p>}
      {children}
    </div>
  );
}

export const BackMark = () => <IconArrowLeft size={15} aria-hidden />;
