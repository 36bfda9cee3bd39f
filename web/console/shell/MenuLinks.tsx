import { Link } from '@tanstack/react-router';
import { permittedPages } from '../paths.ts';
import { usePlaceChoice, useSetup } from './use-place.ts';

export function MenuLinks({ className, label, onFollow }: { className: string; label: string; onFollow?: () => void }) {
  const { region, vertical } = usePlaceChoice();
  const pages = permittedPages(useSetup().permission);
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
