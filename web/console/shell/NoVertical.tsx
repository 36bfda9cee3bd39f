import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { EmptyState, SkeletonLines } from '#web/ui/states.tsx';

const FirstSetUp = lazy(() => import('../first-steps/FirstSetUp.tsx').then((module) => ({ default: module.FirstSetUp })));

const route = getRouteApi('/framed/setup/$region/no-vertical');

export function NoVertical() {
  const { region } = route.useParams();
  const { places, permission } = route.useRouteContext();
  const isOwner = permission?.isOwner === true || permission?.isSuperAdmin === true;
  const name = places.regions.find((one) => one.slug === region)?.name;
  return (
    <div className="page">
      <title>{['No vertical', name, 'Sluice'].filter(Boolean).join(' · ')}</title>
      <div className="page-head">
        <h1>{isOwner ? 'First set-up' : (name ?? 'No region')}</h1>
        {isOwner && name && <span className="muted">{name}</span>}
        {isOwner && (
          <Link to="/team" className="link small push">
            Invite your team
          </Link>
        )}
      </div>
      {isOwner ? (
        <Suspense fallback={<SkeletonLines count={6} height={30} />}>
          <FirstSetUp region={places.regions.find((one) => one.slug === region)} />
        </Suspense>
      ) : (
        <div className="card">
          <EmptyState title="No verticals found.">
            {name
              ? `You see no vertical of ${name} yet. Choose another region above, or ask the owner of your organization for access.`
              : 'You see no region yet. Ask the owner of your organization for access.'}
          </EmptyState>
        </div>
      )}
    </div>
  );
}
