import type { HelpEntryView } from '#contract/help.ts';
import type { HelpEntryState, HelpSearch } from './help-search.ts';
import { sayEntry } from './help-words.ts';

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
