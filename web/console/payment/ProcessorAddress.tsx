import { Button, Modal } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { paymentAddressQuery, renewPaymentAddress } from '../api/payment.ts';
import { paymentSamples } from './payment-samples.ts';
import '../landing-page/landing-page.css';
import './payment.css';

/** Where a processor reports to, and how: to be copied and given to it. */
export function ProcessorAddress({ id }: { id: string }) {
  const client = useQueryClient();
  const query = paymentAddressQuery(id);
  const address = useQuery(query);
  const [isRenewing, setRenewing] = useState(false);
  const renew = useMutation({
    mutationFn: () => renewPaymentAddress(id),
    onSuccess: ({ path, msg }) => {
      client.setQueryData(query.queryKey, { path });
      void toast('success', msg);
    },
    onError: (error) => void toast('error', error.message),
    onSettled: () => setRenewing(false),
  });
  const href = address.data && `${window.location.origin}${address.data.path}`;
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
          <div className="row">
            <Button size="sm" variant="default" onClick={() => setRenewing(true)}>
              Make a new address
            </Button>
          </div>
        </div>
      )}
      {isRenewing && (
        <Modal opened onClose={() => setRenewing(false)} title="Make a new address?">
          <div className="form-stack">
            <p>
              The address that is in force opens nothing from then on: reports sent there are refused until the processor has the new one.
            </p>
            <DialogEnd
              label="Make the new address"
              isLoss
              isPending={renew.isPending}
              onGo={() => renew.mutate()}
              onClose={() => setRenewing(false)}
            />
          </div>
        </Modal>
      )}
    </>
  );
}
