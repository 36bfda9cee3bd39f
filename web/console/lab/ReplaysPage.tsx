import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReplayView } from '#contract/replay.ts';
import { formatCount, formatMoney } from '#web/ui/format.ts';
import { TimeAgo, useReporting } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { labQuery } from '../api/lab.ts';
import type { Place } from '../api/lead.ts';
import { replaysQuery } from '../api/replay.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { LabFrame } from './LabFrame.tsx';
import { labPath } from './lab-path.ts';
import { ReplayForm } from './ReplayForm.tsx';
import { replayStatusWord, settingWords, treeWords } from './replay-words.ts';
import { SignedMoney } from './SignedMoney.tsx';

/** Stored leads through another tree, and the replays of before. */
export function ReplaysPage() {
  const { place } = usePlaceIds();
  const { campaign } = useSearch({ strict: false }) as { campaign?: string };
  const lab = useQuery(labQuery(place));
  return (
    <LabFrame title="Testing lab" tab="/replay">
      {lab.isPending && (
        <div className="card card-pad">
          <SkeletonLines count={6} height={24} />
        </div>
      )}
      {lab.isError && <ErrorState error={lab.error} onRetry={() => void lab.refetch()} />}
      {lab.data?.campaigns.length === 0 && (
        <div className="card">
          <EmptyState title="No campaigns yet.">A replay sends the stored leads of a campaign through another tree.</EmptyState>
        </div>
      )}
      {lab.data && lab.data.campaigns.length > 0 && (
        <ReplayForm key={`${place.region}/${place.vertical}`} place={place} campaigns={lab.data.campaigns} campaignId={campaign} />
      )}
      <ReplayList place={place} />
    </LabFrame>
  );
}

function ReplayList({ place }: { place: Place }) {
  const replays = useQuery(replaysQuery(place));
  return (
    <section className="card lab-part" aria-labelledby="replays-before">
      <header>
        <h2 id="replays-before">Replays</h2>
      </header>
      {replays.isPending && (
        <div className="card-body">
          <SkeletonLines count={4} height={22} />
        </div>
      )}
      {replays.isError && <ErrorState error={replays.error} onRetry={() => void replays.refetch()} />}
      {replays.data?.replays.length === 0 && (
        <EmptyState title="No replays yet.">Each one that is started stays here for 180 days, with a link.</EmptyState>
      )}
      {replays.data && replays.data.replays.length > 0 && (
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
                  Change of margin
                </th>
                <th scope="col">By</th>
              </tr>
            </thead>
            <tbody>
              {replays.data.replays.map((replay) => (
                <ReplayLine key={replay._id} place={place} replay={replay} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

function ReplayLine({ place, replay }: { place: Place; replay: ReplayView }) {
  const { currency, currencyDisplay } = useReporting();
  const { label, tone } = replayStatusWord[replay.status];
  const settings = settingWords(replay, (amount) => formatMoney(amount, currency, currencyDisplay));
  return (
    <tr>
      <td>
        <Link to={`${labPath(place, '/replay')}/${replay._id}` as '/'} className="link">
          <TimeAgo at={replay.createdAt} />
        </Link>
      </td>
      <td>
        {replay.campaign.name}, {treeWords(replay)}
        {settings.length > 0 && <span className="muted small"> with {settings.join(', ')}</span>}
      </td>
      <td>
        <span className={`pill ${tone}`}>{label}</span>
      </td>
      <td className="num tabular">
        {replay.status === 'done' ? formatCount(replay.total) : `${formatCount(replay.done)} of ${formatCount(replay.total)}`}
      </td>
      <td className="num">
        {replay.marginChange === null ? <span className="muted">–</span> : <SignedMoney amount={replay.marginChange} />}
      </td>
      <td>{replay.startedBy}</td>
    </tr>
  );
}
