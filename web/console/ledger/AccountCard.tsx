import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AccountAnswer, AccountKind } from '#contract/ledger.ts';
import { IconFileText } from '#web/ui/icons.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { accountQuery } from '../api/ledger.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { EntryDialog } from './EntryDialog.tsx';
import { isMinus, isNothing } from './signed.ts';
import './account-card.css';

interface AccountCardProps {
  kind: AccountKind;
  id: string;
  /** False for who may look only. */
  mayEnter: boolean;
}

/** What a company's account stands at, what may be entered for it, and the way to its statements. */
export function AccountCard({ kind, id, mayEnter }: AccountCardProps) {
  const party = { partyKind: kind, partyId: id };
  const account = useQuery(accountQuery(party));
  const { place } = usePlaceIds();
  const [entering, setEntering] = useState<'payment' | 'adjustment' | null>(null);
  const statements = `/setup/${place.region}/${place.vertical}/${kind}s/${id}/statement`;
  return (
    <section className="belongings" aria-label="Account">
      <div className="set-up-head">
        <h2>Account</h2>
        <Link to={statements as '/'} className="tool-button">
          <IconFileText size={15} aria-hidden /> Statements
        </Link>
      </div>
      <div className="card card-pad form-stack">
        {account.isPending && <SkeletonLines count={2} />}
        {account.isError && <ErrorState error={account.error} onRetry={() => void account.refetch()} />}
        {account.data && (
          <AccountFigures account={account.data} isBad={isMinus(account.data.balance)} said={standing(kind, account.data.balance)} />
        )}
        {mayEnter && (
          <div className="row">
            <Button size="sm" onClick={() => setEntering('payment')}>
              Enter a payment
            </Button>
            <Button size="sm" variant="default" onClick={() => setEntering('adjustment')}>
              Enter an adjustment
            </Button>
          </div>
        )}
      </div>
      {entering && <EntryDialog party={party} kind={entering} onClose={() => setEntering(null)} />}
    </section>
  );
}

interface AccountFiguresProps {
  account: Pick<AccountAnswer, 'balance' | 'reserved' | 'left'>;
  head?: string;
  isBad: boolean;
  /** Whose money the balance is, in words. */
  said: string;
}

/** What an account stands at, told to whichever side. */
export function AccountFigures({ account: { balance, reserved, left }, head = 'Balance', isBad, said }: AccountFiguresProps) {
  return (
    <dl className="account-figures">
      <div>
        <dt>{head}</dt>
        <dd>
          <span className={isBad ? 'bad' : undefined}>
            <MoneyText amount={balance} exact />
          </span>
          <small className="muted">{said}</small>
        </dd>
      </div>
      {reserved !== null && (
        <div>
          <dt>Set aside for leads under way or held</dt>
          <dd>
            <MoneyText amount={reserved} exact faint />
          </dd>
        </div>
      )}
      {left !== null && (
        <div>
          <dt>Left to spend</dt>
          <dd className={isMinus(left) || isNothing(left) ? 'bad' : 'good'}>
            <MoneyText amount={left} exact />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** The balance in words: whose money it is. */
export function standing(kind: AccountKind, balance: string): string {
  if (isNothing(balance)) return 'Even: nobody owes anything';
  if (kind === 'buyer') return isMinus(balance) ? 'The buyer owes us' : 'Paid in advance by the buyer';
  return isMinus(balance) ? 'The publisher owes us' : 'We owe the publisher';
}
