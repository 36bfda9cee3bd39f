import { IconReload } from './icons.ts';

interface RefreshButtonProps {
  query: { isFetching: boolean; refetch: () => Promise<unknown> };
  isBarred?: boolean;
}

/** Asks anew for what a page shows. */
export function RefreshButton({ query: { isFetching, refetch }, isBarred = false }: RefreshButtonProps) {
  return (
    <button type="button" className="tool-button" onClick={() => void refetch()} disabled={isFetching || isBarred}>
      <IconReload size={15} aria-hidden className={isFetching ? 'turning' : undefined} /> {isFetching ? 'Loading…' : 'Refresh'}
    </button>
  );
}
