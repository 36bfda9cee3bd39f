import { ActionIcon } from '@mantine/core';
import type { SessionView } from '#contract/session.ts';
import { IconChevronDown, IconKeyboard, IconPlus, IconSearch, IconWorld } from '#web/ui/icons.ts';
import { LazyMenu } from '#web/ui/LazyMenu.tsx';
import { timeZoneLabel } from '#web/ui/zone.ts';
import { useTimeZone } from '../time-zone.ts';
import { quickViewKeys } from './quick-view-keys.ts';
import { useSetup } from './use-place.ts';

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

const fetchTimeZoneMenu = () => import('./TimeZoneMenu.tsx').then((module) => module.TimeZoneMenu);

export function TimeZoneButton() {
  const zone = useTimeZone();
  return (
    <LazyMenu fetchMenu={fetchTimeZoneMenu}>
      <button type="button" className="header-button" aria-label={`Reporting time zone: ${timeZoneLabel[zone]}`}>
        <IconWorld size={17} aria-hidden />
        {timeZoneLabel[zone]}
        <IconChevronDown size={14} aria-hidden />
      </button>
    </LazyMenu>
  );
}

type User = NonNullable<SessionView['user']>;
export const nameOfUser = ({ first_name, last_name, email }: User): string => `${first_name} ${last_name}`.trim() || email;

const fetchUserMenu = () => import('./UserMenu.tsx').then((module) => module.UserMenu);

export function UserButton() {
  const { user } = useSetup();
  const initials = `${user.first_name.charAt(0)}${user.last_name.charAt(0)}` || user.email.charAt(0);
  return (
    <LazyMenu fetchMenu={fetchUserMenu}>
      <button type="button" className="avatar-button">
        <span aria-hidden="true">{initials.toUpperCase()}</span>
        <span className="sr-only">Account of {nameOfUser(user)}</span>
      </button>
    </LazyMenu>
  );
}
