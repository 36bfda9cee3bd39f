/** One fetched token, shared by all calls of a leg until it expires or is refused. */
import { TOKEN_CAPTURE } from '#contract/endpoint.token.ts';
import type { Instant } from '#engine/plan.ts';
import type { Read } from './compile-reading.ts';
import type { Build } from './compile-request.ts';
import { concludeDelivery, type Delivery } from './conclude-delivery.ts';
import type { Outbound } from './outbound.ts';
import type { BuildInput } from './wire.ts';

export interface TokenKeeper {
  /** The token, or the delivery that says why there is none. Calls at the same time share one fetch. */
  get(outbound: Outbound, bulkhead: string, input: BuildInput): Promise<string | Delivery>;
  /** Forgets it: the buyer has refused it. */
  drop(): void;
}

/** Where the answer does not say how long it holds. */
const LIFETIME_MS = 5 * 60_000;
/** A token is not used in its last seconds: it must still hold when it arrives. */
const MARGIN_MS = 10_000;

/** The call that fetches the token. */
interface TokenLeg {
  build: Build;
  read: Read;
}

export function keepToken(leg: TokenLeg): TokenKeeper {
  let held: { token: string; until: Instant } | undefined;
  let fetching: Promise<string | Delivery> | undefined;

  async function fetchToken(outbound: Outbound, bulkhead: string, input: BuildInput): Promise<string | Delivery> {
    const startedAt = performance.now();
    const { request, warnings } = leg.build(input);
    const result = await outbound.call({ request, timeoutMs: input.call.timeoutMs, bulkhead });
    const delivery = concludeDelivery({ leg, input, request, warnings, result, elapsedMs: performance.now() - startedAt });
    const { [TOKEN_CAPTURE]: token } = delivery.answer.captures;
    if (token === undefined) return withoutToken(delivery);
    held = { token, until: (delivery.answer.expiresAt ?? input.context.now + LIFETIME_MS) - MARGIN_MS };
    return token;
  }

  return {
    async get(outbound, bulkhead, input) {
      if (held && held.until > input.context.now) return held.token;
      fetching ??= fetchToken(outbound, bulkhead, input).finally(() => {
        fetching = undefined;
      });
      return inTime(fetching, leg, input);
    },
    drop: () => {
      held = undefined;
    },
  };
}

/** Nobody waits for another call's fetch beyond the own time limit. */
async function inTime(fetching: Promise<string | Delivery>, leg: TokenLeg, input: BuildInput): Promise<string | Delivery> {
  const { timeoutMs } = input.call;
  const limit = Promise.withResolvers<Delivery>();
  const timer = setTimeout(() => limit.resolve(outOfTime(leg, input, timeoutMs)), timeoutMs);
  try {
    return await Promise.race([fetching, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function outOfTime(leg: TokenLeg, input: BuildInput, elapsedMs: number): Delivery {
  const { request, warnings } = leg.build(input);
  const result = { kind: 'failure', why: 'timeout', sent: false, timing: { waitMs: elapsedMs, readMs: 0 } } as const;
  return withoutToken(concludeDelivery({ leg, input, request, warnings, result, elapsedMs }));
}

/** The answer's own words stay out of the log line: it may hold half a credential. */
function withoutToken({ answer, wire, shown }: Delivery): Delivery {
  const outcome = answer.outcome === 'timeout' ? 'timeout' : 'error';
  const why = wire.failure?.why ?? `status ${wire.response?.status}`;
  return { wire, shown, answer: { outcome, reasons: [`no token: ${why}`], captures: {}, sent: false, elapsedMs: answer.elapsedMs } };
}
