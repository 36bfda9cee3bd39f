import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { toast } from '#web/ui/toast.ts';
import { changePassword } from '../api/account.ts';
import { ApiError } from '../api/client.ts';
import { PageTabs } from '../shell/PageTabs.tsx';
import { FormAlert } from './FormAlert.tsx';
import { NewPasswordFields } from './NewPasswordFields.tsx';
import { OwnSessions } from './OwnSessions.tsx';
import { ownSessionsQuery } from './own-sessions.ts';
import { checkNewPassword } from './password-check.ts';
import { TwoFactorCard } from './TwoFactorCard.tsx';
import './change-password.css';

const EMPTY = { currentPassword: '', password: '', confirmPassword: '' };

/** Account §2 /change-password: the password, the second factor, and the sessions that are open. */
export function ChangePassword() {
  return (
    <div className="page narrow">
      <title>Password and sessions · Sluice</title>
      <div className="page-head">
        <h1>Password and sessions</h1>
      </div>
      <PageTabs of="person" />
      <div className="security-cards">
        <PasswordCard />
        <TwoFactorCard />
        <OwnSessions />
      </div>
    </div>
  );
}

function PasswordCard() {
  const client = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: EMPTY,
    validate: { currentPassword: (text: string) => (text === '' ? 'Enter your current password' : null), ...checkNewPassword },
    clearInputErrorOnChange: true,
  });
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: async ({ msg }) => {
      form.reset();
      void toast('success', msg);
      await client.invalidateQueries({ queryKey: ownSessionsQuery.queryKey });
    },
    onError: (error) => {
      const fields = error instanceof ApiError ? Object.fromEntries(error.fields.map((one) => [one.field, one.message])) : {};
      form.setErrors(fields);
      focusFirstError(fields);
    },
  });
  const submit = (values: typeof EMPTY) => {
    if (!change.isPending) change.mutate(values);
  };
  const atField = change.error instanceof ApiError && change.error.fields.length > 0;
  return (
    <section className="card" aria-labelledby="password-card">
      <header>
        <h2 id="password-card">Change the password</h2>
      </header>
      <form noValidate className="card-body security-form" onSubmit={form.onSubmit(submit, focusFirstError)}>
        {change.error && !atField && <FormAlert key={change.submittedAt} error={change.error} onHide={change.reset} />}
        <PasswordInput
          key={form.key('currentPassword')}
          {...form.getInputProps('currentPassword')}
          label="Current password"
          autoComplete="current-password"
          size="md"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
        />
        <NewPasswordFields form={form} />
        <Button type="submit" loading={change.isPending}>
          Change the password
        </Button>
        <p className="muted small">Your other sessions end, and we send you a mail about it.</p>
      </form>
    </section>
  );
}
