import type { ReactNode } from 'react';
import { ReportTabs } from '../report/ReportTabs.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { SetUpPage } from '../set-up/SetUpPage.tsx';

/** The frame of the report, so that the way back is the tab beside. */
export function PaymentFrame(props: { title: string; back?: ReactNode; beside?: ReactNode; action?: ReactNode; children: ReactNode }) {
  const { place } = usePlaceIds();
  return <SetUpPage {...props} tabs={<ReportTabs place={place} />} />;
}
