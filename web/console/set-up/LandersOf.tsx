import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '#web/ui/format.ts';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { recordsQuery } from '../api/record.ts';
import { usePlaceIds } from './place-ids.ts';

const SHOWN = 50;

/** Whose landers send their leads to a publisher tier: where another has its posting keys. */
export function LandersOf({ tierId }: { tierId: string }) {
  const { place } = usePlaceIds();
  const cards = useQuery(
    recordsQuery({
      ...{ model: 'card', condition: { publisherTierId: tierId }, sort: [{ field: 'name' }], limit: SHOWN },
      fields: ['name', 'status', 'hasLander', 'submissions'],
    }),
  );
  const rest = (cards.data?.total ?? 0) - (cards.data?.data.length ?? 0);
  return (
    <section className="belongings" aria-labelledby="landers-of">
      <h2 id="landers-of">Landers</h2>
      {cards.isPending && <SkeletonLines count={2} height={20} />}
      {cards.isError && <ErrorState error={cards.error} onRetry={() => void cards.refetch()} />}
      {cards.data?.total === 0 && (
        <p className="muted">
          No card sends the leads of its lander here yet. Choose this tier in{' '}
          <Link to="/setup/$region/$vertical/cards" params={place} className="link">
            a card
          </Link>{' '}
          under “Lander”.
        </p>
      )}
      {cards.data && cards.data.total > 0 && (
        <ul className="asked-by">
          {cards.data.data.map((row) => (
            <li key={row._id}>
              <Link to="/setup/$region/$vertical/cards/$id" params={{ ...place, id: row._id } as never} className="link">
                {String(row.name)}
              </Link>{' '}
              <span className="muted small">
                {row.status === 'active' && row.hasLander === true
                  ? `${formatCount(Number(row.submissions))} sent in the last 30 days`
                  : row.hasLander === true
                    ? 'paused'
                    : 'its lander is switched off'}
              </span>
            </li>
          ))}
          {rest > 0 && <li className="muted small">and {formatCount(rest)} more</li>}
        </ul>
      )}
      <p className="muted small">It has no posting keys and no posting specification: nobody posts to it.</p>
    </section>
  );
}
