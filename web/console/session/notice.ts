/** A sentence that the next sign-in page or landing shows once: why somebody was sent there, or that something went well. */
export interface LeftNotice {
  text: string;
  tone: 'good' | 'info';
}

const storageKey = 'signInNotice';

export const leaveNotice = (text: string, tone: LeftNotice['tone'] = 'info'): void =>
  sessionStorage.setItem(storageKey, JSON.stringify({ text, tone }));

export function takeNotice(): LeftNotice | null {
  const kept = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  return kept === null ? null : (JSON.parse(kept) as LeftNotice);
}
