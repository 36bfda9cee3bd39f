import type { ReactNode } from 'react';
import { SetUpPage } from '../set-up/SetUpPage.tsx';
import { PlaceTabs } from '../shell/PlaceTabs.tsx';

/** The frame of the pages that make a campaign earn more: promotions and A/B tests. */
export function GrowthPage(parts: { title: string; back?: ReactNode; action?: ReactNode; children: ReactNode }) {
  return <SetUpPage {...parts} tabs={<PlaceTabs of="growth" />} />;
}
