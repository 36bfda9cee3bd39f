import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { PUBLISHER_DAY_WORDS } from '#contract/day-words.ts';
import type { PublisherDay } from '#contract/home.ts';
import { formatCount, formatRate } from '#web/ui/format.ts';
import { MoneyText, useReporting } from '#web/ui/reporting.tsx';
import { homeQuery } from '../api/home.ts';
import { Portal } from '../portal/LazyPortal.tsx';
import { useSetup } from '../shell/use-place.ts';
import { type HomeColumn, HomePage } from './HomePage.tsx';

const route = getRouteApi('/framed/setup/home-publisher');

const columns: readonly HomeColumn<PublisherDay>[] = [
  { field: 'leads', head: PUBLISHER_DAY_WORDS.leads, cell: (day) => formatCount(day.leads) },
  { field: 'soldShare', head: PUBLISHER_DAY_WORDS.soldShare, cell: (day) => formatRate(day.sold, day.leads) },
  {
    field: 'refused',
    head: PUBLISHER_DAY_WORDS.refused,
    cell: (day) => formatCount(day.refused),
    tone: (day) => (day.refused > 0 ? 'warn' : 'muted'),
  },
  { field: 'payout', head: PUBLISHER_DAY_WORDS.payout, cell: (day) => <MoneyText amount={day.payout} faint /> },
  { field: 'revenue', head: PUBLISHER_DAY_WORDS.revenue, cell: (day) => <MoneyText amount={day.revenue} faint /> },
];

/** home-publisher: the publishers with their health today. */
export function PublisherHome() {
  const { permission } = useSetup();
  return permission?.bound ? <Portal kind="publisher" /> : <PublisherHomeList />;
}

function PublisherHomeList() {
  const search = route.useSearch();
  const { zone } = useReporting();
  const answer = useQuery(homeQuery('publishers', search, zone));
  return <HomePage of="publisher" columns={columns} search={search} answer={answer} leadsOf={(tier) => ({ publisherTierId: tier })} />;
}
