import type { AttemptView } from '#contract/lead.ts';
import './hops.css';

/** Where the call was sent on to. */
export function Hops({ hops }: { hops: NonNullable<AttemptView['wire']>['hops'] }) {
  return hops.map(({ statusCode, method, url }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: hops have no other identity and never move
    <p key={index} className="small wire-hop">
      Redirected by {statusCode} to{' '}
      <code className="mono">
        <strong>{method}</strong> {url}
      </code>
    </p>
  ));
}
