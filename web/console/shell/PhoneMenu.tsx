import { Button, Drawer } from '@mantine/core';
import { IconPlus } from '#web/ui/icons.ts';
import { TimeZoneButton } from './HeaderTools.tsx';
import { MenuLinks } from './MenuLinks.tsx';
import { PlaceForm } from './PlaceForm.tsx';
import { useSetup } from './use-place.ts';

interface PhoneMenuProps {
  opened: boolean;
  onClose: () => void;
  onAddVertical: () => void;
}

export function PhoneMenu({ opened, onClose, onAddVertical }: PhoneMenuProps) {
  const { organization, permission } = useSetup();
  const runsOrganization = permission?.isOwner || permission?.isSuperAdmin;
  return (
    <Drawer opened={opened} onClose={onClose} title={organization.name} size={300} padding="md">
      <MenuLinks className="drawer-links" label="Pages" onFollow={onClose} />
      {!permission?.bound && <PlaceForm key={String(opened)} onApplied={onClose} />}
      {runsOrganization && (
        <Button
          variant="default"
          fullWidth
          className="drawer-add"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => {
            onClose();
            onAddVertical();
          }}
        >
          Add vertical
        </Button>
      )}
      <div className="drawer-zone">
        <span className="muted small">Reporting time zone</span>
        <TimeZoneButton />
      </div>
    </Drawer>
  );
}
