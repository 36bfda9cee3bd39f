/** A sentence that the next sign-in page or landing shows once: why somebody was sent there, or that something went well. */
export interface LeftNotice {
  text: string;
  tone: 'good' | 'info';
}

const storageKey = 'signInNotice';

export const leaveNotice = (text: string, tone: LeftNotice['tone'] = 'info'): void =>
  sessionStorage.setItem(storageKey, JSON.stringify({ text, tone }));

/** For who is sent to sign in by an answer of the server's: what was typed is gone, so why is told. */
export const leaveSessionOver = (): void =>
  leaveNotice(
    'Your session has ended: it was signed out elsewhere or not used for too long, or what you may open was changed. Sign in to go on where you were.',
  );

export function takeNotice(): LeftNotice | null {
  const kept = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  return kept === null ? null : (JSON.parse(kept) as LeftNotice);
}
