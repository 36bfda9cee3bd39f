import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { ApiError } from '../api/client.ts';
import { PageTabs } from '../shell/PageTabs.tsx';
import '../team/team.css';

/** A settings page: its title, and its form once the record is there. */
export function RecordPage<Data>({
  title,
  tabs,
  query,
  children,
}: {
  title: string;
  tabs: 'organization' | 'person';
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}) {
  return (
    <div className="page narrow">
      <title>{`${title} · Sluice`}</title>
      <div className="page-head">
        <h1>{title}</h1>
      </div>
      <PageTabs of={tabs} />
      {query.data ? (
        children(query.data)
      ) : (
        <div className="card card-pad">
          {query.isError ? (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <SkeletonLines count={5} height={30} />
          )}
        </div>
      )}
    </div>
  );
}

export const errorsOf = (error: Error): Record<string, string> =>
  error instanceof ApiError
    ? Object.fromEntries(error.fields.map(({ field, message }) => [field.replace('orgDetails.', ''), message]))
    : {};

export function SaveRefusal({ error }: { error: Error | null }) {
  if (!error || Object.keys(errorsOf(error)).length > 0) return null;
  return (
    <div className="form-alert" role="alert">
      {error.message}
    </div>
  );
}
