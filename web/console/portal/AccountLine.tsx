import type { PortalAnswer } from '#contract/portal.ts';
import { AccountFigures } from '../ledger/AccountCard.tsx';
import { isMinus, isNothing } from '../ledger/signed.ts';

/** What the company's account stands at, said to the company. */
export function AccountLine({ portal: { account, kind, organizationName } }: { portal: PortalAnswer }) {
  if (!account) return null;
  const { balance, billing } = account;
  return (
    <section className="card card-pad portal-account" aria-label="Account">
      <AccountFigures
        account={account}
        head={billing === 'prepaid' ? 'Balance, paid in advance' : 'Balance'}
        isBad={isMinus(balance) && kind === 'buyer'}
        said={sayStanding(balance, organizationName)}
      />
    </section>
  );
}

/** An account is what its party is owed, whichever side it stands on. */
export function sayStanding(balance: string, organizationName: string): string {
  if (isNothing(balance)) return 'Even: nobody owes anything';
  return isMinus(balance) ? `You owe ${organizationName}` : `${organizationName} owes you`;
}
