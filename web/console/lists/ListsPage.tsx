import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { pageCatalogue } from '#contract/page.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { TabBar } from '../shell/TabBar.tsx';
import { usePermissionHere, usePlaceName } from '../shell/use-place.ts';
import './lists.css';

const TABS: { page: string; label: string; route?: string }[] = [
  { page: 'dataMgmt-Configuration', label: 'Suppression lists' },
  { page: 'dataMgmt-Inbound', label: 'Imports' },
  { page: 'dataMgmt-Outbound', label: 'Exports' },
  { page: 'dataMgmt-Outbound', label: 'Feeds', route: 'data-mgmt/outbound/feeds' },
  { page: 'Bank-Mgmt', label: 'Banks' },
  { page: 'bin-mgmt', label: 'BIN ranges' },
  { page: 'bin-lookup', label: 'BIN look-up' },
  { page: 'dataMgmt-Configuration', label: 'Retention', route: 'data-mgmt/configuration/retention' },
];

/** The pages of the tabs that may be opened here. */
function useTabs() {
  const allowed = usePermissionHere()?.pageStatePermission ?? {};
  return TABS.filter(({ page }) => allowed[page]).map(({ page, label, route }) => ({
    label,
    route: route ?? pageCatalogue.find(({ value }) => value === page)!.route,
  }));
}

interface ListsPageProps {
  title: string;
  /** What it holds for, where that is not all verticals. */
  reach?: string;
  back?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** The frame of the screens of lists, banks and BIN ranges; only what may be opened has a tab. */
export function ListsPage({ title, reach = 'For all verticals', back, action, children }: ListsPageProps) {
  const { place } = usePlaceIds();
  const placeName = usePlaceName();
  const tabs = useTabs();
  const { pathname } = useLocation();
  // The look-up lies below BIN ranges, feeds below exports: the longest route is the one.
  const under = tabs.filter(({ route }) => `${pathname}/`.includes(`/${route}/`));
  const current = under.toSorted((a, b) => b.route.length - a.route.length)[0]?.route;
  return (
    <div className="page">
      <title>{`${title} · ${placeName} · Sluice`}</title>
      <div className="page-head">
        <h1>{title}</h1>
        <span className="muted">{reach}</span>
        {action && <span className="push row">{action}</span>}
      </div>
      <TabBar label="List pages">
        {tabs.map(({ route, label }) => (
          <Link
            key={route}
            to="/setup/$region/$vertical/$"
            params={{ ...place, _splat: route }}
            activeOptions={{ exact: true }}
            activeProps={{}}
            {...(route === current && { 'aria-current': 'page' as const })}
          >
            {label}
          </Link>
        ))}
      </TabBar>
      {back && <p className="set-up-back">{back}</p>}
      {children}
    </div>
  );
}
