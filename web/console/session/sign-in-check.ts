import { MESSAGES } from '#contract/message.ts';

/** Account §5: the e-mail address is required and well formed, the password is required. */
export interface Credentials {
  email: string;
  password: string;
}

export const tidyEmail = (email: string): string => email.trim().toLowerCase();

export const checkCredentials = {
  email: (email: string): string | null => {
    if (email.trim() === '') return 'Email is required';
    return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email.trim()) ? null : MESSAGES.emailInvalid;
  },
  password: (password: string): string | null => (password === '' ? 'Password is required' : null),
};
