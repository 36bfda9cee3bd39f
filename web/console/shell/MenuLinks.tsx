import { Link } from '@tanstack/react-router';
import { type MenuPage, menu } from '../paths.ts';
import { usePlaceChoice, useSetup } from './use-place.ts';

export function MenuLinks({ className, label, onFollow }: { className: string; label: string; onFollow?: () => void }) {
  const { region, vertical } = usePlaceChoice();
  const pages = usePermittedPages();
  if (!vertical) return null;
  return (
    <nav className={className} aria-label={label}>
      {pages.map((page) => (
        <Link key={page.to} to={page.to} params={{ region, vertical }} activeProps={{ 'data-active': true }} onClick={onFollow}>
          {page.label}
        </Link>
      ))}
    </nav>
  );
}

/** Owners and super admins see all; for the others a page may be switched off. The server decides again at every call. */
function usePermittedPages(): MenuPage[] {
  const { permission } = useSetup();
  if (!permission || permission.isOwner || permission.isSuperAdmin) return [...menu];
  return menu.filter(({ page }) => page === null || permission.pageStatePermission[page] !== false);
}
