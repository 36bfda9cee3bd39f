import { Menu } from '@mantine/core';
import { cloneElement } from 'react';
import type { MenuProps } from '#web/ui/LazyMenu.tsx';
import { useOpenedAtOnce } from '#web/ui/use-opened-at-once.ts';
import { timeZoneLabel, timeZonePlace, timeZones } from '#web/ui/zone.ts';
import { useChooseTimeZone, useTimeZone } from '../time-zone.ts';
import { useSetup } from './use-place.ts';

export function TimeZoneMenu({ children }: MenuProps) {
  const zone = useTimeZone();
  const { user } = useSetup();
  const choose = useChooseTimeZone(user._id);
  const { button, ...menu } = useOpenedAtOnce();
  return (
    <Menu {...menu} position="bottom-end" width={210} withInitialFocusPlaceholder={false}>
      <Menu.Target>{cloneElement(children, { ref: button })}</Menu.Target>
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
