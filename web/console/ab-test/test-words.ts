/** How tests and their figures are told. Pure. */
import type { AbTestAnswer, AbTestStatus, VariantResult, VariantView } from '#contract/ab-test.ts';
import { formatMoney } from '#web/ui/format.ts';

export const STATUS: Record<AbTestStatus, { label: string; tone: string }> = {
  draft: { label: 'Draft', tone: 'info' },
  running: { label: 'Running', tone: 'good' },
  stopped: { label: 'Stopped', tone: 'muted' },
  archived: { label: 'Thrown away', tone: 'muted' },
};

export const METRIC = { revenue: 'Revenue per lead', margin: 'Margin per lead' } as const;

export const VERDICT = {
  better: { label: 'Better', tone: 'good' },
  worse: { label: 'Worse', tone: 'bad' },
  open: { label: 'Open', tone: 'info' },
} as const;

/** '+4.2%', '−0.8%'. */
export const signed = (percent: number): string => `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)}%`;

/** An interval of the metric in percent of what the control earns; undefined where that is nothing. */
export function inPercent(interval: { low: number; high: number } | null, controlMean: number): { low: number; high: number } | undefined {
  if (!interval || !(controlMean > 0)) return undefined;
  return { low: (interval.low / controlMean) * 100, high: (interval.high / controlMean) * 100 };
}

export const meanOf = (result: VariantResult, metric: 'revenue' | 'margin'): number =>
  Number(metric === 'revenue' ? result.epl : result.marginPerLead);

/** Leads that another smallest effect needs: four times as many for half of it. */
export const neededFor = (leadsNeeded: number, minimumEffect: number, wanted: number): number =>
  Math.ceil(leadsNeeded * (minimumEffect / wanted) ** 2);

/** The finding in one sentence: what is known of a variant by now. */
export function tellFinding(name: string, { against }: VariantResult, metric: 'revenue' | 'margin', controlMean: number): string {
  const what = metric === 'revenue' ? 'brings' : 'leaves us';
  const known = inPercent(against?.anytime ?? null, controlMean);
  if (!against || against.liftPercent === null || !known) return `${name}: too few leads to say anything yet.`;
  const edge = (percent: number) => `${Math.abs(percent).toFixed(1)}%`;
  if (against.verdict === 'better')
    return `${name} ${what} ${edge(against.liftPercent)} more per lead than the control, at least ${edge(known.low)}.`;
  if (against.verdict === 'worse')
    return `${name} ${what} ${edge(against.liftPercent)} less per lead than the control, at least ${edge(known.high)}.`;
  return `${name} is open: anything from ${signed(known.low)} to ${signed(known.high)} per lead is possible.`;
}

/** What a variant changes of the live campaign, in short sentences. */
export function tellVariant(
  { tree, margin, floor, pricePercent }: Omit<VariantView, '_id' | 'name' | 'sharePercent' | 'isControl'>,
  currency: string,
): string[] {
  const lines = [
    tree && `Its own tree: ${tree.groups.map(({ name, tiers }) => `${name} (${tiers.join('; ') || 'nobody'})`).join(', then ')}.`,
    margin && `A margin of at least ${margin.kind === 'percent' ? `${margin.percent}%` : formatMoney(margin.amount, currency)}.`,
    floor !== null && `A floor of ${formatMoney(floor, currency)}.`,
    pricePercent !== null && `Publishers’ prices at ${pricePercent}% of what their tiers say.`,
  ];
  return lines.filter((line) => typeof line === 'string');
}

/** 'About 3 days more at 1,200 leads a day', or how far over the plan it is. */
export function tellLeft(answer: Pick<AbTestAnswer, 'leadsPerDay'>, leads: number, needed: number): string {
  const left = needed - leads;
  if (left <= 0) return 'The plan is fulfilled.';
  if (answer.leadsPerDay <= 0) return `${left.toLocaleString('en-US')} leads to go.`;
  const days = Math.ceil(left / answer.leadsPerDay);
  return `${left.toLocaleString('en-US')} leads to go: about ${days === 1 ? 'a day' : `${days.toLocaleString('en-US')} days`} at ${Math.round(answer.leadsPerDay).toLocaleString('en-US')} a day.`;
}
