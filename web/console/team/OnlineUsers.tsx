import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { TimeAgo } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { endSession, onlineQuery } from '../api/team.ts';
import './team.css';

/** Account §2: who is signed in now; the owner may end a session. */
export function OnlineUsers() {
  const online = useQuery(onlineQuery);
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: endSession,
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: () => client.invalidateQueries({ queryKey: onlineQuery.queryKey }),
  });
  return (
    <div className="page narrow">
      <title>Online users · Sluice</title>
      <div className="page-head">
        <h1>Online users</h1>
        <span className="muted">Seen within the last five minutes</span>
      </div>
      <div className="card">
        {online.isPending && (
          <div className="card-pad">
            <SkeletonLines count={3} />
          </div>
        )}
        {online.isError && <ErrorState error={online.error} onRetry={() => void online.refetch()} />}
        {online.data?.users.length === 0 && <EmptyState title="Nobody is here." />}
        <ul className="people">
          {online.data?.users.map((one) => (
            <li key={one._id}>
              <div className="person">
                <strong>
                  {one.first_name} {one.last_name} {one.isOwnSession && <span className="pill info">This session</span>}
                </strong>
                {one.email && <span className="muted small">{one.email}</span>}
              </div>
              <span className="facts muted small">
                {one.device && <span>{one.device}</span>}
                {one.network && <span className="mono">{one.network}</span>}
                <span>
                  since <TimeAgo at={one.since} />
                </span>
              </span>
              {online.data.mayEnd && !one.isOwnSession && (
                <Button
                  size="xs"
                  variant="default"
                  loading={end.isPending && end.variables === one._id}
                  onClick={() => end.mutate(one._id)}
                  aria-label={`End session of ${one.first_name} ${one.last_name}`}
                >
                  End session
                </Button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
