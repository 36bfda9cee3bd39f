import type { LeadView } from '#contract/lead.ts';
import { formatElapsed } from '#web/ui/format.ts';
import { Sentence } from '#web/ui/reporting.tsx';

/** Every decision and attempt in order of time, each a sentence. */
export function Story({ lead }: { lead: LeadView }) {
  return (
    <section className="card part-story" aria-labelledby="story-title">
      <header>
        <h2 id="story-title">Step by step</h2>
      </header>
      {lead.steps.length === 0 ? (
        <p className="muted card-body story-empty">No steps were kept for this lead.</p>
      ) : (
        <ol className="story">
          {lead.steps.map((step, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps never move and two may read alike
            <li key={at}>
              <time dateTime={step.at} className="num small muted" title={step.at}>
                +{formatElapsed(step.offsetMs)}
              </time>
              <i className="story-dot" aria-hidden />
              <span>
                {step.buyerTierName && <strong>{step.buyerTierName}: </strong>}
                <Sentence text={step.text} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
