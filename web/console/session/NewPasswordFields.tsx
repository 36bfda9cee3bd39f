import { PasswordInput } from '@mantine/core';
import './sign-in.css';

const eye = { 'aria-label': 'Show the password', tabIndex: 0 };

/** What of a form these fields need. */
interface PasswordForm {
  key: (path: 'password' | 'confirmPassword') => string;
  getInputProps: (path: 'password' | 'confirmPassword') => object;
}

/** A new password, twice. */
export function NewPasswordFields({ form }: { form: PasswordForm }) {
  return (
    <>
      <PasswordInput
        key={form.key('password')}
        {...form.getInputProps('password')}
        label="New password"
        autoComplete="new-password"
        size="md"
        maxLength={80}
        visibilityToggleButtonProps={eye}
      />
      <p className="password-rules">8 to 20 characters, and none that everybody tries first.</p>
      <PasswordInput
        key={form.key('confirmPassword')}
        {...form.getInputProps('confirmPassword')}
        label="The same once more"
        autoComplete="new-password"
        size="md"
        maxLength={80}
        visibilityToggleButtonProps={eye}
      />
    </>
  );
}
