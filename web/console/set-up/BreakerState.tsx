import { useQuery } from '@tanstack/react-query';
import type { BreakerStateView } from '#contract/tier.ts';
import { formatCount } from '#web/ui/format.ts';
import { ExactTime } from '#web/ui/reporting.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { recordQuery } from '../api/record.ts';
import { minutes } from './rules/breaker-text.ts';
import { TryAgain } from './TryAgain.tsx';
import './record-form.css';

/** What the breaker of a tier says now, kept fresh while one looks at it. */
export function BreakerState({ tierId }: { tierId: string }) {
  const record = useQuery({ ...recordQuery('buyerTier', tierId), refetchInterval: 5_000 });
  const now = useNow();
  if (!record.data?.breaker) return null;
  const state = record.data.breakerState as BreakerStateView | null;
  if (!state)
    return (
      <p className="breaker-state">
        <span className="pill good">Closed</span> <span>Leads are sent to this tier.</span>
      </p>
    );
  const isOpen = now < Date.parse(state.openUntil);
  return (
    <div className="breaker-state" role="status">
      <span className={isOpen ? 'pill bad' : 'pill warn'}>{isOpen ? 'Open' : 'Half-open'}</span>
      <span className="breaker-why">
        {isOpen ? (
          <>
            Nothing is sent until <ExactTime at={state.openUntil} />.
          </>
        ) : (
          <>The next lead tries whether the buyer works again.</>
        )}{' '}
        It opened <ExactTime at={state.since} />, when {formatCount(state.failures)} of {formatCount(state.calls)} calls had failed within{' '}
        {minutes(state.lookBackMinutes)}
        {state.failedProbes > 0 && `; ${state.failedProbes === 1 ? 'one try has' : `${state.failedProbes} tries have`} failed since`}.
      </span>
      <TryAgain tierId={tierId} />
    </div>
  );
}

/** In a list: nothing while leads are sent. */
export function BreakerPill({ state }: { state: BreakerStateView | null }) {
  const now = useNow();
  if (!state) return null;
  const isOpen = now < Date.parse(state.openUntil);
  return <span className={isOpen ? 'pill bad' : 'pill warn'}>{isOpen ? 'Open' : 'Half-open'}</span>;
}
