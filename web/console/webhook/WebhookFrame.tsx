import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { SetUpPage } from '../set-up/SetUpPage.tsx';
import { SetUpTabs } from '../set-up/SetUpTabs.tsx';
import { TabBar } from '../shell/TabBar.tsx';
import { usePermissionHere } from '../shell/use-place.ts';

interface WebhookFrameProps {
  title: string;
  back?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** The frame of the screens of webhooks, beside posting specifications. */
export function WebhookFrame(props: WebhookFrameProps) {
  const { place } = usePlaceIds();
  return <SetUpPage {...props} tabs={<ApiTabs place={place} />} />;
}

/** Those of the set-up for who has it; for others what the page "API" holds. */
export function ApiTabs({ place }: { place: { region: string; vertical: string } }) {
  if (usePermissionHere()?.pageStatePermission.setup) return <SetUpTabs place={place} />;
  return (
    <TabBar label="API pages">
      <Link
        to="/setup/$region/$vertical/features-api"
        params={place}
        activeOptions={{ exact: true, includeSearch: false }}
        activeProps={{ 'aria-current': 'page' }}
      >
        Posting specifications
      </Link>
      <Link to={'/setup/$region/$vertical/features-api/webhooks' as '/'} params={place as never} activeProps={{ 'aria-current': 'page' }}>
        Webhooks
      </Link>
    </TabBar>
  );
}
