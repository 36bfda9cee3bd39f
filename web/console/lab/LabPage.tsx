import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { ReplayRow } from '#contract/replay.ts';
import { formatCount, formatInstant, formatMoney } from '#web/ui/format.ts';
import { MoneyText, TimeAgo, useReporting } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { replayChoicesQuery, replaysQuery } from '../api/replay.ts';
import { ReplayForm } from './ReplayForm.tsx';
import { replayStatusWord, settingWords, treeWords } from './replay-words.ts';
import './lab.css';

/** testing-lab: stored leads through another tree, and the replays of before. */
export function LabPage() {
  const { region = '', vertical = '' } = useParams({ strict: false });
  const { campaign } = useSearch({ strict: false }) as { campaign?: string };
  const place = { region, vertical };
  const choices = useQuery(replayChoicesQuery(place));
  return (
    <div className="page">
      <title>Testing lab · Sluice</title>
      <div className="page-head">
        <h1>Testing lab</h1>
        <span className="muted">Stored leads, replayed through another tree</span>
      </div>
      {choices.isPending && (
        <div className="card card-pad">
          <SkeletonLines count={6} height={24} />
        </div>
      )}
      {choices.isError && <ErrorState error={choices.error} onRetry={() => void choices.refetch()} />}
      {choices.data?.campaigns.length === 0 && (
        <div className="card">
          <EmptyState title="No campaigns yet.">A replay sends the stored leads of a campaign through another tree.</EmptyState>
        </div>
      )}
      {choices.data && choices.data.campaigns.length > 0 && (
        <ReplayForm key={`${region}/${vertical}`} place={place} choices={choices.data} campaignId={campaign} />
      )}
      <ReplayList place={place} />
    </div>
  );
}

function ReplayList({ place }: { place: { region: string; vertical: string } }) {
  const replays = useQuery(replaysQuery(place));
  return (
    <section className="card lab-list" aria-labelledby="replays-before">
      <header>
        <h2 id="replays-before">Replays</h2>
      </header>
      {replays.isPending && (
        <div className="card-body">
          <SkeletonLines count={4} height={22} />
        </div>
      )}
      {replays.isError && <ErrorState error={replays.error} onRetry={() => void replays.refetch()} />}
      {replays.data?.rows.length === 0 && (
        <EmptyState title="No replays yet.">Each one that is started stays here, with a link.</EmptyState>
      )}
      {replays.data && replays.data.rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <section className="scroll-x" aria-label="Table of replays" tabIndex={0}>
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">Started</th>
                <th scope="col">Replayed</th>
                <th scope="col">State</th>
                <th scope="col" className="num">
                  Leads
                </th>
                <th scope="col" className="num">
                  Margin
                </th>
                <th scope="col">By</th>
              </tr>
            </thead>
            <tbody>
              {replays.data.rows.map((row) => (
                <ReplayLine key={row._id} place={place} row={row} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

function ReplayLine({ place, row }: { place: { region: string; vertical: string }; row: ReplayRow }) {
  const { zone, currency, currencyDisplay } = useReporting();
  const { label, tone } = replayStatusWord[row.status];
  const settings = settingWords(row.asked, (amount) => formatMoney(amount, currency, currencyDisplay));
  return (
    <tr>
      <td>
        <Link to="/setup/$region/$vertical/testing-lab/replay/$replayId" params={{ ...place, replayId: row._id }} className="link">
          <TimeAgo at={row.startedAt} />
        </Link>
      </td>
      <td>
        {row.asked.campaignName}, {treeWords(row.asked, (at) => formatInstant(at, zone))}
        {settings.length > 0 && <span className="muted small"> with {settings.join(', ')}</span>}
      </td>
      <td>
        <span className={`pill ${tone}`}>{label}</span>
      </td>
      <td className="num tabular">
        {row.status === 'done' ? formatCount(row.total) : `${formatCount(row.done)} of ${formatCount(row.total)}`}
      </td>
      <td className="num">{row.marginChange === null ? <span className="muted">–</span> : <SignedMoney amount={row.marginChange} />}</td>
      <td>{row.startedBy}</td>
    </tr>
  );
}

/** A difference of money, with its sign and its tone. */
export function SignedMoney({ amount, neutral }: { amount: string; neutral?: boolean }) {
  const isLess = amount.startsWith('-');
  const isNone = /^-?0+\.0+$/.test(amount);
  const tone = isNone ? 'muted' : neutral ? '' : isLess ? 'bad' : 'good';
  return (
    <span className={`tabular ${tone}`}>
      {!isLess && !isNone && '+'}
      <MoneyText amount={amount} />
    </span>
  );
}
