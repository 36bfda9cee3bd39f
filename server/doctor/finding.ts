/** What somebody who runs an installation is told about one part of it. */
export interface Finding {
  /** bad: something does not work, or will not soon. warn: it works, and is not as it should be. */
  level: 'ok' | 'warn' | 'bad';
  /** In one sentence. */
  what: string;
  /** What to do, where something is to be done. */
  mend?: string;
}

export const ok = (what: string): Finding => ({ level: 'ok', what });
export const warn = (what: string, mend: string): Finding => ({ level: 'warn', what, mend });
export const bad = (what: string, mend: string): Finding => ({ level: 'bad', what, mend });
