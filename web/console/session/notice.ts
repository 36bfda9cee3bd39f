/** A sentence that the next sign-in page or landing shows once: why somebody was sent there. */
const storageKey = 'signInNotice';

export const leaveNotice = (text: string): void => sessionStorage.setItem(storageKey, text);

export function takeNotice(): string | null {
  const text = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  return text;
}
