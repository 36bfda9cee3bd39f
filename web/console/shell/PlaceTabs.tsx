import { Link } from '@tanstack/react-router';
import { pageCatalogue } from '#contract/page.ts';
import { TabBar } from './TabBar.tsx';
import { usePermissionHere, usePlace } from './use-place.ts';

/** Pages of one vertical that belong together, by their values in the catalogue. */
const sets = { growth: { label: 'Growth pages', pages: ['promotions', 'testing-lab', 'ab-testing'] } } as const;

/** Each tab is there for who may open its page. */
export function PlaceTabs({ of }: { of: keyof typeof sets }) {
  const { region, vertical } = usePlace();
  const permission = usePermissionHere();
  const isOpen = (value: string) => permission?.isOwner || permission?.isSuperAdmin || permission?.pageStatePermission[value];
  const pages = pageCatalogue.filter(({ value }) => sets[of].pages.some((one) => one === value) && isOpen(value));
  return (
    <TabBar label={sets[of].label}>
      {pages.map(({ route, label }) => (
        <Link key={route} to={`/setup/${region}/${vertical}/${route}` as '/'} activeProps={{ 'aria-current': 'page' }}>
          {label}
        </Link>
      ))}
    </TabBar>
  );
}
