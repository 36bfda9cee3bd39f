import { getRouteApi, Link } from '@tanstack/react-router';
import { EmptyState } from '#web/ui/states.tsx';

const route = getRouteApi('/framed/setup/$region/no-vertical');

export function NoVertical() {
  const { region } = route.useParams();
  const { places, permission } = route.useRouteContext();
  const isOwner = permission?.isOwner ?? false;
  const name = places.regions.find((one) => one.slug === region)?.name;
  return (
    <div className="page">
      <title>{['No vertical', name, 'Sluice'].filter(Boolean).join(' · ')}</title>
      <div className="page-head">
        <h1>{name ?? 'No region'}</h1>
      </div>
      <div className="card">
        <EmptyState
          title="No verticals found."
          action={
            isOwner && (
              <span className="row">
                <Link to="/team" className="link">
                  Invite your team
                </Link>
                <Link to="/organization-edit" className="link">
                  Complete the organization
                </Link>
              </span>
            )
          }
        >
          {isOwner
            ? 'Your organization has no vertical here yet. It works in regions and verticals: until the first one stands, invite your team and complete the organization.'
            : name
              ? `You see no vertical of ${name} yet. Choose another region above, or ask the owner of your organization for access.`
              : 'You see no region yet. Ask the owner of your organization for access.'}
        </EmptyState>
      </div>
    </div>
  );
}
