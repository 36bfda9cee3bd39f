import type { LeadView } from '#contract/lead.ts';
import { formatElapsed } from '#web/ui/format.ts';
import { ExactTime } from '#web/ui/reporting.tsx';
import { useNow } from '#web/ui/use-now.ts';

/** Whether and when the consumer went on to the buyer, as far as our link tells. */
export function RedirectLine({ redirect }: Pick<LeadView, 'redirect'>) {
  const now = useNow();
  return (
    <div>
      <dt>Consumer redirected</dt>
      <dd className="redirect-said">{redirect ? <Said redirect={redirect} now={now} /> : <NotKnown />}</dd>
    </div>
  );
}

function Said({ redirect, now }: { redirect: NonNullable<LeadView['redirect']>; now: number }) {
  const { givenAt, followedAt, expiresAt, follows } = redirect;
  if (followedAt)
    return (
      <>
        <ExactTime at={followedAt} />
        <small className="muted">
          {formatElapsed(Math.max(0, Date.parse(followedAt) - Date.parse(givenAt)))} after our answer
          {follows > 1 && `; the link was followed ${follows} times`}
        </small>
      </>
    );
  const isOpen = now < Date.parse(expiresAt);
  return (
    <>
      <span>{isOpen ? 'Not yet' : 'Never'}</span>
      <small className="muted">
        the link {isOpen ? 'is' : 'was'} open until <ExactTime at={expiresAt} />
      </small>
    </>
  );
}

const NotKnown = () => (
  <>
    <span>Not known</span>
    <small className="muted">the publisher was given the buyer’s own address</small>
  </>
);
