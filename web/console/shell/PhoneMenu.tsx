import { Drawer } from '@mantine/core';
import { TimeZoneMenu } from './HeaderTools.tsx';
import { MenuLinks } from './MenuLinks.tsx';
import { PlaceForm } from './PlaceSelects.tsx';
import { useSetup } from './use-place.ts';

export function PhoneMenu({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { organization } = useSetup();
  return (
    <Drawer opened={opened} onClose={onClose} title={organization.name} size={300} padding="md">
      <MenuLinks className="drawer-links" label="Pages" onFollow={onClose} />
      <PlaceForm key={String(opened)} onApplied={onClose} />
      <div className="drawer-zone">
        <span className="muted small">Reporting time zone</span>
        <TimeZoneMenu />
      </div>
    </Drawer>
  );
}
