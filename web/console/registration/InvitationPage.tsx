import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import type { InvitationAnswer, InvitationAnswered } from '#contract/team.ts';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { ApiError } from '../api/client.ts';
import { sessionQuery } from '../api/session.ts';
import { acceptInvitation, invitationQuery, rejectInvitation } from '../api/team.ts';
import { FormAlert } from '../session/FormAlert.tsx';
import { invitationResult } from '../session/landing-search.ts';
import { checkPasswordLength } from '../session/password-check.ts';
import { DoorPage } from './DoorPage.tsx';

/** Account §4: opening the link changes nothing; the person chooses. */
export function InvitationPage() {
  const { teamId } = getRouteApi('/invitation/$teamId').useParams();
  const invitation = useQuery(invitationQuery(teamId));
  return (
    <DoorPage title="Your invitation">
      {invitation.isPending && <SkeletonLines count={4} />}
      {invitation.isError && <ErrorState error={invitation.error} onRetry={() => void invitation.refetch()} />}
      {invitation.data && <Choice teamId={teamId} invitation={invitation.data} />}
    </DoorPage>
  );
}

const REFUSED: Record<string, 1 | 3 | 4> = { invitation_accepted: 1, invitation_rejected: 3, invitation_deleted: 4 };

function Choice({ teamId, invitation }: { teamId: string; invitation: InvitationAnswer }) {
  const { organizationName, teamData, email, isUser } = invitation;
  const goToResult = useResult(teamId);
  const client = useQueryClient();
  const session = useQuery(sessionQuery);
  const isMine = session.data?.user?.email === email;
  const form = useForm({
    initialValues: { password: '' },
    // Account §5: 8 to 20 characters.
    validate: { password: (password) => (isUser && !isMine ? checkPasswordLength(password) : null) },
  });
  const onError = (error: Error) => {
    const standing = error instanceof ApiError ? REFUSED[error.code] : undefined;
    if (standing) goToResult({ isInvitationSuccess: standing, isUser });
    else if (error instanceof ApiError && error.fields.length > 0)
      form.setErrors(Object.fromEntries(error.fields.map((one) => [one.field, one.message])));
  };
  const accept = useMutation({
    mutationFn: ({ password }: { password: string }) => acceptInvitation(invitation, teamId, password),
    onSuccess: (answered) => {
      // A new team is a new way in.
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      goToResult(answered);
    },
    onError,
  });
  const reject = useMutation({ mutationFn: () => rejectInvitation(teamId), onError });
  const isPending = accept.isPending || reject.isPending;
  if (reject.data) return <Result text={reject.data.msg} />;
  const standing = accept.isSuccess ? 2 : invitation.isInvitationSuccess;
  if (standing) return <Result text={invitationResult[standing]} />;
  const failed = accept.error ?? reject.error;
  return (
    <form noValidate onSubmit={form.onSubmit((values) => void (isPending || accept.mutate(values)), focusFirstError)}>
      <p>
        Hello {teamData.firstName}, you are invited to the team of <strong>{organizationName}</strong>.
      </p>
      <p className="muted">The invitation is for {email}.</p>
      <FormAlert
        error={failed instanceof ApiError && failed.fields.length > 0 ? null : failed}
        onHide={() => {
          accept.reset();
          reject.reset();
        }}
      />
      {isUser && !isMine && (
        <PasswordInput
          {...form.getInputProps('password')}
          label="Password of your account"
          autoComplete="current-password"
          maxLength={64}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
        />
      )}
      <div className="choice">
        <Button type="submit" loading={accept.isPending} disabled={reject.isPending}>
          Accept
        </Button>
        <Button
          variant="default"
          loading={reject.isPending}
          disabled={accept.isPending}
          onClick={() => void (isPending || reject.mutate())}
        >
          Reject
        </Button>
      </div>
    </form>
  );
}

function Result({ text }: { text: string }) {
  return (
    <>
      <p role="status">{text}</p>
      <Button component="a" href="/login">
        Sign in
      </Button>
    </>
  );
}

/** Account §2: the landing tells the result; a new person goes on to register. */
function useResult(teamId: string) {
  const router = useRouter();
  return ({ isInvitationSuccess, isUser }: Pick<InvitationAnswered, 'isInvitationSuccess' | 'isUser'>) => {
    if (isInvitationSuccess === 2 && !isUser) return router.history.push(`/member-register/${teamId}`);
    const query = new URLSearchParams({ isInvitationSuccess: String(isInvitationSuccess), isUser: String(isUser), teamId });
    router.history.push(`/?${query}`);
  };
}
