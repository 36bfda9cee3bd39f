import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import {
  IconArrowRight,
  IconBuilding,
  IconChevronDown,
  IconKeyboard,
  IconLock,
  IconLogout,
  IconPlus,
  IconSearch,
  IconSettings,
  IconUser,
  IconUsers,
  IconUsersGroup,
  IconWorld,
} from '#web/ui/icons.ts';
import { toast } from '#web/ui/toast.ts';
import { timeZoneLabel, timeZonePlace, timeZones } from '#web/ui/zone.ts';
import { chooseOrganization } from '../api/account.ts';
import { refusalText } from '../message.ts';
import { useChooseTimeZone, useTimeZone } from '../time-zone.ts';
import { quickViewKeys } from './quick-view-keys.ts';
import { useSetup } from './use-place.ts';
import { useSignOut } from './use-sign-out.ts';

export function ShortcutsButton({ onOpen }: { onOpen: () => void }) {
  return (
    <ActionIcon
      variant="transparent"
      className="header-icon"
      size={32}
      aria-label="Keyboard shortcuts"
      title="Keyboard shortcuts (?)"
      onClick={onOpen}
    >
      <IconKeyboard size={19} />
    </ActionIcon>
  );
}

/** Console §2: the way to the quick view for who does not know its keys, and the place where they stand. */
export function QuickViewButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      className="header-button quick-view-button"
      aria-keyshortcuts="Alt+P"
      title={`Quick view (${quickViewKeys})`}
      onClick={onOpen}
    >
      <IconSearch size={17} aria-hidden />
      <span className="quick-view-word">Quick view</span>
      <kbd>{quickViewKeys}</kbd>
    </button>
  );
}

/** Console §2: the header's add-vertical action, for who runs the organization. */
export function AddVerticalButton({ onOpen }: { onOpen: () => void }) {
  return (
    <ActionIcon variant="transparent" className="header-icon" size={32} aria-label="Add vertical" title="Add vertical" onClick={onOpen}>
      <IconPlus size={18} />
    </ActionIcon>
  );
}

export function TimeZoneMenu() {
  const zone = useTimeZone();
  const { user } = useSetup();
  const choose = useChooseTimeZone(user._id);
  return (
    <Menu position="bottom-end" width={210} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className="header-button" aria-label={`Reporting time zone: ${timeZoneLabel[zone]}`}>
          <IconWorld size={17} aria-hidden />
          {timeZoneLabel[zone]}
          <IconChevronDown size={14} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown aria-label="Reporting time zone">
        <Menu.RadioGroup value={zone} onChange={(next) => void choose(timeZones.find((one) => one === next) ?? 'UTC')}>
          {timeZones.map((one) => (
            <Menu.RadioItem key={one} value={one} closeMenuOnClick>
              <strong>{timeZoneLabel[one]}</strong> <span className="muted">{timeZonePlace[one]}</span>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

export function UserMenu() {
  const { user, organization, permission } = useSetup();
  const runsTeam = permission?.isOwner || permission?.isSuperAdmin;
  const signOut = useSignOut();
  const name = `${user.first_name} ${user.last_name}`.trim() || user.email;
  const initials = `${user.first_name.charAt(0)}${user.last_name.charAt(0)}` || user.email.charAt(0);
  return (
    <Menu position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className="avatar-button">
          <span aria-hidden="true">{initials.toUpperCase()}</span>
          <span className="sr-only">Account of {name}</span>
        </button>
      </Menu.Target>
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
        <Menu.Item component={Link} to="/monitor/online-users" leftSection={<IconUsers size={16} aria-hidden />}>
          Online users
        </Menu.Item>
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
