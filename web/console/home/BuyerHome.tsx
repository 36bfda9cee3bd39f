import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { BUYER_DAY_WORDS } from '#contract/day-words.ts';
import type { BuyerDay } from '#contract/home.ts';
import { formatCount, formatElapsed, formatRate } from '#web/ui/format.ts';
import { MoneyText, useReporting } from '#web/ui/reporting.tsx';
import { homeQuery } from '../api/home.ts';
import { Portal } from '../portal/LazyPortal.tsx';
import { useSetup } from '../shell/use-place.ts';
import { type HomeColumn, HomePage } from './HomePage.tsx';

const route = getRouteApi('/framed/setup/home-buyer');

const columns: readonly HomeColumn<BuyerDay>[] = [
  { field: 'attempts', head: BUYER_DAY_WORDS.attempts, cell: (day) => formatCount(day.attempts) },
  { field: 'soldShare', head: BUYER_DAY_WORDS.soldShare, cell: (day) => formatRate(day.sold, day.attempts) },
  { field: 'revenue', head: BUYER_DAY_WORDS.revenue, cell: (day) => <MoneyText amount={day.revenue} faint /> },
  {
    field: 'timeouts',
    head: BUYER_DAY_WORDS.timeouts,
    cell: (day) => formatCount(day.timeouts),
    tone: (day) => (day.timeouts > 0 ? 'warn' : 'muted'),
  },
  {
    field: 'terrors',
    head: BUYER_DAY_WORDS.terrors,
    cell: (day) => formatCount(day.terrors),
    tone: (day) => (day.terrors > 0 ? 'bad' : 'muted'),
  },
  { field: 'p50Ms', head: BUYER_DAY_WORDS.p50Ms, cell: (day) => (day.p50Ms === null ? '–' : formatElapsed(day.p50Ms)) },
];

/** home-buyer: the buyers with their health today. */
export function BuyerHome() {
  const { permission } = useSetup();
  return permission?.bound ? <Portal kind="buyer" /> : <BuyerHomeList />;
}

function BuyerHomeList() {
  const search = route.useSearch();
  const { zone } = useReporting();
  const answer = useQuery(homeQuery('buyers', search, zone));
  return <HomePage of="buyer" columns={columns} search={search} answer={answer} leadsOf={(tier) => ({ buyerTierId: tier })} />;
}
