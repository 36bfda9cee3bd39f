import { Button } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FileTools } from '#web/ui/FileTools.tsx';
import { OlderRows } from '#web/ui/OlderRows.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';

interface LinesOfLogProps {
  log: UseInfiniteQueryResult<InfiniteData<{ lookedTo: string | null }>>;
  /** Nothing of what was read so far is found; there may be more further back. */
  isEmpty: boolean;
  isNarrowed: boolean;
  /** Of the search: what is looked for. */
  label: string;
  /** What a file has. */
  fileTitle: string;
  emptyTitle: string;
  emptyText: string;
  olderLabel: string;
  filters: ReactNode;
  onClear: () => void;
  onDownload: () => void;
  /** The lines, where there are any. */
  children: ReactNode;
}

/** A log of the organization: its filters with file and print, its lines or why there are none, and those further back. */
export function LinesOfLog({ log, isEmpty, isNarrowed, filters, onClear, onDownload, children, ...words }: LinesOfLogProps) {
  return (
    <>
      <search className="lead-filters" aria-label={words.label}>
        {filters}
        {isNarrowed && (
          <button type="button" className="bare link clear-all" onClick={onClear}>
            Clear all
          </button>
        )}
        <FileTools isPushed isBarred={isEmpty && !log.hasNextPage} title={words.fileTitle} onSave={onDownload} />
      </search>
      {log.isPending && (
        <div className="card card-pad">
          <SkeletonLines count={6} />
        </div>
      )}
      {log.isError && <ErrorState error={log.error} onRetry={() => void log.refetch()} />}
      {log.data && isEmpty && !log.hasNextPage && (
        <div className="card">
          <EmptyState
            title={words.emptyTitle}
            action={
              isNarrowed && (
                <Button variant="default" size="xs" onClick={onClear}>
                  Clear filters
                </Button>
              )
            }
          >
            {words.emptyText}
          </EmptyState>
        </div>
      )}
      {!isEmpty && children}
      <OlderRows list={log} isEmpty={isEmpty} label={words.olderLabel} />
    </>
  );
}
