import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { IconAlertTriangle, IconKeyboard } from '#web/ui/icons.ts';
import { ApiError } from '../api/client.ts';
import { demoQuery, placesQuery, sessionQuery, signIn } from '../api/session.ts';
import { Logo } from '../shell/Logo.tsx';
import { SchemeToggle } from '../shell/SchemeToggle.tsx';
import { turnScreenNumber } from './screen-number.ts';
import { type Credentials, checkCredentials, tidyEmail } from './sign-in-check.ts';
import { drawPicture, fieldHeight, fieldWidth } from './water-pattern.ts';
import './sign-in.css';

export function SignIn() {
  const [number] = useState(turnScreenNumber);
  return (
    <div className="sign-in" data-water={number}>
      <title>Sign in · Sluice</title>
      <WaterPicture number={number} />
      <header className="sign-in-brand">
        <p className="sign-in-name">
          <Logo size={34} /> Sluice
        </p>
        <p className="sign-in-claim">
          Every lead finds its channel, <br />
          and every decision is explained.
        </p>
      </header>
      <main className="sign-in-panel">
        <div className="sign-in-scheme">
          <SchemeToggle />
        </div>
        <h1>Sign in</h1>
        <CredentialsForm />
      </main>
    </div>
  );
}

function WaterPicture({ number }: { number: number }) {
  const strokes = useMemo(() => drawPicture(number), [number]);
  return (
    <svg className="water-picture" viewBox={`0 0 ${fieldWidth} ${fieldHeight}`} preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {strokes.map(({ d, weight }) => (
        <path key={d} d={d} className={`water-${weight}`} />
      ))}
    </svg>
  );
}

function CredentialsForm() {
  const { email } = getRouteApi('/login').useSearch();
  const form = useForm<Credentials>({
    mode: 'uncontrolled',
    initialValues: { email: email ?? '', password: '' },
    validate: checkCredentials,
    validateInputOnBlur: false,
    clearInputErrorOnChange: true,
  });
  const enter = useSignIn();
  const capsLock = useCapsLock();
  const submit = (values: Credentials) => {
    if (!enter.isPending) enter.mutate({ email: tidyEmail(values.email), password: values.password });
  };
  return (
    <>
      <form noValidate onSubmit={form.onSubmit(submit, focusFirstError)} onKeyDown={capsLock.watch} onKeyUp={capsLock.watch}>
        {enter.error && <SignInAlert key={enter.submittedAt} error={enter.error} onHide={enter.reset} />}
        <TextInput
          key={form.key('email')}
          {...form.getInputProps('email')}
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          size="md"
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
      <DemoSignIns onChoose={(values) => form.setValues(values)} />
    </>
  );
}

function useSignIn() {
  const { next } = getRouteApi('/login').useSearch();
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: signIn,
    onSuccess: async () => {
      client.clear();
      await Promise.all([client.query(sessionQuery), client.query(placesQuery).catch(() => null)]);
      router.history.push(next ?? '/');
    },
  });
}

const alertMs = 3000;

/** Account §9: alerts go after 3 s, but a refusal that carries a status stays. */
function SignInAlert({ error, onHide }: { error: Error; onHide: () => void }) {
  const stays = error instanceof ApiError && error.httpStatus > 0;
  const held = useRef(false);
  const hide = useEffectEvent(() => !held.current && onHide());
  useEffect(() => {
    if (stays) return;
    const timer = setInterval(() => hide(), alertMs);
    return () => clearInterval(timer);
  }, [stays]);
  return (
    <div
      className="sign-in-alert"
      role="alert"
      onMouseEnter={() => {
        held.current = true;
      }}
      onMouseLeave={() => {
        held.current = false;
      }}
    >
      <IconAlertTriangle size={18} aria-hidden />
      <span>{error.message}</span>
    </div>
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
