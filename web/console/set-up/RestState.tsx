import { useQuery } from '@tanstack/react-query';
import { ExactTime } from '#web/ui/reporting.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { recordQuery } from '../api/record.ts';
import { TryAgain } from './TryAgain.tsx';

/** Whether the buyer asked to be left alone, kept fresh while one looks at it; nothing where it did not. */
export function RestState({ tierId }: { tierId: string }) {
  const record = useQuery({ ...recordQuery('buyerTier', tierId), refetchInterval: 5_000 });
  const now = useNow();
  const until = record.data?.restsUntil as string | null | undefined;
  if (!until || now >= Date.parse(until)) return null;
  return (
    <div className="breaker-state" role="status">
      <span className="pill warn">Asked to wait</span>
      <span className="breaker-why">
        The buyer takes no more for now: nothing is sent until <ExactTime at={until} />.
      </span>
      <TryAgain tierId={tierId} ends="rest" />
    </div>
  );
}
