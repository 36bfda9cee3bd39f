import type { VerdictView } from '#contract/lead.ts';
import { filterReasonWord, type Tone, wordOfVerdict } from './lead-words.ts';

/** Groups in the order of the tree; a group of the same name further down stays a group of its own. */
export function groupVerdicts(verdicts: readonly VerdictView[]): { name: string; mode: string; lines: VerdictView[] }[] {
  const groups: { name: string; mode: string; lines: VerdictView[] }[] = [];
  for (const verdict of verdicts) {
    const last = groups.at(-1);
    if (last && last.name === verdict.groupName && last.mode === verdict.groupMode) last.lines.push(verdict);
    else groups.push({ name: verdict.groupName, mode: verdict.groupMode, lines: [verdict] });
  }
  return groups;
}

/** What kept the buyers away, most frequent first: "8 Filter, 1 Daily cap, 2 Declined". */
export function sumVerdicts(verdicts: readonly VerdictView[]): { label: string; tone: Tone; count: number }[] {
  const sums = new Map<string, { label: string; tone: Tone; count: number }>();
  for (const verdict of verdicts) {
    const { label: word, tone } = wordOfVerdict(verdict);
    const label = verdict.outcome === 'filtered' ? (filterReasonWord(verdict) ?? word) : word;
    const sum = sums.get(label) ?? { label, tone, count: 0 };
    sums.set(label, { ...sum, count: sum.count + 1 });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count);
}

/** Buyers were asked, and not one of them said anything: to call that a decline would be wrong. */
export function isUnanswered(verdicts: readonly VerdictView[]): boolean {
  const asked = verdicts.filter(({ outcome }) => ASKED.has(outcome));
  return asked.length > 0 && asked.every(({ outcome, isAnswered }) => outcome === 'timeouts' || !isAnswered);
}
const ASKED: ReadonlySet<VerdictView['outcome']> = new Set(['sold', 'rejected', 'terrors', 'timeouts']);

/** The lead was decided before the ping tree: nine equal lines would hide the one that matters. */
export const isBeforeTree = (verdicts: readonly VerdictView[]): boolean => verdicts.every((one) => one.outcome === 'notReached');

/** The sentence without the word that a pill beside it says already. */
export const withoutRule = (text: string, rule: string | null): string =>
  rule && text.startsWith(`${rule}: `) ? text.slice(rule.length + 2) : text;
