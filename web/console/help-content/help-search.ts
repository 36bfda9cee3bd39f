/** What the address of the help content says. */
import { type HelpKind, helpKindOf } from '#contract/help-kind.ts';

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
