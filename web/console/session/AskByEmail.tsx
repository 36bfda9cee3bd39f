import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { forgotPassword, resetMfa, type Said } from '../api/account.ts';
import { AccountFrame } from './AccountFrame.tsx';
import { FormAlert, PageNote } from './FormAlert.tsx';
import { checkCredentials, tidyEmail } from './sign-in-check.ts';

export function ForgotPassword() {
  return (
    <AccountFrame title="Forgot password">
      <AskByEmail title="Forgot your password?" send={forgotPassword}>
        We send a link to your address. It lets you set a new password.
      </AskByEmail>
    </AccountFrame>
  );
}

export function AskMfaReset() {
  return (
    <AccountFrame title="Reset two-factor sign-in">
      <AskByEmail title="Lost your authenticator?" send={resetMfa}>
        A recovery code opens your account as well. Without one, we send a link to your address that resets two-factor sign-in; the owner of
        your organization is told.
      </AskByEmail>
    </AccountFrame>
  );
}

/** Account §5: the address is required, and lower-cased before it is sent. */
function AskByEmail({ title, send, children }: { title: string; send: (email: string) => Promise<Said>; children: string }) {
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
      <h1>{ask.data ? 'Look into your mail' : title}</h1>
      {ask.data ? <PageNote>{ask.data.msg}</PageNote> : <p className="sign-in-lead">{children}</p>}
      <form noValidate onSubmit={form.onSubmit(submit, focusFirstError)}>
        {ask.error && <FormAlert key={ask.submittedAt} error={ask.error} onHide={ask.reset} />}
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
