import type { ReplayResult, ReplayStatus, ReplayView } from '#contract/replay.ts';
import { filterReasonWord } from '../lead/lead-words.ts';

export const replayStatusWord: Record<ReplayStatus, { label: string; tone: string }> = {
  waiting: { label: 'Waiting', tone: 'info' },
  running: { label: 'Running', tone: 'info' },
  done: { label: 'Done', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'muted' },
};

/** Which tree was replayed, in a few words. */
export const treeWords = ({ change }: Pick<ReplayView, 'change'>): string =>
  ({ draft: 'the draft', published: 'the published tree', version: 'an earlier tree' })[change.tree];

/** The settings that were changed for it, each in a few words. */
export function settingWords({ settings }: Pick<ReplayView, 'settings'>, moneyText: (amount: string) => string): string[] {
  const { margin, floor, maxSales, timeLimitMs, buyerTiers } = settings;
  return [
    ...(margin ? [`margin ${margin.kind === 'fixed' ? moneyText(margin.amount) : `${margin.percent}%`}`] : []),
    ...(floor === null ? [] : [Number(floor) === 0 ? 'no floor' : `floor ${moneyText(floor)}`]),
    ...(maxSales === null ? [] : [`up to ${maxSales} ${maxSales === 1 ? 'sale' : 'sales'} a lead`]),
    ...(timeLimitMs === null ? [] : [`${timeLimitMs} ms a lead`]),
    ...(buyerTiers.length === 0 ? [] : [`${buyerTiers.length} ${buyerTiers.length === 1 ? 'buyer tier' : 'buyer tiers'} set otherwise`]),
  ];
}

/** Exact difference of two amounts with at most four fraction digits. */
export function moneyDifference(after: string, before: string): string {
  const difference = tenThousandths(after) - tenThousandths(before);
  const digits = (difference < 0n ? -difference : difference).toString().padStart(5, '0');
  return `${difference < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4).replace(/0{1,2}$/, '')}`;
}

function tenThousandths(text: string): bigint {
  const [, sign, whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return BigInt(`${sign ?? ''}${whole}${part.padEnd(4, '0')}`);
}

export type Side = 'really' | 'published' | 'changed';
export type Sides<T> = Record<Side, T>;
export const SIDES: readonly Side[] = ['really', 'published', 'changed'];
const sidesOf = <T>(of: (side: Side) => T): Sides<T> => ({ really: of('really'), published: of('published'), changed: of('changed') });

/** Leads by a word, on three sides; the most frequent first. */
export interface CountRow extends Sides<number> {
  label: string;
}

/** `read`: the counts of one side, by word. */
export function countRows(read: (side: Side) => Readonly<Record<string, number>>, labelOf: (word: string) => string): CountRow[] {
  const counts = sidesOf(read);
  const words = [...new Set(SIDES.flatMap((side) => Object.keys(counts[side])))];
  const size = (row: CountRow) => row.really + row.published + row.changed;
  return words
    .map((word) => ({ label: labelOf(word), ...sidesOf((side) => counts[side][word] ?? 0) }))
    .toSorted((a, b) => size(b) - size(a));
}

type Tier = ReplayResult['buyerTiers'][number];

/** Why buyer tiers were left out, over all of them; the tally says 'filtered 4' for a pause date. */
export function filterRows(tiers: readonly Tier[]): CountRow[] {
  const read = (side: Side) => {
    const sums: Record<string, number> = {};
    for (const tier of tiers)
      for (const [end, leads] of Object.entries(tier[side].ends)) if (end.startsWith('filtered')) sums[end] = (sums[end] ?? 0) + leads;
    return sums;
  };
  const labelOf = (end: string) => filterReasonWord({ filterReasonKey: Number(end.split(' ')[1] ?? 0), capPeriod: null }) ?? 'Another rule';
  return countRows(read, labelOf);
}

/** How often a tier ended so, whichever rule it was. */
export const endsAs = (ends: Readonly<Record<string, number>>, outcome: string): number =>
  Object.entries(ends).reduce((sum, [end, leads]) => sum + (end === outcome || end.startsWith(`${outcome} `) ? leads : 0), 0);
