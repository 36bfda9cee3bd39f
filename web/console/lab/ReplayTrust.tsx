import type { ReplayResult } from '#contract/replay.ts';
import { formatCount } from '#web/ui/format.ts';

type Sources = ReplayResult['sources']['changed'];

/** What the figures rest on, and what is not in them: said before they are believed. */
export function ReplayTrust({ result: { really, sources, neverAsked, pingsLeftOut, leadsPerSecond } }: { result: ReplayResult }) {
  return (
    <section className="card lab-part" aria-labelledby="replay-trust">
      <header>
        <h2 id="replay-trust">How far this can be believed</h2>
      </header>
      <ul className="card-body lab-said small">
        <li>
          Answers of buyers in what was replayed: {sourcesText(sources.changed)}. In the published tree: {sourcesText(sources.published)}.
          Compare the published tree with what really happened: so far apart is the simulation from life.
        </li>
        {neverAsked.length > 0 && <li>No answer of these is on record in the span, so they declined: {neverAsked.join('; ')}.</li>}
        {pingsLeftOut > 0 && <li>{formatCount(pingsLeftOut)} pings that nobody posted after are left out.</li>}
        <li>
          Simulated: caps, from how far they were used when the span began; promotions and their caps; duplicates among the replayed leads
          and of the publisher before them; breakers, turns, hours and pause dates, each at the lead’s own time.
        </li>
        <li>
          As they are today: prices, filters and every other rule of the tiers, suppression lists, and the moves of banks and BINs. What
          services said of a lead is taken as it was, and one that was not asked then lets it pass.
        </li>
        <li>
          Not simulated: A/B tests, what buyers may still spend, buyers that asked to wait, shares of buyers that are unwell, sales of other
          campaigns or publishers to the same buyers during the span, and what buyer tiers had bought before it, by which they would have
          found a duplicate.
        </li>
        {really.leads >= 1000 && <li className="muted">{formatCount(leadsPerSecond)} leads a second went through both trees.</li>}
      </ul>
    </section>
  );
}

const sourcesText = ({ recorded, drawn, unknown }: Sources): string => {
  const parts = [`${formatCount(recorded)} on record`, `${formatCount(drawn)} by the rule for leads that a tier was never asked about`];
  if (unknown > 0) parts.push(`${formatCount(unknown)} of tiers without any answer in the span`);
  return parts.join(', ');
};
