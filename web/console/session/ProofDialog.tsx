import { Modal, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Factor } from '#contract/error.ts';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { focusFirstError } from '#web/ui/focus-first-error.ts';
import { prove } from '../api/account.ts';
import { ApiError } from '../api/client.ts';
import { checkCode, plainCode } from './code-text.ts';
import './sign-in.css';

interface ProofDialogProps {
  needs: readonly Factor[];
  onProven: () => void;
  onClose: () => void;
}

/** Asks for what is missing of a fresh proof; what asked for it goes on by itself afterwards. */
export function ProofDialog({ needs, onProven, onClose }: ProofDialogProps) {
  // A password that was given too long ago by now is asked for as well.
  const [isLate, setLate] = useState(false);
  const [asksPassword, asksCode] = [isLate || needs.includes('password'), needs.includes('code')];
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: {
      password: (text) => (asksPassword && text === '' ? 'Enter your password' : null),
      code: (text) => (asksCode ? checkCode(text) : null),
    },
    clearInputErrorOnChange: true,
  });
  const send = useMutation({
    mutationFn: prove,
    onSuccess: onProven,
    onError: (error) => {
      const fields =
        error instanceof ApiError
          ? Object.fromEntries(error.fields.map(({ field, message }) => [field === 'MFA' ? 'code' : field, message]))
          : {};
      if (fields.password) setLate(true);
      form.setErrors(fields);
      focusFirstError(fields);
    },
  });
  const submit = ({ password, code }: { password: string; code: string }) => {
    if (!send.isPending) send.mutate({ ...(asksPassword && { password }), ...(asksCode && { MFA: plainCode(code) }) });
  };
  const atField = send.error instanceof ApiError && send.error.fields.length > 0;
  return (
    <Modal opened onClose={onClose} title="Is it you?">
      <form noValidate className="form-stack" onSubmit={form.onSubmit(submit, focusFirstError)}>
        <p style={{ margin: 0 }}>
          This touches how your account is opened. Give {asksPassword ? 'your password' : 'a code'}
          {asksPassword && asksCode ? ' and a code' : ''} once more; for ten minutes you are not asked again.
        </p>
        {asksPassword && (
          <PasswordInput
            {...form.getInputProps('password')}
            label="Your password"
            autoComplete="current-password"
            maxLength={1024}
            data-autofocus
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
          />
        )}
        {asksCode && (
          <TextInput
            {...form.getInputProps('code')}
            label="Code of your authenticator, or a recovery code"
            className="code-input"
            autoComplete="one-time-code"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={60}
            {...(!asksPassword && { 'data-autofocus': true })}
          />
        )}
        <DialogEnd label="Go on" isPending={send.isPending} onClose={onClose} error={atField ? null : send.error} />
      </form>
    </Modal>
  );
}
