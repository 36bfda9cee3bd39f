import { Link, useRouterState } from '@tanstack/react-router';
import { pageValues } from '../guard.ts';
import { groupOf, menuGroups } from '../menu-groups.ts';
import { pageOfPath } from '../page-in-vertical.ts';
import { permittedPages } from '../paths.ts';
import { usePermissionHere, usePlace } from './use-place.ts';

export function MenuLinks({ className, label, onFollow }: { className: string; label: string; onFollow?: () => void }) {
  const { region, vertical } = usePlace();
  const permission = usePermissionHere();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const open = pageValues((pageOfPath(path) ?? '').split('/'));
  const isSetUp = open.includes('setup');
  // Leads are open to who has any of the pages that lead to them, and stand in no group.
  const openGroup = /^leads(\/|$)/.test(pageOfPath(path) ?? '') ? undefined : groupOf(open);
  if (!vertical) return null;
  return (
    <nav className={className} aria-label={label}>
      {permittedPages(permission).map((page) => (
        <Link
          key={page.to}
          to={page.to}
          params={{ region, vertical }}
          activeProps={{ 'data-active': true }}
          {...(page.label === 'Set-up' && isSetUp && { 'data-active': true })}
          onClick={onFollow}
        >
          {page.label}
        </Link>
      ))}
      {menuGroups(permission?.pageStatePermission ?? {}).map(({ label: group, route }) => (
        <Link
          key={group}
          to="/setup/$region/$vertical/$"
          params={{ region, vertical, _splat: route }}
          activeProps={{ 'data-active': true }}
          {...(group === openGroup && { 'data-active': true })}
          onClick={onFollow}
        >
          {group}
        </Link>
      ))}
    </nav>
  );
}
