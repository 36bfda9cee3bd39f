/** How a buyer or publisher does today: one word from what is wrong with it and its tiers. */
import type { Health } from '#contract/health.ts';
import type { Warning } from '#contract/warning.ts';

/** Somebody set it so. */
const MEANT: readonly Warning['kind'][] = ['paused', 'pauseDate', 'closedToday'];
/** A cap that is used up is no illness of the buyer's: it got what it asked for. It is worth a look, no more. */
const BAD: readonly Warning['kind'][] = ['breaker', 'unreachable', 'errors'];

interface Day {
  /** The subject is active, and so is one of its tiers if it has any. */
  isOpen: boolean;
  calls: number;
  wrong: readonly Pick<Warning, 'kind'>[];
  /** Today's figures are worth a word. */
  isWeak: boolean;
}

/** What is paused or closed on purpose is not ill. */
export function healthOf({ isOpen, calls, wrong, isWeak }: Day): Health {
  const ill = wrong.filter(({ kind }) => !MEANT.includes(kind));
  if (!isOpen) return 'paused';
  if (ill.some(({ kind }) => BAD.includes(kind))) return 'bad';
  if (ill.length > 0 || isWeak) return 'warn';
  return calls > 0 ? 'good' : 'quiet';
}

const FEWEST_LEADS = 10;
const BAD_SHARE = 0.2;

/** A publisher much of whose leads do not get into the tree is worth a word. */
export function sayRefused({ leads, refused }: { leads: number; refused: number }): string | undefined {
  if (leads < FEWEST_LEADS || refused < leads * BAD_SHARE) return undefined;
  return `${refused} of ${leads} leads today did not get into the tree: invalid, rejected or duplicate.`;
}
