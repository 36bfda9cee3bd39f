import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate, useRouter } from '@tanstack/react-router';
import type { InvitationAnswer } from '#contract/team.ts';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { ApiError } from '../api/client.ts';
import { invitationQuery, registerMember } from '../api/team.ts';
import { FormAlert } from '../session/FormAlert.tsx';
import { leaveNotice } from '../session/notice.ts';
import { checkNewPassword } from '../session/password-check.ts';
import { DoorPage } from './DoorPage.tsx';
import { checkName } from './name-check.ts';

/** Account §2: an invited person registers; the name is prefilled. */
export function MemberRegister() {
  const { teamId } = getRouteApi('/member-register/$teamId').useParams();
  const invitation = useQuery({ ...invitationQuery(teamId), refetchOnWindowFocus: false });
  return (
    <DoorPage title="Join the team">
      {invitation.isPending && <SkeletonLines count={5} />}
      {invitation.isError && <ErrorState error={invitation.error} onRetry={() => void invitation.refetch()} />}
      {invitation.data && <Standing teamId={teamId} invitation={invitation.data} />}
    </DoorPage>
  );
}

/** Account §4: an invitation that was answered has nothing to fill in, and who has an account answers it there. */
function Standing({ teamId, invitation }: { teamId: string; invitation: InvitationAnswer }) {
  const { isInvitationSuccess, isUser } = invitation;
  if (isInvitationSuccess) return <Navigate to="/" search={{ isInvitationSuccess, isUser: true }} replace />;
  if (isUser) return <Navigate to="/invitation/$teamId" params={{ teamId }} replace />;
  return <MemberForm teamId={teamId} invitation={invitation} />;
}

function MemberForm({ teamId, invitation }: { teamId: string; invitation: InvitationAnswer }) {
  const router = useRouter();
  const form = useForm({
    initialValues: {
      first_name: invitation.teamData.firstName,
      last_name: invitation.teamData.lastName,
      password: '',
      confirmPassword: '',
    },
    validate: {
      first_name: (name) => checkName(name, 'First name'),
      last_name: (name) => checkName(name, 'Last name'),
      ...checkNewPassword,
    },
    clearInputErrorOnChange: true,
  });
  const send = useMutation({
    mutationFn: ({ first_name, last_name, password }: typeof form.values) => registerMember({ first_name, last_name, password, teamId }),
    onSuccess: ({ msg, email }) => {
      leaveNotice(msg, 'good');
      router.history.push(`/login?${new URLSearchParams({ email })}`);
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      const errors = Object.fromEntries(error.fields.map(({ field, message }) => [field, message]));
      form.setErrors(errors);
      focusFirstError(errors);
    },
  });
  const eye = { visibilityToggleButtonProps: { 'aria-label': 'Show the password', tabIndex: 0 } };
  return (
    <>
      <p>
        You join <strong>{invitation.organizationName}</strong> as {invitation.email}.
      </p>
      <form noValidate onSubmit={form.onSubmit((values) => void (send.isPending || send.mutate(values)), focusFirstError)}>
        <FormAlert
          key={send.submittedAt}
          error={send.error instanceof ApiError && send.error.fields.length > 0 ? null : send.error}
          onHide={send.reset}
        />
        <div className="pair">
          <TextInput {...form.getInputProps('first_name')} label="First name" autoComplete="given-name" maxLength={80} />
          <TextInput {...form.getInputProps('last_name')} label="Last name" autoComplete="family-name" maxLength={80} />
        </div>
        <PasswordInput
          {...form.getInputProps('password')}
          label="Password"
          description="8 to 20 characters, not one of the usual ones and not your name."
          autoComplete="new-password"
          maxLength={64}
          {...eye}
        />
        <PasswordInput
          {...form.getInputProps('confirmPassword')}
          label="Confirm password"
          autoComplete="new-password"
          maxLength={64}
          {...eye}
        />
        <Button type="submit" size="md" fullWidth loading={send.isPending}>
          Join
        </Button>
      </form>
    </>
  );
}
