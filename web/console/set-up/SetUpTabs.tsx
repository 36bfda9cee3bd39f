import { Link, useLocation } from '@tanstack/react-router';
import { RequestsTab } from '../change-request/RequestsTab.tsx';
import { TabBar } from '../shell/TabBar.tsx';
import { usePermissionHere, useSetup } from '../shell/use-place.ts';
import { setUpArea } from './set-up-area.ts';

const TABS = [
  { to: '/setup/$region/$vertical/flow-control', label: 'Flow control' },
  { to: '/setup/$region/$vertical/campaigns', label: 'Campaigns' },
  { to: '/setup/$region/$vertical/publishers', label: 'Publishers' },
  { to: '/setup/$region/$vertical/buyers', label: 'Buyers' },
  { to: '/setup/$region/$vertical/third-party-service', label: 'Services' },
  { to: '/setup/$region/$vertical/contact', label: 'Contacts' },
  { to: '/setup/$region/$vertical/cards', label: 'Cards' },
  { to: '/setup/$region/$vertical/configuration', label: 'Vertical' },
] as const;

/** The second-level tabs of the set-up area. The change log lies outside of it, and is told the way back. */
export function SetUpTabs({ place, back }: { place: { region: string; vertical: string }; back?: string }) {
  const { pathname, search } = useLocation();
  const area = setUpArea(pathname, search);
  const { permission } = useSetup();
  const here = usePermissionHere();
  const mayApi = here?.pageStatePermission['features-api'];
  return (
    <TabBar label="Set-up pages">
      {TABS.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          params={place}
          activeProps={{ 'aria-current': 'page' }}
          {...(tab.label === area && { 'aria-current': 'page' as const })}
        >
          {tab.label}
        </Link>
      ))}
      {here?.pageStatePermission.setup && <RequestsTab place={place} />}
      {mayApi && (
        <>
          <Link
            to="/setup/$region/$vertical/features-api"
            params={place}
            activeOptions={{ exact: true, includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
          >
            API
          </Link>
          <Link to="/setup/$region/$vertical/features-api/webhooks" params={place} activeProps={{ 'aria-current': 'page' }}>
            Webhooks
          </Link>
        </>
      )}
      {(permission?.isOwner || permission?.isSuperAdmin) && (
        <Link
          to="/change-logs-mgmt"
          search={{ back: back ?? pathname } as never}
          activeOptions={{ includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          Change log
        </Link>
      )}
    </TabBar>
  );
}
