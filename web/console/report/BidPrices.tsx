import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { BidPriceAnswer } from '#contract/report.ts';
import { BID_PRICE_WORDS, DIMENSION_WORDS } from '#contract/report-words.ts';
import { CsvButton } from '#web/ui/FileTools.tsx';
import { formatCount, formatRate } from '#web/ui/format.ts';
import { MoneyText, useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, NotRefreshed, SkeletonLines } from '#web/ui/states.tsx';
import type { Place } from '../api/lead.ts';
import { reportQuery } from '../api/report.ts';
import { downloadCsv } from '../download-csv.ts';
import { useMayReadLeads } from '../shell/use-place.ts';
import { leadsBehind } from './leads-behind.ts';
import { type FilterName, filterNames, type ReportSearch, toReportQuery } from './report-search.ts';
import '#web/ui/stacking-table.css';

const TITLE = 'Bids and prices';

interface BidPricesProps {
  place: Place;
  search: ReportSearch;
  /** Those that the report knows. */
  filters: readonly FilterName[];
}

/** Buyer tiers that bought at another price than they had bid; asked for by itself, after the report that it stands in. */
export function BidPrices({ place, search, filters }: BidPricesProps) {
  const { zone } = useReporting();
  // By what the report is told apart, and how finely, is all the same here; what it is not narrowed to the leads behind it are not.
  const { by: _, unit: __, ...others } = search;
  const without = filterNames.filter((name) => !filters.includes(name)).map((name) => [name, undefined]);
  const narrowed: ReportSearch = { ...others, ...Object.fromEntries(without) };
  const query = useQuery(reportQuery('bid-prices', { place, search: narrowed, filters, zone }));
  const { data, isPlaceholderData } = query;
  const save = () => downloadCsv('report-bid-prices', { ...toReportQuery(place, narrowed, { filters }, zone, Date.now()), columns: '' });
  return (
    <section className="card report-table-card" aria-label={TITLE} aria-busy={query.isFetching}>
      <header>
        <h2>{TITLE}</h2>
        <span className="muted small">
          {data && data.total.otherPrice > 0 && 'Buyer tiers that bought at another price than they had bid'}
        </span>
        {data && data.tiers.length > 0 && <CsvButton isPushed onSave={save} label={`CSV of ${TITLE.toLowerCase()}`} />}
      </header>
      {data ? (
        <div className="prices-body" data-stale={isPlaceholderData || undefined}>
          <NotRefreshed query={{ isRefetchError: query.isError, error: query.error }} />
          <Prices answer={data} {...{ place, search: narrowed }} />
        </div>
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className="card-body">
          <SkeletonLines count={3} height={22} />
        </div>
      )}
    </section>
  );
}

type Told = BidPriceAnswer['total'];

export const bidPriceColumns: readonly { id: string; head: string; cell: (told: Told) => ReactNode }[] = [
  { id: 'wins', head: BID_PRICE_WORDS.wins, cell: ({ wins }) => formatCount(wins) },
  { id: 'otherPrice', head: BID_PRICE_WORDS.otherPrice, cell: ({ otherPrice }) => formatCount(otherPrice) },
  { id: 'otherPriceShare', head: BID_PRICE_WORDS.otherPriceShare, cell: ({ otherPrice, wins }) => formatRate(otherPrice, wins) },
  {
    id: 'lower',
    head: BID_PRICE_WORDS.lower,
    cell: ({ lower }) => <span className={lower > 0 ? 'warn' : 'muted'}>{formatCount(lower)}</span>,
  },
  { id: 'bid', head: BID_PRICE_WORDS.bid, cell: ({ bid }) => <MoneyText amount={bid} /> },
  { id: 'paid', head: BID_PRICE_WORDS.paid, cell: ({ paid }) => <MoneyText amount={paid} /> },
  {
    id: 'difference',
    head: BID_PRICE_WORDS.difference,
    cell: ({ difference }) => (
      <span className={difference.startsWith('-') ? 'bad' : undefined}>
        <MoneyText amount={difference} faint />
      </span>
    ),
  },
];

function Prices({ answer: { total, tiers }, place, search }: { answer: BidPriceAnswer } & Pick<BidPricesProps, 'place' | 'search'>) {
  const mayRead = useMayReadLeads();
  if (total.wins === 0) return <p className="muted card-body prices-none">No sale came of a bid in this span.</p>;
  if (total.otherPrice === 0)
    return (
      <p className="muted card-body prices-none">{`Every buyer paid what it had bid. Sales that came of a bid: ${formatCount(total.wins)}.`}</p>
    );
  const leadsOf = (of: string, by: readonly string[], keys: readonly { _id: string }[]) =>
    mayRead && (
      <td className="no-print">
        <Link
          to="/setup/$region/$vertical/leads"
          params={place}
          search={{ ...leadsBehind(search, by, keys, 'sold'), otherPrice: 'true' } as never}
          className="link small"
          aria-label={`Leads that ${of} bought at another price`}
        >
          Leads
        </Link>
      </td>
    );
  const cells = (told: Told) =>
    bidPriceColumns.map(({ head, cell }) => (
      <td key={head} data-head={head} className="num">
        {cell(told)}
      </td>
    ));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="scroll-x" aria-label={`${TITLE}, table`} tabIndex={0}>
        <table className="plain-table report-table stacking">
          <thead>
            <tr>
              <th scope="col">{DIMENSION_WORDS.buyerTier}</th>
              {bidPriceColumns.map(({ head }) => (
                <th key={head} scope="col" className="num">
                  {head}
                </th>
              ))}
              {mayRead && (
                <th scope="col" className="no-print">
                  <span className="sr-only">Leads</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {tiers.map(({ buyerTier, ...told }) => (
              <tr key={buyerTier._id}>
                <th scope="row">{buyerTier.name}</th>
                {cells(told)}
                {leadsOf(buyerTier.name, ['buyerTier'], [buyerTier])}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All buyer tiers</th>
              {cells(total)}
              {leadsOf('anybody', [], [])}
            </tr>
          </tfoot>
        </table>
      </section>
      <p className="muted small card-body prices-foot">
        A win is a sale that came of a bid. Bid, paid and the difference are of those at another price, before returns. Where a buyer named
        another price and its bid is what counts, it bought at its bid.
      </p>
    </>
  );
}
