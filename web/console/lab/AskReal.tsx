import { Modal } from '@mantine/core';
import type { LabTier, LabTreeAnswer } from '#contract/lab.ts';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { hearingOf } from './send-draft.ts';

interface AskRealProps {
  groups: LabTreeAnswer['groups'];
  isSending: boolean;
  onSend: () => void;
  onClose: () => void;
}

/** Before a lead goes to real buyers: whom it may reach, and which of them hear that it is a test. */
export function AskReal({ groups, isSending, onSend, onClose }: AskRealProps) {
  const { all, told, untold } = hearingOf(groups);
  return (
    <Modal opened onClose={onClose} title="Send to real buyers?">
      <div className="form-stack lab-asking">
        <p>
          {all === 0
            ? 'No buyer tier of this tree is active: nobody is called.'
            : `${all === 1 ? 'The active buyer tier of this tree' : `Up to ${all} buyer tiers of this tree`} may be called with these values.`}
        </p>
        {untold.length > 0 && (
          <div className="form-note">
            <p>
              <strong>Nothing tells {untold.length === 1 ? 'this buyer' : 'these buyers'} that it is a test.</strong> The request is that of
              a real lead: the buyer may call the consumer, and bill for it.
            </p>
            <ul className="lab-hearing">
              {untold.map(({ tier, legs }) => (
                <li key={tier._id}>
                  {nameOf(tier)}
                  {tier.testFlags.ping && `, at the ${legs.join(' and the ')}`}
                </li>
              ))}
            </ul>
            <p>Map the system value “test” in the endpoint of a tier to tell its buyer, or agree on the values with the buyer first.</p>
          </div>
        )}
        {told.length > 0 && (
          <div>
            <p>Told that it is a test:</p>
            <ul className="lab-hearing">
              {told.map(({ tier, places }) => (
                <li key={tier._id}>
                  {nameOf(tier)}, by {places.join(', ')}
                </li>
              ))}
            </ul>
          </div>
        )}
        <p className="muted small">Sent with simulated buyers, the lead shows each request as it would go out.</p>
        <DialogEnd
          label={untold.length > 0 ? 'Send to real buyers all the same' : 'Send to real buyers'}
          isPending={isSending}
          onGo={onSend}
          onClose={onClose}
        />
      </div>
    </Modal>
  );
}

const nameOf = ({ buyerName, name }: LabTier): string => `${buyerName}, ${name}`;
