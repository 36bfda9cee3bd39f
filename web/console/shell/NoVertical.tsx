import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '#web/ui/states.tsx';

const route = getRouteApi('/setup/$region');

export function NoVertical() {
  const { region } = route.useParams();
  const { places } = route.useRouteContext();
  const name = places.regions.find((one) => one.slug === region)?.name;
  return (
    <div className="page">
      <title>No vertical · Sluice</title>
      <div className="page-head">
        <h1>{name ?? 'No region'}</h1>
      </div>
      <div className="card">
        <EmptyState title="No verticals found.">
          {name
            ? `You see no vertical of ${name} yet. Choose another region above, or ask the owner of your organization for access.`
            : 'You see no region yet. Ask the owner of your organization for access.'}
        </EmptyState>
      </div>
    </div>
  );
}
