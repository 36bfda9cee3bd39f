import { Button } from '@mantine/core';
import type { AbTestAnswer, VariantResult } from '#contract/ab-test.ts';
import { formatCents, formatCount, formatMoney, formatRate } from '#web/ui/format.ts';
import { MoneyText, useReporting } from '#web/ui/reporting.tsx';
import { IntervalBar } from './IntervalBar.tsx';
import { inPercent, METRIC, meanOf, signed, VERDICT } from './test-words.ts';

interface ResultTableProps {
  answer: AbTestAnswer;
  /** Absent where nothing can be promoted. */
  onPromote: ((variantId: string) => void) | undefined;
}

/** One line a variant: what came of it, and how it compares with the control. */
export function ResultTable({ answer: { test, results }, onPromote }: ResultTableProps) {
  const controlMean = results[0] ? meanOf(results[0], test.metric) : 0;
  const reach = reachOf(results, controlMean);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="scroll-x" aria-label="Table of variants" tabIndex={0}>
      <table className="plain-table result-table">
        <thead>
          <tr>
            <th scope="col">Variant</th>
            <th scope="col" className="num">
              Leads
            </th>
            <th scope="col" className="num">
              Sold
            </th>
            <th scope="col" className="num">
              Revenue
            </th>
            <th scope="col" className="num">
              Margin
            </th>
            <th scope="col" className="num">
              EPL
            </th>
            <th scope="col" className="num">
              Margin per lead
            </th>
            <th scope="col">{METRIC[test.metric]} against the control</th>
            <th scope="col">
              <span className="sr-only">Promote</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {test.variants.map((variant, at) => {
            const result = results[at]!;
            return (
              <tr key={variant._id}>
                <th scope="row">
                  {variant.name} <span className="muted small">{variant.sharePercent}%</span>
                  {test.promotedVariantId === variant._id && <span className="pill good">Promoted</span>}
                </th>
                <td className="num">
                  {formatCount(result.leads)}
                  {result.consumers < result.leads && <div className="muted small">{formatCount(result.consumers)} consumers</div>}
                </td>
                <td className="num">
                  {formatCount(result.sold)} <span className="muted small">{formatRate(result.sold, result.leads)}</span>
                </td>
                <td className="num">
                  <MoneyText amount={result.revenue} />
                </td>
                <td className="num">
                  <MoneyText amount={result.margin} />
                </td>
                <td className="num">
                  <PerLead amount={result.epl} />
                </td>
                <td className="num">
                  <PerLead amount={result.marginPerLead} />
                </td>
                <td>
                  {at === 0 ? <span className="muted">Control</span> : <Against result={result} controlMean={controlMean} reach={reach} />}
                </td>
                <td className="num">
                  {onPromote && at > 0 && variant.isLive && (
                    <span className="muted small" title="The live campaign sells just so: there is nothing to promote.">
                      Live already
                    </span>
                  )}
                  {onPromote && at > 0 && !variant.isLive && (
                    <Button size="xs" variant="default" onClick={() => onPromote(variant._id)}>
                      Promote…<span className="sr-only"> {variant.name}</span>
                    </Button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** To the cent, exact on hover. */
function PerLead({ amount }: { amount: string }) {
  const { currency, currencyDisplay } = useReporting();
  return <span title={formatMoney(amount, currency, currencyDisplay)}>{formatCents(amount, currency, currencyDisplay)}</span>;
}

/** All bars of the table in one measure. */
function reachOf(results: VariantResult[], controlMean: number): number {
  const edges = results.flatMap(({ against }) => {
    const shown = inPercent(against?.anytime ?? against?.once ?? null, controlMean);
    return shown ? [Math.abs(shown.low), Math.abs(shown.high)] : [];
  });
  return Math.min(200, Math.max(1, ...edges));
}

function Against({ result: { against }, controlMean, reach }: { result: VariantResult; controlMean: number; reach: number }) {
  if (!against || against.liftPercent === null) return <span className="muted">Too few leads to say.</span>;
  const [anytime, once] = [inPercent(against.anytime, controlMean), inPercent(against.once, controlMean)];
  const { label, tone } = VERDICT[against.verdict];
  return (
    <div className="against">
      <span className={`pill ${tone}`}>{label}</span>
      <span className="against-figures tabular">
        <strong>{signed(against.liftPercent)}</strong>
        {anytime ? ` (${signed(anytime.low)} to ${signed(anytime.high)})` : ' (too few leads for an interval)'}
      </span>
      {anytime && <IntervalBar {...anytime} middle={against.liftPercent} reach={reach} tone={tone} />}
      <span className="muted small tabular">
        {once && `Looked at only once: ${signed(once.low)} to ${signed(once.high)}. `}
        {against.acceptRate && `Accept rate: ${points(against.acceptRate.low)} to ${points(against.acceptRate.high)} points.`}
      </span>
    </div>
  );
}

const points = (part: number): string => `${part < 0 ? '−' : '+'}${Math.abs(part * 100).toFixed(1)}`;
