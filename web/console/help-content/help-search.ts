/** What the address of the help content says, and which entries it finds. */
import type { HelpEntryView } from '#contract/help.ts';
import { type HelpKind, helpKindOf } from '#contract/help-kind.ts';
import { sayEntry } from './help-words.ts';

const states = ['product', 'changed', 'added', 'removed'] as const;
export type HelpEntryState = (typeof states)[number];

export interface HelpSearch {
  q?: string | undefined;
  kind?: HelpKind | undefined;
  state?: HelpEntryState | undefined;
  page?: number | undefined;
}

export function readHelpSearch(raw: Record<string, unknown>): HelpSearch {
  const page = Number(raw.page);
  const found: HelpSearch = {
    q: typeof raw.q === 'string' && raw.q.trim() !== '' ? raw.q.slice(0, 200) : undefined,
    kind: helpKindOf(raw.kind),
    state: states.find((one) => one === raw.state),
    page: Number.isInteger(page) && page > 1 && page < 1000 ? page : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

export const stateOf = ({ isRemoved, origin }: HelpEntryView): HelpEntryState => (isRemoved ? 'removed' : origin);

/** Removed entries stand in the list only where they are asked for. */
export function findEntries(entries: readonly HelpEntryView[], { q = '', kind, state }: HelpSearch): HelpEntryView[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter((entry) => {
    if (kind && entry.kind !== kind) return false;
    if (state ? stateOf(entry) !== state : entry.isRemoved) return false;
    const text = `${entry.key} ${entry.tags.join(' ')} ${sayEntry(entry)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
