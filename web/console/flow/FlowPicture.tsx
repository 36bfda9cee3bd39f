/** The picture around the tree: who posts, what is checked, how leads end, and what is wrong now. */
import { Link } from '@tanstack/react-router';
import type { FlowAnswer, TreeAnswer } from '#contract/tree.ts';
import type { Warning } from '#contract/warning.ts';
import { formatCount, formatRate } from '#web/ui/format.ts';
import { IconAlertTriangle } from '#web/ui/icons.ts';
import { MoneyText, Sentence } from '#web/ui/reporting.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { StatusPill } from '../set-up/RecordList.tsx';
import { Edge } from './Edge.tsx';

/** The box on top says what is wrong in whole sentences; beside each tier stand only marks. */
export function Warnings({ flow }: { flow: FlowAnswer | undefined }) {
  if (!flow || flow.warnings.length === 0) return null;
  return (
    <ul className="flow-warnings card" aria-label="What is wrong now">
      {flow.warnings.map((one) => (
        <li key={`${one.kind} ${one.subjectId} ${one.text}`} className="small">
          <IconAlertTriangle size={15} aria-hidden className={toneOf(one.kind)} /> <Sentence text={one.text} />
        </li>
      ))}
    </ul>
  );
}

const toneOf = (kind: Warning['kind']): 'bad' | 'warn' =>
  ['breaker', 'unreachable', 'errors', 'capFull', 'noKey'].includes(kind) ? 'bad' : 'warn';

/** What is wrong with one tier, in two or three words each. A warning that says it is paused stands for its status. */
export function Marks({ flow, tierId, status }: { flow: FlowAnswer | undefined; tierId: string; status: string }) {
  const warnings = flow?.warnings.filter(({ tierIds }) => tierIds.includes(tierId)) ?? [];
  return (
    <>
      {status !== 'active' && !warnings.some((one) => one.kind === 'paused') && <StatusPill status={status} />}
      {warnings.map(({ kind, mark }) => (
        <span key={kind + mark} className={`pill flow-mark ${toneOf(kind)}`}>
          {mark}
        </span>
      ))}
    </>
  );
}

const sum = (flow: FlowAnswer | undefined, ...ends: string[]): number => ends.reduce((all, end) => all + (flow?.ends[end] ?? 0), 0);
const allLeads = (flow: FlowAnswer | undefined): number => sum(flow, ...Object.keys(flow?.ends ?? {}));
export const leadsWord = (count: number): string => `${formatCount(count)} ${count === 1 ? 'lead' : 'leads'}`;

export function Posting({ answer, flow }: { answer: TreeAnswer; flow: FlowAnswer | undefined }) {
  const { place } = usePlaceIds();
  const all = allLeads(flow);
  return (
    <section className="flow-column" aria-label="Publisher tiers">
      <h2>Publisher tiers</h2>
      <ul className="flow-cards">
        {answer.publisherTiers.map((tier) => {
          const { leads = 0, sold = 0 } = flow?.publisherTiers.find((one) => one._id === tier._id) ?? {};
          return (
            <li key={tier._id} className="flow-card">
              <Link
                to="/setup/$region/$vertical/tier/edit/$id"
                params={{ ...place, id: tier._id } as never}
                search={{ of: 'publisher' } as never}
                className="link"
              >
                {tier.publisherName}, {tier.name}
              </Link>
              {tier.kind === 'lander' && <span className="muted small">By landers of cards</span>}
              <span className="muted small tabular">
                {formatCount(sold)} sold{leads > 0 && `, ${formatRate(sold, leads)}`}
              </span>
              <Marks flow={flow} tierId={tier._id} status={tier.status} />
              <Edge
                share={leads > 0 ? formatRate(leads, all) : undefined}
                says={`${leadsWord(leads)} in today, ${formatRate(leads, all)} of all.`}
              >
                {formatCount(leads)} in
              </Edge>
            </li>
          );
        })}
      </ul>
      {answer.publisherTiers.length === 0 && <p className="muted small">No leads come to this campaign yet.</p>}
    </section>
  );
}

export function Checks({ flow }: { flow: FlowAnswer | undefined }) {
  const checks = [
    { label: 'Fields', says: 'Missing or wrong fields', count: sum(flow, 'invalid') },
    { label: 'Duplicates', says: 'The same consumer again', count: sum(flow, 'duplicate') },
    { label: 'Rules', says: 'Filter, hours, caps of the publisher tier', count: sum(flow, 'rejected') },
  ];
  const all = allLeads(flow);
  const passed = sum(flow, 'sold', 'unsold', 'held', 'error', 'received');
  return (
    <section className="flow-column" aria-label="Checks">
      <h2>Checks</h2>
      <div className="flow-from">
        <ul className="flow-cards">
          {checks.map((check) => (
            <li key={check.label} className="flow-card">
              <strong>{check.label}</strong>
              <span className="muted small">{check.says}</span>
              <span className="small tabular">
                {formatCount(check.count)} stopped today{check.count > 0 && `, ${formatRate(check.count, all)}`}
              </span>
            </li>
          ))}
        </ul>
        <Edge
          share={all > 0 ? formatRate(passed, all) : undefined}
          says={`${leadsWord(passed)} ${passed === 1 ? 'goes' : 'go'} on into the tree, ${formatRate(passed, all)} of all.`}
        >
          {formatCount(passed)} on
        </Edge>
      </div>
    </section>
  );
}

export function Ends({ flow }: { flow: FlowAnswer | undefined }) {
  const revenue = (flow?.buyerTiers ?? []).reduce((all, tier) => all + Math.round(Number(tier.revenue) * 10_000), 0);
  const all = allLeads(flow);
  const ends = [
    { label: 'Sold', tone: 'good', count: sum(flow, 'sold') },
    { label: 'Unsold', tone: 'warn', count: sum(flow, 'unsold') },
    { label: 'Held or failed', tone: 'bad', count: sum(flow, 'held', 'error') },
    { label: 'Under way', tone: 'muted', count: sum(flow, 'received') },
  ];
  return (
    <section className="flow-column flow-ends" aria-label="How leads end">
      <h2>Today</h2>
      <ul className="flow-cards">
        {ends
          .filter(({ count }, at) => at < 2 || count > 0)
          .map(({ label, tone, count }) => (
            <li key={label} className="flow-card">
              <strong className={tone}>{label}</strong>
              <span className="tabular">
                {formatCount(count)} <span className="muted small">{formatRate(count, all)}</span>
              </span>
              {label === 'Sold' && <MoneyText amount={(revenue / 10_000).toFixed(4)} />}
            </li>
          ))}
      </ul>
    </section>
  );
}
