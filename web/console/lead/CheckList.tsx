import type { CheckView } from '#contract/lead.ts';
import { CallItem } from './CallItem.tsx';
import { checkPurpose, checkWord } from './lead-words.ts';
import type { CallControl } from './use-open-calls.ts';
import { Fact } from './Wire.tsx';

/** What third-party services were asked about the lead, and what they said. */
export function CheckList({ checks, control }: { checks: CheckView[]; control: CallControl }) {
  if (checks.length === 0) return null;
  return (
    <section className="card part-checks" aria-labelledby="checks-title">
      <header>
        <h2 id="checks-title">Checks by third-party services</h2>
      </header>
      <ol className="attempt-list">
        {checks.map((check, at) => (
          <CallItem
            key={check._id}
            call={check}
            number={at + 1}
            name={check.serviceName}
            what={checkPurpose(check)}
            word={checkWord[check.outcome]}
            control={control}
            facts={<Fact name="Asked for" value={check.buyerTierName ?? 'the publisher tier'} />}
          />
        ))}
      </ol>
    </section>
  );
}
