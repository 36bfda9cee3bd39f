import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { menuGroups } from '../menu-groups.ts';
import { permittedPages } from '../paths.ts';
import { useHelpTrigger } from '../shell/use-help-trigger.ts';
import { usePermissionHere, usePlace, useSetup } from '../shell/use-place.ts';
import './team.css';

/** Account §6: open to everybody who is signed in. */
export function Home() {
  const { user, organization, permission } = useSetup();
  const { region, vertical } = usePlace();
  const permissionHere = usePermissionHere();
  const runsTeam = permission?.isOwner || permission?.isSuperAdmin;
  return (
    <div className="page narrow">
      <title>Home · Sluice</title>
      <div className="page-head">
        <h1>Hello {user.first_name}</h1>
        <span className="muted">{organization.name}</span>
      </div>
      <nav className="card home-links" aria-label="Where to go">
        {vertical &&
          permittedPages(permissionHere).map((page) => (
            <Link key={page.to} to={page.to} params={{ region, vertical }}>
              {page.label}
            </Link>
          ))}
        {vertical &&
          menuGroups(permissionHere?.pageStatePermission ?? {}).map(({ label, route }) => (
            <Link key={label} to="/setup/$region/$vertical/$" params={{ region, vertical, _splat: route }}>
              {label}
            </Link>
          ))}
        {runsTeam && (
          <>
            <Link to="/team">Team</Link>
            <Link to="/organization-edit">Organization</Link>
            <Link to="/preferences">Preferences</Link>
          </>
        )}
        <Link to="/monitor/online-users">Online users</Link>
        <Link to="/change-profile">Profile</Link>
      </nav>
      <Learn />
    </div>
  );
}

/** For who is new to the trade: what it is, in the words that every page uses. */
function Learn() {
  const { session } = useSetup();
  const { props, isLoading, hasFailed } = useHelpTrigger({ id: 'learn', helpSDk: true }, session.helpHost);
  return (
    <section className="card card-pad home-learn" aria-label="Learn the trade">
      <div>
        <strong>New to lead distribution?</strong>
        <p className="muted small">
          {hasFailed
            ? 'The help could not be loaded. Press to try again.'
            : 'How a lead travels, who earns what, and what every word means.'}
        </p>
      </div>
      <Button variant="default" loading={isLoading} {...props}>
        Learn the trade
      </Button>
    </section>
  );
}
