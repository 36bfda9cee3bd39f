import { CopyButton } from '#web/ui/CopyButton.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { RenewAddress, useRenewableAddress } from '../set-up/RenewableAddress.tsx';
import { paymentSamples } from './payment-samples.ts';
import '../landing-page/landing-page.css';
import './payment.css';

/** Where a processor reports to, and how: to be copied and given to it. */
export function ProcessorAddress({ id }: { id: string }) {
  const call = `/api/console/payment-processors/${id}/address`;
  const { address, href } = useRenewableAddress(call);
  return (
    <>
      {address.isPending && <SkeletonLines count={4} />}
      {address.isError && <ErrorState error={address.error} onRetry={() => void address.refetch()} />}
      {href && (
        <div className="form-stack payment-address">
          <p className="muted small">
            The processor calls this address, by GET or POST, whenever a payment was tried. Whoever has the address can report payments, so
            it is given to nobody else. The same report again changes nothing.
          </p>
          <span className="embed-line">
            <code className="mono">{href}</code> <CopyButton text={href} label="Copy the address" />
          </span>
          {paymentSamples(href).map(({ name, says, text }) => (
            <details key={name}>
              <summary>{name}</summary>
              <p className="muted small">{says}</p>
              <span className="embed-line">
                <code className="mono payment-sample">{text}</code> <CopyButton text={text} label={`Copy: ${name}`} />
              </span>
            </details>
          ))}
          <p className="muted small">
            <strong>result</strong> is approved, declined, refunded or chargeback. Of a card number in <strong>bin</strong> no more than
            eight digits are ever read.
          </p>
          <RenewAddress call={call} loss="reports sent there are refused until the processor has the new one." />
        </div>
      )}
    </>
  );
}
