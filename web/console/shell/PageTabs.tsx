import { Link } from '@tanstack/react-router';
import { TabBar } from './TabBar.tsx';

/** Console §2: the owner's screens are second-level tabs; so are those that belong together. */
const sets = {
  organization: {
    label: 'Organization pages',
    tabs: [
      { to: '/team', label: 'Team' },
      { to: '/organization-edit', label: 'Organization' },
      { to: '/preferences', label: 'Preferences' },
      { to: '/regions', label: 'Regions and verticals' },
      { to: '/change-logs-mgmt', label: 'Change log' },
      { to: '/security-log', label: 'Sign-ins and refusals' },
    ],
  },
  home: {
    label: 'Pages of buyers and publishers',
    tabs: [
      { to: '/setup/home-buyer', label: 'Buyers' },
      { to: '/setup/home-publisher', label: 'Publishers' },
    ],
  },
  person: {
    label: 'Your pages',
    tabs: [
      { to: '/change-profile', label: 'Profile' },
      { to: '/change-password', label: 'Password and sessions' },
    ],
  },
} as const;

export function PageTabs({ of }: { of: keyof typeof sets }) {
  const { label, tabs } = sets[of];
  return (
    <TabBar label={label}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} activeProps={{ 'aria-current': 'page' }}>
          {tab.label}
        </Link>
      ))}
    </TabBar>
  );
}
