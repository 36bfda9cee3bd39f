import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { endSession } from '../api/account.ts';
import { ownSessionsQuery } from './own-sessions.ts';

const when = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit' });

/** Where this account is open, and how to close it there. */
export function OwnSessions() {
  const client = useQueryClient();
  const sessions = useQuery(ownSessionsQuery);
  const end = useMutation({
    mutationFn: endSession,
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: () => client.invalidateQueries({ queryKey: ownSessionsQuery.queryKey }),
  });
  const others = sessions.data?.filter((one) => !one.isThisOne).length ?? 0;
  return (
    <section className="card security-wide" aria-labelledby="sessions-card">
      <header>
        <h2 id="sessions-card">Open sessions</h2>
        {others > 0 && (
          <Button className="push" size="xs" variant="default" loading={end.isPending} onClick={() => end.mutate({ all: true })}>
            End all others
          </Button>
        )}
      </header>
      <div className="card-body">
        {sessions.isPending && <SkeletonLines count={3} />}
        {sessions.error && <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />}
        <ul className="session-list">
          {sessions.data?.map(({ _id, device, network, organization, beganAt, seenAt, isThisOne }) => (
            <li key={_id}>
              <span>
                <strong>{device}</strong> {isThisOne && <span className="pill good">this one</span>}
                <span className="muted small">
                  {organization}, from {network}, since {when.format(new Date(beganAt))}, seen {when.format(new Date(seenAt))}
                </span>
              </span>
              {!isThisOne && (
                <Button
                  size="xs"
                  variant="default"
                  disabled={end.isPending}
                  onClick={() => end.mutate({ _id })}
                  aria-label={`End ${device}`}
                >
                  End
                </Button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
