import { Link, useLocation } from '@tanstack/react-router';
import type { Place } from '../api/lead.ts';
import { TabBar } from '../shell/TabBar.tsx';
import { usePermissionHere } from '../shell/use-place.ts';
import { REPORT_TABS } from './report-names.ts';
import type { ReportSearch } from './report-search.ts';

/** The pages of the group that may be opened here; the span goes along from report to report. */
export function ReportTabs({ place, span = {} }: { place: Place; span?: Pick<ReportSearch, 'period' | 'from' | 'to'> }) {
  const allowed = usePermissionHere()?.pageStatePermission ?? {};
  const { pathname } = useLocation();
  const { period, from, to } = span;
  return (
    <TabBar label="Reports">
      {REPORT_TABS.filter(({ page }) => allowed[page]).map(({ route, label }) => (
        <Link
          key={route}
          to="/setup/$region/$vertical/$"
          params={{ ...place, _splat: route }}
          search={{ ...(period && { period }), ...(from && { from }), ...(to && { to }) } as never}
          activeProps={{}}
          {...(`${pathname}/`.includes(`/${route}/`) && { 'aria-current': 'page' as const })}
        >
          {label}
        </Link>
      ))}
    </TabBar>
  );
}
