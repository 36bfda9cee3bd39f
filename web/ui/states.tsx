import { Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconCloudOff, IconReload } from './icons.ts';
import './states.css';

/** Says why nothing is here and what to do next. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty-state">
      <svg viewBox="0 0 96 40" width="96" height="40" aria-hidden="true" className="empty-state-art">
        <path d="M4 30c8 0 8-5 16-5s8 5 16 5 8-5 16-5 8 5 16 5 8-5 16-5 8 5 8 5" />
        <path d="M40 4v26M56 4v26M40 8h16v9H40z" />
      </svg>
      <p className="empty-state-title">{title}</p>
      {children && <p className="muted">{children}</p>}
      {action}
    </div>
  );
}

export function ErrorState({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="empty-state" role="alert">
      <IconCloudOff size={34} aria-hidden className="bad" stroke={1.6} />
      <p className="empty-state-title">This could not be loaded.</p>
      <p className="muted">{error instanceof Error ? error.message : 'The server gave no answer.'}</p>
      <Button variant="default" size="xs" leftSection={<IconReload size={15} aria-hidden />} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

/** Where asking anew failed, beside what was read before. */
export function NotRefreshed({ query: { isRefetchError, error } }: { query: { isRefetchError: boolean; error: unknown } }) {
  if (!isRefetchError) return null;
  return (
    <p className="not-refreshed bad small" role="alert">
      Not refreshed: {error instanceof Error ? error.message : 'The server gave no answer.'}
    </p>
  );
}

/** Grey bars in the place of the lines to come. */
export function SkeletonLines({ count, height = 16 }: { count: number; height?: number }) {
  return (
    <div role="status" className="skeleton-lines">
      <span className="sr-only">Loading</span>
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike
        <Skeleton key={at} height={height} width={`${94 - ((at * 17) % 35)}%`} radius="sm" />
      ))}
    </div>
  );
}
