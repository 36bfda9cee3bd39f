import { useQuery } from '@tanstack/react-query';
import type { ThrottleStateView, ThrottleView } from '#contract/tier.ts';
import { formatCount } from '#web/ui/format.ts';
import { ExactTime } from '#web/ui/reporting.tsx';
import { recordQuery } from '../api/record.ts';
import { minutes } from './rules/breaker-text.ts';

/** Whether the tier gets a share of its leads only, kept fresh while one looks at it. */
export function ThrottleState({ tierId }: { tierId: string }) {
  const record = useQuery({ ...recordQuery('buyerTier', tierId), refetchInterval: 5_000 });
  const setting = record.data?.throttle as ThrottleView | null | undefined;
  const state = record.data?.throttleState as ThrottleStateView | null | undefined;
  if (!setting) return null;
  if (!state)
    return (
      <p className="breaker-state">
        <span className="pill good">Well</span> <span>All of its leads are sent.</span>
      </p>
    );
  return (
    <div className="breaker-state" role="status">
      <span className="pill warn">Throttled</span>
      <span className="breaker-why">
        Only {setting.sharePercent}% of its leads are sent since <ExactTime at={state.since} />, when of {formatCount(state.calls)} calls
        within {minutes(state.lookBackMinutes)} {formatCount(state.failures)} had failed
        {setting.slow && ` and ${formatCount(state.slow)} had taken longer than ${formatCount(setting.slow.afterMs)} ms`}. It ends by
        itself.
      </span>
    </div>
  );
}
