import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { resetPassword } from '../api/account.ts';
import { ApiError } from '../api/client.ts';
import { AccountFrame } from './AccountFrame.tsx';
import { FormAlert, FormNotice } from './FormAlert.tsx';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import { leaveNotice } from './notice.ts';
import { checkNewPassword } from './password-check.ts';

const toLoginAfterMs = 500;

export function ResetPassword() {
  return (
    <AccountFrame title="Set a new password">
      <h1>Set a new password</h1>
      <ResetForm />
      <p className="sign-in-links">
        <Link to="/forgot-password" className="link">
          Ask for a new link
        </Link>
        <Link to="/login" search={{}} className="link">
          Back to signing in
        </Link>
      </p>
    </AccountFrame>
  );
}

function ResetForm() {
  const { token } = getRouteApi('/reset/$token').useParams();
  const navigate = useNavigate();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', confirmPassword: '' },
    validate: checkNewPassword,
    clearInputErrorOnChange: true,
  });
  const reset = useMutation({
    mutationFn: (passwords: { password: string; confirmPassword: string }) => resetPassword(token, passwords),
    onSuccess: ({ msg, user }) => {
      leaveNotice(msg, 'good');
      // Account §9: half a second to read that it worked.
      setTimeout(() => void navigate({ to: '/login', search: { email: user.email } }), toLoginAfterMs);
    },
    onError: (error) => {
      const fields = error instanceof ApiError ? Object.fromEntries(error.fields.map((one) => [one.field, one.message])) : {};
      form.setErrors(fields);
      focusFirstError(fields);
    },
  });
  const atField = reset.error instanceof ApiError && reset.error.fields.length > 0;
  const submit = (passwords: { password: string; confirmPassword: string }) => {
    if (!reset.isPending && !reset.isSuccess) reset.mutate(passwords);
  };
  return (
    <form noValidate onSubmit={form.onSubmit(submit, focusFirstError)}>
      {reset.error && !atField && <FormAlert key={reset.submittedAt} error={reset.error} onHide={reset.reset} />}
      {reset.data && <FormNotice>{reset.data.msg}</FormNotice>}
      <NewPasswordFields form={form} />
      <Button type="submit" size="md" fullWidth loading={reset.isPending}>
        Set the password
      </Button>
    </form>
  );
}
