import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { MESSAGES } from '#contract/message.ts';
import { IconCheck } from '#web/ui/icons.ts';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { activateMember, memberData } from '../api/account.ts';
import { ApiError } from '../api/client.ts';
import { AccountFrame } from './AccountFrame.tsx';
import { activationSteps, stepsDone } from './activation-steps.ts';
import { FormAlert, PageNote } from './FormAlert.tsx';
import { leaveNotice } from './notice.ts';
import './confirm-email.css';

const route = getRouteApi('/invitation-confirm-email/$userId');

/** Account §4 "Email confirmation": the person's data, a button, and the account coming to life. */
export function ConfirmEmail() {
  const { userId } = route.useParams();
  const { token, email } = route.useSearch();
  const data = useQuery({ queryKey: ['member-data', userId, token], queryFn: () => memberData(userId, token), retry: false });
  const activate = useMutation({ mutationFn: () => activateMember(token ?? '', email ?? '') });
  const isActive = [data.error, activate.error].some((error) => error instanceof ApiError && error.code === 'user_already_activated');
  useGoToLogin(isActive && !activate.isSuccess, MESSAGES.userAlreadyActivated);
  if (activate.isSuccess) return <Activated email={email} />;
  return (
    <AccountFrame title="Confirm your address">
      <h1>Confirm your address</h1>
      {data.isPending && <SkeletonLines count={3} />}
      {data.error && <Refused error={data.error} onRetry={() => void data.refetch()} />}
      {data.data && (
        <>
          <p className="sign-in-lead">
            Welcome, {data.data.data.first_name}. One step is left: confirm that <strong>{data.data.data.email}</strong> is yours
            {data.data.data.organization && ` and ${data.data.data.organization} is ready`}.
          </p>
          {activate.error && <FormAlert key={activate.submittedAt} error={activate.error} onHide={activate.reset} />}
          <Button size="md" fullWidth loading={activate.isPending} onClick={() => activate.mutate()}>
            Confirm and activate
          </Button>
        </>
      )}
    </AccountFrame>
  );
}

function Refused({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!(error instanceof ApiError) || error.httpStatus === 0) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <>
      <PageNote>{error.message}</PageNote>
      <p className="sign-in-lead">A new mail with a new link is one try to sign in away: the sign-in page offers to send it.</p>
      <Link to="/login" search={{}} className="link">
        To the sign-in page
      </Link>
    </>
  );
}

const readableMs = 1500;

/** Account §4: who is active already is told so and goes to sign in. */
function useGoToLogin(when: boolean, notice: string): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!when) return;
    const timer = setTimeout(() => {
      leaveNotice(notice);
      void navigate({ to: '/login', search: {}, replace: true });
    }, readableMs);
    return () => clearTimeout(timer);
  }, [when, notice, navigate]);
}

function Activated({ email }: { email: string | undefined }) {
  const done = useStepsDone();
  const isOver = done === activationSteps.length;
  return (
    <AccountFrame title="Your account comes to life">
      <h1>{isOver ? 'All set' : 'Setting things up…'}</h1>
      <ol className="activation-steps" aria-live="polite">
        {activationSteps.map(({ label }, at) => (
          <li key={label} data-done={at < done}>
            <span className="activation-mark">{at < done && <IconCheck size={16} aria-hidden />}</span>
            {label}
            <span className="sr-only">{at < done ? ', done' : ', waiting'}</span>
          </li>
        ))}
      </ol>
      {isOver && (
        <Link to="/login" search={email ? { email } : {}} className="activation-go">
          Sign in
        </Link>
      )}
    </AccountFrame>
  );
}

function useStepsDone(): number {
  const [done, setDone] = useState(0);
  useEffect(() => {
    const timers = activationSteps.map(({ atMs }) => setTimeout(() => setDone(stepsDone(atMs)), atMs));
    return () => timers.forEach(clearTimeout);
  }, []);
  return done;
}
