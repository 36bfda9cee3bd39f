/** Counts what leaves: every call by its result on the wire, and how many are under way. */
import type { Outbound } from '#server/delivery/outbound.ts';
import type { Counting } from './open-metrics.ts';

export function measureOutbound(outbound: Outbound, metrics: Counting): Outbound & { underWayInAll(): number } {
  let inAll = 0;
  return {
    ...outbound,
    async call(call) {
      inAll += 1;
      try {
        const result = await outbound.call(call);
        metrics.add('sluice_outbound_calls_total', { result: result.kind === 'response' ? 'answered' : result.why });
        return result;
      } finally {
        inAll -= 1;
      }
    },
    underWayInAll: () => inAll,
  };
}
