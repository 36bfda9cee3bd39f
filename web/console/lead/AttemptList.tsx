import type { AttemptView } from '#contract/lead.ts';
import { formatElapsed } from '#web/ui/format.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { CallItem } from './CallItem.tsx';
import { KeepAttempt } from './KeepAttempt.tsx';
import { legWord, wordOfAttempt } from './lead-words.ts';
import type { CallControl } from './use-open-calls.ts';
import { Fact } from './Wire.tsx';

interface AttemptListProps {
  /** Absent where the lead is not kept: nothing of it can be fetched again. */
  leadId: string | undefined;
  attempts: AttemptView[];
  control: CallControl;
}

export function AttemptList({ leadId, attempts, control }: AttemptListProps) {
  if (attempts.length === 0) return null;
  return (
    <section className="card part-attempts" aria-labelledby="attempts-title">
      <header>
        <h2 id="attempts-title">Attempts</h2>
        <span className="muted small push desktop-only">
          <kbd>j</kbd> <kbd>k</kbd> walk through them
        </span>
      </header>
      <ol className="attempt-list">
        {attempts.map((attempt, at) => (
          <Attempt key={attempt._id} leadId={leadId} attempt={attempt} number={at + 1} control={control} />
        ))}
      </ol>
    </section>
  );
}

function Attempt({ leadId, attempt, number, control }: Omit<AttemptListProps, 'attempts'> & { attempt: AttemptView; number: number }) {
  const { bid, price, lateAnswer } = attempt;
  return (
    <CallItem
      call={attempt}
      number={number}
      name={attempt.buyerTierName}
      what={legWord[attempt.leg]}
      word={wordOfAttempt(attempt)}
      control={control}
      money={
        price ? (
          <MoneyText amount={price} exact />
        ) : bid ? (
          <>
            bid <MoneyText amount={bid} exact />
          </>
        ) : null
      }
      facts={
        <>
          <Fact name="Buyer" value={attempt.buyerName} />
          <Fact name="Group" value={attempt.groupName} />
          {bid && <Fact name="Bid" value={<MoneyText amount={bid} exact />} />}
          {price && <Fact name="Price" value={<MoneyText amount={price} exact />} />}
        </>
      }
    >
      {lateAnswer && (
        <p className="attempt-late warn">
          A late answer came {formatElapsed(lateAnswer.afterMs)} after the call began: {lateAnswer.outcome}
          {lateAnswer.price && (
            <>
              {' '}
              at <MoneyText amount={lateAnswer.price} exact />
            </>
          )}
          . It is kept for settling with the buyer.
        </p>
      )}
      {leadId && attempt.leg !== 'lost' && <KeepAttempt leadId={leadId} attempt={attempt} />}
    </CallItem>
  );
}
