import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { cloneElement } from 'react';
import {
  IconArrowRight,
  IconBook,
  IconBuilding,
  IconHeartbeat,
  IconLock,
  IconLogout,
  IconSettings,
  IconUser,
  IconUsers,
  IconUsersGroup,
  IconWorld,
} from '#web/ui/icons.ts';
import type { MenuProps } from '#web/ui/LazyMenu.tsx';
import { toast } from '#web/ui/toast.ts';
import { useOpenedAtOnce } from '#web/ui/use-opened-at-once.ts';
import { chooseOrganization } from '../api/account.ts';
import { refusalText } from '../message.ts';
import { nameOfUser } from './HeaderTools.tsx';
import { switchHeaderText, useHeaderText } from './header-text.ts';
import { useSetup } from './use-place.ts';
import { useSignOut } from './use-sign-out.ts';

export function UserMenu({ children }: MenuProps) {
  const { user, organization, permission } = useSetup();
  const runsTeam = permission?.isOwner || permission?.isSuperAdmin;
  const signOut = useSignOut();
  const name = nameOfUser(user);
  const hasText = useHeaderText();
  const { button, ...menu } = useOpenedAtOnce();
  return (
    <Menu {...menu} position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
      <Menu.Target>{cloneElement(children, { ref: button })}</Menu.Target>
      <Menu.Dropdown aria-label={`Account of ${name}`}>
        <div className="user-card" role="presentation">
          <strong>{name}</strong>
          <span className="muted small">{user.email}</span>
          <span className="muted small">{organization.name}</span>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to="/change-profile" leftSection={<IconUser size={16} aria-hidden />}>
          Profile
        </Menu.Item>
        <Menu.Item component={Link} to="/change-password" leftSection={<IconLock size={16} aria-hidden />}>
          Password and sessions
        </Menu.Item>
        {!permission?.bound && (
          <Menu.Item component={Link} to="/monitor/online-users" leftSection={<IconUsers size={16} aria-hidden />}>
            Online users
          </Menu.Item>
        )}
        {runsTeam && (
          <>
            <Menu.Item component={Link} to="/team" leftSection={<IconUsersGroup size={16} aria-hidden />}>
              Team
            </Menu.Item>
            <Menu.Item component={Link} to="/organization-edit" leftSection={<IconBuilding size={16} aria-hidden />}>
              Organization
            </Menu.Item>
            <Menu.Item component={Link} to="/preferences" leftSection={<IconSettings size={16} aria-hidden />}>
              Preferences
            </Menu.Item>
            <Menu.Item component={Link} to="/regions" leftSection={<IconWorld size={16} aria-hidden />}>
              Regions and verticals
            </Menu.Item>
          </>
        )}
        {permission?.isSuperAdmin && (
          <>
            <Menu.Item component={Link} to="/help-content" leftSection={<IconBook size={16} aria-hidden />}>
              Help content
            </Menu.Item>
            <Menu.Item component={Link} to="/installation-health" leftSection={<IconHeartbeat size={16} aria-hidden />}>
              Installation health
            </Menu.Item>
          </>
        )}
        <Menu.CheckboxItem className="words-item" checked={hasText} onChange={switchHeaderText}>
          Words in the header
        </Menu.CheckboxItem>
        <OtherOrganizations />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Somebody on several teams goes to another one; it opens at its own sub-domain. */
function OtherOrganizations() {
  const { session, organization } = useSetup();
  const others = session.organizations.filter((one) => one._id !== organization._id).slice(0, othersShown);
  if (others.length === 0) return null;
  const change = async (id: string) => {
    try {
      const { redirectUrl } = await chooseOrganization(id);
      if (redirectUrl) window.location.assign(redirectUrl);
      else window.location.reload();
    } catch (error) {
      void toast('error', refusalText(error, 'organizationNotOpened'));
    }
  };
  return (
    <>
      <Menu.Divider />
      {others.map(({ _id, name }) => (
        <Menu.Item key={_id} leftSection={<IconArrowRight size={16} aria-hidden />} onClick={() => void change(_id)}>
          Open {name}
        </Menu.Item>
      ))}
    </>
  );
}

const othersShown = 12;
