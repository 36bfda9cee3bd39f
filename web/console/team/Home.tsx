import { Link } from '@tanstack/react-router';
import { menuGroups } from '../menu-groups.ts';
import { permittedPages } from '../paths.ts';
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
    </div>
  );
}
