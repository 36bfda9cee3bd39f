import { CopyButton } from '#web/ui/CopyButton.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { RenewAddress, useRenewableAddress } from './RenewableAddress.tsx';

/** Where the buyer says what it decided of a lead it answered "pending" to. */
export function PostbackAddress({ tierId }: { tierId: string }) {
  const call = `/api/console/buyer-tiers/${tierId}/postback`;
  const { address, href } = useRenewableAddress(call);
  return (
    <section className="belongings" aria-label="Postback address">
      <div className="set-up-head">
        <h2>Postback address</h2>
      </div>
      <div className="card card-pad form-stack">
        <p className="muted small">
          A buyer that answers “pending” calls this address when it has decided, by GET or POST, with leadId or reference, outcome (sold or
          rejected) and price. Whoever has the address can answer for this tier.
        </p>
        {address.isPending && <SkeletonLines count={1} />}
        {address.isError && <ErrorState error={address.error} onRetry={() => void address.refetch()} />}
        {href && (
          <span className="row postback-address">
            <code className="mono">{href}</code> <CopyButton text={href} label="Copy the address" />
          </span>
        )}
        <RenewAddress call={call} loss="postbacks sent there are refused until the buyer has the new one." disabled={!href} />
      </div>
    </section>
  );
}
