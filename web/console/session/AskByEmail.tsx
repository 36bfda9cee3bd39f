import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { forgotPassword, resetMfa, type Said } from '../api/account.ts';
import { AccountFrame } from './AccountFrame.tsx';
import { FormAlert, FormNotice } from './FormAlert.tsx';
import { checkCredentials, tidyEmail } from './sign-in-check.ts';

export function ForgotPassword() {
  return (
    <AccountFrame title="Forgot password">
      <h1>Forgot your password?</h1>
      <AskByEmail send={forgotPassword}>We send a link to your address. It lets you set a new password.</AskByEmail>
    </AccountFrame>
  );
}

export function AskMfaReset() {
  return (
    <AccountFrame title="Reset two-factor sign-in">
      <h1>Lost your authenticator?</h1>
      <AskByEmail send={resetMfa}>
        A recovery code opens your account as well. Without one, we send a link to your address that resets two-factor sign-in; the owner of
        your organization is told.
      </AskByEmail>
    </AccountFrame>
  );
}

/** Account §5: the address is required, and lower-cased before it is sent. */
function AskByEmail({ send, children }: { send: (email: string) => Promise<Said>; children: string }) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: { email: checkCredentials.email },
    clearInputErrorOnChange: true,
  });
  const ask = useMutation({ mutationFn: send });
  const submit = ({ email }: { email: string }) => {
    if (!ask.isPending) ask.mutate(tidyEmail(email));
  };
  return (
    <>
      <p className="sign-in-lead">{children}</p>
      <form noValidate onSubmit={form.onSubmit(submit, focusFirstError)}>
        {ask.error && <FormAlert key={ask.submittedAt} error={ask.error} onHide={ask.reset} />}
        {ask.data && <FormNotice tone="good">{ask.data.msg}</FormNotice>}
        <TextInput
          key={form.key('email')}
          {...form.getInputProps('email')}
          label="Email"
          type="email"
          autoComplete="username"
          size="md"
          autoFocus
        />
        <Button type="submit" size="md" fullWidth loading={ask.isPending}>
          {ask.data ? 'Send it again' : 'Send the link'}
        </Button>
      </form>
      <p className="sign-in-links">
        <Link to="/login" search={{}} className="link">
          Back to signing in
        </Link>
      </p>
    </>
  );
}
