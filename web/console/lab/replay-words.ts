import type { ReplayAsked, ReplayStatus } from '#contract/replay.ts';

export const replayStatusWord: Record<ReplayStatus, { label: string; tone: string }> = {
  waiting: { label: 'Waiting', tone: 'info' },
  running: { label: 'Running', tone: 'info' },
  done: { label: 'Done', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'muted' },
  lost: { label: 'Lost', tone: 'warn' },
};

/** Which tree was replayed, in a few words; an older one is told with its day. */
export function treeWords({ tree, treePublishedAt }: ReplayAsked, timeText: (at: string) => string): string {
  if (tree.kind === 'draft') return 'the draft';
  return tree.kind === 'live' ? 'the live tree' : `the tree of ${treePublishedAt ? timeText(treePublishedAt) : 'before'}`;
}

/** The settings that were changed for it, each in a few words. */
export function settingWords({ settings }: ReplayAsked, moneyText: (amount: string) => string): string[] {
  const { margin, floor, maxSales, timeLimitMs } = settings;
  return [
    ...(margin ? [`margin ${margin.kind === 'fixed' ? moneyText(margin.amount) : `${margin.percent}%`}`] : []),
    ...(floor === null ? ['no floor'] : floor === undefined ? [] : [`floor ${moneyText(floor)}`]),
    ...(maxSales === undefined ? [] : [`up to ${maxSales} ${maxSales === 1 ? 'sale' : 'sales'} a lead`]),
    ...(timeLimitMs === undefined ? [] : [`${timeLimitMs} ms a lead`]),
  ];
}

/** Exact difference of two amounts with at most four fraction digits. */
export function moneyDifference(after: string, before: string): string {
  const tens = (text: string) => {
    const [, sign, whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
    return BigInt(`${sign ?? ''}${whole}${part.padEnd(4, '0')}`);
  };
  const difference = tens(after) - tens(before);
  const digits = (difference < 0n ? -difference : difference).toString().padStart(5, '0');
  return `${difference < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4).replace(/0{1,2}$/, '')}`;
}
