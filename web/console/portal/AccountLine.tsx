import type { PortalAnswer } from '#contract/portal.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { isMinus, isNothing } from '../ledger/signed.ts';
import '../ledger/account-card.css';

/** What the company's account stands at, said to the company. */
export function AccountLine({ portal: { account, kind, organizationName } }: { portal: PortalAnswer }) {
  if (!account) return null;
  const { balance, reserved, left, billing } = account;
  return (
    <section className="card card-pad portal-account" aria-label="Account">
      <dl className="account-figures">
        <div>
          <dt>{billing === 'prepaid' ? 'Balance, paid in advance' : 'Balance'}</dt>
          <dd>
            <span className={isMinus(balance) && kind === 'buyer' ? 'bad' : undefined}>
              <MoneyText amount={balance} exact />
            </span>
            <small className="muted">{sayStanding(balance, organizationName)}</small>
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
    </section>
  );
}

/** An account is what its party is owed, whichever side it stands on. */
export function sayStanding(balance: string, organizationName: string): string {
  if (isNothing(balance)) return 'Even: nobody owes anything';
  return isMinus(balance) ? `You owe ${organizationName}` : `${organizationName} owes you`;
}
