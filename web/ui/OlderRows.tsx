import { Button } from '@mantine/core';
import { ExactTime } from './reporting.tsx';
import './older-rows.css';

/** The foot of a list that goes on: how far back a search came that looks at so many rows and no more, and the way on. */
export function OlderRows({ list, isEmpty, label }: { list: OlderPages; isEmpty: boolean; label: string }) {
  const lookedTo = list.data?.pages.at(-1)?.lookedTo ?? null;
  if (!list.hasNextPage) return null;
  return (
    <div className="older-rows">
      {lookedTo !== null && (
        <span className="muted small" role="status">
          {isEmpty ? 'Nothing found' : 'Searched'} back to <ExactTime at={lookedTo} />.
        </span>
      )}
      <Button size="xs" variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {lookedTo === null ? label : 'Search further back'}
      </Button>
    </div>
  );
}

/** What an infinite query of such a list is, as far as it matters here. */
export interface OlderPages {
  data: { pages: readonly { lookedTo: string | null }[] } | undefined;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}
