import { HEALTHS, type Health } from '#contract/health.ts';

/** What the address says: a part of the name, a health, a page, and whose tiers are shown. */
export interface HomeSearch {
  q?: string | undefined;
  health?: Health | undefined;
  /** A column, with a minus before it from the most to the least; worst first without. */
  sort?: string | undefined;
  page?: number | undefined;
  open?: string | undefined;
}

export function readHomeSearch(raw: Record<string, unknown>): HomeSearch {
  const page = Math.floor(Number(raw.page));
  const found: HomeSearch = {
    q: typeof raw.q === 'string' && raw.q.trim() !== '' ? raw.q.slice(0, 200) : undefined,
    health: HEALTHS.find((one) => one === raw.health),
    sort: typeof raw.sort === 'string' && /^-?[A-Za-z0-9]{1,20}$/.test(raw.sort) ? raw.sort : undefined,
    page: page > 1 && page <= 10_000 ? page : undefined,
    open: typeof raw.open === 'string' && /^[0-9a-f-]{36}$/.test(raw.open) ? raw.open : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
