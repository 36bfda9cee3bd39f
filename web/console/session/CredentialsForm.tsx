import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { MESSAGES } from '#contract/message.ts';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { IconKeyboard } from '#web/ui/icons.ts';
import { resendActivation, type SignInAnswer, signIn } from '../api/account.ts';
import { ApiError } from '../api/client.ts';
import { demoQuery } from '../api/session.ts';
import { FormAlert, PageNote } from './FormAlert.tsx';
import { type Credentials, checkCredentials, tidyEmail } from './sign-in-check.ts';

/** View 1 of signing in (account §2): e-mail and password. */
export function CredentialsForm({ email, onDone }: { email: string | undefined; onDone: (answer: SignInAnswer) => void }) {
  const form = useForm<Credentials>({
    mode: 'uncontrolled',
    initialValues: { email: email ?? '', password: '' },
    validate: checkCredentials,
    validateInputOnBlur: false,
    clearInputErrorOnChange: true,
  });
  const enter = useMutation({ mutationFn: signIn, onSuccess: onDone });
  const capsLock = useCapsLock();
  const submit = (values: Credentials) => {
    if (!enter.isPending) enter.mutate({ email: tidyEmail(values.email), password: values.password });
  };
  return (
    <>
      <form noValidate onSubmit={form.onSubmit(submit, focusFirstError)} onKeyDown={capsLock.watch} onKeyUp={capsLock.watch}>
        {enter.error && <FormAlert key={enter.submittedAt} error={enter.error} onHide={enter.reset} />}
        {enter.error instanceof ApiError && enter.error.code === 'user_not_activated' && (
          <ResendActivation email={tidyEmail(form.getValues().email)} />
        )}
        <TextInput
          key={form.key('email')}
          {...form.getInputProps('email')}
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          size="md"
          data-autofocus
          autoFocus
        />
        <PasswordInput
          key={form.key('password')}
          {...form.getInputProps('password')}
          label="Password"
          autoComplete="current-password"
          size="md"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
        />
        <p className="caps-lock" aria-live="polite">
          {capsLock.on && (
            <>
              <IconKeyboard size={16} aria-hidden /> Caps lock is on.
            </>
          )}
        </p>
        <Button type="submit" size="md" fullWidth loading={enter.isPending}>
          Sign in
        </Button>
      </form>
      <p className="sign-in-links">
        <Link to="/forgot-password" className="link">
          Forgot your password?
        </Link>
        <Link to="/reset-mfa" className="link">
          Lost your authenticator?
        </Link>
        <Link to="/register" className="link">
          Register an organization
        </Link>
      </p>
      <DemoSignIns onChoose={(values) => form.setValues(values)} />
    </>
  );
}

function ResendActivation({ email }: { email: string }) {
  const resend = useMutation({ mutationFn: resendActivation });
  if (resend.isSuccess) return <PageNote>{MESSAGES.activationEmailSentSuccess}</PageNote>;
  return (
    <Button variant="default" loading={resend.isPending} onClick={() => resend.mutate(email)}>
      Send the mail again
    </Button>
  );
}

function useCapsLock() {
  const [on, setOn] = useState(false);
  const watch = (event: KeyboardEvent) => setOn(event.getModifierState('CapsLock'));
  return { on, watch };
}

function DemoSignIns({ onChoose }: { onChoose: (credentials: Credentials) => void }) {
  const { data } = useQuery(demoQuery);
  if (!data?.length) return null;
  return (
    <section className="demo-sign-ins" aria-label="Demo sign-ins">
      <h2>Demo world</h2>
      {data.map(({ email, password, label }) => (
        <button key={email} type="button" onClick={() => onChoose({ email, password })}>
          <strong>{label}</strong>
          <span className="muted small">{email}</span>
        </button>
      ))}
    </section>
  );
}
